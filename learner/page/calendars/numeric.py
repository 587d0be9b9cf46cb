"""Dates of numbers: three with separators between them, eight digits, a month in Roman ones."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from learner.page.calendars.clock import read_clock
from learner.page.calendars.day_text import DateText, Order, make_date
from learner.page.calendars.persian import PERSIAN_YEARS, from_persian

_BLANKS = r"[\s\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]{0,3}"
"""White space, and the marks that turn the direction of writing."""
_SEPARATOR = rf"{_BLANKS}(?:[^\w\s:+]|[^\x00-\u2fff\d]){_BLANKS}"
_NUMERIC = re.compile(
    rf"(?<![\d.,+/-])(?<!\d:)(\d{{4}}|(?<![A-Za-z])\d{{1,2}})({_SEPARATOR})(\d{{1,2}})({_SEPARATOR})(\d{{4}}|\d{{1,2}})"
    r"(?!\d|[./:]\d|-(?!\d{1,4}[./]\d{1,2}[./]\d)\d)"
)
_COMPACT = re.compile(
    r"(?<![\w.:,+/#-])((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?![^\W_]|[.,:/-]\d)"
)
_ROMAN = re.compile(
    r"(?<![\w.,:/-])(\d{4}|\d{1,2})([./\s-]{1,3})([IVX]{1,4}|[Ⅰ-Ⅻ])([./\s-]{1,3})"
    r"(\d{4}|\d{1,2})(?!\d)"
)
_ROMAN_MONTHS = dict(
    zip("I II III IV V VI VII VIII IX X XI XII".split(), range(1, 13), strict=True)
)
_TO = r"\s?[-–—−~〜～]\s?"
_UNTIL_DATE = re.compile(
    rf"(?<![\w.:,+/-])(\d{{1,2}})(?:\.|([./])(\d{{1,2}})\.?)?{_TO}"
    r"\d{1,2}([./])(\d{1,2})\4(\d{4})(?!\d|[./:-]\d)"
)
_UNTIL_DAY = re.compile(
    rf"(?<![\w.:,+/-])(\d{{1,2}}|\d{{4}})([./-])(\d{{1,2}})(?:{_TO}\d{{1,2}}\2(\d{{4}})"
    rf"|\2(\d{{1,2}})(?!\2)(?:{_TO}|/)\d{{1,2}})(?!\d|[./:-]\d)"
)
"""From one day to another, whose year or month counts for both: `8.-10.6.2022`, `8.6.-9.7.2022`;
`6/8-10/2022`, `2022/6/8-10`."""
_DAY_SIGNS = frozenset("日일號号")


def numeric_dates(text: str) -> Iterator[DateText]:
    """The dates of numbers in a text, not in its order.

    >>> [found.day().isoformat() for found in numeric_dates("8.VI.2022, 20220609, 8.-10.7.2022")]
    ['2022-07-08', '2022-06-09', '2022-06-08']
    """
    yield from _ranges(text)
    yield from _separated(text)
    compact = list(_COMPACT.finditer(text))
    if len(compact) == 1:  # several are rather what pages or files are called by
        match = compact[0]
        yield from _unless_wrong(text, match, int(match[1]), int(match[2]), int(match[3]))
    for match in _ROMAN.finditer(text):
        month = _ROMAN_MONTHS.get(unicodedata.normalize("NFKC", match[3]))
        years = sorted((match[1], match[5]), key=len)
        if month and match[2].strip() == match[4].strip() and len(years[1]) > len(years[0]) + 1:
            yield from _unless_wrong(text, match, int(years[1]), month, int(years[0]))


def _unless_wrong(
    text: str, match: re.Match[str], year: int, month: int, day: int
) -> Iterator[DateText]:
    if make_date(year, month, day):
        clock = read_clock(text, match.end())
        yield DateText(match.start(), match.end(), (year, month, day), True, clock)


def _ranges(text: str) -> Iterator[DateText]:
    """The first days of ranges whose ends have one month or year."""
    for match in _UNTIL_DATE.finditer(text):
        month = match[3] or match[5]
        yield from _if_any(text, match, (int(match[1]), int(month), int(match[6])))
    for match in _UNTIL_DAY.finditer(text):
        last = match[4] or match[5]
        if sorted(map(len, (match[1], last)))[1] == 4:
            yield from _if_any(text, match, (int(match[1]), int(match[3]), int(last)))


def _if_any(text: str, match: re.Match[str], numbers: tuple[int, int, int]) -> Iterator[DateText]:
    found = DateText(match.start(), match.end(), numbers, False, read_clock(text, match.end()))
    orders: tuple[Order, ...] = ("dmy", "mdy")
    if any(found.day(order) for order in orders):
        yield found


def _separated(text: str) -> Iterator[DateText]:
    for match in _NUMERIC.finditer(text):
        between = tuple("".join(filter(str.isprintable, match[n])).strip() for n in (2, 4))
        if between[0] != between[1] and max(between) < "\u2fff":
            continue
        if not _DAY_SIGNS.isdisjoint(between):  # "12月20日64版" is the 64th edition, not of 1964
            continue
        numbers = int(match[1]), int(match[3]), int(match[5])
        years = [len(match[1]) == 4, len(match[5]) == 4]
        if all(years) or numbers[1] == 0:
            continue
        end = match.end()
        if between[0] > "\u2fff" and text[end : end + 1] > "\u2fff":
            end += 1  # the word for "day" that follows those for "year" and "month"
        clock = read_clock(text, end)
        if day := _persian(match, numbers, between[0]):
            yield DateText(match.start(), end, day, True, clock)
            continue
        found = DateText(match.start(), end, numbers, False, clock)
        orders: tuple[Order, ...] = ("dmy", "mdy") if years[1] else ("dmy", "mdy", "ymd")
        if any(found.day(order) for order in orders):
            yield found


def _persian(
    match: re.Match[str], numbers: tuple[int, int, int], sign: str
) -> tuple[int, int, int] | None:
    """Year, month and day of a date of the Persian calendar: one between strokes, or in digits that
    are not those of Europe."""
    if sign != "/" and match[0].isascii():
        return None
    first, month, last = numbers
    year, day = (first, last) if first > last else (last, first)
    found = from_persian(year, month, day) if year in PERSIAN_YEARS else None
    return (found.year, found.month, found.day) if found else None
