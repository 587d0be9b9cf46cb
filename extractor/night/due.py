"""When a site is due, by its schedule and its runs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from apscheduler.triggers.cron import CronTrigger

from crawler.config.sites import SiteConfig
from crawler.storage.runs import RunRecord
from crawler.usage.exitcodes import EXIT_OK
from extractor.health.crawls import is_telling, judge_crawl
from extractor.health.state import MAY_PASS

INTERVALS = {
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(days=7),
    "month": timedelta(days=30),
}
SLACK = 0.9
"""Share of an interval after which a site is due again: a night begins some minutes earlier or
later than the one before. Origin: guess."""


def next_start(every: str, time_zone: str, last: datetime) -> datetime:
    """When what began at `last` is due again: `every` is an interval or a cron expression.

    >>> from datetime import UTC
    >>> noon = datetime(2026, 3, 28, 12, tzinfo=UTC)
    >>> str(next_start("day", "UTC", noon))
    '2026-03-29 09:36:00+00:00'
    >>> str(next_start("0 3 * * *", "Europe/Paris", noon))  # the clock is put forward at 2
    '2026-03-29 03:00:00+02:00'
    """
    if every in INTERVALS:
        return last + SLACK * INTERVALS[every]
    trigger = CronTrigger.from_crontab(every, timezone=ZoneInfo(time_zone))
    # A start at the very minute counts for it.
    after = (last + timedelta(minutes=1)).replace(second=0, microsecond=0)
    found = trigger.get_next_fire_time(None, after)
    return found if found is not None else datetime.max.replace(tzinfo=last.tzinfo)


GROWTH = 0.5
"""Share of the pages that were known when a site was learned, from which on as many new ones have
it learned again. Origin: guess."""

FUTURE = timedelta(days=1)
"""A run that began so far ahead of now is of a clock that was wrong. Origin: guess."""


def next_crawl(
    site: SiteConfig, runs: Sequence[RunRecord], now: datetime, retries: int
) -> datetime:
    """When the site is to be crawled next; not after `now` if it is due.

    It is due unless a crawl of this interval ended well, or as many failed as are tried in one
    night, or the last one found what another try will not mend: a start page that is gone, a wall.
    """
    crawls = [run for run in runs if run.command == "crawl" and is_telling(run)]
    starts = {
        run.started_at: next_start(site.every, site.time_zone, run.started_at)
        for run in crawls
        if run.started_at < now + FUTURE
    }
    recent = [run for run in crawls if starts.get(run.started_at, now) > now]
    if recent and not (len(recent) <= retries and may_mend(recent, len(site.start_urls))):
        return max(starts.values())
    return now


def may_mend(crawls: Sequence[RunRecord], n_starts: int) -> bool:
    """Whether crawls of one interval failed in a way that another try may mend."""
    if any(crawl.exit_code == EXIT_OK for crawl in crawls):
        return False
    judged = judge_crawl(crawls[-1], n_starts)
    return judged is None or judged[0] in MAY_PASS


def is_learning_due(
    site: SiteConfig, runs: Sequence[RunRecord], now: datetime, *, is_needed: bool
) -> bool:
    """Whether the site is to be learned: with pages that came since the last time, if its layouts
    are not known as they are now (`is_needed`), or at its interval."""
    if site.learn_every == "never":
        return False
    learned = [run for run in runs if run.command == "learn" and is_telling(run)]
    if not learned:
        return True
    last = learned[-1].started_at
    if not any(pages_came(run) for run in runs if run.started_at > last):
        return False
    is_over = next_start(site.learn_every, site.time_zone, last) <= now
    return is_needed or is_over or has_grown(runs)


def has_grown(runs: Sequence[RunRecord]) -> bool:
    """Whether half as many pages came since a site was learned as before: that teaches more."""
    learned = [run.started_at for run in runs if run.command == "learn" and is_telling(run)]
    if not learned:
        return False
    before = sum(run.pages_new or 0 for run in runs if run.started_at < learned[-1])
    after = sum(run.pages_new or 0 for run in runs if run.started_at > learned[-1])
    return after > 0 and after >= GROWTH * before


def pages_came(run: RunRecord) -> bool:
    """Whether a run brought pages that were not stored as they are."""
    return bool((run.pages_new or 0) + (run.pages_changed or 0))
