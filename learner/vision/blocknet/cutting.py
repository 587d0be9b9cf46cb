"""A rendered page cut into leaf blocks, and the elements that hold them.

What is seen of a page are its atoms: texts, pictures and controls, in document order. Atoms that
stand in one block-level element without another block between them are a leaf block; two line
breaks part it, as they part paragraphs. All that is told of a block is a sum over its atoms, which
lie side by side: one pass over the page gives the sums of all its blocks.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from learner.vision.blocknet.areas import CONTROLS, PICTURES, atom_areas, counts_above
from learner.vision.snapshots.nodes import ELEMENT, TEXT
from learner.vision.snapshots.snapshot import Snapshot

Ints = NDArray[np.int32]
Bools = NDArray[np.bool_]
Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False, kw_only=True)
class Cut:
    """A page's atoms in document order, and their blocks: leaves first, then the elements that hold
    several of them, the outermost first."""

    page: Snapshot
    atom: Ints
    """(a,) The node of each atom."""
    atom_box: Floats
    """(a, 4) What is to be seen of it: left, top, right and bottom."""
    areas: Floats
    """(a, 6) Its area, in the column of what it counts as."""
    n_leaves: int
    low: Ints
    """(b,) The first atom of each block."""
    high: Ints
    """(b,) The atom after its last one."""
    node: Ints
    """(b,) The first node that a block consists of; of one that holds others its element."""
    top: Ints
    """(n,) Of a node in a leaf the highest that holds atoms of this leaf alone."""
    parent: Ints
    """(b,) The smallest block that holds each one; -1 if none does."""

    def __len__(self) -> int:
        return len(self.low)

    @cached_property
    def box(self) -> Floats:
        """(b, 4) Left, top, right and bottom of all that a block shows."""
        found = np.zeros((len(self), 4), dtype=np.float32)
        for side, extreme in enumerate((np.minimum, np.minimum, np.maximum, np.maximum)):
            found[:, side] = _reduce(extreme, self.atom_box[:, side], self.low, self.high)
        return found

    @cached_property
    def params(self) -> Floats:
        """(b, 6) The share of a block's area that counts as each of the six; together at most 1."""
        sums = self.sums(self.areas)
        width, height = self.box[:, 2] - self.box[:, 0], self.box[:, 3] - self.box[:, 1]
        # Atoms may lie over one another.
        whole = np.maximum(width * height, sums.sum(axis=1))
        found: Floats = (sums / np.maximum(whole, 1e-6)[:, None]).astype(np.float32)
        return found

    def sums(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """The sum over the atoms of each block of values (a, k)."""
        before = np.zeros((len(values) + 1, *values.shape[1:]))
        np.cumsum(values, axis=0, out=before[1:])
        found: NDArray[np.float64] = before[self.high] - before[self.low]
        return np.maximum(found, 0)

    @cached_property
    def texts(self) -> list[str]:
        """The text of each leaf, white space collapsed."""
        drawn = [self.page.drawn_text(node) for node in self.atom.tolist()]
        bounds = zip(self.low[: self.n_leaves], self.high[: self.n_leaves], strict=True)
        return [" ".join("".join(drawn[low:high]).split()) for low, high in bounds]

    def doms(self, block: int) -> list[int]:
        """The nodes that a block consists of: the highest that hold its atoms and no others."""
        if block >= self.n_leaves:
            return [int(self.node[block])]
        found: list[int] = []
        for atom in self.atom[self.low[block] : self.high[block]].tolist():
            if not found or atom >= self.page.end[found[-1]]:
                found.append(int(self.top[atom]))
        return found

    @cached_property
    def leaf_of_atom(self) -> Ints:
        """(a,) The leaf of each atom."""
        leaves = np.arange(self.n_leaves, dtype=np.int32)
        return np.repeat(leaves, self.high[: self.n_leaves] - self.low[: self.n_leaves])


def cut(page: Snapshot) -> Cut:
    """The blocks of a page."""
    is_atom = _atoms(page)
    atom = is_atom.nonzero()[0].astype(np.int32)
    leaf = _leaf_of_atom(page, atom)
    n_leaves = int(leaf[-1]) + 1 if len(leaf) else 0
    starts = np.searchsorted(leaf, np.arange(n_leaves + 1)).astype(np.int32)
    before = np.concatenate([[0], np.cumsum(is_atom)]).astype(np.int32)
    low, high = before[: len(page)], before[page.end]
    holders = _holders(page, low, high, leaf)
    padded = np.append(leaf, -1)
    top = _tops(page, (high > low) & (padded[low] == padded[high - 1]))
    first = atom[starts[:-1]]
    cut_low = np.concatenate([starts[:-1], low[holders]])
    cut_high = np.concatenate([starts[1:], high[holders]])
    return Cut(
        page=page,
        atom=atom,
        atom_box=page.seen[atom],
        areas=atom_areas(page, atom),
        n_leaves=n_leaves,
        low=cut_low,
        high=cut_high,
        top=top,
        node=np.concatenate([top[first], holders]).astype(np.int32),
        parent=_parents(cut_low, cut_high, n_leaves),
    )


# Atoms


def _atoms(page: Snapshot) -> Bools:
    """(n,) Whether a node is an atom: a text, picture or control that is to be seen, and stands in
    no other."""
    is_text = page.node_type == TEXT
    blank = np.ones(len(page), dtype=bool)
    for node in (is_text & page.is_visible).nonzero()[0].tolist():
        blank[node] = not page.drawn_text(node).strip()
    whole = page.is_tag(*PICTURES, *CONTROLS) & page.is_visible
    shows = ((is_text & ~blank) | whole) & page.is_visible
    found: Bools = shows & (counts_above(page, whole) == 0)
    return found


def _leaf_of_atom(page: Snapshot, atom: Ints) -> Ints:
    """(a,) The number of each atom's leaf, from 0 on in document order."""
    owner = page.block_level[atom]
    breaks = np.cumsum(page.is_tag("br"))[atom]
    new = (owner[1:] != owner[:-1]) | (breaks[1:] - breaks[:-1] > 1)
    return np.concatenate([[0], np.cumsum(new)])[: len(atom)].astype(np.int32)


# Blocks


def _tops(page: Snapshot, pure: Bools) -> Ints:
    """(n,) For each node the highest one, from itself upwards, that holds atoms of one leaf alone.

    `pure` tells of which nodes that holds.
    """
    top = np.arange(len(page), dtype=np.int32).tolist()
    above, is_pure = page.parent.tolist(), pure.tolist()
    for node in range(1, len(page)):
        if is_pure[above[node]]:
            top[node] = top[above[node]]
    return np.array(top, dtype=np.int32)


def _holders(page: Snapshot, low: Ints, high: Ints, leaf: Ints) -> Ints:
    """The elements that hold several leaves, all of each; of those that hold the same the
    outermost."""
    bounded = np.concatenate([[-1], leaf, [-1]])  # leaf[i] is bounded[i + 1]
    many = (high > low) & (bounded[low + 1] != bounded[high])
    whole = (bounded[low] != bounded[low + 1]) & (bounded[high + 1] != bounded[high])
    fits = many & whole & (page.node_type == ELEMENT)
    above = np.maximum(page.parent, 0)
    same = fits[above] & (low == low[above]) & (high == high[above])
    found: Ints = (fits & ~same).nonzero()[0].astype(np.int32)
    return found


def _parents(low: Ints, high: Ints, n_leaves: int) -> Ints:
    """The smallest block that holds each block's atoms."""
    parent = np.full(len(low), -1, dtype=np.int32)
    order = np.lexsort((np.arange(len(low)) < n_leaves, -high, low)).tolist()
    open_blocks: list[int] = []
    for block in order:
        while open_blocks and high[open_blocks[-1]] <= low[block]:
            open_blocks.pop()
        if open_blocks:
            parent[block] = open_blocks[-1]
        if block >= n_leaves:
            open_blocks.append(block)
    return parent


def _reduce(extreme: np.ufunc, values: Floats, low: Ints, high: Ints) -> Floats:
    """`extreme` of each range of the values, none of which is empty."""
    if not len(values):
        return np.zeros(0, dtype=np.float32)
    padded = np.append(values, values[-1])
    pairs = np.stack([low, high], axis=1).ravel()
    found: Floats = extreme.reduceat(padded, pairs)[::2]
    return found
