"""How long a server asks to be left alone (RFC 9110, 10.2.3)."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

MOST_DIGITS = 9
"""Digits of seconds that are read; more are thirty years. Origin: none needed."""


def seconds_to_wait(retry_after: str, date: str, now: datetime) -> float | None:
    """Seconds that a `Retry-After` header stands for, at least 0; None if it is none.

    A date counts from the server's own `Date`, if it sends one: the clocks need not agree.

    >>> now = datetime(2026, 11, 20, 2, 0, 0, tzinfo=UTC)
    >>> seconds_to_wait("120", "", now)
    120.0
    >>> seconds_to_wait("Fri, 20 Nov 2026 03:01:30 GMT", "Fri, 20 Nov 2026 03:00:00 GMT", now)
    90.0
    >>> seconds_to_wait("soon", "", now) is None
    True
    """
    text = retry_after.strip()
    if text.isascii() and text.isdecimal():
        return float(text[:MOST_DIGITS])
    until = _moment(text)
    if until is None:
        return None
    return max(0.0, (until - (_moment(date) or now)).total_seconds())


def _moment(text: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
