"""What of the boxes of a page can be seen: what clips them, and how transparent they are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from learner.vision.snapshots.arrays import Bools, Floats, Ints


def opacity_in_page(own: Floats, parent: Ints, levels: Sequence[Ints]) -> Floats:
    """(n,) Opacity with that of all above multiplied in."""
    found = own.copy()
    for level in levels[1:]:
        found[level] *= found[parent[level]]
    return found


def seen_boxes(
    edges: Floats,
    page: Floats,
    position: NDArray[np.object_],
    clips: Bools,
    parent: Ints,
    levels: Sequence[Ints],
) -> Floats:
    """(n, 4) What is seen of each box, given by left, top, right and bottom as the page is.

    A box that `clips` does so to what is below; of what is placed absolutely only where it is
    placed itself, of what is fixed nothing.

    >>> edges = np.array([[0, 0, 9, 9], [0, 0, 4, 4], [2, 2, 8, 3]], dtype=np.float32)
    >>> flow, clips = np.array(["static"] * 3, dtype=object), np.array([False, True, False])
    >>> parent = np.array([-1, 0, 1], dtype=np.int32)
    >>> seen_boxes(edges, edges[0], flow, clips, parent, np.split(np.arange(3), 3))[2].tolist()
    [2.0, 2.0, 4.0, 3.0]
    """
    is_placed = (position != "static") & (position != "")
    inside = np.tile(page, (len(edges), 1))
    """What a node's children are seen in: those in the flow, and those placed absolutely."""
    placed_inside = inside.copy()
    seen = edges.copy()
    for level in levels[1:]:
        above = parent[level]
        frame = inside[above]
        absolute = position[level] == "absolute"
        frame[absolute] = placed_inside[above][absolute]
        frame[position[level] == "fixed"] = page
        seen[level] = _intersection(edges[level], frame)
        inside[level] = np.where(clips[level, None], seen[level], frame)
        placed_inside[level] = np.where(is_placed[level, None], inside[level], placed_inside[above])
    return seen


def _intersection(edges: Floats, frame: Floats) -> Floats:
    low = np.maximum(edges[:, :2], frame[:, :2])
    high = np.minimum(edges[:, 2:], frame[:, 2:])
    return np.concatenate([low, np.maximum(low, high)], axis=1)
