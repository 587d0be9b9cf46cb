"""The nightly sequence, as cron runs it: crawl, learn, extract, and again the next night."""

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from examples.server import DemoServer
from tests.forking import ROOT
from tests.project import Project

NIGHT = ("crawl", "learn", "extract")


@pytest.fixture
def server() -> Iterator[DemoServer]:
    with DemoServer(port=0) as running:
        yield running


@pytest.fixture
def project(tmp_path: Path, server: DemoServer) -> Project:
    """A project folder with the repository's own configuration of the demo site."""
    config = (ROOT / "pipelines.yaml").read_text()
    (tmp_path / "pipelines.yaml").write_text(
        config.replace("http://127.0.0.1:8123", server.base_url)
    )
    (tmp_path / "scrapy.cfg").write_text((ROOT / "scrapy.cfg").read_text())
    return Project(tmp_path)


def run_night(project: Project) -> None:
    for command in NIGHT:
        run = project.run(command, "demo")
        assert run.returncode == 0, f"{command}: {run.stdout}{run.stderr}"


def contents(project: Project) -> dict[str, list[tuple[object, ...]]]:
    """What the tables hold, without the times at which it was written."""
    queries = {
        "pages": "select url_key, body_sha256 from {} where html is not null order by all",
        "patterns": "select distinct pattern_id, kind, n_pages from {} order by all",
        "articles": "select url_key, status, title, body, pattern_id from {} order by all",
        "outcomes": "select url_key, status, title, pattern_id from {} order by all",
    }
    return {
        name: duckdb.connect()
        .execute(query.format(f"read_parquet('{project.folder}/data/{name}/**/*.parquet')"))
        .fetchall()
        for name, query in queries.items()
    }


def test_a_second_night_adds_nothing_and_the_next_edition_its_articles_alone(
    project: Project, server: DemoServer
) -> None:
    run_night(project)
    first = contents(project)
    assert len(first["pages"]) == len(set(first["pages"])) >= 80
    run_night(project)
    assert contents(project) == first
    assert not [path for path in (project.folder / "data").rglob("*") if path.name.endswith(".tmp")]

    server.show(2)
    for command in ("crawl", "extract"):
        assert project.run(command, "demo").returncode == 0
    third = contents(project)
    titles = {row[2] for row in third["articles"] if row[1] == "ok"}
    new = {story.title for story in server.site.stories if story.edition == 2}
    assert titles - {row[2] for row in first["articles"]} == new
    old_articles = {row for row in first["pages"] if "/20" in str(row[0])}
    assert old_articles <= set(third["pages"])
    assert not [path for path, _ in server.requests if path.startswith("/private/")]
