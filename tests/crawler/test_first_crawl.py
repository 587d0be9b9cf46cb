"""The first crawl of a site, with its start page and nothing else."""

from collections.abc import Iterator

import pytest

from examples.server import DemoServer
from tests.project import Project


@pytest.fixture
def server() -> Iterator[DemoServer]:
    with DemoServer(port=0) as running:
        yield running


def test_it_gives_articles(project: Project, server: DemoServer) -> None:
    project.configure(start_urls=[f"{server.base_url}/"], learn_every="week")
    done = project.run("crawl", "site")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    runs = project.query("select command, exit_code from {runs} order by started_at")
    assert runs == [("crawl", 0), ("learn", 0), ("extract", 0)]
    ((articles,),) = project.query("select count(*) from {articles}")
    assert articles >= 0.9 * len(server.site.pages("article"))


def test_it_leaves_learning_to_others(project: Project, server: DemoServer) -> None:
    project.configure(start_urls=[f"{server.base_url}/"], learn_every="week", depth=1)
    assert project.run("crawl", "site", "--no-learn").returncode == 0
    assert project.query("select command from {runs}") == [("crawl",)]


def test_pages_that_teach_nothing_are_no_fault_of_the_crawl(
    project: Project, server: DemoServer
) -> None:
    project.configure(start_urls=[f"{server.base_url}/"], learn_every="week", depth=0)
    done = project.run("crawl", "site")
    assert done.returncode == 0 and "expected at least 3 pages" in done.stderr, done.stderr


def test_a_site_that_has_grown_is_learned_again(project: Project, server: DemoServer) -> None:
    project.configure(start_urls=[f"{server.base_url}/"], learn_every="week", max_pages=30)
    for _ in range(2):
        assert project.run("crawl", "site").returncode == 0
    commands = [row[0] for row in project.query("select command from {runs} order by started_at")]
    assert commands == ["crawl", "learn", "extract"] * 2
