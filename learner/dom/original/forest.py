"""A random forest as arrays: read without code in it, run in numpy."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any
from zipfile import is_zipfile

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from learner.dom.original.features import N_FEATURES, node_features
from learner.dom.original.nodes import TextNode, text_nodes
from learner.ensembles.files import Arrays, Card, read_model
from learner.ensembles.trees import Floats


@dataclass(frozen=True, slots=True)
class Forest:
    """Trees one behind the other; a node is an index into all arrays but the first."""

    roots: NDArray[np.int32]
    """The first node of each tree."""
    features: NDArray[np.int16]
    """What a node asks for; -1 for leaves."""
    thresholds: Floats
    """A row goes left if its value is at most this."""
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    values: Floats
    """The share of main text at a leaf."""

    def probability(self, rows: Floats) -> Floats:
        """The mean of what the trees say of each row of features.

        >>> stump = Forest(*(np.array(each) for each in
        ...     ([0], [0, -1, -1], [1.5, 0, 0], [1, 0, 0], [2, 0, 0], [0, 0.25, 0.75])))
        >>> stump.probability(np.array([[1.0], [2.0]], np.float32)).tolist()
        [0.25, 0.75]
        """
        total = np.zeros(len(rows))
        everyone = np.arange(len(rows))
        for root in self.roots:
            places = np.full(len(rows), root)
            asked = self.features[places]
            while (asked >= 0).any():
                goes_left = rows[everyone, np.maximum(asked, 0)] <= self.thresholds[places]
                below = np.where(goes_left, self.left[places], self.right[places])
                places = np.where(asked >= 0, below, places)
                asked = self.features[places]
            total += self.values[places]
        mean: Floats = (total / max(len(self.roots), 1)).astype(np.float32)
        return mean

    def read(self, root: etree._Element) -> list[tuple[TextNode, float]]:
        """The text nodes of a parsed page, and how likely each is main text."""
        page = text_nodes(root)
        found = self.probability(node_features(page)).tolist()
        return list(zip(page.nodes, found, strict=True))

    def save(self, path: Path) -> None:
        """Write the arrays."""
        arrays: dict[str, Any] = {each.name: getattr(self, each.name) for each in fields(self)}
        np.savez_compressed(path, allow_pickle=False, **arrays)


def is_forest(path: Path) -> bool:
    """Whether a file is one of a forest, not of a page model."""
    if not is_zipfile(path):
        return False
    with np.load(path, allow_pickle=False) as arrays:
        return "roots" in arrays


def load_forest(path: Path) -> Forest:
    """The forest in a file; ModelError if it is none. Nothing in it is executed."""
    return read_model(path, "a forest (`webstem train dom --original` writes one)", _from_arrays)


def _from_arrays(arrays: Arrays, _: Card) -> Forest:
    forest = Forest(*(arrays[each.name] for each in fields(Forest)))
    _check(forest)
    return forest


def _check(forest: Forest) -> None:
    """ValueError if a walk down its trees would lead astray or never end: children stand behind
    their parents."""
    n, nodes = len(forest.features), np.arange(len(forest.features))
    inner = forest.features >= 0
    for children in (forest.left, forest.right):
        if (children[inner] <= nodes[inner]).any() or (children[inner] >= n).any():
            raise ValueError("a node leads back or nowhere")
    starts = (forest.roots >= 0) & (forest.roots < n)
    if not starts.all() or (forest.features >= N_FEATURES).any():
        raise ValueError("a tree begins nowhere, or a node asks for a feature that there is not")
