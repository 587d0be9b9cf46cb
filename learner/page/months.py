"""The names of the months in 290 languages (CLDR, `calendars/month_names.json`; those of the
Persian calendar were added)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from importlib import resources

from learner.page.calendars.spelling import folded

LONG_NAME = 4
"""Letters from which on a month's name is looked for without knowing the language: shorter ones are
words of other languages (`see`, `man`, `out`). Origin: guess."""

NUMBER_FOLLOWS, NUMBER_BEFORE = 0, -1
"""What stands for the month where a word says that a number beside it is one: `tháng 3`, `3 сар`.
"""
_BEHIND = "#"
"""Begins such a word, where it stands behind the number."""


@lru_cache(maxsize=1)
def months_by_language() -> dict[str, list[str]]:
    """For each language the names of the months, in lower case, by number (see `month_names`); `|`
    stands between names of one month."""
    text = resources.files("learner.page.calendars").joinpath("month_names.json").read_text("utf-8")
    languages: dict[str, list[str]] = json.loads(text)
    return languages


@lru_cache(maxsize=256)
def month_names(languages: tuple[str, ...] = ("en",)) -> Mapping[str, int]:
    """Name as `folded` gives it -> month (`NUMBER_FOLLOWS` or `NUMBER_BEFORE` it; 13 to 24: those
    of the Persian calendar).

    The names of the given languages, the first most trusted, then the long ones of all others;
    where those differ (`listopad` is October or November), what most languages say.

    >>> month_names(("hr",))["listopad"], month_names(("pl",))["listopad"]
    (10, 11)
    """
    return {**_long_names(), **names_in(languages)}


def names_in(languages: Sequence[str]) -> dict[str, int]:
    """Name -> month, as in `month_names`, of the given languages only."""
    names: dict[str, int] = {}
    for language in languages:
        for name, month in _names_of(language):
            names.setdefault(name, month)
    return names


@lru_cache(maxsize=512)
def _bared(language: str) -> dict[str, str]:
    """The names of a language that without accents may be words of others, as they are written:
    `marc` -> `març`."""
    written = (name for name in sorted(names_of_months(language)) if not name.isascii())
    return {bare: name for name in written if (bare := folded(name)).isascii()}


@lru_cache(maxsize=512)
def _names_of(language: str) -> tuple[tuple[str, int], ...]:
    return tuple(_read(months_by_language().get(language, ())))


def _read(months: Sequence[str]) -> Iterator[tuple[str, int]]:
    for month, written in enumerate(months):
        for name in written.split("|") if written else ():
            behind = name.startswith(_BEHIND)
            yield folded(name.removeprefix(_BEHIND)), NUMBER_BEFORE if behind else month


@lru_cache(maxsize=1)
def _long_names() -> dict[str, int]:
    votes: dict[str, Counter[int]] = {}
    for language in months_by_language():
        for name, month in _names_of(language):
            name = _bared(language).get(name, name)
            if len(name) >= LONG_NAME:
                votes.setdefault(name, Counter())[month] += 1
    return {name: max(sorted(count), key=count.__getitem__) for name, count in votes.items()}


@lru_cache(maxsize=512)
def names_of_months(language: str) -> frozenset[str]:
    """What a language calls the months, in lower case; empty if they are numbers or unknown."""
    months = months_by_language().get(language, [])
    names = (name for written in months for name in written.split("|"))
    return frozenset(name.removeprefix(_BEHIND) for name in names if name)
