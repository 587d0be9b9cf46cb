"""A model of blocks from rendered pages whose texts are known. Needs the extra `train` (LightGBM).

Each stage learns from what the stage before says of pages that it did not learn from (stacking,
Wolpert 1992): sites are dealt into folds, and what is told of the pages of one fold was learned
from the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learner.dom.names import NameEvidence
from learner.dom.teaching.training import COMMON, TrainingError, fit_trees, fold_of
from learner.dom.teaching.word_fits import fit_names
from learner.ensembles.trees import Floats, Trees, sigmoid
from learner.vision.blocknet.lessons import Studied
from learner.vision.blocknet.measures.context import context_features
from learner.vision.blocknet.measures.features import leaf_features
from learner.vision.blocknet.measures.scene import Scene
from learner.vision.blocknet.measures.titles import title_features
from learner.vision.blocknet.model import BlockModel, with_pictures
from learner.vision.blocknet.paper import heights
from learner.vision.blocknet.template import main_part

FOLDS = 3
"""Parts that sites are dealt into. Origin: guess, as of the page model."""

PARTS_OF_G = 10
"""Parts of the main template's height for which content is counted. Origin: guess."""

DEALINGS = 3
"""Times that sites are dealt anew; the last stage learns from all of them. Origin: measured, see
docs/decisions.md."""

ROUNDS = {"titles": 150, "leaves": 80, "context": 200}
"""Trees of each ensemble. Origin: guess, for size and time."""

PARAMETERS: dict[str, dict[str, Any]] = {
    "titles": {
        **COMMON,
        "objective": "binary",
        "num_leaves": 8,
        "learning_rate": 0.05,
        "min_data_in_leaf": 40,
        "feature_fraction": 0.5,
    },
    "leaves": {
        **COMMON,
        "objective": "binary",
        "learning_rate": 0.07,
        "min_data_in_leaf": 60,
        "feature_fraction": 0.3,
    },
    "context": {
        **COMMON,
        "objective": "binary",
        "num_leaves": 8,
        "learning_rate": 0.07,
        "min_data_in_leaf": 150,
        "feature_fraction": 0.15,
    },
}
"""What LightGBM is told."""

Bools = NDArray[np.bool_]


def train(studied: Sequence[Studied]) -> BlockModel:
    """A model of some lessons. TrainingError if none has a text."""
    taught = [each for each in studied if each.teaches]
    if not taught:
        raise TrainingError("expected rendered pages whose texts are known, got none")
    return _Training(taught).model()


def train_with_card(
    studied: Sequence[Studied], data: Mapping[str, str], figures: Mapping[str, float]
) -> BlockModel:
    """The same with a model card; `data` names what it was learned from, `figures` are those of
    sites that were left out."""
    model = train(studied)
    card = {
        "data": dict(data),
        "pages": sum(each.teaches for each in studied),
        "sites": len({each.site for each in studied if each.teaches}),
        "figures, sites left out": dict(figures),
        **model.card,
    }
    return replace(model, card=card)


@dataclass(frozen=True, slots=True)
class _Dealt:
    """What is told of each page by stages that were learned without its site's fold."""

    scenes: list[Scene]
    rows: list[Floats]
    content: list[Floats]

    def with_context(self) -> list[Floats]:
        """The rows with what the leaves around are thought to be."""
        pages = zip(self.rows, self.scenes, self.content, strict=True)
        return [np.hstack([own, context_features(scene, told)[1]]) for own, scene, told in pages]


class _Training:
    """The stages in order."""

    def __init__(self, studied: Sequence[Studied]) -> None:
        self._studied = studied
        counts = Counter(each.site for each in studied)
        self._weights = [counts[each.site] ** -0.5 for each in studied]
        self._all = range(len(studied))

    def model(self) -> BlockModel:
        """All stages."""
        dealings = [self._dealt(f"{dealing}") for dealing in range(DEALINGS)]
        rows = [each.with_context() for each in dealings]
        trees = {
            "titles": self._fit("titles", [[each.title_rows for each in self._studied]], self._all),
            "leaves": self._fit("leaves", [each.rows for each in dealings], self._all),
            "context": self._fit("context", rows, self._all),
        }
        return BlockModel(
            evidence=self._evidence(self._all),
            trees=trees,
            g=self._fit_g(dealings[0]),
            card={"features": _feature_names(dealings[0])},
        )

    def _dealt(self, salt: str) -> _Dealt:
        """The first two stages, each page told of by what was learned from the other folds."""
        folds = [fold_of(each.site, FOLDS, salt) for each in self._studied]
        parts = [[i for i in self._all if folds[i] != fold] for fold in range(FOLDS)]
        title_rows = [each.title_rows for each in self._studied]
        titles = [self._fit("titles", [title_rows], part) for part in parts]
        evidence = [self._evidence(part) for part in parts]
        scenes = []
        for each, fold in zip(self._studied, folds, strict=True):
            told = sigmoid(titles[fold].scores(each.title_rows)[:, 0])
            scenes.append(Scene(each.leaves, evidence[fold], told))
        rows = [leaf_features(scene)[1] for scene in scenes]
        leaves = [self._fit("leaves", [rows], part) for part in parts]
        content = [
            with_pictures(each.leaves, sigmoid(leaves[fold].scores(own)[:, 0]))
            for each, fold, own in zip(self._studied, folds, rows, strict=True)
        ]
        return _Dealt(scenes, rows, content)

    def _evidence(self, chosen: Sequence[int]) -> NameEvidence:
        found = [standing for i in chosen for standing in self._studied[i].standings]
        return NameEvidence({word: (weight, 0.0) for word, weight in fit_names(found).items()})

    def _fit(self, name: str, tables: Sequence[Sequence[Floats]], chosen: Sequence[int]) -> Trees:
        """An ensemble of the chosen pages, in as many tables of all pages as there are."""
        parts: list[tuple[Floats, Bools, NDArray[np.float64]]] = []
        for rows in tables:
            for i in chosen:
                each = self._studied[i]
                labels = each.is_title if name == "titles" else each.is_content
                kept = each.has_letters
                weights = np.full(int(kept.sum()), self._weights[i])
                parts.append((rows[i][kept], labels[kept], weights))
        if not parts:
            return Trees.of([])
        matrix, labels, weights = (np.concatenate(each) for each in zip(*parts, strict=True))
        return fit_trees(PARAMETERS[name], ROUNDS[name], matrix, labels, weights)

    def _fit_g(self, dealt: _Dealt) -> Floats:
        """Of each part of the main template's height, from -1 to 1, how much of its letters is
        content: each page weighs what its site's pages do."""
        sums = np.zeros((PARTS_OF_G, 2))
        pages = zip(self._studied, dealt.scenes, dealt.content, self._weights, strict=True)
        for each, scene, told, weight in pages:
            main = main_part(scene, told)
            leaves = slice(main.start, main.stop)
            box = each.leaves.box[leaves]
            down = heights(box, np.array([0, box[:, 1].min(), 0, box[:, 3].max()]))
            part = np.minimum((down * PARTS_OF_G).astype(int), PARTS_OF_G - 1)
            letters = each.leaves.weight[leaves]
            letters = weight * letters / max(float(letters.sum()), 1.0)
            np.add.at(sums[:, 0], part, letters * each.is_content[leaves])
            np.add.at(sums[:, 1], part, letters)
        # A part where nobody has a letter says nothing.
        shares = np.where(sums[:, 1] > 0, sums[:, 0] / np.maximum(sums[:, 1], 1e-9), 0.5)
        found: Floats = (2 * shares - 1).astype(np.float32)
        return found


def _feature_names(dealt: _Dealt) -> dict[str, list[str]]:
    scene, content = dealt.scenes[0], dealt.content[0]
    return {
        "titles": title_features(scene.leaves)[0],
        "leaves": leaf_features(scene)[0],
        "context": context_features(scene, content)[0],
    }
