"""Drift: numbers that can be checked by hand, and what must never raise a flag."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.storage.partitions import Storage
from extractor.health.drift import (
    LEAST_FALL,
    LEAST_PAGES,
    Drift,
    Rate,
    drift_of,
    find_falls,
    judge_days,
    latest_drift,
    least_ratio,
    sure_fall,
    weighted_median,
)
from extractor.health.stats import LOOK_BACK_DAYS, Fall, SiteStats, read_stats
from extractor.records.articles import ArticleRecord, Status
from extractor.records.outcomes import outcomes_to_table

DAY = date(2026, 11, 20)

ALL_FILLED = dict.fromkeys(
    ("fill_title", "fill_body", "fill_date_published", "fill_authors", "fill_language"), 1.0
)


def figures(days_ago: int = 0, **values: Any) -> SiteStats:
    return SiteStats(site="a", day=DAY - timedelta(days=days_ago), **values)


def articles(count: int, days_ago: int = 0, **values: Any) -> SiteStats:
    """A day on which all is well with so many new articles."""
    well = {"articles": count, "fresh": count, "fresh_articles": count, "median_body_chars": 1000}
    return figures(days_ago, **{**well, **ALL_FILLED, **values})


def fallen(today: SiteStats, *earlier: SiteStats) -> dict[str, tuple[float, float, int]]:
    falls = find_falls(today, sorted(earlier, key=lambda stats: stats.day))
    return {fall.name: (fall.before, fall.now, fall.pages) for fall in falls}


# The test itself


def test_the_interval_of_a_share() -> None:
    # n / (n + 9) for all of n; for a half of n the middle is the half: 0.5 -+ 1.5 / sqrt(n + 9).
    assert Rate(18, 18).bounds() == pytest.approx((2 / 3, 1))
    assert Rate(8, 16).bounds() == pytest.approx((0.2, 0.8))
    assert Rate(0, 0).bounds() == (0, 1)


@given(st.integers(1, 500), st.integers(0, 500))
def test_the_interval_holds_the_share(pages: int, hits: int) -> None:
    rate = Rate(min(hits, pages), pages)
    low, high = rate.bounds()
    assert 0 <= low <= rate.share + 1e-12 and rate.share - 1e-12 <= high <= 1
    other = Rate(pages - rate.hits, pages).bounds()
    assert (1 - high, 1 - low) == pytest.approx(other)


def test_a_sure_fall_by_hand() -> None:
    # From all of 91 to none of 6: 1 - sqrt((1 - 91/100)**2 + (9/15)**2).
    assert sure_fall(Rate(91, 91), Rate(0, 6)) == pytest.approx(1 - math.hypot(0.09, 0.6))
    # From a half to a half of 16: 0 - sqrt(0.3**2 + 0.3**2).
    assert sure_fall(Rate(8, 16), Rate(8, 16)) == pytest.approx(-math.hypot(0.3, 0.3))


@given(st.integers(1, 200), st.integers(1, 200), st.integers(1, 50), st.integers(0, 50))
def test_equal_or_better_rates_are_never_a_fall(
    times: int, times_now: int, pages: int, hits: int
) -> None:
    hits = min(hits, pages)
    before, now = Rate(times * hits, times * pages), Rate(times_now * hits, times_now * pages)
    assert sure_fall(before, now) <= 0
    assert sure_fall(before, Rate(now.pages, now.pages)) <= 0


@given(st.integers(1, 300), st.integers(1, 300), st.integers(0, 299))
def test_fewer_hits_are_a_larger_fall(pages: int, pages_now: int, hits: int) -> None:
    hits = min(hits, pages_now - 1)
    before = Rate(pages, pages)
    assert sure_fall(before, Rate(hits, pages_now)) > sure_fall(before, Rate(hits + 1, pages_now))


# Shares of a day


def test_new_pages_that_give_no_article() -> None:
    today = figures(fresh=12, fresh_articles=0)
    before = [articles(40, 1), articles(50, 2, fresh_articles=45)]
    fall = (85 / 90, 0.0, 12)
    assert fallen(today, *before) == {"fresh": fall, "fresh_articles": fall}


def test_new_articles_that_are_taken_for_lists() -> None:
    today = figures(fresh=2, fresh_lists=10)
    assert fallen(today, articles(45, 1, fresh_lists=5)) == {"fresh": (0.9, 0.0, 12)}
    # A night of nothing but two new lists is a quiet one.
    assert fallen(figures(fresh_lists=2), articles(45, 1, fresh_lists=5)) == {}


def test_new_pages_of_a_site_of_lists() -> None:
    days = [articles(30, 1, fresh_lists=60), figures(fresh=10, fresh_lists=2)]
    assert fallen(days[1], days[0]) == {"fresh_articles": (1.0, 0.0, 10)}


def test_three_pages_are_no_drift() -> None:
    assert fallen(figures(fresh=3), articles(90, 1)) == {}
    assert fallen(figures(known=LEAST_PAGES - 1), articles(90, 1)) == {}


def test_known_articles_need_no_days_before() -> None:
    assert fallen(figures(known=8)) == {"known_articles": (1.0, 0.0, 8)}
    assert fallen(figures(known=8, known_articles=6)) == {}


@pytest.mark.parametrize(("known", "lost"), [(6, 6), (20, 11), (100, 24)])
def test_how_many_articles_must_be_lost(known: int, lost: int) -> None:
    assert "known_articles" in fallen(figures(known=known, known_articles=known - lost))
    assert fallen(figures(known=known, known_articles=known - lost + 1)) == {}


def test_a_small_fall_of_many_pages_is_none() -> None:
    assert fallen(figures(fresh=9000, fresh_articles=8200), articles(9000, 1)) == {}
    assert "fresh_articles" in fallen(figures(fresh=9000, fresh_articles=7900), articles(9000, 1))
    assert LEAST_FALL == 0.1


def test_a_field_that_is_no_longer_found() -> None:
    today = articles(20, fill_authors=0.1, fill_date_published=0.0)
    before = [articles(30, days) for days in (1, 2, 3)]
    assert fallen(today, *before) == {
        "fill_date_published": (1.0, 0.0, 20),
        "fill_authors": (1.0, 0.1, 20),
    }


def test_a_field_that_was_seldom_there_may_be_missing() -> None:
    assert fallen(articles(20, fill_authors=0.0), articles(60, 1, fill_authors=0.3)) == {}


def test_what_was_so_low_on_another_day_is_no_drift() -> None:
    sundays = [articles(60, days, fill_authors=0.2 if days == 7 else 1.0) for days in range(1, 14)]
    assert fallen(articles(60, fill_authors=0.2), *sundays) == {}
    assert "fill_authors" in fallen(articles(60, fill_authors=0.1), *sundays)


def test_days_of_few_pages_are_taken_together() -> None:
    before = [articles(60, 20)]
    lost = [figures(days, fresh=2) for days in (2, 1)]
    assert fallen(figures(fresh=1), *lost, *before) == {}
    assert fallen(figures(fresh=2), *lost, *before)["fresh_articles"] == (1.0, 0.0, 6)


def test_a_day_without_such_pages_raises_no_flag() -> None:
    lost = [figures(days, fresh=5) for days in (2, 1)]
    assert fallen(figures(pages=9, unchanged=9), *lost, articles(60, 20)) == {}


def test_what_fell_stays_flagged_until_it_is_mended_or_old() -> None:
    days: list[SiteStats] = [articles(30, LOOK_BACK_DAYS + 5)]
    for days_ago in range(LOOK_BACK_DAYS + 4, -1, -1):
        today = articles(30, days_ago, fresh_articles=0)
        days.append(replace(today, drift=tuple(find_falls(today, days))))
    flagged = [bool(stats.drift) for stats in days]
    assert flagged == [False, *[True] * LOOK_BACK_DAYS, *[False] * 5]
    assert fallen(articles(30), *days[1:10]) == {}


# Lengths


def test_texts_that_lost_more_than_half() -> None:
    before = [articles(100, days) for days in range(1, 11)]
    assert fallen(articles(100, median_body_chars=501), *before) == {}
    assert fallen(articles(100, median_body_chars=500), *before) == {
        "median_body_chars": (1000, 500, 100)
    }
    # Of 30 texts against 1000, 2.8 times: exp(3 * 1.2533 * 1.5 * sqrt(1/30 + 1/1000)) = 2.843.
    assert fallen(articles(30, median_body_chars=352), *before) == {}
    assert "median_body_chars" in fallen(articles(30, median_body_chars=351), *before)
    assert fallen(articles(29, median_body_chars=1), *before) == {}
    assert least_ratio(1000, 30) == pytest.approx(2.843, abs=0.001)


def test_texts_of_small_days_are_taken_together() -> None:
    short = [articles(10, days, median_body_chars=100 + days) for days in (0, 1, 2)]
    found = fallen(*short, articles(1000, 3))
    assert found == {"median_body_chars": (1000, 101, 30)}


@given(st.lists(st.tuples(st.integers(1, 50), st.integers(1, 9)), min_size=1))
def test_a_weighted_median_is_that_of_all_values(values: list[tuple[int, int]]) -> None:
    repeated = sorted(value for value, weight in values for _ in range(weight))
    assert weighted_median(values) == repeated[(len(repeated) - 1) // 2]


# Any days


@st.composite
def steady_days(draw: st.DrawFn) -> Sequence[SiteStats]:
    """Days of one and the same rate for each figure, each of its own size."""
    parts = draw(st.integers(1, 8))
    share = draw(st.integers(0, parts)) / parts
    sizes = draw(st.lists(st.integers(0, 40), min_size=1, max_size=12))
    filled = dict.fromkeys(ALL_FILLED, share)
    return [
        articles(n * parts, len(sizes) - i, fresh_articles=round(n * parts * share), **filled)
        for i, n in enumerate(sizes)
    ]


@given(steady_days())
def test_equal_rates_raise_no_flag(days: Sequence[SiteStats]) -> None:
    for number, today in enumerate(days):
        assert not list(find_falls(today, days[:number]))


# Stored days


def store(storage: Storage, day: date, status: Status, numbers: range) -> None:
    fetched_at = datetime.fromisoformat(f"{day}T12:00:00Z")
    records = [
        ArticleRecord(
            url=f"u{number:03}",
            url_key=f"u{number:03}",
            status=status,
            body="x" * 100,
            body_sha256=f"{day}",
            fetched_at=fetched_at,
        )
        for number in numbers
    ]
    storage.replace("outcomes", "a", day, outcomes_to_table(records))


def test_days_are_judged_and_judged_anew(tmp_path: Path) -> None:
    storage = Storage(str(tmp_path))
    nights = [DAY - timedelta(days=days) for days in (3, 2, 1, 0)]
    store(storage, nights[0], Status.OK, range(20))
    for night in nights[1:]:
        store(storage, night, Status.NO_PATTERN, range(20))
    # Those before that were never judged are, too.
    drift = judge_days(storage, "a", nights[2:])
    assert drift == latest_drift(storage, "a")
    assert drift and (drift.day, drift.since) == (nights[3], nights[1])
    assert [len(stats.drift) for stats in read_stats(storage, "a")] == [0, 1, 1, 1]

    files = {path: path.stat().st_mtime_ns for path in tmp_path.glob("site_stats/**/*.parquet")}
    assert judge_days(storage, "a", nights) == drift
    assert files == {path: path.stat().st_mtime_ns for path in files} and len(files) == 4

    # One day mended: the later ones still fall, from it on.
    store(storage, nights[1], Status.OK, range(20))
    assert judge_days(storage, "a", [nights[1]]) is None
    assert [len(stats.drift) for stats in read_stats(storage, "a")] == [0, 0, 1, 1]
    store(storage, nights[3], Status.OK, range(20))
    assert judge_days(storage, "a", [nights[3]]) is None


def test_no_figures_no_drift(tmp_path: Path) -> None:
    assert latest_drift(Storage(str(tmp_path)), "a") is None
    assert drift_of([]) is None


def test_a_line_for_people() -> None:
    falls = (
        Fall(name="fill_date_published", before=0.973, now=0.1, pages=20),
        Fall(name="median_body_chars", before=2100, now=300, pages=20),
    )
    line = str(Drift(site="a", day=DAY, since=DAY - timedelta(days=2), falls=falls))
    assert line == (
        "a: drift on 2026-11-20: articles with date_published fell from 97% to 10% (of 20); "
        "characters of a text (median) fell from 2,100 to 300 (of 20). Learn the new layout: "
        "`scrapy learn a`; if it stays, `scrapy learn a --since 2026-11-18`, "
        "then `scrapy extract a --since 2026-11-18`"
    )
