"""The Persian calendar."""

from __future__ import annotations

from datetime import date, timedelta

PERSIAN_YEARS = range(1250, 1415)
"""Years of the Persian calendar in dates of numbers; those of the Islamic one of our time are
later."""

_ALL_YEARS = range(1078, 1578)
"""Years that a text can be of, 1700 to 2199."""
_NOWRUZ_1403 = date(2024, 3, 20)
"""The first day of a year of the Persian calendar."""
_LEAPS = frozenset({1, 5, 9, 13, 17, 22, 26, 30})
"""Leap years of each cycle of 33. Origin: measured, see docs/decisions.md."""


def from_persian(year: int, month: int, day: int) -> date | None:
    """The day that a date of the Persian calendar names; None if there is none.

    >>> from_persian(1357, 11, 22), from_persian(1403, 12, 30), from_persian(1402, 12, 30)
    (datetime.date(1979, 2, 11), datetime.date(2025, 3, 20), None)
    """
    is_leap = year % 33 in _LEAPS
    length = 31 if month <= 6 else 30 if month < 12 or is_leap else 29
    if not (year in _ALL_YEARS and 1 <= month <= 12 and 1 <= day <= length):
        return None
    days = 365 * (year - 1403) + _leaps_before(year) - _leaps_before(1403)
    months = 30 * (month - 1) + min(month - 1, 6)
    return _NOWRUZ_1403 + timedelta(days + months + day - 1)


def _leaps_before(year: int) -> int:
    cycles, rest = divmod(year, 33)
    return cycles * len(_LEAPS) + sum(leap < rest for leap in _LEAPS)
