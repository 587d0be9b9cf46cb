"""Dates with the name of a month, and a day and a year beside it.

All orders of the three are read, with a few words between them (`2022. gada 8. jūnijs`), a month
that is said twice (`8 June / juin 2022`), and of a range its first day (`8-10 June 2022`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from learner.page.calendars.clock import read_clock
from learner.page.calendars.day_text import DateText, make_date
from learner.page.calendars.persian import from_persian
from learner.page.calendars.spelling import folded

MOST_BETWEEN = 6
"""Characters without digits that may stand between a month's name and its day or year. Origin:
guess; ` de `, `rd of `, `th, `."""

MOST_LETTERS = 5
"""Letters of the word between a year and what follows it: `gada`, `жылғы`. Origin: the languages of
CLDR."""

LONGEST_GLUED = 24
"""Characters of a word that may hold the name of a month beside other words, in scripts without
blanks. Origin: guess; longer ones are sentences."""

BUDDHIST_CENTURY = 2500
"""That of years of two digits behind Thai months. Origin: the present one, until 2057."""

_WORD = re.compile(r"[^\s\d,،;؛:/()\[\]|·•–—_<>\"“”-]+")
_GLUED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
"""A letter of Thai, Lao, Burmese or Khmer."""
_MONTH_SIGN = re.compile(r"(?<!\d)(1[0-2]|0?[1-9])\s?[月월]")
"""A month that is called by its number: themes put it where other languages have a name, `8月 1,
2012`."""
_DAY_SIGNS = frozenset("日일號号")
_AGAIN = re.compile(r"[\s/／(\[（|–—-]{1,3}$")
"""Stands between two names of one month."""
_NUMBER_AFTER = re.compile(rf"([^\d\n|·•]{{0,{MOST_BETWEEN}}}?)(\d{{4}}|\d{{1,2}})(?!\d)")
_YEAR_BEHIND_NAME = re.compile(
    r"(\s?(?:[(\[（][^()\[\]（）\d\n]{1,20}[)\]）]|[/／]\s?[^\W\d]{1,15})\s?,?\s?)(\d{4})(?!\d)"
)
_DAY_BEFORE_NAME = re.compile(r"(?<![\d.:])(\d{1,2})(\.?\s?[^\W\d]{1,15}\s?[/／(\[（]\s?)$")
"""Another name of the month that nobody knows stands between."""
_NUMBER_BEFORE = re.compile(rf"(?<![\d.:])(\d{{4}}|\d{{1,2}})([^\d\n|·•,;]{{0,{MOST_BETWEEN}}})$")
_COUNTED = re.compile(r"(?<!\d)(1[0-2]|0?[1-9])(?:[-\s]?[^\W\d]{1,6}[-\s]|[-\s])?$")
_YEAR_BEFORE = re.compile(r"(?<!\d)(\d{4})([^\d\n|·•]{1,14})$")
_ORDINAL = r"[^\W\d]{1,3}|[.ºª°]"
_TO = r"\s?[-–—−~〜～/&+]\s?"
_FIRST_DAY = re.compile(rf"(?<![\w.:,/-])(\d{{1,2}})({_ORDINAL})?({_TO}|\s[^\W\d]{{1,5}}\s)$")
_LAST_DAY = re.compile(rf"(?:{_ORDINAL})?{_TO}(\d{{1,2}})(?!\d)")
_ENDING = re.compile(_ORDINAL)
_TO_DATE = re.compile(rf"(?:{_TO}|,?\s[^\W\d]{{1,5}}\s)(?:[^\W\d]{{1,12}}[.,]?\s)?$")
"""Stands between the two dates of a range, a weekday with it."""
_YEAR_AFTER_CLOCK = re.compile(
    r"\s{1,2}\d{1,2}:\d\d(?::\d\d)?(?:\s(?:[A-Z]{2,5}|[+-]\d{4}))?\s(\d{4})(?!\d)"
)
"""C's `asctime` and Unix' `date`: `Tue Apr  6 19:53:25 CET 2004`."""
_BLANKS = frozenset({" ", ", ", ". "})
_SHORT_YEAR = re.compile(r"\.?\s(\d\d)(?!\d|[:.]\d)")
_GOES_ON = re.compile(r"[/.-]\d")


@dataclass(frozen=True, slots=True)
class _Month:
    """A month's name in a text, or several of one month."""

    start: int
    end: int
    month: int
    until: int
    """Where the next one begins: what stands there is not beside this one."""
    since: int = 0
    """Where the one before ends."""


@dataclass(frozen=True, slots=True)
class _Found:
    """A date around a month."""

    start: int
    end: int
    year: int
    day: int
    clock_at: int | None = None
    """Where a clock stands, if not behind it."""


def words_in(text: str) -> Iterator[tuple[int, int, str]]:
    """Start and end of each word that may name a month, and how `learner.page.months` would write
    it."""
    for match in _WORD.finditer(text):
        yield match.start(), match.end(), _written(match[0])


@lru_cache(maxsize=4096)
def _written(word: str) -> str:
    return folded(word).strip(".'")


def month_words(text: str, names: Mapping[str, int]) -> Iterator[tuple[int, int, int]]:
    """Start and end of each name of a month, and the month as in `month_names`.

    >>> list(month_words("1 August, 8月 1", {"august": 8}))
    [(2, 8, 8), (10, 12, 8)]
    """
    words = list(words_in(text))
    for i, (start, end, word) in enumerate(words):
        month = names.get(word)
        if month is None and word.isascii() and not text.isascii():
            month = names.get(text[start:end].casefold().strip("."))
        if month is None and i + 1 < len(words):
            month = names.get(f"{word} {words[i + 1][2]}")
            end = words[i + 1][1] if month is not None else end
        if month is None and "'" in word:
            month = names.get(word.rpartition("'")[2], names.get(word.partition("'")[0]))
        if month is None and end - start <= LONGEST_GLUED and _GLUED.match(text, start):
            start, end, month = _glued(text, start, end, names)
        if month is not None and month <= 0:
            start, end, month = _numbered(text, start, end, month)
        if month:
            yield start, end, month
    if not text.isascii():  # most texts are, and this is asked of very many
        for sign in _MONTH_SIGN.finditer(text):
            yield sign.start(), sign.end(), int(sign[1])


def _glued(
    text: str, start: int, end: int, names: Mapping[str, int]
) -> tuple[int, int, int | None]:
    """The name that a word begins or ends with, the longest one."""
    for length in range(end - start - 1, 2, -1):
        for first in (start, end - length):
            month = names.get(_written(text[first : first + length]))
            if month is not None:
                return first, first + length, month
    return start, end, None


def _numbered(text: str, start: int, end: int, where: int) -> tuple[int, int, int]:
    """A month by the number beside a word; 0 if there is none. `where` is `NUMBER_FOLLOWS` or
    `NUMBER_BEFORE`."""
    if where < 0:
        before = _COUNTED.search(text, max(0, start - 12), start)
        return (before.start(), end, int(before[1])) if before else (start, end, 0)
    after = re.compile(r"\s*(1[0-2]|0?[1-9])(?!\d)").match(text, end)
    return (start, after.end(), int(after[1])) if after else (start, end, 0)


def _months(text: str, names: Mapping[str, int]) -> list[_Month]:
    """The months in their order; one that is said twice counts once."""
    found: list[tuple[int, int, int]] = []
    for start, end, month in sorted(month_words(text, names)):
        if found and start < found[-1][1]:
            continue
        if found and month == found[-1][2] and _AGAIN.match(text, found[-1][1], start):
            start = found.pop()[0]
        found.append((start, end, month))
    untils = [start for start, _, _ in found[1:]] + [len(text)]
    sinces = [0] + [end for _, end, _ in found]
    return [
        _Month(start, end, month, until, since)
        for (start, end, month), until, since in zip(found, untils, sinces, strict=False)
    ]


def has_named_day(text: str, names: Mapping[str, int]) -> bool:
    """Whether a number stands beside a month's name."""
    return any(
        _NUMBER_BEFORE.search(text, 0, start) or _NUMBER_AFTER.match(text, end)
        for start, end, _ in month_words(text, names)
    )


def named_dates(text: str, names: Mapping[str, int]) -> Iterator[DateText]:
    """The dates with a month's name in a text.

    >>> from learner.page.months import month_names
    >>> texts = "8 June / juin 2022", "2022. gada 8. jūnijs", "28 June - 3 July 2022"
    >>> [found.numbers for text in texts for found in named_dates(text, month_names(("lv",)))]
    [(2022, 6, 8), (2022, 6, 8), (2022, 6, 28)]
    """
    months = _months(text, names)
    for n, month in enumerate(months):
        found = _around(text, month)
        # "mar 21/04/2009" is a Tuesday in April where "mar" may be March as well.
        if found is None or (found.year < 100 and _GOES_ON.match(text, found.end)):
            continue
        if n and (first := _first_of_range(text, months[n - 1], month, found)):
            month, found = first
        elif n and text[month.since : found.start] in _BLANKS:
            found = replace(found, start=months[n - 1].start)  # a weekday: "Mar Nov 10, 2009"
        if numbers := _numbers(found.year, month.month, found.day):
            clock = read_clock(text, found.end if found.clock_at is None else found.clock_at)
            yield DateText(found.start, found.end, numbers, True, clock)


def _numbers(year: int, month: int, day: int) -> tuple[int, int, int] | None:
    """Year, month and day of a date with a month's name; None if it cannot be."""
    if month <= 12:
        return (year, month, day) if make_date(year, month, day) else None
    found = from_persian(year, month - 12, day)
    return (found.year, found.month, found.day) if found else None


def _around(text: str, month: _Month) -> _Found | None:
    """The day and the year around a month."""
    found = _day_behind(text, month) or _day_before(text, month)
    if found is None:
        return None
    return replace(found, end=found.end + (text[found.end : found.end + 1] in _DAY_SIGNS))


def _day_behind(text: str, month: _Month) -> _Found | None:
    """`June 8, 2022`, `Jun 8 10:20 2022`, `2022 June 8`."""
    after = _NUMBER_AFTER.match(text, month.end, month.until)
    if not after or not _is_day(after[2]):
        return None
    day = int(after[2])
    if late := _YEAR_AFTER_CLOCK.match(text, after.end(), month.until):
        return _Found(month.start, late.end(), int(late[1]), day, after.end())
    last = _LAST_DAY.match(text, after.end(), month.until)
    if last and int(last[1]) > day:
        year = _NUMBER_AFTER.match(text, last.end(), month.until)
        if year and len(year[2]) == 4:
            return _Found(month.start, year.end(), int(year[2]), day)
    year = _NUMBER_AFTER.match(text, after.end(), month.until)
    if year and _is_year(year[2], year[1]):
        return _Found(month.start, year.end(), int(year[2]), day)
    before = _year_before(text, month.start, month.since)
    if before and not _day_before(text, month):
        return _Found(before.start(), after.end(), int(before[1]), day)
    return None


def _day_before(text: str, month: _Month) -> _Found | None:
    """`8 June 2022`, `2022. gada 8. jūnijs`."""
    before = _beside(text, month)
    if not before or not _is_day(before[1]):
        return None
    start, day = _first_day(text, before.start(), before.end(1), int(before[1]))
    after = _NUMBER_AFTER.match(text, month.end, month.until)
    if _is_thai(text, month) and (short := _SHORT_YEAR.match(text, month.end)):
        return _Found(start, short.end(), BUDDHIST_CENTURY + int(short[1]), day)
    if not after or not _is_year(after[2], after[1]):
        after = _YEAR_BEHIND_NAME.match(text, month.end, month.until)
    if after:
        return _Found(start, after.end(), int(after[2]), day)
    if year := _year_before(text, start, month.since):
        return _Found(year.start(), month.end, int(year[1]), day)
    return None


def _beside(text: str, month: _Month) -> re.Match[str] | None:
    """The number before a month."""
    since, end = month.since, month.start
    number = _NUMBER_BEFORE.search(text, max(since, end - MOST_BETWEEN - 4), end)
    return number or _DAY_BEFORE_NAME.search(text, max(since, end - 24), end)


def _first_day(text: str, start: int, end: int, day: int) -> tuple[int, int]:
    """Where a day begins and which it is; of several (`8-10 June`) the first."""
    first = _FIRST_DAY.search(text, max(0, start - 14), start)
    if not first or not 1 <= int(first[1]) < day:
        return start, day
    ending = _ENDING.match(text, end)
    is_alike = bool(first[2]) and ending is not None and ending[0] == first[2]
    is_closed = not (first[3][0].isspace() or first[3][-1].isspace())
    is_sign = not any(sign.isalpha() for sign in first[3])
    leads = text[: first.start()].rstrip()
    # "Issue 3 - 8 June" is of one day.
    if is_alike or is_closed or (is_sign and not leads[-1:].isalnum() and leads[-1:] != "."):
        return first.start(), int(first[1])
    return start, day


def _first_of_range(
    text: str, before: _Month, month: _Month, found: _Found
) -> tuple[_Month, _Found] | None:
    """The first day of `28 June - 3 July 2022` or `June 28 - July 3, 2022`."""
    ahead = _beside(text, before)
    behind = _NUMBER_AFTER.match(text, before.end, found.start)
    if ahead and _is_day(ahead[1]) and _TO_DATE.match(text, before.end, found.start):
        start, day = ahead.start(), int(ahead[1])
    elif behind and _is_day(behind[2]) and _TO_DATE.match(text, behind.end(), found.start):
        start, day = before.start, int(behind[2])
    else:
        return None
    year = found.year - (before.month > month.month)
    return before, replace(found, start=start, year=year, day=day)


def _year_before(text: str, end: int, since: int) -> re.Match[str] | None:
    """The year that stands before a day or a month, one word between them at most."""
    found = _YEAR_BEFORE.search(text, max(since, end - 18), end)
    if not found:
        return None
    between = found[2]
    words = [part for part in between.split() if any(map(str.isalpha, part))]
    is_word = len(words) <= 1 and sum(map(str.isalpha, between)) <= MOST_LETTERS
    return found if len(between) <= MOST_BETWEEN or is_word else None


def named_months(text: str, names: Mapping[str, int]) -> Iterator[DateText]:
    """Months with a year and without a day: `March 2004`."""
    for month in _months(text, names):
        after = _NUMBER_AFTER.match(text, month.end, month.until)
        before = _beside(text, month)
        if not after or len(after[2]) != 4 or (before and _is_day(before[1])):
            continue
        if numbers := _numbers(int(after[2]), month.month, 1):
            yield DateText(month.start, after.end(), numbers, True, whole=False)


def _is_thai(text: str, month: _Month) -> bool:
    """Whether a month is written in Thai, whose newspapers leave out the century: `8 มิ.ย. 65`."""
    return "\u0e01" <= text[month.start] <= "\u0e5b"


def _is_day(digits: str) -> bool:
    return len(digits) <= 2 and 1 <= int(digits) <= 31


def _is_year(digits: str, between: str) -> bool:
    """Four digits, or two right after an apostrophe or a hyphen: `5 Mar '18`, `5-Mar-18`."""
    return len(digits) == 4 or (len(digits) == 2 and between.strip() in {"'", "’", "-", "/"})
