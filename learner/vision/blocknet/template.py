"""The template of a page: which block is its main one, and on which side of it the others stand.

Block Net takes the template from a step that is itself learned. Here it comes of what is known of
the leaves: the main block is the smallest that holds nearly all of what is likely to be content.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from learner.dom.elements import sums
from learner.vision.blocknet.blocks import Kind
from learner.vision.blocknet.measures.features import Scene

MAIN_SHARE = 0.97
"""Share of the letters, each weighed by its squared probability, that the main block must hold.
Origin: measured, see docs/decisions.md."""

Floats = NDArray[np.float32]


def main_block(scene: Scene, content: Floats) -> int | None:
    """The smallest block with nearly all of what is likely to be content; None if the page has no
    block. `content` has the probability of each leaf."""
    before = sums(np.maximum(scene.leaves.weight, 1) * content.astype(np.float64) ** 2)
    inside = before[scene.high] - before[scene.low]
    fits = np.flatnonzero(inside >= MAIN_SHARE * before[-1])
    return int(fits[scene.size[fits].argmin()]) if len(fits) else None


def sides(scene: Scene, main: int) -> list[Kind]:
    """Which part of the template each leaf stands in.

    The largest blocks beside the main one stand to its left, to its right, above or below; all of
    their leaves with them.
    """
    cut, box = scene.cut, scene.cut.box
    found = [Kind.HEADER] * len(scene)
    for block in _largest_without(scene, main):
        side = side_of(box[block], box[main])
        for leaf in range(int(scene.low[block]), int(scene.high[block])):
            found[leaf] = side
    for leaf in range(int(scene.low[main]), int(scene.high[main])):
        found[leaf] = Kind.MAIN
    assert len(found) == cut.n_leaves
    return found


def _largest_without(scene: Scene, main: int) -> list[int]:
    """The blocks that do not hold the main one, and stand in none that does not."""
    low, high = int(scene.low[main]), int(scene.high[main])
    holds = (scene.low <= low) & (scene.high >= high)
    parent = scene.cut.parent
    is_largest = ~holds & ((parent < 0) | holds[np.maximum(parent, 0)])
    inside = (scene.low >= low) & (scene.high <= high)
    return np.flatnonzero(is_largest & ~inside).tolist()


def side_of(box: Floats, main: Floats) -> Kind:
    """On which side of the main box another stands, each left, top, right and bottom.

    >>> main = np.array([200, 100, 800, 900])
    >>> [side_of(np.array(box), main).value for box in
    ... ([0, 0, 999, 90], [0, 100, 190, 500], [810, 300, 999, 950], [0, 910, 999, 990])]
    ['header', 'left', 'right', 'footer']
    """
    middle = (box[0] + box[2]) / 2
    stands_beside = box[1] < main[3] and box[3] > main[1]
    if stands_beside and middle < main[0]:
        return Kind.LEFT
    if stands_beside and middle > main[2]:
        return Kind.RIGHT
    is_above = box[1] + box[3] < main[1] + main[3]
    return Kind.HEADER if is_above else Kind.FOOTER
