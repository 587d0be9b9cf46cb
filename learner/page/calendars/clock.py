"""How a time of day is written, and the one beside a date."""

from __future__ import annotations

import re

CLOCK = re.compile(r"\d{1,2}:\d\d(?::\d\d)?(?:\s*[ap]\.?m\b\.?)?", re.IGNORECASE)
"""A time of day, wherever it stands."""

_BEHIND_DATE = re.compile(
    r"[\s,T·@|-]{1,4}(\d{1,2})[:h](\d{2})(?::(\d{2}))?(?:\s*([ap])\.?m\b)?(?!\d)", re.IGNORECASE
)


def read_clock(text: str, end: int) -> tuple[int, int, int] | None:
    """Hour, minute and second that stand right behind a date which ends there, if they do.

    >>> read_clock("April 3, 2010, 2:05 pm", 13)
    (14, 5, 0)
    """
    match = _BEHIND_DATE.match(text, end)
    if not match:
        return None
    hour, minute, second = int(match[1]), int(match[2]), int(match[3] or 0)
    if match[4]:
        hour = hour % 12 + (12 if match[4].lower() == "p" else 0)
    return (hour, minute, second) if hour < 24 and minute < 60 and second < 60 else None
