"""Dates in texts of any language, and dates as machines write them.

A text holds a date if three numbers with separators between them make one, or a month's name
(`learner.page.months`) with a day and a year beside it; how these are written is told in
`learner.page.calendars`. Three short numbers can often be read in more than one order: which one a
site means is learned from all its pages.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime, timedelta
from functools import lru_cache

from learner.page.calendars.clock import CLOCK
from learner.page.calendars.day_text import DateText, Order, make_date
from learner.page.calendars.han import han_dates
from learner.page.calendars.machine import at_clock, is_iso, read_moment
from learner.page.calendars.named import has_named_day, named_dates, named_months
from learner.page.calendars.numeric import numeric_dates
from learner.page.months import month_names

LONGEST_SAID = 80
"""Characters of a date that is said for machines in words. Origin: guess; as JavaScript writes it,
`Fri Apr 16 2021 09:30:00 GMT+0200 (Central European Summer Time)` has 64."""

_HINT = re.compile(r"\d{4}|\d\D{1,5}\d{1,2}\D{1,5}\d\d|['’/-]\d\d|[\u0e01-\u0e5b]\.?\s\d\d")
"""Cheap: what has none of these holds no date."""

_YEAR_MONTH = re.compile(r"(?<!\d)(\d{4})\s?[^\x00-\u2fff\d]\s?(\d{1,2})\s?[^\x00-\u2fff\d]")
_MONTH_DAY = re.compile(r"(?<!\d)\d{1,2}\s?月\s?\d{1,2}\s?日|(?<!\d)\d{1,2}월\s?\d{1,2}일")
_DOTTED = re.compile(r"\d{1,2}\.\s?\d{1,2}\.")
"""Where dots part day, month and year, the day comes first (CLDR)."""
_URL_DATE = re.compile(r"(?<!\d)((?:19|20)\d\d)([-/_.]?)(\d{1,2})(?:([-/_.]?)(\d{1,2}))?(?!\d)")


def find_dates(text: str, names: Mapping[str, int]) -> list[DateText]:
    """The dates in a text, in its order; those with a month's name where both could be read.

    >>> from learner.page.months import month_names
    >>> french = month_names(("fr",))
    >>> [found.day() for found in find_dates("le 1er mars 2004, puis 2004/3/2", french)]
    [datetime.date(2004, 3, 1), datetime.date(2004, 3, 2)]
    >>> [found.day("mdy") for found in find_dates("3/14/15 09:26, 8月 1, 2012", {})]
    [datetime.date(2015, 3, 14), datetime.date(2012, 8, 1)]
    """
    found = [] if text.isascii() else list(han_dates(text))
    if _HINT.search(text):
        found += [*named_dates(text, names), *numeric_dates(text)]
    elif not found:
        return []
    found.sort(key=lambda each: (each.start, not each.named))
    kept: list[DateText] = []
    for each in found:
        if not kept or each.start >= kept[-1].end:
            kept.append(each)
    if not kept:
        kept = [*named_months(text, names), *_numbered_months(text)]
    return kept


def has_day(text: str, names: Mapping[str, int]) -> bool:
    """Whether a text has a day of a month, with a year or without one.

    >>> from learner.page.months import month_names
    >>> [has_day(text, month_names()) for text in ("Jun 12", "12 juin, Ann", "6月12日", "Part 12")]
    [True, True, True, False]
    """
    if _MONTH_DAY.search(text):
        return True
    return any(character.isdigit() for character in text) and has_named_day(text, names)


def _numbered_months(text: str) -> Iterator[DateText]:
    """`2004年3月`."""
    for match in _YEAR_MONTH.finditer(text):
        numbers = int(match[1]), int(match[2]), 1
        if make_date(*numbers):
            yield DateText(match.start(), match.end(), numbers, True, whole=False)


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
    """A date that is said for machines: the moment in UTC, and the day as it is written there.

    ISO 8601, seconds since 1970, and what people write, as in the headers of mail. Without a zone
    the clock counts as UTC, without a clock it is midnight. Numbers in an order that nobody knows
    are none.

    >>> read_machine_date("Fri, 06 Mar 2015 02:00:00 +0900")
    (datetime.datetime(2015, 3, 5, 17, 0, tzinfo=datetime.timezone.utc), datetime.date(2015, 3, 6))
    >>> read_machine_date("16.3.2015 09:30")[1], read_machine_date("5/3/2015")
    (datetime.date(2015, 3, 16), None)
    """
    found = read_moment(text)
    return found if found or is_iso(text) else _read_in_words(text)


@lru_cache(maxsize=4096)
def _read_in_words(text: str) -> tuple[datetime, date] | None:
    if len(text) > LONGEST_SAID:
        return None
    found = next(iter(find_dates(text, month_names(("en",)))), None)
    if found is None or not found.whole:
        return None
    orders: tuple[Order, ...] = ("dmy", "mdy")
    if not found.ambiguous or _DOTTED.match(text, found.start):
        orders = ("dmy",)
    days = set(filter(None, map(found.day, orders)))
    if len(days) != 1:
        return None
    clock = CLOCK.search(text)
    return at_clock(days.pop(), found.clock or (0, 0, 0), text[clock.end() :] if clock else "")


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
            whole = make_date(int(match[1]), month, int(day))
            if whole:
                return whole, True, match[0]
        if not joined and match[2] == "/" and len(match[3]) == 2:
            first = make_date(int(match[1]), month, 1)
            if first:
                return first, False, f"{match[1]}/{match[3]}"
    return None
