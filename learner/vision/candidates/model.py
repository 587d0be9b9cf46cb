"""What chooses the element of a page: trees as arrays in one file, read without code in it.

Beside the `.npz` lies its model card, a JSON file: what it was learned from by name and hash, the
measures in their order, and figures.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

from learner.ensembles.files import Arrays, Card, read_model, write_model
from learner.ensembles.trees import Trees, softmax
from learner.vision.candidates.elements import candidates_of
from learner.vision.candidates.measures import MEASURES, measures_of
from learner.vision.candidates.sight.sight import Sight
from learner.vision.candidates.sight.strips import strip_of
from learner.vision.snapshots.arrays import Floats, Ints
from learner.vision.snapshots.snapshot import Snapshot

SHIPPED = "model.npz"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pick:
    """The element that was chosen on a page."""

    node: int
    """Of the snapshot."""
    probability: float
    """Its share of the candidates' scores as powers: boxes of nearly the same text share it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateModel:
    """Scores candidates by their measures."""

    trees: Trees
    sight: Sight | None = None
    """The same choice by the picture of a page; None if it was not taught."""
    card: Mapping[str, Any] = field(default_factory=dict)

    def scores(self, measures: Floats) -> Floats:
        """(n,) How much speaks for each candidate against the others of its page."""
        return self.trees.scores(measures)[:, 0]

    def pick(self, snapshot: Snapshot) -> Pick | None:
        """The element that holds the text of a page; None if it has no candidate."""
        candidates = candidates_of(snapshot)
        if not len(candidates):
            return None
        return _best(candidates, self.scores(measures_of(snapshot, candidates)))

    def pick_by_sight(self, snapshot: Snapshot, picture: bytes) -> Pick | None:
        """The same by the picture of a page: of the snapshot the boxes of the candidates alone are
        looked at. PictureError if it cannot be read, ValueError if this model has no sight."""
        if self.sight is None:
            raise ValueError("expected a model that was taught with pictures")
        candidates = candidates_of(snapshot)
        if not len(candidates):
            return None
        boxes = snapshot.box[candidates]
        return _best(candidates, self.sight.scores(strip_of(picture), boxes, snapshot.viewport[0]))

    def save(self, path: Path) -> None:
        """Write the model, and its card beside it."""
        arrays = self.trees.arrays() | (self.sight.arrays() if self.sight else {})
        write_model(path, arrays, self.card)


def _best(candidates: Ints, scores: Floats) -> Pick:
    probabilities = softmax(scores[None])[0]
    best = int(probabilities.argmax())
    return Pick(node=int(candidates[best]), probability=float(probabilities[best]))


def load_model(path: Path) -> CandidateModel:
    """The model in a file; ModelError if it is none. Nothing in it is executed."""
    expected = "a model of candidates (`webstem train vision` writes one)"
    return read_model(path, expected, _from_arrays)


def _from_arrays(arrays: Arrays, card: Card) -> CandidateModel:
    trees = Trees.from_arrays(arrays)
    if int(trees.features.max(initial=0)) >= len(MEASURES):
        raise ValueError(f"more measures than {len(MEASURES)}")
    has_sight = any(name.startswith("eyes.") for name in arrays)
    return CandidateModel(
        trees=trees, sight=Sight.from_arrays(arrays) if has_sight else None, card=card
    )


@lru_cache(maxsize=1)
def shipped_model() -> CandidateModel:
    """The model that comes with the project."""
    with resources.as_file(resources.files(__package__).joinpath(SHIPPED)) as path:
        return load_model(path)
