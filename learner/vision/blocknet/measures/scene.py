"""The leaf blocks of a page with all that stands around them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Indel

from learner.dom.characters import ENDING
from learner.dom.elements import sums
from learner.dom.features import LEAST_TEXT, LONGEST_NAMED
from learner.dom.names import NameEvidence
from learner.vision.blocknet.cutting import Cut
from learner.vision.blocknet.measures.leaves import Leaves
from learner.vision.blocknet.measures.standing import Standings

LEVELS = 5
"""Blocks around a leaf that are looked at, from the smallest on. Origin: as of the page model."""

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


class Scene:
    """The leaves of a page and all that stands around them."""

    def __init__(self, leaves: Leaves, evidence: NameEvidence, titles: Floats) -> None:
        """`titles` has the probability of each leaf to be a title."""
        self.leaves, self.titles = leaves, titles
        self.cut = leaves.cut
        self.standings = Standings(self.cut)
        self.names = self.standings.evidence(evidence)
        self.around = _around(self.cut.parent, len(leaves))
        self.column = _columns_of(leaves)
        unlinked = leaves.weight * (1 - leaves.linked)
        self.unlinked: Floats = unlinked.astype(np.float32)
        self.is_text = (self.unlinked >= LEAST_TEXT) & (leaves.counts[:, ENDING] >= 1)
        self.similarity = similarity(leaves)
        self.low, self.high = leaf_ranges(self.cut)

    def __len__(self) -> int:
        return len(self.leaves)

    def held(self, values: NDArray[np.generic]) -> NDArray[np.float64]:
        """What each block holds of the values of leaves."""
        before = sums(values)
        return before[self.high] - before[self.low]

    @property
    def size(self) -> Ints:
        """How many leaves each block holds."""
        return self.high - self.low


def leaf_ranges(cut: Cut) -> tuple[Ints, Ints]:
    """(b,) The first leaf of each block, and that after its last one."""
    if not cut.n_leaves:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    of_atom = cut.leaf_of_atom.astype(np.int64)
    return of_atom[cut.low], of_atom[cut.high - 1] + 1


def _around(parent: NDArray[np.int32], n_leaves: int) -> Ints:
    """(n, LEVELS) The blocks around each leaf, from the smallest on; the last again where there are
    no more."""
    upper = np.where(parent < 0, np.arange(len(parent)), parent).astype(np.int64)
    found = [upper[:n_leaves]]
    while len(found) < LEVELS:
        found.append(upper[found[-1]])
    return np.stack(found, axis=1)


def _columns_of(leaves: Leaves) -> Ints:
    """(n,) One number for all leaves that begin at one line down the page, in letters alike."""
    looks = np.column_stack([leaves.box[:, 0] / 4, leaves.font * 2, leaves.colour * 8]).round()
    which: Ints = np.unique(looks, axis=0, return_inverse=True)[1].ravel()
    return which


def similarity(leaves: Leaves) -> Floats:
    """(n,) How well each leaf repeats the page's `<title>`, or a part of it (Indel, 0 to 1)."""
    title = " ".join(leaves.page.title.lower().split())[:LONGEST_NAMED]
    found = np.zeros(len(leaves), dtype=np.float32)
    for leaf, text in enumerate(leaves.texts if title else ()):
        lower = text.lower()
        if lower and len(lower) <= LONGEST_NAMED:
            whole = Indel.normalized_similarity(lower, title)
            is_part = lower in title and 3 * len(lower) >= len(title)
            found[leaf] = max(whole, 0.9 if is_part else 0)
    return found
