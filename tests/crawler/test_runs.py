"""Every run of a command on a site has its row, however it ended."""

import fcntl
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from examples.server import DemoServer
from tests.project import Project


@pytest.fixture
def server() -> Iterator[DemoServer]:
    with DemoServer(port=0) as running:
        yield running


def last_run(project: Project) -> dict[str, Any]:
    """The row of the run that ended last."""
    names = (
        "command, exit_code, cause, requests, pages_new, pages_changed, pages_unchanged, "
        "pages_failed, failures, articles_new, articles_edited, patterns, links_beyond_depth, "
        "links_waiting, left_out"
    )
    ((row,),) = project.query(
        f"select {{{{r: r}}}} from (select {names} from {{runs}} order by ended_at desc limit 1) r"
    )
    return row["r"]


def test_of_a_site_that_is_crawled_learned_and_crawled_again(
    project: Project, server: DemoServer
) -> None:
    project.configure(start_urls=[f"{server.base_url}/"], depth=1)
    project.crawl()
    first = last_run(project)
    assert (first["command"], first["exit_code"], first["cause"]) == ("crawl", 0, None)
    assert first["pages_new"] > 10 and first["requests"] > first["pages_new"]
    assert (first["pages_changed"], first["pages_unchanged"], first["links_waiting"]) == (0, 0, 0)
    assert first["links_beyond_depth"] > 10
    assert {each["reason"] for each in first["failures"]} <= {"http 404", "robots.txt"}
    assert sum(each["pages"] for each in first["failures"]) == first["pages_failed"]

    assert project.run("learn", "site").returncode == 0
    learned = last_run(project)
    assert (learned["command"], learned["requests"]) == ("learn", None)
    assert learned["patterns"] == project.query("select count(*) from {patterns}")[0][0]

    assert project.run("extract", "site").returncode == 0
    extracted = last_run(project)
    n_articles = project.query("select count(*) from {articles}")[0][0]
    assert (extracted["command"], extracted["articles_new"]) == ("extract", n_articles)

    server.show(2)
    project.crawl()
    second = last_run(project)
    assert second["pages_new"] > 0 and second["pages_changed"] > 0
    assert (
        second["articles_new"]
        == project.query("select count(*) from {articles}")[0][0] - n_articles
        > 0
    )
    assert second["articles_edited"] == 0


def test_what_lies_beyond_the_depth_is_explained(project: Project, server: DemoServer) -> None:
    home = f"{server.base_url}/"
    project.configure(start_urls=[home], depth=0)
    project.crawl()
    beyond = last_run(project)["links_beyond_depth"]
    seen = "select dst_url from {links} where in_scope order by position"
    url = next(url for (url,) in project.query(seen) if url != home)
    told = project.run("urldb", "site", "--why", url).stdout
    assert "not fetched: linked only from pages of depth 0, and depth is 0" in told
    assert f"(first seen on {home})" in told
    project.configure(start_urls=[home], depth=1)
    project.crawl()
    deeper = last_run(project)
    # An address that ends like a file was tried, and is one.
    files = [each["addresses"] for each in deeper["left_out"] if each["reason"] == "media file"]
    assert deeper["pages_new"] + deeper["pages_failed"] + sum(files) >= beyond


def test_of_runs_that_could_not_begin(project: Project) -> None:
    project.configure(start_urls=["http://127.0.0.1:9/"])
    assert project.run("learn", "site").returncode == 5
    assert last_run(project)["cause"].startswith("site: expected at least 3 pages")
    crawl = project.run("crawl", "site")
    assert crawl.returncode == 1
    refused = last_run(project)
    assert (refused["command"], refused["exit_code"]) == ("crawl", 1)
    assert refused["cause"] == crawl.stderr.splitlines()[-1]

    lock = next(Path(project.folder, "data").rglob("*.lock"))
    with lock.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert project.run("crawl", "site").returncode == 4
    assert last_run(project)["exit_code"] == 4


def test_a_mistake_in_the_configuration_is_no_run_of_a_site(project: Project) -> None:
    project.configure(start_urls=["http://127.0.0.1:9/"])
    assert project.run("crawl", "other").returncode == 3
    assert not (project.folder / "data" / "runs").exists()
