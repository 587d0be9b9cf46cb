"""The template of a page: which part is its main one, and on which side of it the others stand.

Block Net takes the template from a step that is itself learned. Here it comes of what trees say of
the leaves, for templates drawn by hand lose.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from learner.dom.elements import sums
from learner.vision.blocknet.blocks import Kind
from learner.vision.blocknet.measures.scene import Scene

MAIN_SHARE = 0.98
"""Share of the letters, each weighed by its squared probability, that the element around the main
part must hold. Origin: measured, see docs/decisions.md."""

SURE_CONTENT = 0.3
"""Probability, as a share of that of the page's surest leaf, from which on a leaf is taken to be
content. Origin: measured, see docs/decisions.md."""

Floats = NDArray[np.float32]


def relative(content: Floats) -> Floats:
    """The probability of each leaf as a share of that of the surest: a page that is cut into blocks
    is taken to have content."""
    shares: Floats = content / max(float(content.max(initial=0)), 1e-6)
    return shares


def main_part(scene: Scene, content: Floats) -> range:
    """The leaves of the main part: in the smallest block that holds nearly all of what is likely to
    be content, from the first to the last that is. Of a page that shows nothing it is empty.

    What stands below a text in the same element, as comments do, is no part of it.
    """
    if not len(scene):
        return range(0)
    shares = relative(content).astype(np.float64)
    before = sums(np.maximum(scene.leaves.weight, 1) * shares**2)
    inside = before[scene.high] - before[scene.low]
    fits = np.flatnonzero(inside >= MAIN_SHARE * before[-1])
    if not len(fits):
        return range(len(scene))
    block = fits[scene.size[fits].argmin()]
    low, high = int(scene.low[block]), int(scene.high[block])
    sure = low + np.flatnonzero(shares[low:high] >= SURE_CONTENT)
    return range(int(sure[0]), int(sure[-1]) + 1) if len(sure) else range(low, high)


def sides(scene: Scene, main: range) -> list[Kind]:
    """Which part of the template each leaf stands in.

    The largest blocks that hold nothing of the main part stand to its left, to its right, above or
    below; all of their leaves with them.
    """
    found = [Kind.MAIN] * len(scene)
    box = scene.leaves.box[main.start : main.stop]
    around = np.concatenate([box[:, :2].min(axis=0), box[:, 2:].max(axis=0)]) if len(box) else None
    for block in _largest_without(scene, main):
        side = Kind.HEADER if around is None else side_of(scene.cut.box[block], around)
        for leaf in range(int(scene.low[block]), int(scene.high[block])):
            found[leaf] = side
    return found


def _largest_without(scene: Scene, main: range) -> list[int]:
    """The blocks that hold nothing of the main part, and stand in none that does not."""
    holds = (scene.low < main.stop) & (scene.high > main.start)
    parent = scene.cut.parent
    is_largest = ~holds & ((parent < 0) | holds[np.maximum(parent, 0)])
    largest: list[int] = np.flatnonzero(is_largest).tolist()
    return largest


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
