"""The elements of a page as arrays: what stands around its blocks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from learner.dom.names import MOST_REMEMBERED, NOTHING, NameEvidence
from learner.ensembles.trees import Floats
from learner.page.tree import LayoutTree

Ints = NDArray[np.int64]

LEVELS = 5
"""Elements around a block that are looked at, each with more blocks than the one before. Origin:
measured, see docs/decisions.md."""

ROLES = ("nav", "header", "footer", "aside", "main", "article", "form", "list", "table", "figure",
         "text", "hidden", "dialog")  # fmt: skip
"""What HTML, WAI-ARIA, microdata or CSS can say of an element; the place of each is its bit."""

_BIT = {role: 1 << place for place, role in enumerate(ROLES)}

_BY_TAG = {
    **{role: _BIT[role] for role in ROLES[:7]},
    "fieldset": _BIT["form"],
    "ul": _BIT["list"],
    "ol": _BIT["list"],
    "table": _BIT["table"],
    "figure": _BIT["figure"],
}

_BY_ATTRIBUTE = {
    'role="navigation"': _BIT["nav"],
    'role="menu"': _BIT["nav"],
    'role="banner"': _BIT["header"],
    'role="contentinfo"': _BIT["footer"],
    'role="complementary"': _BIT["aside"],
    'role="main"': _BIT["main"],
    'role="article"': _BIT["article"],
    'role="list"': _BIT["list"],
    'itemprop="articleBody"': _BIT["text"],
    'itemprop="text"': _BIT["text"],
    'itemprop="description"': _BIT["text"],
    "display:none": _BIT["hidden"],
    "display: none": _BIT["hidden"],
    'aria-hidden="true"': _BIT["hidden"],
    'hidden="': _BIT["hidden"],
    'role="dialog"': _BIT["dialog"],
}


@lru_cache(maxsize=MOST_REMEMBERED)
def said_of(source: str) -> int:
    """The roles of an element, given its tag as it is written, as bits.

    >>> [said_of(tag) for tag in ("nav", 'div role="navigation"', "div")]
    [1, 1, 0]
    """
    bits = _BY_TAG.get(source.partition(" ")[0], 0)
    if "=" in source:
        for written, bit in _BY_ATTRIBUTE.items():
            if written in source:
                bits |= bit
    return bits


def sums(values: NDArray[np.generic]) -> NDArray[np.float64]:
    """Sums of all values before each place, and of all: that of a range is a difference."""
    return np.concatenate([[0.0], np.cumsum(values, dtype=np.float64)])


def _with_those_around(own: list[float], parents: Sequence[int]) -> list[list[float]]:
    """The values of elements; with those around them their sum, the least and the most."""
    total, least, most = own[:], own[:], own[:]
    for e, parent in enumerate(parents):
        if parent >= 0:
            total[e] += total[parent]
            least[e] = min(least[e], least[parent])
            most[e] = max(most[e], most[parent])
    return [own, total, least, most]


class Elements:
    """One entry an element of a layout tree, in its order."""

    def __init__(self, tree: LayoutTree, evidence: NameEvidence, n_blocks: int) -> None:
        """Of the blocks only the first `n_blocks` are there."""
        n = len(tree.tags)
        self.starts: Ints = np.minimum(np.array(tree.starts, np.int64), n_blocks)
        self.ends: Ints = np.minimum(np.array(tree.ends, np.int64), n_blocks)
        # Nothing asks for elements without text, half of all.
        told = [
            evidence.of(names) if names and start < end else NOTHING
            for names, start, end in zip(tree.tokens, tree.starts, tree.ends, strict=True)
        ]
        own, other = [each[0] for each in told], [each[1] for each in told]
        bits = list(map(said_of, tree.sources))
        depth, upper, chains = [0] * n, [-1] * n, [0] * n
        families = list(zip(tree.parents, tree.tags, tree.tokens, strict=True))
        starts, ends = tree.starts, tree.ends
        for e, (parent, tag, names) in enumerate(families):
            if parent < 0:
                continue
            bits[e] |= bits[parent]
            depth[e] = depth[parent] + 1
            is_wrapper = starts[e] == starts[parent] and ends[e] == ends[parent]
            upper[e] = upper[parent] if is_wrapper else parent
            chains[e] = hash((chains[parent], tag, names))
        counts = Counter(families)
        self.bits: Ints = np.array(bits, np.int64)
        self.depth: Floats = np.array(depth, np.float32)
        self.upper: Ints = np.array(upper, np.int64)
        """The nearest element around each that has more blocks; -1 for none."""
        self.chains: Ints = np.array(chains, np.int64)
        """One number for all elements that stand in tags and names alike."""
        rows = [row for each in (own, other) for row in _with_those_around(each, tree.parents)]
        self.evidence: Floats = np.array(rows, np.float32).T
        """What its names speak for on articles, the sum with those around it, the least and the
        most; the same on other pages."""
        self.alike: Floats = np.array([counts[family] for family in families], np.float32)
        """How many children of its parent have its tag and names, itself included."""

    def held(self, values: NDArray[np.generic]) -> NDArray[np.float64]:
        """What each element holds of the values of blocks."""
        before = sums(values)
        return before[self.ends] - before[self.starts]

    def around(self, first: Ints) -> Ints:
        """For each of some elements those around it, `LEVELS` a row, each with more blocks than
        the one before; the outermost again where there are no more."""
        upper = np.where(self.upper < 0, np.arange(len(self.upper)), self.upper)
        is_alone = self.ends[first] - self.starts[first] <= 1
        found = [np.where(is_alone, upper[first], first)]
        while len(found) < LEVELS:
            found.append(upper[found[-1]])
        return np.stack(found, axis=1)
