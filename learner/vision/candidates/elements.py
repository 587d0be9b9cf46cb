"""The candidates of a page: its large elements."""

from __future__ import annotations

import numpy as np

from learner.vision.snapshots.arrays import Ints
from learner.vision.snapshots.nodes import ELEMENT
from learner.vision.snapshots.snapshot import Snapshot

LEAST_SIDE = 500
"""Least width and height of a candidate in pixels. Origin: the CNN of candidate elements that this
follows, see docs/decisions.md."""

MOST_CANDIDATES = 500
"""Candidates of a page, the first in document order. Origin: guess; real pages have some ten."""


def candidates_of(snapshot: Snapshot) -> Ints:
    """The visible elements of at least 500 x 500 pixels, in document order, without the root, whose
    text is that of the body, and without pseudo-elements."""
    is_large = (snapshot.box[:, 2:] >= LEAST_SIDE).all(axis=1)
    is_other = snapshot.is_tag("html", "::before", "::after")
    is_element = (snapshot.node_type == ELEMENT) & ~is_other
    found = np.flatnonzero(is_large & is_element & snapshot.is_visible)
    return found[:MOST_CANDIDATES].astype(np.int32)
