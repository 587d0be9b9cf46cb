"""Leaf blocks joined by titles: what stands below a title belongs to it, smaller titles too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from learner.vision.blocknet.blocks import TEMPLATE, Kind

MOST_LEVELS = 6
"""Titles below one another. Origin: HTML, which has six levels of headings."""


@dataclass(frozen=True, slots=True)
class Joined:
    """A tree of blocks; parents stand before what they hold."""

    kind: list[Kind]
    parent: list[int]
    """-1 for the page, block 0."""
    leaf: list[int]
    """The number of the leaf block; -1 for what holds others."""
    children: list[list[int]]

    def add(self, kind: Kind, parent: int, leaf: int = -1) -> int:
        """A new last child; its number."""
        self.kind.append(kind)
        self.parent.append(parent)
        self.leaf.append(leaf)
        self.children.append([])
        if parent >= 0:
            self.children[parent].append(len(self.kind) - 1)
        return len(self.kind) - 1

    def __len__(self) -> int:
        return len(self.kind)


def join(
    sides: Sequence[Kind], is_title: NDArray[np.bool_], prominence: Sequence[tuple[float, ...]]
) -> Joined:
    """The page, the parts of its template, and in each its leaves in order, joined by titles. The
    more prominent a title the greater its `prominence`.

    >>> titles = np.array([True, False, True, False, True])
    >>> joined = join([Kind.MAIN] * 5, titles, [(30,), (16,), (20,), (16,), (20,)])
    >>> joined.children
    [[1], [2], [3, 4, 5, 8], [], [], [6, 7], [], [], [9], []]
    """
    joined = Joined([], [], [], [])
    page = joined.add(Kind.PAGE, -1)
    for side in TEMPLATE:
        leaves = [leaf for leaf, each in enumerate(sides) if each == side]
        if leaves:
            part = joined.add(side, page)
            _join_part(joined, part, leaves, is_title, prominence)
    return joined


def _join_part(
    joined: Joined,
    part: int,
    leaves: Sequence[int],
    is_title: NDArray[np.bool_],
    prominence: Sequence[tuple[float, ...]],
) -> None:
    open_sections: list[tuple[tuple[float, ...], int]] = []
    for leaf in leaves:
        if is_title[leaf]:
            while open_sections and open_sections[-1][0] <= prominence[leaf]:
                open_sections.pop()
            del open_sections[MOST_LEVELS - 1 :]
            above = open_sections[-1][1] if open_sections else part
            open_sections.append((prominence[leaf], joined.add(Kind.CONTENT, above)))
        above = open_sections[-1][1] if open_sections else part
        joined.add(Kind.TITLE if is_title[leaf] else Kind.CONTENT, above, leaf)
