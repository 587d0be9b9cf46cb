"""Boosted trees as flat arrays, read and run in numpy alone.

Trees of at most 16 leaves are run all at once as QuickScorer does (Lucchese et al., SIGIR 2015):
the leaves of a tree are the bits of a number, each node that a row does not pass takes away those
to its left, and the lowest bit that is left is the leaf of the row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST_LEAVES = 16
"""Bits of a number."""

NODES = MOST_LEAVES - 1

ROWS_AT_ONCE = 1024
"""Rows that are run at once: a few megabytes. Origin: guess."""

_ALL = 0xFFFF

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Trees:
    """An ensemble; its arrays have one row a tree."""

    features: NDArray[np.uint8]
    """Which feature each node asks for."""
    thresholds: Floats
    """A row passes a node if its value is at most this; infinite for nodes that are none."""
    masks: NDArray[np.uint16]
    """The leaves that are left to a row that does not pass."""
    values: Floats
    """What each leaf adds."""

    def scores(self, rows: Floats, n_outputs: int = 1) -> Floats:
        """The sum of the leaves of each row, for each output; tree `i` is of output
        `i % n_outputs`. Rows are features in the order that was learned.

        >>> stump = Trees.of([{"split_feature": 0, "threshold": 1.5, "left_child": {"leaf_value":
        ... -1.0}, "right_child": {"leaf_value": 2.0}}])
        >>> stump.scores(np.array([[1.0], [2.0]], np.float32)).ravel().tolist()
        [-1.0, 2.0]
        """
        if not len(self.features):
            return np.zeros((len(rows), n_outputs), np.float32)
        parts = [
            self._scores(rows[start : start + ROWS_AT_ONCE], n_outputs)
            for start in range(0, len(rows), ROWS_AT_ONCE)
        ]
        return np.concatenate(parts) if parts else np.zeros((0, n_outputs), np.float32)

    def _scores(self, rows: Floats, n_outputs: int) -> Floats:
        n_trees, n_rows = len(self.features), len(rows)
        asked = np.ascontiguousarray(rows.T)[self.features.ravel()]
        fails = asked > self.thresholds.ravel()[:, None]
        left = np.where(fails, self.masks.ravel()[:, None], np.uint16(_ALL))
        left = np.bitwise_and.reduce(left.reshape(n_trees, NODES, n_rows), axis=1)
        leaves = _lowest_bits()[left]
        found = np.take_along_axis(self.values, leaves, axis=1)
        by_output = found.reshape(-1, n_outputs, n_rows).sum(axis=0, dtype=np.float32)
        return np.ascontiguousarray(by_output.T)

    @classmethod
    def of(cls, structures: Sequence[Mapping[str, Any]]) -> Trees:
        """From the trees of `Booster.dump_model` of LightGBM, without missing values and
        categories."""
        n = len(structures)
        trees = cls(
            np.zeros((n, NODES), np.uint8),
            np.full((n, NODES), np.inf, np.float32),
            np.full((n, NODES), _ALL, np.uint16),
            np.zeros((n, MOST_LEAVES), np.float32),
        )
        for tree, structure in enumerate(structures):
            _Flattener(trees, tree).add(structure)
        return trees

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What it is stored as."""
        return {
            "features": self.features,
            "thresholds": self.thresholds,
            "masks": self.masks,
            "values": self.values.astype(np.float16),
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Trees:
        """What `arrays` gave."""
        return cls(
            arrays["features"].astype(np.uint8),
            arrays["thresholds"].astype(np.float32),
            arrays["masks"].astype(np.uint16),
            arrays["values"].astype(np.float32),
        )


class _Flattener:
    """Writes one tree into the arrays of all."""

    def __init__(self, trees: Trees, tree: int) -> None:
        self._trees, self._tree = trees, tree
        self._n_nodes = self._n_leaves = 0

    def add(self, node: Mapping[str, Any]) -> None:
        """A node and all below it; leaves are numbered from left to right."""
        trees, tree = self._trees, self._tree
        if "split_feature" not in node:
            trees.values[tree, self._n_leaves] = node["leaf_value"]
            self._n_leaves += 1
            return
        place = self._n_nodes
        self._n_nodes += 1
        first = self._n_leaves
        self.add(node["left_child"])
        lost = (1 << self._n_leaves) - (1 << first)
        self.add(node["right_child"])
        trees.features[tree, place] = node["split_feature"]
        trees.thresholds[tree, place] = _rounded_down(node["threshold"])
        trees.masks[tree, place] = _ALL & ~lost


def _rounded_down(value: float) -> np.float32:
    """The greatest 32-bit number that is no greater: numbers of 32 bits compare to it alike."""
    near = np.float32(value)
    return near if float(near) <= value else np.nextafter(near, np.float32(-np.inf))


@lru_cache(maxsize=1)
def _lowest_bits() -> NDArray[np.uint8]:
    """The place of the lowest bit of each number of 16 bits."""
    numbers = np.arange(_ALL + 1)
    lowest = numbers & -numbers
    places: NDArray[np.uint8] = np.log2(np.maximum(lowest, 1)).astype(np.uint8)
    return places


def sigmoid(scores: Floats) -> Floats:
    """Probabilities of log-odds."""
    return (1 / (1 + np.exp(-scores))).astype(np.float32)


def softmax(scores: Floats) -> Floats:
    """Probabilities of the outputs of each row."""
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    found: Floats = (powers / powers.sum(axis=1, keepdims=True)).astype(np.float32)
    return found
