"""Dates in Chinese characters: years of an era, and numbers in words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from learner.page.calendars.clock import read_clock
from learner.page.calendars.day_text import DateText, make_date

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
_DIGITS = {"○": 0, "零": 0, **{sign: n for n, sign in enumerate("〇一二三四五六七八九")}}
_SIGNS = "".join(_DIGITS)
_DATE = re.compile(
    rf"(?:({'|'.join(_ERAS)})\s?(元|\d{{1,3}}|[{_SIGNS}十]{{1,3}})|([{_SIGNS}]{{4}}))\s?年"
    rf"\s?(\d{{1,2}}|[{_SIGNS}十]{{1,2}})\s?月\s?(\d{{1,2}}|[{_SIGNS}十]{{1,3}})\s?[日號号]"
)
_SHORT_DATE = re.compile(
    rf"({'|'.join(_ERAS)})\s?(元|\d{{1,3}})([./．／・-])(\d{{1,2}})\3(\d{{1,2}})(?!\d)"
)


def han_dates(text: str) -> Iterator[DateText]:
    """Dates whose year is counted from the beginning of an era, or written in words.

    >>> text = "令和元年5月1日, 二〇二二年六月十八日, 民國111/6/19"
    >>> [found.day().isoformat() for found in han_dates(text)]
    ['2019-05-01', '2022-06-18', '2022-06-19']
    """
    for match in (*_DATE.finditer(text), *_SHORT_DATE.finditer(text)):
        year = _number(match[2] or match[3]) + _ERAS.get(match[1], 0)
        numbers = year, _number(match[4]), _number(match[5])
        if make_date(*numbers):
            yield DateText(match.start(), match.end(), numbers, True, read_clock(text, match.end()))


def _number(written: str) -> int:
    """A number of digits, or of words: up to 99 by tens, others digit by digit.

    >>> [_number(text) for text in ("12", "元", "十", "二十三", "二〇二二")]
    [12, 1, 10, 23, 2022]
    """
    if written == "元":
        return 1
    if "十" in written:
        tens, _, ones = written.partition("十")
        return 10 * _DIGITS.get(tens, 1) + _DIGITS.get(ones, 0)
    if written.isdecimal():
        return int(written)
    return int("".join(str(_DIGITS[sign]) for sign in written))
