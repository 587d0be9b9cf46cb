"""The words of a text, as domextract counts them."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from learner.page.words import UNPARTED

_WORD = re.compile(r"\w+")
_UNPARTED = re.compile(f"[{UNPARTED}]")


def tokens_of(text: str) -> list[str]:
    """The words of a text. Where no blanks part them MeCab does, if it is installed (extra
    `original`), and else each letter is one.

    >>> tokens_of("Rain, wind 7")
    ['Rain', 'wind', '7']
    """
    if not _UNPARTED.search(text):
        return _WORD.findall(text)
    tagger = _mecab()
    if tagger is not None:
        return [str(word) for word in tagger(text) if _WORD.search(str(word))]
    return [part for word in _WORD.findall(text) for part in _parts(word)]


def _parts(word: str) -> list[str]:
    return list(word) if _UNPARTED.search(word) else [word]


@cache
def _mecab() -> Any:
    """MeCab with its dictionary; None if it is not installed."""
    try:
        import fugashi

        return fugashi.Tagger()
    except (ImportError, RuntimeError):
        return None
