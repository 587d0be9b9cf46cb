"""When a page that was fetched is visited again.

A page that lists others is worth a visit as often as it brings links that are new; an article, once
or twice more, for what its editors mend in the first days.
"""

from __future__ import annotations

from datetime import timedelta

from crawler.config.stages import RevisitConfig

FIRST_PAUSE_HOURS = 11.0
"""Pause after the first visit that brought nothing. Origin: half a night less an hour, so that its
doubles end before a night that begins at the same time."""

LATELY = timedelta(hours=FIRST_PAUSE_HOURS)
"""A page that failed and is due again within so long failed of late: of one that fails for good the
pauses grow beyond it."""

ARTICLE_PAUSE_HOURS = 6 * 24 - 1.0
"""Pause between two more visits of an article. Origin: guess, what is mended in the first days."""


def pause_hours(
    bounds: RevisitConfig,
    before: float | None,
    *,
    has_brought: bool,
    is_article: bool,
    is_outage: bool = False,
) -> float:
    """Hours until a page's next visit; `before` is the pause before this one, None if it had none.

    After a first outage it is due at once: the next run, or the night's second try, finds the
    server well again.

    >>> bounds = RevisitConfig(least_hours=1, most_days=30)
    >>> pause_hours(bounds, None, has_brought=False, is_article=False)
    11.0
    >>> pause_hours(bounds, 22, has_brought=True, is_article=False)
    11.0
    >>> pause_hours(bounds, 500, has_brought=False, is_article=False)
    720.0
    >>> pause_hours(bounds, None, has_brought=False, is_article=False, is_outage=True)
    0.0
    """
    if is_article:
        return ARTICLE_PAUSE_HOURS
    if before is None and is_outage:
        return 0.0
    if before is None:
        before = 2 * FIRST_PAUSE_HOURS if has_brought else FIRST_PAUSE_HOURS / 2
    wanted = before / 2 if has_brought else before * 2
    return min(max(wanted, bounds.least_hours), 24 * bounds.most_days)


def longest_pause(bounds: RevisitConfig) -> timedelta:
    """No pause is longer; what is due later than that was reckoned by a clock that was wrong.

    >>> longest_pause(RevisitConfig(most_days=30)).days
    30
    """
    return timedelta(hours=max(24 * bounds.most_days, ARTICLE_PAUSE_HOURS))
