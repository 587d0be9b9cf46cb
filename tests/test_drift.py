"""A redesign from the first sign to its end: crawl, learn, redesign, drift, learn again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from examples.redesign import RedesignedServer
from tests.project import Project


@pytest.fixture
def server() -> Iterator[RedesignedServer]:
    with RedesignedServer(port=0) as running:
        yield running


def quiet(project: Project, *arguments: str) -> None:
    done = project.run(*arguments)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def flags(project: Project) -> list[list[str]]:
    """What fell on each day, by day."""
    rows = project.query("select [f.name for f in drift] from {site_stats} order by date")
    return [row[0] for row in rows]


def files(project: Project) -> dict[Path, str]:
    found = (project.folder / "data" / "site_stats").rglob("*.parquet")
    return {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in found}


def lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line]


def test_a_redesign_is_told_until_it_is_learned(project: Project, server: RedesignedServer) -> None:
    project.configure(
        start_urls=[f"{server.base_url}/"], feeds=[f"{server.base_url}/feed.xml"], depth=1
    )
    for command in ("crawl", "learn", "extract"):
        quiet(project, command, "site")
    assert flags(project) == [[]]

    # New articles in the old layout: nothing to say, and nothing to write again.
    project.a_day_passes()
    server.show(2)
    quiet(project, "crawl", "site")
    assert flags(project) == [[], []]
    figures = files(project)
    quiet(project, "extract", "site")
    assert files(project) == figures

    project.a_day_passes()
    server.show_redesign(2)
    crawl = project.run("crawl", "site")
    assert (crawl.returncode, crawl.stdout) == (0, "")
    (told,) = lines(crawl.stderr)
    day = datetime.now(UTC).date()
    assert f"site: drift on {day}: changed pages that still are the article they were fell" in told
    # The articles of edition 2 alone: older ones were unchanged yesterday and are not due.
    n_new = sum(story.edition == 2 for story in server.site.stories)
    assert f"from 100% to 0% (of {n_new})" in told
    assert f"`scrapy learn site --since {day}`" in told
    assert flags(project) == [[], [], ["known_articles"]]
    extract = project.run("extract", "--all", "--again")
    assert (extract.returncode, extract.stdout) == (0, "")
    assert lines(extract.stderr) == [told[told.index("site: drift") :]]

    checked = project.run("report", "--check", "--json")
    (row,) = json.loads(checked.stdout)
    assert (row["state"], row["cause"], row["since"]) == ("ill", "layout changed", str(day))
    assert row["said"] in told and checked.returncode == 6

    # From the new layout alone, for the new days alone: the others keep their records.
    old = (
        "select url_key, status, body from {articles} "
        f"where fetched_at < timestamptz '{day} 00:00Z' order by all"
    )
    kept = project.query(old)
    for command in ("learn", "extract"):
        quiet(project, command, "site", "--since", str(day))
    assert flags(project) == [[], [], []]
    # But for those that the new days tell anew, which stand there now.
    left = project.query(old)
    new = project.query(old.replace("<", ">="))
    assert set(left) < set(kept)
    texts = {(key, status): body.split("\n") for key, status, body in new}
    for key, status, body in set(kept) - set(left):
        assert set(body.split("\n")) <= set(texts[key, status])
    # From all pages: both layouts.
    for command in ("learn", "extract"):
        quiet(project, command, "site")
    assert flags(project) == [[], [], []]
    paths = {story.path for story in server.site.stories}
    articles, before = (
        {row for row in rows if urlsplit(row[0]).path in paths}
        for rows in (project.query(old), kept)
    )
    # Of two layouts one page alone came, whose closing words nothing tells from its text.
    assert articles < before and len(before - articles) <= 2 and len(articles) >= 30
    assert project.run("report", "--bad", "--check").stdout == ""
    project.a_day_passes()
    quiet(project, "crawl", "site")
    assert flags(project)[:3] == [[], [], []]
