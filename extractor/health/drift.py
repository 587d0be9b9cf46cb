"""Drift: the figures of a day that fell against the days before, for its layouts changed.

Shares are compared by a test for small numbers of pages, so that neither three odd pages nor an
ordinary night raise a flag, and only with days that bear no such flag: what fell stays flagged
until it is mended, or until `LOOK_BACK_DAYS` have passed and the new state is the rule.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from crawler.storage.partitions import Storage
from extractor.health.stats import (
    FILLED_FIELDS,
    LOOK_BACK_DAYS,
    Fall,
    SiteStats,
    count_days,
    read_stats,
    write_stats,
)
from extractor.records.outcomes import TABLE as OUTCOMES

SOUND_DAYS = 30
"""Days without a flag, the last ones, that a day is compared with: they are sought in
`LOOK_BACK_DAYS`. Origin: guess; four weekends, and old enough that a blog has some articles."""

Z = 3.0
"""Width of the intervals in standard errors: one side fails once in 740 times. Origin: guess; some
ten figures a night are looked at on each site."""
LEAST_FALL = 0.1
"""By how much a share must have fallen for certain. Origin: guess; less than one page in ten is no
new layout."""
LEAST_PAGES = 6
"""Pages that a comparison needs, before and now. Origin: guess, see docs/decisions.md."""
LEAST_TEXTS = 30
"""The same for the median length of texts. Origin: measured, see docs/decisions.md."""
LEAST_RATIO = 2.0
"""How many times shorter the texts must have become. Origin: guess; a third of the text is lost to
an image, a half to a layout."""
LENGTH_SPREAD = 1.5
"""Standard deviation of the natural logarithm of the lengths of a site's texts. Origin: measured,
see docs/decisions.md."""
MEDIAN_ERROR = math.sqrt(math.pi / 2)
"""Standard error of a median, in those of a mean; of a normal distribution."""

NEW, FRESH, KNOWN = "fresh", "fresh_articles", "known_articles"
LENGTH = "median_body_chars"

_MEANINGS = {
    NEW: "new pages that gave an article",
    FRESH: "new pages, no lists, that gave an article",
    KNOWN: "changed pages that still are the article they were",
    **{f"fill_{name}": f"articles with {name}" for name in FILLED_FIELDS},
    LENGTH: "characters of a text (median)",
}


@dataclass(frozen=True, slots=True)
class Rate:
    """`hits` of `pages` pages."""

    hits: int
    pages: int

    @property
    def share(self) -> float:
        """0 to 1; 0 of none."""
        return self.hits / self.pages if self.pages else 0.0

    def bounds(self) -> tuple[float, float]:
        """Between which shares the true one lies: the score interval of E. B. Wilson (1927),
        which holds for few pages and for shares of 0 and 1 too.

        >>> Rate(0, 9).bounds(), Rate(9, 9).bounds()
        ((0.0, 0.5), (0.5, 1.0))
        """
        if not self.pages:
            return 0.0, 1.0
        weight = Z * Z / self.pages
        middle = (self.share + weight / 2) / (1 + weight)
        spread = math.sqrt(weight * (self.share * (1 - self.share) + weight / 4)) / (1 + weight)
        return max(0.0, middle - spread), min(1.0, middle + spread)


def sure_fall(before: Rate, now: Rate) -> float:
    """By how much the share fell at least; below 0 if it may not have fallen.

    Lower end of the interval for the difference of two shares, built from the intervals of both
    (R. G. Newcombe, Statistics in Medicine 17, 1998, p. 873, method 10).

    >>> round(sure_fall(Rate(18, 18), Rate(0, 18)), 3)  # 1 - 0 - sqrt((1/3)**2 + (1/3)**2)
    0.529
    >>> round(sure_fall(Rate(18, 18), Rate(18, 18)), 3)
    -0.333
    """
    below, above = before.share - before.bounds()[0], now.bounds()[1] - now.share
    return before.share - now.share - math.hypot(below, above)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """What fell on a day."""

    site: str
    day: date
    since: date
    """First of the days in a row on which anything fell."""
    falls: tuple[Fall, ...]

    def __str__(self) -> str:
        """One line: where, what fell from what to what, what to do."""
        said = "; ".join(map(describe, self.falls))
        return (
            f"{self.site}: drift on {self.day}: {said}. Learn the new layout: "
            f"`scrapy learn {self.site}`; if it stays, `scrapy learn {self.site} --since "
            f"{self.since}`, then `scrapy extract {self.site} --since {self.since}`"
        )


def describe(fall: Fall) -> str:
    """What fell from what to what.

    >>> describe(Fall(name="fill_authors", before=0.97, now=0.0, pages=12))
    'articles with authors fell from 97% to 0% (of 12)'
    """
    form = ",.0f" if fall.name == LENGTH else ".0%"
    return (
        f"{_MEANINGS[fall.name]} fell from {fall.before:{form}} to {fall.now:{form}} "
        f"(of {fall.pages})"
    )


def judge_days(storage: Storage, site: str, extracted: Collection[date]) -> Drift | None:
    """Store the figures of the days that were just extracted, and what fell; the last one's drift.

    Days after the first of them are judged anew, for they are compared with it; days before it that
    have outcomes but no figures get them. What comes out as it is stored is not written.
    """
    since = min(extracted) - timedelta(days=LOOK_BACK_DAYS)
    stored = {each.day: each for each in read_stats(storage, site, since)}
    unknown = {day for day in storage.dates(OUTCOMES, site) if day >= since and day not in stored}
    first = min(*extracted, *unknown, date.max)
    judged = [stats for day, stats in stored.items() if day < first]
    days = {*extracted, *unknown, *(day for day in stored if day > first)}
    for counted in count_days(storage, site, days):
        stats = replace(counted, drift=tuple(find_falls(counted, judged)))
        if stats != stored.get(stats.day):
            write_stats(storage, stats)
        judged.append(stats)
    return drift_of([stats for stats in judged if stats.day <= max(extracted)])


def latest_drift(storage: Storage, site: str) -> Drift | None:
    """The drift of a site's last day that has figures, as it is stored."""
    days = storage.dates("site_stats", site)[-LOOK_BACK_DAYS:]
    return drift_of(read_stats(storage, site, days[0])) if days else None


def drift_of(days: Sequence[SiteStats]) -> Drift | None:
    """The drift of the last of these days; None if nothing fell."""
    if not days or not days[-1].drift:
        return None
    since = days[-1]
    for stats in reversed(days):
        if not stats.drift:
            break
        since = stats
    last = days[-1]
    return Drift(site=last.site, day=last.day, since=since.day, falls=last.drift)


def find_falls(today: SiteStats, earlier: Sequence[SiteStats]) -> Iterator[Fall]:
    """What fell on a day; `earlier` are days before it, in order, with their `drift`."""
    since = today.day - timedelta(days=LOOK_BACK_DAYS)
    days = [*(stats for stats in earlier if since <= stats.day < today.day), today]
    for name in (NEW, FRESH, KNOWN, *(f"fill_{each}" for each in FILLED_FIELDS)):
        fall = _fallen_rate(name, days)
        if fall:
            yield fall
    fall = _fallen_length(days)
    if fall:
        yield fall


def _fallen_rate(name: str, days: Sequence[SiteStats]) -> Fall | None:
    earlier, recent = _split(name, days)
    now = _sum(_rate(name, stats) for stats in recent)
    rates = [_rate(name, stats) for stats in earlier]
    # What known pages were before is known: all were articles.
    before = Rate(now.pages, now.pages) if name == KNOWN else _sum(rates)
    if min(before.pages, now.pages) < LEAST_PAGES or sure_fall(before, now) < LEAST_FALL:
        return None
    # Days differ more than pages of a day: the lowest of the days before is no drift yet.
    lowest = min((rate.share for rate in rates if rate.pages >= LEAST_PAGES), default=1.0)
    if now.share >= lowest:
        return None
    return Fall(name=name, before=before.share, now=now.share, pages=now.pages)


def _fallen_length(days: Sequence[SiteStats]) -> Fall | None:
    earlier, recent = _split(LENGTH, days)
    before, now = text_lengths(earlier), text_lengths(recent)
    n_before, n_now = (sum(weight for _, weight in lengths) for lengths in (before, now))
    if min(n_before, n_now) < LEAST_TEXTS:
        return None
    long, short = weighted_median(before), weighted_median(now)
    if long < short * least_ratio(n_before, n_now):
        return None
    return Fall(name=LENGTH, before=long, now=short, pages=n_now)


def least_ratio(n_before: int, n_now: int) -> float:
    """How many times a median of so many texts must be shorter than one of so many before.

    >>> least_ratio(1000, 100)
    2.0
    >>> round(least_ratio(1000, 30), 1)  # exp(3 * 1.2533 * 1.5 * sqrt(1/1000 + 1/30))
    2.8
    """
    error = MEDIAN_ERROR * LENGTH_SPREAD * math.sqrt(1 / n_before + 1 / n_now)
    return max(LEAST_RATIO, math.exp(Z * error))


def weighted_median(values: Iterable[tuple[float, int]]) -> float:
    """The lower median of values that count so many times.

    >>> weighted_median([(100, 3), (900, 1), (50, 1)])
    100
    """
    ordered = sorted(values)
    left = sum(weight for _, weight in ordered) / 2
    for value, weight in ordered:
        left -= weight
        if left <= 0:
            return value
    raise ValueError("expected at least one value, got none")


def _split(name: str, days: Sequence[SiteStats]) -> tuple[Sequence[SiteStats], Sequence[SiteStats]]:
    """The days to compare with, and the last day with as many small ones before it as it needs.

    Of the former those that bear the flag are left out: a new layout is never the rule at once.
    """
    least = LEAST_TEXTS if name == LENGTH else LEAST_PAGES
    start = len(days) - 1
    pages = _pages(name, days[start])
    while 0 < pages < least and start and _pages(name, days[start - 1]) < least:
        start -= 1
        pages += _pages(name, days[start])
    sound = [day for day in days[:start] if name not in (fall.name for fall in day.drift)]
    return sound[-SOUND_DAYS:], days[start:]


def _pages(name: str, stats: SiteStats) -> int:
    """How many pages of a day a figure is about."""
    # New pages are judged twice: a new layout may be taken for that of the lists.
    of_name = {NEW: stats.fresh + stats.fresh_lists, FRESH: stats.fresh, KNOWN: stats.known}
    return of_name.get(name, stats.articles)


def _rate(name: str, stats: SiteStats) -> Rate:
    pages = _pages(name, stats)
    if name in (NEW, FRESH):
        return Rate(stats.fresh_articles, pages)
    if name == KNOWN:
        return Rate(stats.known_articles, pages)
    return Rate(round((getattr(stats, name) or 0.0) * pages), pages)


def _sum(rates: Iterable[Rate]) -> Rate:
    found = list(rates)
    return Rate(sum(rate.hits for rate in found), sum(rate.pages for rate in found))


def text_lengths(days: Sequence[SiteStats]) -> list[tuple[float, int]]:
    """The median length of the texts of each day that has any, and how many they are."""
    return [(s.median_body_chars, s.articles) for s in days if s.median_body_chars is not None]
