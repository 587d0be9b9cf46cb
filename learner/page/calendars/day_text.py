"""A date as it stands in a text."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal

Order = Literal["dmy", "mdy", "ymd"]
"""Day, month and year in the order in which they are written."""

FIRST_YEAR, LAST_YEAR = 1700, 2199
"""Years that a text can be of. Origin: newspapers' archives; room for announcements."""

PIVOT = 70
"""Years of two digits from here on are of the 1900s (POSIX has 69). Origin: guess."""

BUDDHIST_YEARS = range(2400, 2700)
"""Years of the Thai calendar, 543 ahead."""


@dataclass(frozen=True, slots=True)
class DateText:
    """A date found in a text."""

    start: int
    end: int
    numbers: tuple[int, int, int]
    """As written; with a month's name always year, month, day."""
    named: bool
    """Whether the month was a word, so that the order is known."""
    clock: tuple[int, int, int] | None = None
    """Hour, minute, second, if they stand right after it, or before its year."""
    whole: bool = True
    """False if only month and year are given; the day is then 1."""

    def day(self, order: Order = "dmy") -> date | None:
        """The day meant, if its numbers are written in this order; None if they cannot be."""
        first, second, third = self.numbers
        if self.named or first > 31:
            return make_date(first, second, third)
        if order == "mdy":
            return make_date(third, first, second)
        year_last = order == "dmy" or third > 31
        return make_date(third, second, first) if year_last else make_date(first, second, third)

    @property
    def ambiguous(self) -> bool:
        """Whether the order of its numbers matters."""
        return not self.named and self.numbers[0] <= 31


def make_date(year: int, month: int, day: int) -> date | None:
    """The day that three numbers name; None if there is none, or no text can be of its year.

    >>> make_date(99, 3, 5), make_date(2561, 3, 5), make_date(2018, 2, 30)
    (datetime.date(1999, 3, 5), datetime.date(2018, 3, 5), None)
    """
    if year < 100:
        year += 1900 if year >= PIVOT else 2000
    if year in BUDDHIST_YEARS:
        year -= 543
    try:
        return date(year, month, day) if FIRST_YEAR <= year <= LAST_YEAR else None
    except ValueError:
        return None
