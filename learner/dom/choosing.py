"""Which blocks of a page are its text, given how likely each is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from learner.dom.model import TYPES
from learner.ensembles.trees import Floats

LIKELY = 0.5
"""Probability of what is as likely as not."""

SAID_ONCE = [TYPES.index(name) for name in ("forum", "product", "service", "collection")]
"""The types of page whose text says a thing once: posts quote posts, shops say again what they say
of a product. Articles, manuals and lists repeat what they mean to."""

REPEATED_LETTERS = 20
"""Letters of a block from which on it is left out where it is said again. Origin: measured, see
docs/decisions.md."""


def choose(probabilities: Floats, weights: Floats) -> float:
    """The probability from which on blocks are taken so that the expected F1 of the text is
    greatest (Lewis, SIGIR 1995): where nothing is sure, less sure blocks are taken, too.

    >>> choose(np.array([0.9, 0.6, 0.1]), np.array([10.0, 10.0, 10.0]))
    0.6
    """
    order = np.argsort(-probabilities, kind="stable")
    hits = np.cumsum(probabilities[order] * weights[order])
    f1 = 2 * hits / (np.cumsum(weights[order]) + hits[-1])
    return float(probabilities[order[int(f1.argmax())]])


def least_probability(probabilities: Floats, weights: Floats, types: Floats) -> float:
    """The probability from which on a block is of the text: on articles, where doubtful blocks
    stand or fall together as readers' comments do, as likely as not; elsewhere `choose`. `types`
    has the probability of each of `TYPES`."""
    article = float(types[TYPES.index("article")])
    least = article * LIKELY + (1 - article) * choose(probabilities, weights)
    return min(least, float(probabilities.max()))


def is_said_once(types: Floats) -> bool:
    """Whether a page is likely of one of the types whose text repeats nothing (`SAID_ONCE`)."""
    return float(types[SAID_ONCE].sum()) >= LIKELY


def without_repeated(texts: Sequence[str], weights: Floats) -> list[int]:
    """The places of the blocks of a text that say what none before them says, or are so short that
    it does not count; `weights` has the letters of each.

    >>> posts = ["Why does it never rain here?", "Thanks!"] * 2
    >>> without_repeated(posts, np.array([22, 6] * 2))
    [0, 1, 3]
    """
    first: dict[str, int] = {}
    return [
        place
        for place, text in enumerate(texts)
        if first.setdefault(text, place) == place or weights[place] < REPEATED_LETTERS
    ]
