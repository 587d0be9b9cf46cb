"""What is told of a site from its runs and figures, and how long."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from crawler.config.sites import SiteConfig
from crawler.storage.partitions import Storage
from crawler.storage.runs import FailedPages, RunRecord
from extractor.health.crawls import find_crawl_trouble
from extractor.health.history import latest_health, read_health, write_health
from extractor.health.judging import judge_health
from extractor.health.pages import find_page_trouble
from extractor.health.state import Cause, Health, State, Trouble
from extractor.health.stats import Fall, SiteStats
from learner.induction.steps import learn_patterns
from tests.handmade import site as handmade_site

DAY = date(2026, 11, 1)
NOW = datetime(2026, 11, 1, 3, tzinfo=UTC)


def crawl(day: int, came: int = 10, starts_failed: int = 0, **failed: int) -> RunRecord:
    started = NOW + timedelta(days=day)
    failures = tuple(FailedPages(reason=r.replace("_", " "), pages=n) for r, n in failed.items())
    return RunRecord(
        run_id=f"{day}",
        command="crawl",
        started_at=started,
        ended_at=started,
        exit_code=0 if came else 1,
        pages_new=came,
        pages_failed=sum(failed.values()),
        failures=failures,
        start_pages_failed=starts_failed,
    )


@pytest.mark.parametrize(
    ("last", "cause"),
    [
        (crawl(2), None),
        (crawl(2, http_404=30), None),  # dead links are no trouble of the site
        (crawl(2, http_404=30, starts_failed=1), Cause.START_GONE),
        (crawl(2, 0, http_404=1, starts_failed=1), Cause.START_GONE),
        (crawl(2, 0, timeout=1), Cause.UNREACHABLE),
        (crawl(2, 5, timeout=6), Cause.UNREACHABLE),
        (crawl(2, 5, timeout=5), None),
        (crawl(2, 5, http_403=20), Cause.WALL),
        (crawl(2, 0, **{"robots.txt": 1}), Cause.ROBOTS),
        (crawl(2, 5, not_html=20), None),
        (crawl(2, 5, **{"redirect refused, other host": 20}), None),
        (crawl(2, 5, http_410=20, http_400=20), None),
        (crawl(2, 5, http_503=20), Cause.UNREACHABLE),
    ],
)
def test_what_keeps_pages_from_coming(last: RunRecord, cause: Cause | None) -> None:
    found = find_crawl_trouble([crawl(0), crawl(1), last], n_starts=1)
    assert (found and found.cause) == cause


def test_a_night_of_a_feed_that_brings_a_dead_link_alone() -> None:
    night = replace(crawl(2, 0, http_404=1), exit_code=0)
    assert find_crawl_trouble([crawl(0), night], n_starts=0) is None


def test_since_when() -> None:
    runs = [crawl(0), crawl(1, 0, timeout=1), crawl(2), crawl(3, 0, timeout=1)]
    runs += [crawl(day, 0, timeout=1) for day in (4, 5)]
    found = find_crawl_trouble(runs, n_starts=1)
    assert found and found.since == DAY + timedelta(days=3)
    assert find_crawl_trouble([*runs, crawl(6)], n_starts=1) is None


def stats(day: int, **facts: Any) -> SiteStats:
    return SiteStats(site="a", day=DAY + timedelta(days=day), **facts)


def good(day: int, articles: int = 8) -> SiteStats:
    texts = {"median_body_chars": 1000, "fill_authors": 1.0}
    return stats(day, articles=articles, fresh=articles, fresh_articles=articles, **texts)


def fall(name: str, before: float, now: float) -> tuple[Fall, ...]:
    return (Fall(name=name, before=before, now=now, pages=8),)


LISTS_ALONE = {"lists": 5}
"""A night on which known lists changed, and nothing else came."""

BAD = {
    Cause.SHELL: stats(1, empty=9, without_text=9),
    Cause.WALL: stats(1, unmatched=9, same_text=8),
    Cause.LAYOUT: stats(1, unmatched=8, fresh=8, drift=fall("fresh_articles", 1, 0)),
    Cause.CUT: replace(good(1), known=4, known_articles=4, known_shorter=3, median_body_chars=200),
    Cause.FIELDS: replace(good(1), fill_authors=0.0, drift=fall("fill_authors", 1, 0)),
}


@pytest.mark.parametrize("cause", BAD)
def test_what_is_wrong_with_pages_lasts_until_it_is_mended(cause: Cause) -> None:
    days = [good(0), BAD[cause]]
    found = find_page_trouble(days)
    assert found and (found.cause, found.since) == (cause, DAY + timedelta(days=1))
    assert find_page_trouble([good(0)]) is None
    # Two pages say nothing yet; with those of the next night they do.
    assert find_page_trouble([*days, good(2, articles=2)]) == found
    assert find_page_trouble([*days, good(2, articles=2), good(3, articles=2)]) is None
    assert find_page_trouble([*days, good(2), replace(BAD[cause], day=DAY + timedelta(days=3))])


@pytest.mark.parametrize("cause", [Cause.LAYOUT, Cause.CUT, Cause.FIELDS])
def test_lists_say_nothing_of_articles(cause: Cause) -> None:
    found = find_page_trouble([good(0), BAD[cause], stats(2, **LISTS_ALONE)])
    assert found and found.cause is cause


def test_a_few_pages_without_text_are_no_trouble() -> None:
    assert find_page_trouble([good(0), stats(1, articles=8, empty=3, without_text=3)]) is None
    assert find_page_trouble([good(0), stats(1, empty=2, without_text=2)]) is None


def health(cause: Cause | None, days: int) -> Health:
    trouble = cause and Trouble(cause=cause, since=DAY, said="")
    return Health(site="a", day=DAY + timedelta(days=days), trouble=trouble or None)


@pytest.mark.parametrize(
    ("cause", "days", "state"),
    [
        (None, 0, State.OK),
        (Cause.UNREACHABLE, 0, State.WATCH),
        (Cause.UNREACHABLE, 1, State.ILL),
        (Cause.UNREACHABLE, 7, State.DEAD),
        (Cause.LAYOUT, 0, State.ILL),
        (Cause.LAYOUT, 50, State.ILL),
        (Cause.STOPPED, 50, State.WATCH),
    ],
)
def test_state(cause: Cause | None, days: int, state: State) -> None:
    assert health(cause, days).state is state


@pytest.mark.parametrize("cause", Cause)
def test_each_cause_has_advice(cause: Cause) -> None:
    told = str(health(cause, 1))
    assert told.startswith("a: ") and "{" not in told and health(cause, 1).advice in told


def test_what_is_known_of_a_site_holds_while_its_pages_are_as_they_were(tmp_path: Path) -> None:
    storage = Storage(str(tmp_path))
    site = SiteConfig(name="a", start_urls=("http://a/",))
    assert latest_health(storage, "a") is None
    for each in (health(Cause.LAYOUT, 1), health(None, 2), health(Cause.CUT, 3)):
        write_health(storage, each, NOW)
    assert [each.trouble and each.trouble.cause for each in read_health(storage, "a")] == [
        Cause.LAYOUT, None, Cause.CUT,
    ]  # fmt: skip
    assert latest_health(storage, "a") == health(Cause.CUT, 3)
    judged = judge_health(storage, site, DAY + timedelta(days=200))
    assert judged.trouble and (judged.trouble.cause, judged.trouble.since) == (Cause.CUT, DAY)


@pytest.mark.parametrize(("kept", "state"), [(0.1, State.WATCH), (0.9, State.OK)])
def test_a_pattern_that_failed_its_own_check_is_watched(
    tmp_path: Path, kept: float, state: State
) -> None:
    storage = Storage(str(tmp_path))
    patterns = learn_patterns(handmade_site(n_articles=14))
    checked = [
        replace(each, check=each.check and replace(each.check, kept=kept)) for each in patterns
    ]
    fetched = {"url": "http://a/", "final_url": "http://a/", "url_key": "a/", "fetched_at": NOW}
    storage.replace("pages", "a", DAY, pa.Table.from_pylist([fetched]))
    storage.replace("patterns", "a", DAY, patterns.with_patterns(checked).to_table())
    judged = judge_health(storage, SiteConfig(name="a", start_urls=("http://a/",)), DAY)
    assert judged.state is state
    if judged.trouble:
        assert judged.trouble.cause is Cause.DOUBTFUL
        assert "14 pages: it keeps 10% of what differs" in judged.trouble.said
