"""Whether articles stopped coming, against the site's own habit."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import pairwise

from extractor.health.state import Cause, Trouble

LEAST_DAYS = 5
"""Days with new articles that make a habit. Origin: guess."""
SURPRISE = 7.0
"""How many articles' worth of days may pass without one: of articles that come by chance, at the
site's own rate, such a pause begins once in exp(7), a thousand, of them. Origin: guess."""


def find_pause(days: Sequence[date], crawled: date) -> Trouble | None:
    """Whether articles stopped coming: `days` are those on which new ones came, ascending, and
    `crawled` that of the last crawl.

    The pause must be surprising at the rate of the days before, and twice the longest before.

    >>> habit = [date(2026, 11, day) for day in (1, 2, 4, 5, 6)]
    >>> find_pause(habit, date(2026, 11, 13)) is None
    True
    >>> print(find_pause(habit, date(2026, 11, 16)).said)
    no new article for 10 days; before, the longest pause was 2 days
    """
    if len(days) < LEAST_DAYS:
        return None
    pauses = [(later - earlier).days for earlier, later in pairwise(days)]
    usual = sum(pauses) / len(pauses)
    pause = (crawled - days[-1]).days
    if pause <= max(SURPRISE * usual, 2 * max(pauses)):
        return None
    said = f"no new article for {pause} days; before, the longest pause was {max(pauses)} days"
    return Trouble(cause=Cause.STOPPED, since=days[-1], said=said)
