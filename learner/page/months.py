"""The names of the months in 280 languages (CLDR, `month_names.json`; those of the Persian calendar
were added)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import resources

LONG_NAME = 4
"""Letters from which on a month's name is looked for without knowing the language: shorter ones are
words of other languages (`see`, `man`, `out`). Origin: guess."""


@lru_cache(maxsize=1)
def months_by_language() -> dict[str, list[str]]:
    """For each language the names of the months, in lower case, by number (see `month_names`); `|`
    stands between names of one month."""
    text = resources.files("learner.page").joinpath("month_names.json").read_text("utf-8")
    languages: dict[str, list[str]] = json.loads(text)
    return languages


@lru_cache(maxsize=256)
def month_names(languages: tuple[str, ...] = ("en",)) -> Mapping[str, int]:
    """Name in lower case -> month (0: the number of the month follows the word; 13 to 24: those of
    the Persian calendar).

    The names of the given languages, the first most trusted, then the long ones of all others;
    where those differ (`listopad` is October or November), what most languages say.

    >>> month_names(("hr",))["listopad"], month_names(("pl",))["listopad"]
    (10, 11)
    """
    return {**_long_names(), **names_in(languages)}


def names_in(languages: Sequence[str]) -> dict[str, int]:
    """Name in lower case -> month, as in `month_names`, of the given languages only."""
    names: dict[str, int] = {}
    for language in languages:
        for month, written in enumerate(months_by_language().get(language, ())):
            for name in written.split("|") if written else ():
                names.setdefault(name, month)
    return names


@lru_cache(maxsize=1)
def _long_names() -> dict[str, int]:
    votes: dict[str, Counter[int]] = {}
    for months in months_by_language().values():
        for month, written in enumerate(months):
            for name in written.split("|"):
                if len(name) >= LONG_NAME:
                    votes.setdefault(name, Counter())[month] += 1
    return {name: max(sorted(count), key=count.__getitem__) for name, count in votes.items()}


@lru_cache(maxsize=512)
def names_of_months(language: str) -> frozenset[str]:
    """What a language calls the months, in lower case; empty if they are numbers or unknown."""
    months = months_by_language().get(language, [])
    return frozenset(name for written in months for name in written.split("|") if name)
