"""A project with a learned site, and servers of it on loopback."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from time import sleep

import httpx
import pytest

from crawler.config.sites import Config, SiteConfig
from crawler.storage.partitions import Storage
from crawler.storage.records import PAGE_SCHEMA, PageRecord, records_to_table
from crawler.storage.runs import RunRecord, write_run
from extractor.batch.job import extract_site
from extractor.serve.app import create_app
from extractor.serve.server import OWN_HOSTS, bind, server_of
from extractor.serve.service import Limits
from learner.induction.job import learn_site
from tests.handmade import HOST, site
from tests.server import TestSite

NOW = datetime.now(UTC)
HOSTILE = "<script>document.title='broken'</script>\"'><img src=http://127.0.0.1:9/x>"
Serve = Callable[..., httpx.Client]


@contextmanager
def served(config: Config, limits: Limits | None = None, token: str | None = None) -> Iterator[str]:
    """The address of a running server."""
    app = create_app(lambda: config, limits or Limits(workers=2), token, OWN_HOSTS)
    listening = bind("127.0.0.1", 0, token, "TOKEN")
    server = server_of(app)
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive()
            sleep(0.02)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="package")
def elsewhere() -> Iterator[TestSite]:
    """A site on this machine that may be fetched, for pipelines.yaml names it."""
    with TestSite(pages=3, has_faults=True) as running:
        yield running


@pytest.fixture(scope="package")
def config(tmp_path_factory: pytest.TempPathFactory, elsewhere: TestSite) -> Config:
    """Two sites: one that is learned, with articles of two days and hostile words; one to fetch."""
    storage = Storage(str(tmp_path_factory.mktemp("serve") / "data"))
    good = SiteConfig(name="good", start_urls=(f"{HOST}/",))
    near = SiteConfig(
        name="near", start_urls=(elsewhere.url,), private_hosts=("127.0.0.1",),
        delay_seconds=0.0,
    )  # fmt: skip
    escaped = HOSTILE.replace("<", "&lt;").replace(">", "&gt;").encode()
    pages = [replace(each, html=each.html.replace(b"</h1>", escaped + b"</h1>")) for each in site()]
    for part, moment in ((pages[::2], NOW - timedelta(days=1)), (pages[1::2], NOW)):
        records = [
            PageRecord(
                run_id="r", url=each.url, final_url=each.url, url_key=each.url, fetched_at=moment,
                html=each.html, body_sha256=each.url,
            )
            for each in part
        ]  # fmt: skip
        table = records_to_table(records, PAGE_SCHEMA)
        storage.write_part("pages", "good", moment.date(), table)
    learn_site(storage, good, now=NOW)
    extract_site(storage, good, now=NOW)
    run = RunRecord(
        run_id="r", command="crawl", started_at=NOW, ended_at=NOW, exit_code=0, pages_new=13,
        pages_changed=0, pages_unchanged=0, pages_failed=0, articles_new=10, articles_edited=0,
    )  # fmt: skip
    write_run(storage, "good", run)
    return Config(storage=storage.root, sites=(good, near))


@pytest.fixture(scope="package")
def address(config: Config) -> Iterator[str]:
    """Where a server of the project answers."""
    with served(config) as url:
        yield url


@pytest.fixture
def client(address: str) -> Iterator[httpx.Client]:
    """Asks it."""
    with httpx.Client(base_url=address, timeout=60) as asking:
        yield asking
