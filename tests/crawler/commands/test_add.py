"""`webstem add URL`, in a folder with nothing in it and in one with a pipelines.yaml."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from crawler.config.sites import load_config
from examples.server import DemoServer
from tests.forking import ROOT
from tests.project import Project
from tests.server import TestSite


@pytest.fixture
def server() -> Iterator[DemoServer]:
    with DemoServer(port=0) as running:
        yield running


def add(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {
        name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")
    }
    environment.pop("WEBSTEM_CONFIG", None)
    return subprocess.run(
        [sys.executable, "-m", "crawler.console", "add", *arguments],
        cwd=folder,
        env={**environment, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_from_nothing_to_articles(tmp_path: Path, server: DemoServer) -> None:
    (tmp_path / "pipelines.yaml").write_text("defaults: {delay_seconds: 0.0}\nsites: []  # mine\n")
    url = f"{server.base_url}/"
    done = add(tmp_path, url, "--pages", "60")
    assert done.returncode == 0, done.stderr
    assert "robots.txt names the sitemap" in done.stdout and "pages wait" in done.stdout
    shown = [line for line in done.stdout.splitlines() if line.startswith("127.0.0.1\t")]
    assert len(shown) == 10 and all(line.split("\t")[4] == "ok" for line in shown)
    config = load_config(tmp_path / "pipelines.yaml")
    (site,) = config.sites
    assert (site.name, site.start_urls, site.private_hosts) == ("127.0.0.1", (url,), ("127.0.0.1",))
    assert "sites:  # mine\n" in (tmp_path / "pipelines.yaml").read_text()
    ((pages, articles),) = Project(tmp_path).query(
        "select (select count(*) from {pages}), (select count(*) from {articles})"
    )
    assert pages <= 61 and articles > 20


def test_a_second_site_of_a_host(tmp_path: Path, server: DemoServer) -> None:
    for number, url in ((1, f"{server.base_url}/"), (2, f"{server.base_url}/ja/")):
        done = add(tmp_path, url, "--no-crawl")
        assert done.returncode == 0, done.stderr
        # A project is made once; what stands in it stays.
        assert ("scrapy.cfg" in done.stdout) is (number == 1)
    names = [site.name for site in load_config(tmp_path / "pipelines.yaml").sites]
    assert names == ["127.0.0.1", "127.0.0.1-2"]
    again = add(tmp_path, url, "--no-crawl")
    assert again.returncode == 1 and "/ja/ already, as 127.0.0.1-2" in again.stderr
    taken = add(tmp_path, f"{server.base_url}/en/", "--no-crawl", "--name", "127.0.0.1")
    assert taken.returncode == 1 and "'127.0.0.1' already" in taken.stderr


def test_sites_that_cannot_be_had(tmp_path: Path) -> None:
    with TestSite(pages=1, has_faults=True) as site:
        for url, said in (
            (f"{site.url}missing", "http 404"),
            ("http://127.0.0.1:9/", "connection refused"),
        ):
            done = add(tmp_path, url)
            assert done.returncode == 1 and said in done.stderr, done.stderr
    assert load_config(tmp_path / "pipelines.yaml").sites == ()


@pytest.mark.parametrize("url", ["ftp://example.org/", "https://", "https://a b/"])
def test_what_is_no_url(tmp_path: Path, url: str) -> None:
    done = add(tmp_path, url)
    assert done.returncode == 2 and "an absolute http or https URL" in done.stderr
    assert not any(tmp_path.iterdir())
