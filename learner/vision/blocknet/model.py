"""What training found for Block Net, stored as arrays in one file and read without code in it.

Beside the `.npz` lies its model card, a JSON file: what it was learned from by name and hash, the
features in their order, and figures.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learner.dom.names import NameEvidence
from learner.ensembles.files import (
    Arrays,
    Card,
    named,
    pack_words,
    part_of,
    read_model,
    unpack_words,
    write_model,
)
from learner.ensembles.trees import Floats, Trees, sigmoid
from learner.vision.blocknet.cutting import Cut
from learner.vision.blocknet.measures.context import context_features
from learner.vision.blocknet.measures.features import leaf_features
from learner.vision.blocknet.measures.leaves import Leaves
from learner.vision.blocknet.measures.scene import Scene
from learner.vision.blocknet.measures.titles import title_features

SHIPPED = "model.npz"

ENSEMBLES = ("titles", "leaves", "context")
"""What has trees of its own: titles, content by a leaf itself, content by what is around it too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockModel:
    """All that judging blocks needs."""

    evidence: NameEvidence
    trees: Mapping[str, Trees]
    """For each of `ENSEMBLES`."""
    g: Floats
    """How content lies down the main template, from -1 to 1 (`paper.by_height`)."""
    card: Mapping[str, Any] = field(default_factory=dict)

    def probability(self, ensemble: str, rows: Floats) -> Floats:
        """That of each row of features."""
        return sigmoid(self.trees[ensemble].scores(rows)[:, 0])

    def scene(self, cut: Cut) -> Scene:
        """The leaves of a page with all around them, and which are titles."""
        leaves = Leaves(cut)
        titles = self.probability("titles", title_features(leaves)[1])
        return Scene(leaves, self.evidence, titles)

    def content(self, scene: Scene) -> Floats:
        """(n,) The probability of each leaf to be content."""
        if not len(scene):
            return np.zeros(0, np.float32)
        own = leaf_features(scene)[1]
        first = with_pictures(scene.leaves, self.probability("leaves", own))
        around = context_features(scene, first)[1]
        return with_pictures(scene.leaves, self.probability("context", np.hstack([own, around])))

    def save(self, path: Path) -> None:
        """Write the model, and its card beside it."""
        words = self.evidence.words
        arrays: dict[str, NDArray[Any]] = {
            "g": self.g.astype(np.float32),
            "names": pack_words(words),
            "name_weights": np.array([told[0] for told in words.values()], np.float16),
        }
        for name, trees in self.trees.items():
            arrays |= named(name, trees.arrays())
        write_model(path, arrays, self.card)


def with_pictures(leaves: Leaves, content: Floats) -> Floats:
    """The same for leaves with letters; one without, a picture, is content as far as those before
    and after it are, of which it takes the lesser.

    Nothing tells a picture's own truth: gold is text.
    """
    n = len(leaves)
    has_letters = leaves.weight > 0
    if not has_letters.any():
        return np.zeros(n, np.float32)
    index = np.arange(n)
    before = np.maximum.accumulate(np.where(has_letters, index, -1))
    after = np.minimum.accumulate(np.where(has_letters, index, n)[::-1])[::-1]
    padded = np.append(content, 0)  # of none before or after
    found: Floats = np.minimum(padded[before], padded[after])
    return found


def load_model(path: Path) -> BlockModel:
    """The model in a file; ModelError if it is none. Nothing in it is executed."""
    return read_model(path, "a model of blocks", _from_arrays)


def _from_arrays(arrays: Arrays, card: Card) -> BlockModel:
    names = unpack_words(arrays["names"])
    told = arrays["name_weights"].astype(np.float32).tolist()
    words = {name: (weight, 0.0) for name, weight in zip(names, told, strict=True)}
    return BlockModel(
        evidence=NameEvidence(words),
        trees={name: Trees.from_arrays(part_of(arrays, name)) for name in ENSEMBLES},
        g=arrays["g"].astype(np.float32),
        card=card,
    )


@lru_cache(maxsize=1)
def shipped_model() -> BlockModel:
    """The model that comes with the project."""
    with resources.as_file(resources.files(__package__) / SHIPPED) as path:
        return load_model(path)
