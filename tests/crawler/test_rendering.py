"""A site that scripts draw, crawled by a real browser, gives what its static twin gives."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from crawler.fetching.browser.launch import start_problem
from tests.project import Project
from tests.scripted import N_STORIES, ScriptedSite

pytestmark = pytest.mark.skipif(start_problem() is not None, reason=start_problem() or "")

NO_BROWSER = {"PATH": "/nonexistent", "PLAYWRIGHT_BROWSERS_PATH": "/nonexistent"}


def articles(project: Project) -> set[tuple[Any, ...]]:
    """Path, title and text of each article."""
    rows = project.query("select url, title, body from {articles}")
    return {(url.partition("//")[2].partition("/")[2], title, body) for url, title, body in rows}


def crawl(folder: Path, site: ScriptedSite, **keys: Any) -> Project:
    """A project that has crawled and learned the site, and extracted its articles."""
    folder.mkdir()
    project = Project(folder)
    stories = [{"allow": "/en/news/2026/"}, {"deny": "."}]
    project.configure(start_urls=[f"{site.url}/"], rules=stories, **keys)
    for command in ("crawl", "learn", "extract"):
        done = project.run(command, "site")
        assert (done.returncode, done.stderr) == (0, ""), command
    return project


@pytest.fixture(scope="module")
def scripted() -> Iterator[ScriptedSite]:
    with ScriptedSite() as site:
        yield site


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory, scripted: ScriptedSite) -> Project:
    return crawl(tmp_path_factory.mktemp("rendering") / "drawn", scripted, render="auto")


def test_its_articles_are_those_of_its_static_twin(drawn: Project, tmp_path: Path) -> None:
    with ScriptedSite(is_static=True) as site:
        static = crawl(tmp_path / "static", site)
    assert len(articles(static)) == N_STORIES
    assert articles(drawn) == articles(static)


def test_what_was_found_is_told(drawn: Project) -> None:
    pages = drawn.query("select count(*), sum(rendered::int), max(content_type) from {pages}")
    assert pages == [(N_STORIES + 1, N_STORIES + 1, "text/html; charset=utf-8")]
    runs = drawn.query("select pages_rendered, rendering from {runs} where command = 'crawl'")
    assert runs == [(N_STORIES + 1, "helps")]


def test_the_guards_hold_for_what_pages_load(drawn: Project, scripted: ScriptedSite) -> None:
    assert not any(path.startswith("/private/") for path in scripted.requests)
    # It is served there, at an address that is private and not named.
    assert "/reached" not in scripted.requests
    assert scripted.requests["/app.js"] == 1
    assert scripted.requests["/api/"] == 1


def test_a_second_crawl_asks_for_the_content_again(drawn: Project, scripted: ScriptedSite) -> None:
    asked = scripted.requests["/api/"]
    drawn.crawl()
    assert scripted.requests["/api/"] == asked + 1
    newest = "select unchanged from {pages} where url like '%/' order by fetched_at desc limit 1"
    assert drawn.query(newest) == [(True,)]


def test_stored_pages_are_drawn_into_the_tables(drawn: Project, tmp_path: Path) -> None:
    done = drawn.run("render", "site", "--pages", "2", "--to", str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    assert drawn.run("render", "site", "--pages", "2", "--offline").returncode == 0
    joined = drawn.query(
        "select count(*), min(s.styled) from {pages} p join {snapshots} s using (run_id, url_key) "
        "join {screenshots} using (run_id, url_key)"
    )
    assert joined == [(4, False)]
    assert len(list(tmp_path.glob("*/dom.json"))) == len(list(tmp_path.glob("*/*.jpeg"))) == 2


def test_without_the_browser_no_shell_takes_the_place_of_a_page(drawn: Project) -> None:
    done = drawn.run("crawl", "site", **NO_BROWSER)
    assert done.returncode == 1 and "not one page could be fetched" in done.stderr
    newest = "select html, error from {pages} where url like '%/' order by fetched_at desc limit 1"
    ((html, error),) = drawn.query(newest)
    assert html is None and error.startswith("not drawn: rendering needs Chromium")


def test_a_site_without_the_browser_is_crawled_as_it_is_served(
    scripted: ScriptedSite, tmp_path: Path
) -> None:
    project = Project(tmp_path)
    project.configure(start_urls=[f"{scripted.url}/"], render="auto", depth=0)
    done = project.run("crawl", "site", **NO_BROWSER)
    assert "rendering needs Chromium" in done.stderr
    assert project.query("select rendered from {pages}") == [(False,)]
