"""Characters by class, counted for all blocks of a page at once."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from learner.page.words import UNPARTED, word_letters

LETTER, UPPER, DIGIT, ENDING, PAUSE, UNPARTED_LETTER, SIGN, BLANK = range(8)
"""Classes of characters: letters, capitals, digits, what ends a sentence, what parts its clauses,
letters of scripts without blanks, other signs, blanks."""

N_CLASSES = 8

_ENDINGS = ".!?…。！？．؟۔।॥።།"
_PAUSES = ",;،、，；"
_BLOCK = 0x10000
"""Characters that are told apart; those beyond (rare Chinese ones, pictures) count as letters of a
script without blanks."""


@lru_cache(maxsize=1)
def _classes() -> NDArray[np.uint8]:
    """The class of each character."""
    table = np.full(_BLOCK + 1, SIGN, np.uint8)
    for code in range(_BLOCK):
        category = unicodedata.category(chr(code))
        if category[0] in "LM":
            table[code] = UPPER if category in ("Lu", "Lt") else LETTER
        elif category == "Nd":
            table[code] = DIGIT
        elif category[0] == "Z" or code < 32:
            table[code] = BLANK
    ranges = UNPARTED
    for first, last in zip(ranges[0::3], ranges[2::3], strict=True):
        unparted = table[ord(first) : ord(last) + 1]
        unparted[unparted == LETTER] = UNPARTED_LETTER
    table[[ord(sign) for sign in _ENDINGS]] = ENDING
    table[[ord(sign) for sign in _PAUSES]] = PAUSE
    table[_BLOCK] = UNPARTED_LETTER
    return table


def count_characters(texts: Sequence[str]) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
    """For each text, none of which is empty, how many characters of each class it has, and the
    classes of its first and last.

    >>> counts, ends = count_characters(["Rain, 3 days.", "雨"])
    >>> counts[0].tolist(), ends.tolist()
    ([7.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 2.0], [[1, 3], [5, 5]])
    """
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    codes = np.frombuffer("".join(texts).encode("utf-32-le", "replace"), np.uint32)
    classes = _classes()[np.minimum(codes, _BLOCK)]
    owners = np.repeat(np.arange(len(texts)) * N_CLASSES, lengths)
    counts = np.bincount(owners + classes, minlength=len(texts) * N_CLASSES)
    after = lengths.cumsum()
    ends = np.stack([classes[after - lengths], classes[after - 1]], axis=1)
    return counts.reshape(-1, N_CLASSES).astype(np.float32), ends


def letters_of(text: str) -> str:
    """The letters that texts are compared by: compatible forms are one.

    >>> letters_of("Ｒain, 3")
    'rain3'
    """
    return word_letters(unicodedata.normalize("NFKC", text))
