"""How many words a text has."""

from __future__ import annotations

import re

from learner.page.words import UNPARTED

_UNPARTED = re.compile(f"[{UNPARTED}]")


def count_words(text: str) -> int:
    """What white space parts; where no blanks part words, letters, as word processors count.

    >>> count_words("It's 3.5 well-known words."), count_words("東京 2 nights")
    (4, 4)
    """
    if text.isascii() or not _UNPARTED.search(text):
        return len(text.split())
    rest, n_letters = _UNPARTED.subn(" ", text)
    return n_letters + len(rest.split())
