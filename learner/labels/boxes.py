"""The distinct boxes of a drawn page in whole pixels, the nodes behind each, and which of them a
person meant.

labelImg keeps nothing but a name and four whole numbers of a box, so that a node is known again by
its box. It makes a 0 of left or top a 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from learner.vision.snapshots.nodes import ELEMENT
from learner.vision.snapshots.snapshot import Snapshot

Box = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels of the picture, the first of which is 1."""

NEAR = 1
"""Pixels by which each side may be off and the box still be the same. Origin: labelImg, which moves
0 to 1; a zoomed canvas rounds."""

LEAST_OVERLAP = 0.8
"""Intersection over union from which on a box drawn by hand is that of an element. Origin: guess;
.5 is what detectors count as found (Everingham et al., Pascal VOC 2010), an element's children
have more than that."""


@dataclass(frozen=True, slots=True)
class Matched:
    """Which box of the page a person's box is."""

    place: int
    """In the list of the boxes."""
    overlap: float
    """Intersection over union, 0 to 1."""
    is_same: bool
    """Whether no side is off by more than `NEAR`."""

    @property
    def is_sure(self) -> bool:
        """Whether it is the same box, or like it."""
        return self.is_same or self.overlap >= LEAST_OVERLAP


def distinct_boxes(snapshot: Snapshot, size: tuple[int, int]) -> dict[Box, list[int]]:
    """The boxes of what is seen of a page in a picture of that width and height, each with the
    elements behind it, in document order."""
    seen = snapshot.is_visible & (snapshot.node_type == ELEMENT)
    nodes = seen.nonzero()[0]
    edges = snapshot.box[nodes].astype(np.float64)
    edges[:, 2:] += edges[:, :2]
    whole = np.concatenate([np.floor(edges[:, :2]), np.ceil(edges[:, 2:])], axis=1)
    limits = np.array([*size, *size])
    whole = np.minimum(np.maximum(whole, 1), limits).astype(np.int64)
    found: dict[Box, list[int]] = {}
    for node, (left, top, right, bottom) in zip(nodes.tolist(), whole.tolist(), strict=True):
        if left < right and top < bottom:
            found.setdefault((left, top, right, bottom), []).append(node)
    return found


def match_box(box: Box, boxes: Sequence[Box]) -> Matched | None:
    """The box of the page that a person's box is, or the one most like it; None if there is none
    that it overlaps.

    >>> boxes = [(1, 1, 101, 51), (1, 1, 101, 401)]
    >>> match_box((0, 2, 100, 50), boxes)
    Matched(place=0, overlap=0.9414, is_same=True)
    >>> match_box((1, 1, 101, 341), boxes).is_sure, match_box((1, 1, 101, 101), boxes).is_sure
    (True, False)
    """
    if not boxes:
        return None
    all_boxes = np.array(boxes, np.float64)
    off = np.abs(all_boxes - np.array(box)).max(axis=1)
    overlap = overlaps(np.array(box, np.float64), all_boxes)
    near = off <= NEAR
    best = int(np.where(near.any() & ~near, -1.0, overlap).argmax())
    if overlap[best] <= 0:
        return None
    return Matched(best, round(float(overlap[best]), 4), bool(near[best]))


def overlaps(box: NDArray[np.float64], boxes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Intersection over union of one box with each of the others."""
    sides = np.minimum(boxes[:, 2:], box[2:]) - np.maximum(boxes[:, :2], box[:2])
    common = np.maximum(sides, 0).prod(axis=1)
    areas = (boxes[:, 2:] - boxes[:, :2]).prod(axis=1)
    shares: NDArray[np.float64] = common / (areas + (box[2:] - box[:2]).prod() - common)
    return shares
