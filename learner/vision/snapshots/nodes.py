"""The nodes of a snapshot: their types, their names, and how they stand below one another."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from learner.vision.snapshots.arrays import Bools, Ints, SnapshotError

ELEMENT = 1
"""Node type of an element, as the DOM numbers them."""
TEXT = 3
"""Node type of a text."""
DOCTYPE = 10
"""Node type of a document type, whose name is that of the root."""


def read_tree(parents: Sequence[int]) -> tuple[Ints, Ints, Ints]:
    """Parent, end and depth of each node; SnapshotError unless they are in document order.

    >>> [each.tolist() for each in read_tree([-1, 0, 1, 0])]
    [[-1, 0, 1, 0], [4, 3, 3, 4], [0, 1, 2, 1]]
    """
    n_nodes = len(parents)
    end, depth = np.full(n_nodes, n_nodes, dtype=np.int32), np.zeros(n_nodes, dtype=np.int32)
    above: list[int] = []
    for node, parent in enumerate(parents):
        while above and above[-1] != parent:
            end[above.pop()] = node
        if (node and not above) or (not node and parent != -1):
            raise SnapshotError(f"snapshot: node {node} does not stand below its parent {parent!r}")
        depth[node] = len(above)
        above.append(node)
    return np.array(parents, dtype=np.int32), end, depth


def levels_of(depth: Ints) -> list[Ints]:
    """The nodes of each depth.

    >>> [each.tolist() for each in levels_of(np.array([0, 1, 2, 1], dtype=np.int32))]
    [[0], [1, 3], [2]]
    """
    order = np.argsort(depth, kind="stable").astype(np.int32)
    bounds = np.cumsum(np.bincount(depth))[:-1]
    return np.split(order, bounds)


def nearest_without(marked: Bools, parent: Ints, levels: Sequence[Ints]) -> Ints:
    """(n,) The nearest node without a mark, itself or above; the document if all are marked.

    >>> marked, parent = np.array([False, True, True]), np.array([-1, 0, 1], dtype=np.int32)
    >>> nearest_without(marked, parent, np.split(np.arange(3, dtype=np.int32), 3)).tolist()
    [0, 0, 0]
    """
    found = np.arange(len(parent), dtype=np.int32)
    for level in levels[1:]:
        passed = level[marked[level]]
        found[passed] = found[parent[passed]]
    return found


def read_tags(strings: tuple[str, ...], names: Ints, types: Ints) -> tuple[str, ...]:
    lower = {place: strings[place].lower() for place in np.unique(names).tolist()}
    tags = [lower[place] for place in names.tolist()]
    for node in (types == DOCTYPE).nonzero()[0].tolist():
        tags[node] = "#doctype"
    return tuple(tags)
