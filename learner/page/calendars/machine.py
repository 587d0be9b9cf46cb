"""Moments as machines write them: ISO 8601 and seconds since 1970, with the zone of a clock."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta

from learner.page.calendars.day_text import make_date

LARGEST_OFFSET = timedelta(hours=14)
"""Of a time zone from UTC (Kiribati); what is larger is none."""

_ISO = re.compile(
    r"\s*(\d{4})-?(\d{2})-?(\d{2})(?=(?:\d{4}(?:\d\d)?)?(?!\d))"
    r"(?:[T\s]+(\d{1,2}):?(\d{2})(?::?(\d{2})(?:[.,]\d+)?)?(.*))?",
    re.DOTALL,
)
_FIRST_YEAR = "1000"
_NEVER = datetime(1970, 1, 1, tzinfo=UTC)
_SECONDS = re.compile(r"\s*([12]\d{9})(?:\d{3})?(?:\.\d*)?\s*")
"""Seconds or thousandths of them: from 2001 on."""
_ZONE = re.compile(r"\s{0,3}(?:(?:UTC|GMT)(?=[+-]))?(?:([+-]\d{2}):?(\d{2})?(?!\d)|([A-Z]{3,4})\b)")
_HOURS = "EST-5 EDT-4 CST-6 CDT-5 MST-7 MDT-6 PST-8 PDT-7 CET+1 CEST+2 EET+2 EEST+3 MSK+3 JST+9"
_ZONES = {zone[:-2]: int(zone[-2:]) for zone in _HOURS.split()}
"""Hours of zones whose names mean no other one (RFC 5322, 4.3, and those of Europe and East Asia).
"""


def read_moment(text: str) -> tuple[datetime, date] | None:
    """The moment in UTC, and the day as it is written there.

    Without a zone the clock counts as UTC, without a clock it is midnight. What programs write of a
    date that they do not have is none: the first moment of 1970, a year of one digit.

    >>> read_moment("2015-03-06T02:00:00+09:00")
    (datetime.datetime(2015, 3, 5, 17, 0, tzinfo=datetime.timezone.utc), datetime.date(2015, 3, 6))
    >>> [str(read_moment(text)[0]) for text in ("2015-03-06 02:00 EST", "1425610800")]
    ['2015-03-06 07:00:00+00:00', '2015-03-06 03:00:00+00:00']
    """
    if seconds := _SECONDS.fullmatch(text):
        moment = datetime.fromtimestamp(int(seconds[1]), UTC)
        return moment, moment.date()
    match = _ISO.match(text)
    if match is None or match[1] < _FIRST_YEAR:
        return None
    day = make_date(int(match[1]), int(match[2]), int(match[3]))
    if day is None:
        return None
    hour, minute, second = (int(match[i] or 0) for i in (4, 5, 6))
    found = at_clock(day, (hour, minute, min(second, 59)), match[7] or "")
    return None if found and found[0] == _NEVER and match[4] else found


def is_iso(text: str) -> bool:
    """Whether a text begins as dates of ISO 8601 do, be it one or not.

    >>> is_iso("0001-01-01T00:00:00"), is_iso("1 May 2021")
    (True, False)
    """
    return _ISO.match(text) is not None


def at_clock(day: date, clock: tuple[int, int, int], behind: str) -> tuple[datetime, date] | None:
    """The moment in UTC, and the day; `behind` is what follows the clock, perhaps its zone."""
    try:
        moment = datetime(day.year, day.month, day.day, *clock, tzinfo=UTC)
        return moment - _offset(behind), day
    except (ValueError, OverflowError):
        return None


def _offset(behind: str) -> timedelta:
    zone = _ZONE.match(behind)
    if not zone:
        return timedelta()
    if zone[3]:
        return timedelta(hours=_ZONES.get(zone[3], 0))
    minutes = 60 * int(zone[1][1:]) + int(zone[2] or 0)
    offset = timedelta(minutes=-minutes if zone[1].startswith("-") else minutes)
    return offset if abs(offset) <= LARGEST_OFFSET else timedelta()
