"""Which blocks of a page make up a text that somebody took from it.

A gold text, the record of a learned site or the text of an element is a string. Its letters are
laid over those of the blocks: each block at one place, in the page's order, no letter twice. What
is covered is of the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from learner.dom.characters import letters_of

MOST_PLACES = 30
"""Places of a text at which a block is tried. Origin: guess; what recurs oftener is a word."""

SHINGLE = 12
"""Letters of the parts by which a block is compared that is not in the text as a whole. Origin:
guess."""

LEAST_SHARED = 0.6
"""Share of its parts from which on such a block is of the text. Origin: guess."""


def label_blocks(texts: Sequence[str], wanted: str) -> NDArray[np.bool_]:
    """Whether each block of a page, in its order, is of the wanted text.

    >>> label_blocks(["Rain", "News", "It rained.", "Read on"], "Rain\\nIt rained.").tolist()
    [True, False, True, False]
    """
    letters, whole = [letters_of(text) for text in texts], letters_of(wanted)
    found = _longest_chain(letters, whole)
    labels = np.zeros(len(texts), np.bool_)
    rest, end = [], 0
    for block, place in found:
        labels[block] = True
        rest.append(whole[end:place])
        end = place + len(letters[block])
    rest.append(whole[end:])
    parts = {each for text in rest for each in _shingles(text, 1)}
    for block, text in enumerate(letters):
        own = list(_shingles(text, SHINGLE // 2)) if parts and not labels[block] else []
        if own and sum(each in parts for each in own) >= LEAST_SHARED * len(own):
            labels[block] = True
    return labels


def _shingles(text: str, step: int) -> Iterator[str]:
    for start in range(0, len(text) - SHINGLE + 1, step):
        yield text[start : start + SHINGLE]


def _places(text: str, whole: str) -> Iterator[int]:
    start = -1
    for _ in range(MOST_PLACES):
        start = whole.find(text, start + 1)
        if start < 0:
            return
        yield start


def _longest_chain(letters: Sequence[str], whole: str) -> list[tuple[int, int]]:
    """The blocks, each with its place, that cover most of a text in order: the heaviest increasing
    chain, by a Fenwick tree of maxima over its letters."""
    best: list[int] = [-1] * (len(whole) + 2)  # for each node the link that the best chain ends in
    links: list[tuple[int, int, int, int]] = []  # weight of the chain, link before, block, place

    def ending_before(place: int) -> int:
        found, node = -1, place + 1
        while node > 0:
            if best[node] >= 0 and (found < 0 or links[best[node]][0] > links[found][0]):
                found = best[node]
            node -= node & -node
        return found

    for block, text in enumerate(letters):
        new = []
        for place in _places(text, whole) if text else ():
            before = ending_before(place)
            weight = len(text) + (links[before][0] if before >= 0 else 0)
            new.append((weight, before, block, place))
        for link in new:
            links.append(link)
            node = link[3] + len(text) + 1
            while node < len(best):
                if best[node] < 0 or links[best[node]][0] < link[0]:
                    best[node] = len(links) - 1
                node += node & -node
    last = ending_before(len(whole))
    chain = []
    while last >= 0:
        _, before, block, place = links[last]
        chain.append((block, place))
        last = before
    return chain[::-1]
