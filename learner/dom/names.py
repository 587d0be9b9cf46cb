"""What the names of elements tell: words of ids and classes, by what stood under them elsewhere.

Nobody writes these words down: training weighs every word that several sites use by how main text
and other text stand in elements with such names, and keeps those that tell most.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

MOST_REMEMBERED = 20_000
"""Names of elements whose words are remembered. Origin: guess, 5 MB."""

LONGESTWORD = 24
"""Letters of a word of a name; longer ones are no words. Origin: guess."""

WORD = re.compile(r"[^\W\d_]{2,}")


@lru_cache(maxsize=MOST_REMEMBERED)
def words_of(names: tuple[str, ...]) -> tuple[str, ...]:
    """The words in the names of an element, each once.

    >>> words_of(("#main0", ".post-body", ".post"))
    ('main', 'post', 'body')
    """
    words = dict.fromkeys(WORD.findall(" ".join(names)))
    return tuple(word for word in words if len(word) <= LONGESTWORD)


Told = tuple[float, float]
"""What a word speaks for on articles, and on other pages: a comment of a reader is no text of the
one, and all the text of a thread."""

NOTHING: Told = (0.0, 0.0)


class NameEvidence:
    """How much each word of a name speaks for main text (above 0) or against it."""

    def __init__(self, words: Mapping[str, Told]) -> None:
        self.words = words
        self._known: dict[tuple[str, ...], Told] = {}

    def of(self, names: tuple[str, ...]) -> Told:
        """What the names of an element speak for: the strongest word for main text and the
        strongest against it.

        >>> NameEvidence({"post": (1.0, 2.0), "comments": (-3.0, 0.0)}).of((".post-comments",))
        (-2.0, 2.0)
        """
        if names not in self._known:
            if len(self._known) >= MOST_REMEMBERED:
                self._known.clear()
            self._known[names] = _strongest([self.words.get(w, NOTHING) for w in words_of(names)])
        return self._known[names]


def _strongest(told: list[Told]) -> Told:
    if len(told) < 2:
        return (2 * told[0][0], 2 * told[0][1]) if told else NOTHING
    first, second = zip(*told, strict=True)
    return max(first) + min(first), max(second) + min(second)
