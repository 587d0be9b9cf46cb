"""How well the text of an element is the text that somebody took from the page."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np

from learner.dom.characters import letters_of
from learner.vision.snapshots.arrays import Bools, Floats, Ints
from learner.vision.snapshots.snapshot import Snapshot

HAIR = 0.01
"""How far below the best F1 of its page an element is right, too. Origin: guess, see
docs/decisions.md."""

LEAST_F1 = 0.5
"""F1 that the best element of a page must have; else the text stands in none of its candidates, and
none of them is right. Origin: guess."""

Pairs = Counter[str]


def pairs_of(text: str) -> Pairs:
    """The pairs of neighbouring letters and digits of a text, with how often each stands there: a
    measure for every script, as it knows no words.

    >>> sorted(pairs_of("Rain, rain"))
    ['ai', 'in', 'nr', 'ra']
    """
    letters = letters_of(text)
    return Counter(map("".join, pairwise(letters)))


def character_f1(found: Pairs, wanted: Pairs) -> float:
    """F1 of the pairs of two texts, each pair counted as often as it stands in both.

    >>> round(character_f1(pairs_of("rain"), pairs_of("rains")), 3)
    0.857
    """
    total = found.total() + wanted.total()
    return 2 * (found & wanted).total() / total if total else 0.0


def likeness(snapshot: Snapshot, candidates: Ints, text: str) -> Floats:
    """(n,) F1 of the visible text of each candidate against a text."""
    wanted = pairs_of(text)
    found = (pairs_of(snapshot.visible_text(node)) for node in candidates.tolist())
    return np.array([character_f1(each, wanted) for each in found], np.float32)


def right_of(likeness: Floats) -> Bools:
    """(n,) Which candidates of a page are right: the best and those within a hair of it; none if
    the best is bad.

    >>> right_of(np.array([0.4, 0.985, 0.99, 0.97], np.float32)).tolist()
    [False, True, True, False]
    """
    best = float(likeness.max(initial=0))
    found: Bools = likeness >= (best - HAIR if best >= LEAST_F1 else np.inf)
    return found
