"""How many words a text has."""

from __future__ import annotations

import re

_UNPARTED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
"""Letters of scripts that put no blanks between words: Thai, Lao, Burmese, Khmer, kana, Chinese
characters. Each counts as a word, as word processors have it."""


def count_words(text: str) -> int:
    """What white space parts; where no blanks part words, letters.

    >>> count_words("It's 3.5 well-known words."), count_words("東京 2 nights")
    (4, 4)
    """
    if text.isascii() or not _UNPARTED.search(text):
        return len(text.split())
    rest, n_letters = _UNPARTED.subn(" ", text)
    return n_letters + len(rest.split())
