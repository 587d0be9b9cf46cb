"""Dates in texts of any language, and dates as machines write them.

A text holds a date if three numbers with separators between them make one, or a month's name
(`learner.page.months`) with a day and a year beside it. Three short numbers can often be read in
more than one order: which one a site means is learned from all its pages.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Literal

Order = Literal["dmy", "mdy", "ymd"]
"""Day, month and year in the order in which they are written."""

FIRST_YEAR, LAST_YEAR = 1700, 2199
"""Years that a text can be of. Origin: newspapers' archives; room for announcements."""

LARGEST_OFFSET = timedelta(hours=14)
"""Of a time zone from UTC (Kiribati); what is larger is none."""

PIVOT = 70
"""Years of two digits from here on are of the 1900s (POSIX has 69). Origin: guess."""

BUDDHIST_YEARS = range(2400, 2700)
"""Years of the Thai calendar, 543 ahead."""

MOST_BETWEEN = 6
"""Characters without digits that may stand between a month's name and its day or year: ` de `,
`rd of `, `th, `."""

PERSIAN_YEARS = range(1250, 1415)
"""Years of the Persian calendar in dates of numbers; those of the Islamic one of our time are
later."""

_NOWRUZ_1403 = date(2024, 3, 20)
"""The first day of a year of the Persian calendar."""
_PERSIAN_LEAPS = frozenset({1, 5, 9, 13, 17, 22, 26, 30})
"""Leap years of each cycle of 33. Measured: each day of 1180 to 1499 is that of jdatetime 6.1."""

_SEPARATOR = r"\s{0,2}(?:[^\w\s:+]|[^\x00-\u2fff\d])\s{0,2}"
_NUMERIC = re.compile(
    rf"(?<![\d.:,+/-])(\d{{4}}|\d{{1,2}})({_SEPARATOR})(\d{{1,2}})({_SEPARATOR})(\d{{4}}|\d{{1,2}})"
    r"(?!\d|[./:-]\d)"
)
_HINT = re.compile(r"\d{4}|\d\D{1,5}\d{1,2}\D{1,5}\d\d|['’/-]\d\d")
"""Cheap: what has none of these holds no date."""

_YEAR_MONTH = re.compile(r"(?<!\d)(\d{4})\s?[^\x00-\u2fff\d]\s?(\d{1,2})\s?[^\x00-\u2fff\d]")
_MONTH_SIGN = re.compile(r"(?<!\d)(1[0-2]|0?[1-9])\s?[月월]")
"""A month that is called by its number: themes put it where other languages have a name, `8月 1,
2012`."""
_MONTH_DAY = re.compile(r"(?<!\d)\d{1,2}\s?月\s?\d{1,2}\s?日|(?<!\d)\d{1,2}월\s?\d{1,2}일")
_ERAS = {
    "明治": 1867,
    "大正": 1911,
    "昭和": 1925,
    "平成": 1988,
    "令和": 2018,
    "民國": 1911,
    "民国": 1911,
}
"""The year before the first of each era that Japan and Taiwan count years from."""
_IN_ERA = re.compile(
    rf"({'|'.join(_ERAS)})\s?(元|\d{{1,3}})\s?年\s?(\d{{1,2}})\s?月\s?(\d{{1,2}})\s?日"
)
_DAY_SIGNS = frozenset("日일號号")
_WORD = re.compile(r"[^\s\d,،;؛:/()\[\]|·•–—_<>\"“”-]+")
_NUMBER_AFTER = re.compile(rf"([^\d\n|·•]{{0,{MOST_BETWEEN}}}?)(\d{{4}}|\d{{1,2}})(?!\d)")
_NUMBER_BEFORE = re.compile(rf"(?<![\d.:])(\d{{4}}|\d{{1,2}})([^\d\n|·•,;]{{0,{MOST_BETWEEN}}})$")
_CLOCK = re.compile(
    r"[\s,T·@|-]{1,4}(\d{1,2})[:h](\d{2})(?::(\d{2}))?(?:\s?([ap])\.?m\b)?(?!\d)", re.IGNORECASE
)
_YEAR_AFTER_CLOCK = re.compile(
    r"\s{1,2}\d{1,2}:\d\d(?::\d\d)?(?:\s(?:[A-Z]{2,5}|[+-]\d{4}))?\s(\d{4})(?!\d)"
)
"""C's `asctime` and Unix' `date`: `Tue Apr  6 19:53:25 CET 2004`."""
_MACHINE = re.compile(
    r"\s*(\d{4})-?(\d{2})-?(\d{2})(?=(?:\d{4}(?:\d\d)?)?(?!\d))"
    r"(?:[T\s]+(\d{1,2}):?(\d{2})(?::?(\d{2})(?:[.,]\d+)?)?"
    r"\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?"
)
_GOES_ON = re.compile(r"[/.-]\d")
_URL_DATE = re.compile(r"(?<!\d)((?:19|20)\d\d)([-/_.]?)(\d{1,2})(?:([-/_.]?)(\d{1,2}))?(?!\d)")


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
            return _date(first, second, third)
        if order == "mdy":
            return _date(third, first, second)
        year_last = order == "dmy" or third > 31
        return _date(third, second, first) if year_last else _date(first, second, third)

    @property
    def ambiguous(self) -> bool:
        """Whether the order of its numbers matters."""
        return not self.named and self.numbers[0] <= 31


def _date(year: int, month: int, day: int) -> date | None:
    if year < 100:
        year += 1900 if year >= PIVOT else 2000
    if year in BUDDHIST_YEARS:
        year -= 543
    try:
        return date(year, month, day) if FIRST_YEAR <= year <= LAST_YEAR else None
    except ValueError:
        return None


def from_persian(year: int, month: int, day: int) -> date | None:
    """The day that a date of the Persian calendar names; None if there is none.

    >>> from_persian(1357, 11, 22), from_persian(1403, 12, 30), from_persian(1402, 12, 30)
    (datetime.date(1979, 2, 11), datetime.date(2025, 3, 20), None)
    """
    is_leap = year % 33 in _PERSIAN_LEAPS
    length = 31 if month <= 6 else 30 if month < 12 or is_leap else 29
    if not (
        FIRST_YEAR - 622 <= year <= LAST_YEAR - 622 and 1 <= month <= 12 and 1 <= day <= length
    ):
        return None
    days = 365 * (year - 1403) + _leaps_before(year) - _leaps_before(1403)
    months = 30 * (month - 1) + min(month - 1, 6)
    return _NOWRUZ_1403 + timedelta(days + months + day - 1)


def _leaps_before(year: int) -> int:
    cycles, rest = divmod(year, 33)
    return cycles * len(_PERSIAN_LEAPS) + sum(leap < rest for leap in _PERSIAN_LEAPS)


def _numbers(year: int, month: int, day: int) -> tuple[int, int, int] | None:
    """Year, month and day of a date with a month's name; None if it cannot be."""
    if month <= 12:
        return (year, month, day) if _date(year, month, day) else None
    found = from_persian(year, month - 12, day)
    return (found.year, found.month, found.day) if found else None


def find_dates(text: str, names: Mapping[str, int]) -> list[DateText]:
    """The dates in a text, in its order; those with a month's name where both could be read.

    >>> from learner.page.months import month_names
    >>> french = month_names(("fr",))
    >>> [found.day() for found in find_dates("le 1er mars 2004, puis 2004/3/2", french)]
    [datetime.date(2004, 3, 1), datetime.date(2004, 3, 2)]
    >>> [found.day("mdy") for found in find_dates("3/14/15 09:26, 8月 1, 2012", {})]
    [datetime.date(2015, 3, 14), datetime.date(2012, 8, 1)]
    """
    found = [] if text.isascii() else list(_era_dates(text))
    if _HINT.search(text):
        found += [*_named_dates(text, names), *_numeric_dates(text)]
    elif not found:
        return []
    found.sort(key=lambda each: (each.start, not each.named))
    kept: list[DateText] = []
    for each in found:
        if not kept or each.start >= kept[-1].end:
            kept.append(each)
    if not kept:
        kept = list(_months(text, names))
    return kept


def has_day(text: str, names: Mapping[str, int]) -> bool:
    """Whether a text has a day of a month, with a year or without one.

    >>> from learner.page.months import month_names
    >>> [has_day(text, month_names()) for text in ("Jun 12", "12 juin, Ann", "6月12日", "Part 12")]
    [True, True, True, False]
    """
    if _MONTH_DAY.search(text):
        return True
    if not any(character.isdigit() for character in text):
        return False
    return any(
        _NUMBER_BEFORE.search(text, 0, start) or _NUMBER_AFTER.match(text, end)
        for start, end, _ in _month_words(text, names)
    )


def words_in(text: str) -> Iterator[tuple[int, int, str]]:
    """Start and end of each word that may name a month, and how `learner.page.months` would write
    it."""
    for match in _WORD.finditer(text):
        yield match.start(), match.end(), _written(match[0])


@lru_cache(maxsize=4096)
def _written(word: str) -> str:
    return word.casefold().strip(".'’").rpartition("’")[2]


def _month_words(text: str, names: Mapping[str, int]) -> Iterator[tuple[int, int, int]]:
    """Start and end of each name of a month, and the month as in `month_names`.

    >>> list(_month_words("1 August, 8月 1", {"august": 8}))
    [(2, 8, 8), (10, 12, 8)]
    """
    words = list(words_in(text))
    for i, (start, end, word) in enumerate(words):
        month = names.get(word)
        if month is None and i + 1 < len(words):
            month = names.get(f"{word} {words[i + 1][2]}")
            end = words[i + 1][1] if month is not None else end
        if month is None and "'" in word:
            month = names.get(word.rpartition("'")[2])
        if month == 0:
            number = re.compile(r"\s*(\d{1,2})(?!\d)").match(text, end)
            if not number or not 1 <= int(number[1]) <= 12:
                continue
            month, end = int(number[1]), number.end()
        if month:
            yield start, end, month
    if not text.isascii():  # most texts are, and this is asked of very many
        for sign in _MONTH_SIGN.finditer(text):
            yield sign.start(), sign.end(), int(sign[1])


def _named_dates(text: str, names: Mapping[str, int]) -> Iterator[DateText]:
    for start, end, month in _month_words(text, names):
        before = _NUMBER_BEFORE.search(text, max(0, start - MOST_BETWEEN - 4), start)
        after = _NUMBER_AFTER.match(text, end)
        second = _NUMBER_AFTER.match(text, after.end()) if after else None
        late = _YEAR_AFTER_CLOCK.match(text, after.end()) if after else None
        found = None
        if after and late and _is_day(after[2]):
            found = start, late.end(), int(late[1]), int(after[2])
        elif after and second and _is_day(after[2]) and _is_year(second[2], second[1]):
            found = start, second.end(), int(second[2]), int(after[2])
        elif before and after and _is_day(before[1]) and _is_year(after[2], after[1]):
            found = before.start(), after.end(), int(after[2]), int(before[1])
        elif before and after and len(before[1]) == 4 and _is_day(after[2]):
            found = before.start(), after.end(), int(before[1]), int(after[2])
        if found:
            first, last, year, day = found
            last += text[last : last + 1] in _DAY_SIGNS
            # "mar 21/04/2009" is a Tuesday in April where "mar" may be March as well.
            if year < 100 and _GOES_ON.match(text, last):
                continue
            if numbers := _numbers(year, month, day):
                clock = _clock(text, late.start() if late else last)
                yield DateText(first, last, numbers, True, clock)


def _era_dates(text: str) -> Iterator[DateText]:
    """Dates whose year is counted from the beginning of an era.

    >>> [found.day() for found in _era_dates("令和元年5月1日")]
    [datetime.date(2019, 5, 1)]
    """
    for match in _IN_ERA.finditer(text):
        year = _ERAS[match[1]] + (1 if match[2] == "元" else int(match[2]))
        numbers = year, int(match[3]), int(match[4])
        if _date(*numbers):
            yield DateText(match.start(), match.end(), numbers, True, _clock(text, match.end()))


def _is_day(digits: str) -> bool:
    return len(digits) <= 2 and 1 <= int(digits) <= 31


def _is_year(digits: str, between: str) -> bool:
    """Four digits, or two right after an apostrophe or a hyphen: `5 Mar '18`, `5-Mar-18`."""
    return len(digits) == 4 or (len(digits) == 2 and between.strip() in {"'", "’", "-", "/"})


def _numeric_dates(text: str) -> Iterator[DateText]:
    for match in _NUMERIC.finditer(text):
        between = match[2].strip(), match[4].strip()
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
        clock = _clock(text, end)
        if numbers[0] in PERSIAN_YEARS and between == ("/", "/"):
            if day := from_persian(*numbers):
                numbers = day.year, day.month, day.day
                yield DateText(match.start(), end, numbers, True, clock)
            continue
        found = DateText(match.start(), end, numbers, False, clock)
        orders: tuple[Order, ...] = ("dmy", "mdy") if years[1] else ("dmy", "mdy", "ymd")
        if any(found.day(order) for order in orders):
            yield found


def _months(text: str, names: Mapping[str, int]) -> Iterator[DateText]:
    """Months with a year and without a day: `March 2004`, `2004年3月`."""
    for start, end, month in _month_words(text, names):
        after = _NUMBER_AFTER.match(text, end)
        numbers = _numbers(int(after[2]), month, 1) if after and len(after[2]) == 4 else None
        if after and numbers:
            yield DateText(start, after.end(), numbers, True, whole=False)
    for match in _YEAR_MONTH.finditer(text):
        if _date(int(match[1]), int(match[2]), 1):
            numbers = int(match[1]), int(match[2]), 1
            yield DateText(match.start(), match.end(), numbers, True, whole=False)


def _clock(text: str, end: int) -> tuple[int, int, int] | None:
    match = _CLOCK.match(text, end)
    if not match:
        return None
    hour, minute, second = int(match[1]), int(match[2]), int(match[3] or 0)
    if match[4]:
        hour = hour % 12 + (12 if match[4].lower() == "p" else 0)
    return (hour, minute, second) if hour < 24 and minute < 60 and second < 60 else None


def learn_order(found: Iterable[DateText], known: Iterable[date | None] = ()) -> Order | None:
    """The order in which a site writes numeric dates: the one that more of them can be read in.

    `known` gives for each date the day that the page's metadata names, if any; agreeing with it
    counts as much as ten dates that merely can be read. None if nothing tells.
    """
    days = list(known)
    scores: Counter[Order] = Counter()
    orders: tuple[Order, ...] = ("dmy", "mdy", "ymd")
    for index, each in enumerate(found):
        if not each.ambiguous:
            continue
        told = days[index] if index < len(days) else None
        for order in orders:
            day = each.day(order)
            if day and (order != "ymd" or each.numbers[2] < 32):
                scores[order] += 1
                scores[order] += 10 * (told is not None and abs(day - told) <= timedelta(1))
    ranked = scores.most_common()
    if not ranked or (len(ranked) > 1 and ranked[0][1] == ranked[1][1]):
        return None
    return ranked[0][0]


def usual_order(language: str) -> Order:
    """What a language's readers expect where no page tells (CLDR's short dates).

    >>> usual_order("en-US"), usual_order("en-GB"), usual_order("hu")
    ('mdy', 'dmy', 'ymd')
    """
    code, _, region = language.lower().replace("_", "-").partition("-")
    if code in {"en", "fil"} and region in {"", "us", "ph"}:
        return "mdy"
    return "ymd" if code in {"eu", "fa", "hu", "ja", "ko", "lt", "mn", "sv", "zh"} else "dmy"


def read_machine_date(text: str) -> tuple[datetime, date] | None:
    """ISO 8601 and its neighbours: the moment in UTC, and the day as it is written there.

    Without a zone the clock counts as UTC, without a clock it is midnight. Seconds since 1970 are
    none.

    >>> read_machine_date("2015-03-06T02:00:00+09:00")
    (datetime.datetime(2015, 3, 5, 17, 0, tzinfo=datetime.timezone.utc), datetime.date(2015, 3, 6))
    """
    match = _MACHINE.match(text)
    if not match:
        return None
    day = _date(int(match[1]), int(match[2]), int(match[3]))
    if day is None:
        return None
    hour, minute, second = (int(match[i] or 0) for i in (4, 5, 6))
    try:
        moment = datetime(day.year, day.month, day.day, hour, minute, min(second, 59), tzinfo=UTC)
        return moment - _offset(match[7]), day
    except (ValueError, OverflowError):
        return None


def _offset(zone: str | None) -> timedelta:
    if not zone or zone[0] not in "+-":
        return timedelta()
    offset = timedelta(hours=int(zone[1:3]), minutes=int(zone[-2:]))
    if offset > LARGEST_OFFSET:
        return timedelta()
    return -offset if zone[0] == "-" else offset


def url_date(url: str) -> tuple[date, bool, str] | None:
    """The day that a URL's path names, whether it names more than the month, and how it is written.

    >>> url_date("https://example.org/2010/10/24/news.html")
    (datetime.date(2010, 10, 24), True, '2010/10/24')
    """
    path = url.split("://", 1)[-1].partition("/")[2].partition("?")[0]
    for match in _URL_DATE.finditer(path):
        month, day = int(match[3]), match[5]
        joined = not match[2]
        if joined and not (len(match[3]) == 2 and day and len(day) == 2 and not match[4]):
            continue
        if day and match[4] == match[2]:
            whole = _date(int(match[1]), month, int(day))
            if whole:
                return whole, True, match[0]
        if not joined and match[2] == "/" and len(match[3]) == 2:
            first = _date(int(match[1]), month, 1)
            if first:
                return first, False, f"{match[1]}/{match[3]}"
    return None
