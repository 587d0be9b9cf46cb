"""The figures of a day, counted from real tables."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from crawler.storage.partitions import Storage
from crawler.storage.records import PAGE_SCHEMA, PageRecord, records_to_table
from extractor.health.stats import (
    LOOK_BACK_DAYS,
    STATS_SCHEMA,
    Fall,
    PatternPages,
    SiteStats,
    count_days,
    read_stats,
    write_stats,
)
from extractor.records.articles import ArticleRecord, Status
from extractor.records.outcomes import outcomes_to_table

DAY = date(2026, 11, 20)
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.fixture
def storage(tmp_path: Path) -> Storage:
    return Storage(str(tmp_path))


def page(key: str, hour: int = 0, **facts: object) -> PageRecord:
    fetched_at = NOON + timedelta(hours=hour)
    values = {"run_id": "r1", "html": b"<p>x", "body_sha256": key, **facts}
    return PageRecord(url=key, final_url=key, url_key=key, fetched_at=fetched_at, **values)  # type: ignore[arg-type]


def record(key: str, status: Status = Status.OK, **facts: object) -> ArticleRecord:
    values: dict[str, object] = {"body_sha256": key, **facts}
    if status is Status.OK:
        values = {"title": "t", "body": "x" * 100, "pattern_id": "p1", **values}
    return ArticleRecord(url=key, url_key=key, status=status, **values)  # type: ignore[arg-type]


def store(storage: Storage, day: date, *records: ArticleRecord) -> None:
    storage.replace("outcomes", "a", day, outcomes_to_table(records))


def counted(storage: Storage, day: date = DAY) -> SiteStats:
    (stats,) = count_days(storage, "a", [day])
    return stats


def test_pages_are_new_unchanged_or_errors(storage: Storage) -> None:
    gone = {"html": None, "body_sha256": None}
    rows = [
        page("a", 1, run_id="r2"),
        page("b"),
        page("c", unchanged=True, html=None),
        page("d", error="http 404", **gone),
        page("e", error="redirects to a page already crawled: http://a/", **gone),
    ]
    storage.write_part("pages", "a", DAY, records_to_table(rows, PAGE_SCHEMA))
    stats = counted(storage)
    assert (stats.pages, stats.new, stats.unchanged, stats.errors) == (4, 2, 1, 1)
    assert stats.run_id == "r2"
    assert (stats.match_rate, stats.fill_title, stats.median_body_chars) == (None, None, None)


def test_guessed_pages_are_not_matched(storage: Storage) -> None:
    store(storage, DAY, record("a"), record("b"), record("c"))
    later = DAY + timedelta(days=1)
    guessed = [record(key, Status.GUESSED) for key in ("a", "b", "new")]
    store(storage, later, *guessed, record("c"))
    (stats,) = count_days(storage, "a", [later])
    assert (stats.articles, stats.guessed, stats.unmatched) == (1, 3, 0)
    assert (stats.known, stats.known_articles, stats.fresh, stats.fresh_articles) == (3, 1, 1, 0)
    assert stats.match_rate == 0.25


def test_a_wall_that_is_guessed_still_says_one_and_the_same(storage: Storage) -> None:
    walls = [
        replace(record(f"p{n}", Status.GUESSED), title="Wait", body=f"Ray ID: {n}")
        for n in range(5)
    ]
    store(storage, DAY, *walls)
    assert counted(storage).same_text == 5


def test_records_by_status(storage: Storage) -> None:
    statuses = [Status.OK, Status.LIST, Status.NO_PATTERN, Status.LOW_SCORE, Status.EMPTY]
    records = [record(str(status), status) for status in (*statuses, Status.ERROR)]
    store(storage, DAY, *records)
    stats = counted(storage)
    found = (stats.articles, stats.lists, stats.unmatched, stats.empty, stats.unreadable)
    assert (found, stats.guessed) == ((1, 1, 2, 1, 1), 0)
    # The list is left out of the pages that should be articles: 1 of 5 is.
    assert (stats.fresh, stats.fresh_articles, stats.match_rate) == (5, 1, 0.2)


def test_fields_and_lengths_of_articles_alone(storage: Storage) -> None:
    store(
        storage,
        DAY,
        record("a", body="x" * 10, authors=("A",), date_published=NOON),
        record("b", body="x" * 30, language="en", authors=("B",)),
        record("c", body="x" * 20, title=None, authors=("C",)),
        record("d", body="x" * 40),
        record("e", Status.LIST, title="a list", authors=("D",)),
    )
    stats = counted(storage)
    assert (stats.fill_title, stats.fill_body, stats.fill_authors) == (0.75, 1.0, 0.75)
    assert (stats.fill_date_published, stats.fill_language) == (0.25, 0.25)
    assert stats.median_body_chars == 20


def test_pages_of_each_pattern_the_most_first(storage: Storage) -> None:
    fitting = [record("a", pattern_id="q"), record("b", pattern_id="p"), record("c")]
    store(storage, DAY, *fitting, record("d", Status.EMPTY, pattern_id="p"))
    patterns = [(each.pattern_id, each.pages) for each in counted(storage).patterns]
    assert patterns == [("p", 2), ("p1", 1), ("q", 1)]


def test_pages_that_should_be_articles(storage: Storage) -> None:
    store(storage, DAY - timedelta(days=LOOK_BACK_DAYS + 1), record("long ago"))
    store(storage, DAY - timedelta(days=LOOK_BACK_DAYS), record("kept"), record("lost"))
    missed = [record(key, Status.NO_PATTERN) for key in ("about", "lost")]
    store(storage, DAY - timedelta(days=1), *missed)
    store(
        storage,
        DAY,
        record("kept"),
        record("lost", Status.LIST),  # known as an article, so it counts though it is a list now
        record("about", Status.NO_PATTERN),  # never was an article
        record("long ago", Status.NO_PATTERN),
        record("new"),
        record("new list", Status.LIST),
    )
    store(storage, DAY + timedelta(days=1), record("new"))
    stats = counted(storage)
    assert (stats.known, stats.known_articles) == (2, 1)
    assert (stats.fresh, stats.fresh_articles, stats.fresh_lists) == (2, 1, 1)
    assert stats.match_rate == 0.5


def test_several_days_are_counted_as_each_alone(storage: Storage) -> None:
    days = [DAY + timedelta(days=number) for number in (0, 1, 2, 40)]
    for number, day in enumerate(days):
        store(storage, day, *(record(f"{each}") for each in range(number, number + 3)))
    assert list(count_days(storage, "a", reversed(days))) == [counted(storage, d) for d in days]


def test_figures_are_stored_as_they_are(storage: Storage) -> None:
    first = SiteStats(site="a", day=DAY)
    second = replace(
        first,
        day=DAY + timedelta(days=1),
        run_id="r",
        pages=3,
        match_rate=0.5,
        median_body_chars=7,
        patterns=(PatternPages(pattern_id="p", pages=2),),
        drift=(Fall(name="fill_title", before=1.0, now=0.25, pages=8),),
    )
    for stats in (second, first, second):
        write_stats(storage, stats)
    assert read_stats(storage, "a") == [first, second]
    assert len(storage.files("site_stats", "a")) == 2


def test_each_column_has_its_figure() -> None:
    assert set(STATS_SCHEMA.names) == set(SiteStats.__dataclass_fields__) - {"site", "day"}
