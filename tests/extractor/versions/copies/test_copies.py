"""Near copies: who is the first, whatever the order, the edits and the interruptions."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime, timedelta
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from crawler.config.sites import Config, SiteConfig
from crawler.storage.locks import SiteLock
from crawler.storage.partitions import Storage
from extractor.night.telling import mark_copies
from extractor.records.articles import ArticleRecord, Status, articles_to_table
from extractor.versions.copies import job
from extractor.versions.copies.job import CopyCounts, find_copies
from extractor.versions.copies.signature import NEAR, likeness, signature_of
from learner.page.words import text_digest
from tests.handmade import JAPANESE, words
from tests.project import Project

DAY = datetime(2026, 11, 20, tzinfo=UTC)
SITES = ("a", "b", "c")


def text(seed: object, count: int = 200, script: str = "abcdefghilmnoprstuvz") -> str:
    return words(seed, count, script)


def edited(said: str) -> str:
    """With another first paragraph and an end."""
    return f"{text('lead', 15)}\n{said}\n{text('end', 10)}"


class Sites:
    """Some sites and their articles."""

    def __init__(self, folder: Path, **config: Any) -> None:
        self.storage = Storage(str(folder / "data"))
        entries = tuple(SiteConfig(name=name, start_urls=(f"http://{name}/",)) for name in SITES)
        self.config = Config(
            storage=str(folder / "data"), state=str(folder / "state"), sites=entries, **config
        )

    def store(self, site: str, day: int, **texts: str) -> None:
        """The articles of a site first seen on a day, in place of those that it had."""
        seen = DAY + timedelta(days=day)
        records = [
            ArticleRecord(
                url=f"http://{site}/{name}",
                url_key=f"http://{site}/{name}",
                status=Status.OK,
                title=name,
                body=said,
                text_sha256=text_digest(name, said),
                fetched_at=seen,
                first_seen_at=seen,
            )
            for name, said in sorted(texts.items())
        ]
        reader = articles_to_table(records).to_reader()
        self.storage.replace("articles", site, seen.date(), reader)

    def told(self) -> dict[str, str]:
        """The near copies by their addresses, and where the first of each stands."""
        rows = [
            row
            for site in self.storage.sites("articles")
            for batch in self.storage.read("articles", site)
            for row in batch.to_pylist()
        ]
        return {
            row["url"].removeprefix("http://"): row["same_as"].removeprefix("http://")
            for row in rows
            if row["same_as"]
        }


@pytest.fixture
def sites(tmp_path: Path) -> Sites:
    return Sites(tmp_path)


@pytest.mark.parametrize("script", ["abcdefghilmnoprstuvz", JAPANESE])
def test_likeness_of_texts(script: str) -> None:
    said = text(1, 300, script)
    paragraphs = said.split()
    changed = " ".join([*paragraphs[:280], *text(2, 20, script).split()])
    one, near, other = map(signature_of, (said, changed, text(3, 300, script)))
    assert one is not None and near is not None and other is not None
    assert likeness(one, near) > NEAR > 0.1 > likeness(one, other)
    assert signature_of(text(1, 10)) is None


def test_the_first_of_all_sites_is_named(sites: Sites) -> None:
    agency = text("agency")
    sites.store("b", 1, first=agency, own=text("b"))
    sites.store("a", 2, taken=edited(agency), own=text("a"))
    sites.store("c", 3, taken=agency)
    assert find_copies(sites.config) == CopyCounts(compared=5, copies=2)
    assert sites.told() == {"a/taken": "b/first", "c/taken": "b/first"}
    assert find_copies(sites.config) == CopyCounts(compared=0, copies=2)


@pytest.mark.parametrize("order", list(permutations(SITES)))
def test_in_whichever_order_they_come(sites: Sites, order: tuple[str, ...]) -> None:
    days = dict(zip(SITES, (3, 1, 2), strict=True))
    for site in order:
        sites.store(site, days[site], it=text("agency"))
        find_copies(sites.config)
    assert sites.told() == {"a/it": "b/it", "c/it": "b/it"}


def test_what_the_first_becomes_changes_the_others(sites: Sites) -> None:
    agency = text("agency")
    for day, site in enumerate(SITES):
        sites.store(site, day, it=agency)
    find_copies(sites.config)
    sites.store("a", 0, it=text("another"))
    assert find_copies(sites.config) == CopyCounts(compared=1, copies=1)
    assert sites.told() == {"c/it": "b/it"}
    sites.store("b", 1)
    assert find_copies(sites.config) == CopyCounts(compared=0, copies=0)
    assert sites.told() == {}


def test_copies_of_its_own_site_count_if_they_shall(tmp_path: Path, sites: Sites) -> None:
    sites.store("a", 1, one=text(1), two=edited(text(1)))
    assert find_copies(sites.config).copies == 0
    alike = Sites(tmp_path, copies="all")
    assert find_copies(alike.config).copies == 1
    assert alike.told() == {"a/two": "a/one"}


def test_short_texts_are_nobodys_copies(sites: Sites) -> None:
    for site in SITES:
        sites.store(site, 1, it=text("short", 20))
    assert find_copies(sites.config).copies == 0


def test_a_site_in_use_is_told_the_next_time(sites: Sites, monkeypatch: pytest.MonkeyPatch) -> None:
    for day, site in enumerate(SITES):
        sites.store(site, day, it=text("agency"))
    with SiteLock(sites.config.state, "b", "crawl"):
        monkeypatch.setattr(SiteLock, "_held", {})  # as another process sees it
        assert find_copies(sites.config).locked == ["b"]
        assert sites.told() == {"c/it": "a/it"}
        monkeypatch.undo()
    find_copies(sites.config)
    assert sites.told() == {"b/it": "a/it", "c/it": "a/it"}


def test_what_breaks_off_is_done_again(sites: Sites, monkeypatch: pytest.MonkeyPatch) -> None:
    for day, site in enumerate(SITES):
        sites.store(site, day, it=text("agency"))

    def broken(*_: object) -> bool:
        raise OSError("disk")

    monkeypatch.setattr(job, "_tell", broken)
    assert list(mark_copies(sites.config)) == ["copies: not told: disk"]
    monkeypatch.undo()
    assert list(mark_copies(sites.config)) == []
    assert sites.told() == {"b/it": "a/it", "c/it": "a/it"}


def test_a_night_of_one_site_compares_nothing(tmp_path: Path) -> None:
    alone = Sites(tmp_path)
    config = alone.config.model_copy(update={"sites": alone.config.sites[:1]})
    alone.store("a", 1, one=text(1))
    assert list(mark_copies(config)) == []
    assert not list((tmp_path / "state").glob("copies*"))


def test_the_command(project: Project) -> None:
    project.configure(start_urls=["http://a/"])
    sites = Sites(project.folder)
    (project.folder / "pipelines.yaml").write_text(
        json.dumps({"sites": [{"name": n, "start_urls": [f"http://{n}/"]} for n in SITES]})
    )
    sites.store("a", 1, it=text("agency"))
    sites.store("b", 2, it=text("agency"))
    done = project.run("copies", "--json")
    assert json.loads(done.stdout) == [{"compared": 2, "copies": 1, "locked": []}]
    assert sites.told() == {"b/it": "a/it"}


def test_many_texts_find_their_likes_and_no_others(sites: Sites) -> None:
    chance = random.Random(7)
    originals = {f"n{number}": text(number, 120) for number in range(60)}
    sites.store("a", 1, **originals)
    taken = {name: edited(said) for name, said in originals.items() if chance.random() < 0.5}
    sites.store("b", 2, **taken, **{f"own{n}": text(f"own {n}", 120) for n in range(30)})
    find_copies(sites.config)
    told = sites.told()
    assert set(told) <= {f"b/{name}" for name in taken}
    assert all(first == f"a/{copy.removeprefix('b/')}" for copy, first in told.items())
    assert len(told) >= 0.9 * len(taken)
