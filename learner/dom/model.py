"""The page model: what training found, stored as arrays in one file and read without code in it.

Beside the `.npz` lies its model card, a JSON file: what it was learned from by name and hash, the
features of blocks and pages in their order, and figures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from learner.ensembles.trees import Floats, Trees, sigmoid, softmax

TYPES = (
    "article", "list", "forum", "product", "documentation", "service", "collection", "other",
)  # fmt: skip
"""What a page can be."""

SHIPPED = "model.npz"

ENSEMBLES = ("blocks", "context", "types", "title", "date", "author")
"""What has trees of its own."""


@dataclass(frozen=True, slots=True)
class WordScores:
    """A linear model of the words of a page (`learner.dom.page_features.page_words`)."""

    words: Mapping[str, int]
    """Word -> its row."""
    weights: Floats
    """A row a word, a column for each of `TYPES`; the last row is added to every page."""

    def of(self, words: set[str]) -> Floats:
        """How much the words of a page speak for each type."""
        rows = [self.words[word] for word in words if word in self.words]
        if not rows:
            return np.array(self.weights[-1])
        found: Floats = self.weights[-1] + self.weights[sorted(rows)].sum(axis=0) * scale(len(rows))
        return found


def scale(n_words: int) -> float:
    """What each of so many words counts: pages with many names say no more than others."""
    return 4 / float(np.sqrt(max(n_words, 1)))


@dataclass(frozen=True, slots=True, kw_only=True)
class DomModel:
    """All that reading a page needs."""

    evidence: NameEvidence
    words: WordScores
    trees: Mapping[str, Trees]
    """For each of `ENSEMBLES`."""
    temperature: float = 1.0
    """What the scores of the types are divided by, so that their probabilities are calibrated
    (Guo et al., ICML 2017)."""
    card: Mapping[str, Any] = field(default_factory=dict)

    def probability(self, ensemble: str, rows: Floats) -> Floats:
        """That of each row of features, by one of the ensembles with one output."""
        return sigmoid(self.trees[ensemble].scores(rows)[:, 0])

    def types(self, rows: Floats) -> Floats:
        """The probability of each of `TYPES`, for each row."""
        return softmax(self.trees["types"].scores(rows, len(TYPES)) / self.temperature)

    def save(self, path: Path) -> None:
        """Write the model, and its card beside it."""
        arrays: dict[str, NDArray[Any]] = {
            "temperature": np.array(self.temperature, np.float32),
            "names": pack_words(self.evidence.words),
            "name_weights": np.array(list(self.evidence.words.values()), np.float16).reshape(-1, 2),
            "words": pack_words(self.words.words),
            "word_weights": self.words.weights.astype(np.float16),
        }
        for name, trees in self.trees.items():
            arrays |= named(name, trees.arrays())
        write_model(path, arrays, self.card)


def load_model(path: Path) -> DomModel:
    """The model in a file; ModelError if it is none. Nothing in it is executed."""
    return read_model(path, "a page model (`webstem train dom` writes one)", _from_arrays)


def _from_arrays(arrays: Arrays, card: Card) -> DomModel:
    names = unpack_words(arrays["names"])
    words = unpack_words(arrays["words"])
    weights = arrays["name_weights"].astype(np.float32).tolist()
    return DomModel(
        evidence=NameEvidence(dict(zip(names, map(_pair, weights), strict=True))),
        words=WordScores(
            {word: row for row, word in enumerate(words)}, arrays["word_weights"].astype(np.float32)
        ),
        trees={name: Trees.from_arrays(part_of(arrays, name)) for name in ENSEMBLES},
        temperature=float(arrays["temperature"]),
        card=card,
    )


def _pair(weights: Sequence[float]) -> tuple[float, float]:
    first, second = weights
    return first, second


@lru_cache(maxsize=1)
def shipped_model() -> DomModel:
    """The model that comes with the project."""
    with resources.as_file(resources.files("learner.dom").joinpath(SHIPPED)) as path:
        return load_model(path)
