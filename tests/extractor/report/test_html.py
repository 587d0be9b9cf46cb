"""The pages of the report, looked at in a real browser."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from crawler.config.sites import SiteConfig
from crawler.storage.partitions import Storage
from crawler.storage.records import PAGE_SCHEMA, PageRecord, records_to_table
from crawler.storage.runs import FailedPages, RunRecord, write_run
from extractor.batch.job import extract_site
from extractor.report.html import write_html
from extractor.report.overview import overview_of
from learner.induction.job import learn_site
from tests.handmade import HOST, site

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
HOSTILE = "<script>document.title='broken'</script>\"'><img src=http://127.0.0.1:9/x>"
QUIET = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--hide-scrollbars",
)  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of two sites: one with articles, whose words are hostile, one that is down."""
    root = tmp_path_factory.mktemp("report")
    storage = Storage(str(root / "data"))
    good = SiteConfig(name="good", start_urls=(f"{HOST}/",))
    down = SiteConfig(name="down", start_urls=("http://down.example/",))
    escaped = HOSTILE.replace("<", "&lt;").replace(">", "&gt;").encode()
    pages = [replace(each, html=each.html.replace(b"</h1>", escaped + b"</h1>")) for each in site()]
    records = [
        PageRecord(
            run_id="r", url=each.url, final_url=each.url, url_key=each.url, fetched_at=NOW,
            html=each.html, body_sha256=str(number),
        )
        for number, each in enumerate(pages)
    ]  # fmt: skip
    gone = PageRecord(
        run_id="r", url=f"http://a/{HOSTILE}", final_url="http://a/", url_key="http://a/",
        fetched_at=NOW, error="http 404",
    )  # fmt: skip
    table = records_to_table([*records, gone], PAGE_SCHEMA)
    storage.write_part("pages", "good", NOW.date(), table)
    learn_site(storage, good, now=NOW)
    extract_site(storage, good, now=NOW)
    for name, exit_code, cause in (("good", 0, None), ("down", 1, HOSTILE)):
        failures = (FailedPages(reason="timeout" if exit_code else "http 404", pages=1),)
        run = RunRecord(
            run_id="r", command="crawl", started_at=NOW, ended_at=NOW, exit_code=exit_code,
            cause=cause, pages_new=0 if exit_code else 13, pages_changed=0, pages_unchanged=0,
            pages_failed=1, failures=failures, articles_new=None if exit_code else 10,
        )  # fmt: skip
        write_run(storage, name, run)
    sites = [overview_of(storage, each, NOW.date()) for each in (down, good)]
    write_html(root / "out", storage, sites, NOW)
    return root / "out"


def test_all_is_escaped_and_nothing_is_loaded(folder: Path) -> None:
    for path in folder.rglob("*.html"):
        text = path.read_text()
        assert HOSTILE not in text and "<img" not in text
        allowed = rf'(?:src|href)="(?!data:,|sites/|\.\./|{re.escape(HOST)}/)'
        assert not re.search(allowed, text)
    good = (folder / "sites" / "good.html").read_text()
    assert "&lt;script&gt;" in good and good.count('class="block main"') > 4
    assert "down: <span" in (folder / "sites" / "down.html").read_text()
    assert (folder / "index.html").read_text().index("down.html") > 0


@pytest.fixture(scope="module")
def chromium() -> str:
    found = shutil.which("chromium")
    if found is None:
        pytest.skip("no chromium")
    return found


def browse(chromium: str, tmp_path: Path, page: Path, width: int, *options: str) -> str:
    """What a browser of that width makes of a page, with its width and its console in the title."""
    copy = tmp_path / page.name
    script = (
        "<script>addEventListener('error', e => console.error(e.message));"
        "document.title = document.documentElement.scrollWidth + ' of ' + innerWidth"
        " + ' ' + document.title</script></body>"
    )
    copy.write_text(page.read_text().replace("</body>", script))
    done = subprocess.run(
        [
            chromium, *QUIET, f"--user-data-dir={tmp_path / 'profile'}",
            f"--window-size={width},1000", "--enable-logging=stderr", *options, copy.as_uri(),
        ],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    assert "CONSOLE" not in done.stderr, done.stderr
    return done.stdout


def pages() -> Iterator[str]:
    yield from ("index.html", "sites/good.html", "sites/down.html")


@pytest.mark.parametrize("width", [500, 1200])
@pytest.mark.parametrize("name", list(pages()))
def test_it_is_read_on_a_phone_and_on_a_desk(
    folder: Path, tmp_path: Path, chromium: str, name: str, width: int
) -> None:
    log = tmp_path / "net.json"
    dom = browse(chromium, tmp_path, folder / name, width, "--dump-dom", f"--log-net-log={log}")
    title = re.search(r"<title>(\d+) of (\d+) ", dom)
    assert title and int(title[1]) <= int(title[2]) == width
    # Chromium itself asks its maker for the time.
    hosts = set(re.findall(r'"url":"(?:https?|ftp)://([^/"]*)', log.read_text()))
    assert {
        host for host in hosts if not host.endswith((".google.com", ".googleapis.com"))
    } == set()
    picture = tmp_path / "picture.png"
    browse(chromium, tmp_path, folder / name, width, f"--screenshot={picture}")
    assert picture.stat().st_size > 5000


def test_filter_and_search(folder: Path, tmp_path: Path, chromium: str) -> None:
    page = tmp_path / "filtered.html"
    script = (
        "<script>states.value = 'bad'; show(); const bad = shown(); states.value = '';"
        "search.value = 'GOOD'; show(); const found = shown();"
        "function shown() { return [...document.querySelectorAll('tbody tr')]"
        ".filter(row => !row.hidden).map(row => row.cells[0].textContent); }"
        "document.body.textContent = JSON.stringify({bad, found});</script></body>"
    )
    page.write_text((folder / "index.html").read_text().replace("</body>", script))
    dom = browse(chromium, tmp_path, page, 1000, "--dump-dom")
    told = re.search(r'\{"bad".*?\}', dom.replace("&quot;", '"'))
    assert told and json.loads(told[0]) == {"bad": ["down"], "found": ["good"]}
