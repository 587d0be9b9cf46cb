"""Dates and authors against the strings that a page shows: when are they exact?"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from datetime import date, datetime
from functools import cache, lru_cache

from dateparser.date import DateDataParser

from extractor.records.articles import ArticleRecord

_YEAR_FIRST = re.compile(r"\s*(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
_CODE = re.compile(r"\b[a-z]{2}\b")
_LABEL = re.compile(
    r"\s*(?:(?:posted|written|published)?\s*by\b|(?:author|autor|auteur|автор|著者|作者|文)\s*[::])\s*",
    re.IGNORECASE,
)
_BETWEEN_NAMES = re.compile(r"[,;&/|、，]|\b(?:and|und|et|y|e|en|och|og|и)\b", re.IGNORECASE)


def date_is_exact(record: ArticleRecord, gold: str, language: str) -> bool:
    """Whether the record's day is the one shown; its month, where only that is shown.

    The string shown is read with the site's language, whose order of day and month counts.
    """
    shown, is_month = read_shown_date(gold, language)
    own = own_day(record)
    if shown is None or own is None:
        return False
    return own == shown or (is_month and (own.year, own.month) == (shown.year, shown.month))


def own_day(record: ArticleRecord) -> date | None:
    """The day of a record as its page has it: in the page's own time zone where it names one."""
    moment = record.date_published
    if moment is None:
        return None
    try:
        zone = datetime.fromisoformat((record.date_published_raw or "").strip()).tzinfo
    except ValueError:
        zone = None
    return moment.astimezone(zone).date() if zone else moment.date()


@lru_cache(4096)
def read_shown_date(text: str, language: str) -> tuple[date | None, bool]:
    """The day that a page shows, and whether it shows only the month; (None, False): no date.

    >>> read_shown_date("31/08/2010", "ru")
    (datetime.date(2010, 8, 31), False)
    >>> read_shown_date("March 2004", "en")
    (datetime.date(2004, 3, 1), True)
    """
    first = _YEAR_FIRST.match(text)
    if first:
        return date(int(first[1]), int(first[2]), int(first[3])), False
    found = _date_parser(_languages(language)).get_date_data(text.strip())
    if found is None or found.date_obj is None:
        return None, False
    return found.date_obj.date(), found.period == "month"


@cache
def _date_parser(languages: tuple[str, ...]) -> DateDataParser:
    # Each language brings its order of day, month and year.
    settings = {"PREFER_DAY_OF_MONTH": "first", "RETURN_AS_TIMEZONE_AWARE": False}
    return DateDataParser(languages=list(languages), use_given_order=True, settings=settings)


@cache
def _languages(language: str) -> tuple[str, ...]:
    """The codes that site.json names, then English, which templates of all languages fall back to.

    >>> _languages("zh-CN (+en)"), _languages("ja")
    (('zh', 'en'), ('ja', 'en'))
    """
    codes = _CODE.findall(re.sub(r"-\w+", "", language.lower()))
    return tuple(dict.fromkeys([*codes, "en"]))


def author_is_exact(authors: Sequence[str], gold: str) -> bool:
    """Whether the authors are those shown, apart from a label before them and what stands between.

    >>> author_is_exact(["David Chong", "Philip Chong"], "By David  Chong and Philip Chong")
    True
    >>> author_is_exact(["Holzschlag"], "Molly E. Holzschlag")
    False
    """
    own = _names(" ".join(authors))
    return bool(own) and own in (_names(gold), _names(_LABEL.sub("", gold, count=1)))


def author_names(shown: str) -> list[str]:
    """The names in what a page shows of its authors.

    >>> author_names("By David  Chong and Philip Chong")
    ['David Chong', 'Philip Chong']
    """
    text = _LABEL.sub("", unicodedata.normalize("NFKC", shown), count=1)
    names = (" ".join(name.split()) for name in _BETWEEN_NAMES.split(text))
    return [name for name in names if name]


def _names(text: str) -> str:
    return " ".join(_BETWEEN_NAMES.sub(" ", unicodedata.normalize("NFKC", text)).split())
