"""Block Net's own judgement of blocks: by what they are for, where they stand, what stands above.

For a block b of the main template:

1. P(b) = alpha P_func(b) + beta P_y(b) + gamma P_rel(b)
2. P_func(b): text and pictures outside links, less links, forms and elements with an action; each
   as its share of what the block shows
3. P_y(b) = g(y(b)): how far down the main template its middle stands; g is fitted
4. P_rel(b): the mean of f over the block that holds b and those right above it
5. f(b) = 1 if P(b) > epsilon, -1 if P(b) < -epsilon, else 0

What has f = 1 is kept as a whole and what has -1 removed; of others the blocks that they hold are
judged, and at last a leaf by the sign of P. All of it outside the main template is removed. Known
of the publication are the features, the weights (1, 1, .5), epsilon and what P and f are made of;
how (2) adds the shares and (4) the neighbours is ours.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from learner.vision.blocknet.areas import PICTURE_AREA, TEXT_AREA
from learner.vision.blocknet.blocks import Kind
from learner.vision.blocknet.joining import Joined
from learner.vision.blocknet.neighbours import Neighbours

OUTSIDE = -np.inf
"""P of what is no part of the main template."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """The parameters of the formulas."""

    alpha: float = 1.0
    """Of what a block is for. Origin: paper."""
    beta: float = 1.0
    """Of where it stands. Origin: paper."""
    gamma: float = 0.5
    """Of what it stands in and below. Origin: paper."""
    epsilon: float = 0.5
    """From which |P| on a block is decided as a whole. Origin: paper."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What the formulas ask of the blocks of a page, a row each."""

    joined: Joined
    areas: Floats
    """(b, 6) Square pixels by what they count as."""
    box: Floats
    """(b, 4) Left, top, right and bottom."""
    neighbours: Neighbours


def functional(areas: Floats) -> Floats:
    """Formula 2, from -1 to 1; 0 of a block that shows nothing.

    >>> functional(np.array([[3, 0, 1, 0, 0, 0], [0, 0, 0, 2, 0, 0]], np.float32)).tolist()
    [0.5, -1.0]
    """
    good = areas[:, TEXT_AREA] + areas[:, PICTURE_AREA]
    total = areas.sum(axis=1)
    found: Floats = ((2 * good - total) / np.maximum(total, 1e-6)).astype(np.float32)
    return found


def by_height(heights: Floats, g: Floats) -> Floats:
    """Formula 3 of blocks whose middles stand so far down, 0 to 1. `g` has values from -1 to 1 in
    the middle of equal parts, from top to bottom; between them it is straight.

    >>> by_height(np.array([0.0, 0.5, 1.0]), np.array([1.0, 0.0])).tolist()
    [1.0, 0.5, 0.0]
    """
    middles = (np.arange(len(g)) + 0.5) / len(g)
    return np.interp(heights, middles, g).astype(np.float32)


def decided(probability: float, epsilon: float) -> int:
    """Formula 5."""
    return int(probability > epsilon) - int(probability < -epsilon)


def heights(box: Floats, main: Floats) -> Floats:
    """(b,) How far down the main box the middle of each box stands, 0 to 1."""
    middle = (box[:, 1] + box[:, 3]) / 2
    found: Floats = np.clip((middle - main[1]) / max(float(main[3] - main[1]), 1.0), 0, 1)
    return found


def judge(page: Judged, g: Floats, weights: Weights | None = None) -> Floats:
    """(b,) P of each block; of what stands in a decided one, the P of that; `OUTSIDE` of what is
    not in the main template."""
    weights, joined = weights or Weights(), page.joined
    found = np.full(len(joined), OUTSIDE, dtype=np.float32)
    if Kind.MAIN not in joined.kind:
        return found
    main = joined.kind.index(Kind.MAIN)
    place = by_height(heights(page.box, page.box[main]), g)
    own = weights.alpha * functional(page.areas) + weights.beta * place
    f = np.zeros(len(joined))
    waiting = [main]
    found[main] = 0
    while waiting:
        parent = waiting.pop()
        for block in sorted(joined.children[parent], key=lambda each: page.box[each, 1]):
            if f[parent]:
                found[block], f[block] = found[parent], f[parent]
            else:
                around = [f[parent], *(f[each] for each in page.neighbours.above[block])]
                found[block] = own[block] + weights.gamma * sum(around) / len(around)
                f[block] = decided(float(found[block]), weights.epsilon)
            waiting.append(block)
    return found
