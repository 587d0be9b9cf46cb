"""Which boxes are neighbours: those that see one another along a line, without a third between.

A sweep over the boxes from one side keeps for each line the box whose far edge was last. What a box
meets on the lines that it covers is beside it, which holds both ways: so neighbours are symmetric.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

MOST_LINES = 256
"""Lines along which boxes see one another, for a page of many boxes; narrower gaps than those
between them are not seen. Origin: guess."""

MOST_OVERLAP = 4.0
"""Pixels by which neighbours may overlap: descenders, borders, shadows. Origin: guess."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Of each box those next to it in four directions, in their order."""

    above: Sequence[tuple[int, ...]]
    below: Sequence[tuple[int, ...]]
    left: Sequence[tuple[int, ...]]
    right: Sequence[tuple[int, ...]]


def neighbours(boxes: Floats) -> Neighbours:
    """The neighbours among boxes (n, 4): left, top, right and bottom. Those without area have none.

    >>> found = neighbours(np.array([[0, 0, 9, 2], [0, 3, 4, 9], [5, 3, 9, 9]], np.float32))
    >>> found.below[0], found.above[1], found.right[1], found.left[2]
    ((1, 2), (0,), (2,), (1,))
    """
    left, right = _along(boxes)
    above, below = _along(boxes[:, [1, 0, 3, 2]])
    return Neighbours(above, below, left, right)


def _along(boxes: Floats) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    """Of each box the neighbours before and after it along the first axis."""
    near, far = boxes[:, 0], boxes[:, 2]
    low, high = boxes[:, 1], boxes[:, 3]
    has_area = (far > near) & (high > low)
    lines = np.unique(boxes[has_area][:, [1, 3]])
    lines = lines[:: -(-len(lines) // MOST_LINES) or 1]
    first = np.searchsorted(lines, low, "right") - 1
    last = np.maximum(np.searchsorted(lines, high, "left"), first + 1)
    seen = np.full(max(len(lines), 1), -1, dtype=np.int64)
    before: list[tuple[int, ...]] = [()] * len(boxes)
    after: list[list[int]] = [[] for _ in range(len(boxes))]
    ends = np.append(far, -np.inf)  # of none
    for box in np.lexsort((far, near)).tolist():
        if not has_area[box]:
            continue
        lane = slice(max(int(first[box]), 0), int(last[box]))
        met = np.unique(seen[lane])
        met = met[(met >= 0) & (ends[met] <= near[box] + MOST_OVERLAP)]
        before[box] = tuple(met.tolist())
        for each in before[box]:
            after[each].append(box)
        seen[lane] = np.where(ends[seen[lane]] < far[box], box, seen[lane])
    return before, [tuple(sorted(each)) for each in after]
