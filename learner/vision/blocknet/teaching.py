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

from learner.dom.characters import letters_of
from learner.dom.names import NameEvidence
from learner.dom.teaching.labels import label_blocks
from learner.dom.teaching.word_fits import Standing, fit_names
from learner.dom.training import COMMON, LEAST_COVERED, TrainingError, fit_trees, fold_of
from learner.dom.trees import Floats, Trees, sigmoid
from learner.vision.blocknet.cutting import Cut, cut
from learner.vision.blocknet.measures.context import context_features
from learner.vision.blocknet.measures.features import Scene, leaf_features
from learner.vision.blocknet.measures.leaves import Leaves
from learner.vision.blocknet.measures.standing import Standings
from learner.vision.blocknet.measures.titles import title_features
from learner.vision.blocknet.model import BlockModel, with_pictures
from learner.vision.blocknet.paper import heights
from learner.vision.blocknet.template import main_block
from learner.vision.snapshot import Snapshot

FOLDS = 3
"""Parts that sites are dealt into. Origin: guess, as of the page model."""

PARTS_OF_G = 10
"""Parts of the main template's height for which content is counted. Origin: guess."""

ROUNDS = {"titles": 150, "leaves": 80, "context": 150}
"""Trees of each ensemble. Origin: guess, for size and time."""

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")

_TITLES: dict[str, Any] = {
    **COMMON,
    "objective": "binary",
    "num_leaves": 8,
    "learning_rate": 0.05,
    "min_data_in_leaf": 40,
    "feature_fraction": 0.5,
}

_LEAVES: dict[str, Any] = {
    **COMMON,
    "objective": "binary",
    "learning_rate": 0.07,
    "min_data_in_leaf": 60,
    "feature_fraction": 0.3,
}

Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockLesson:
    """A rendered page, and what a person says of it."""

    site: str
    """Whose pages stand together: folds never part a site."""
    page: Snapshot
    title: str
    """Empty if unknown."""
    body: str


class Studied:
    """A lesson with its leaves labelled; done once, however often it is learned from."""

    def __init__(self, lesson: BlockLesson) -> None:
        self.site = lesson.site
        self.cut: Cut = cut(lesson.page)
        self.leaves = Leaves(self.cut)
        self.has_letters: Bools = self.leaves.weight > 0
        self.is_content: Bools = label_blocks(self.leaves.texts, lesson.body)
        letters = [letters_of(text) for text in self.leaves.texts]
        said = sum(len(each) for each, is_in in zip(letters, self.is_content, strict=True) if is_in)
        self.covered = said / max(len(letters_of(lesson.body)), 1)
        """The share of the gold text that is drawn on the page."""
        name = letters_of(lesson.title)
        self.is_name: Bools = np.array([bool(each) and each == name for each in letters], bool)
        """Which leaves say the title of the article, and nothing else."""
        self.is_title: Bools = (_in_heading(self.cut) | self.is_name) & self.has_letters
        self.title_rows: Floats = title_features(self.leaves)[1]
        self.standings = _standings(lesson.site, self)

    @property
    def teaches(self) -> bool:
        """Whether the gold text is on the page; else it was not drawn."""
        return self.covered >= LEAST_COVERED


def _in_heading(of: Cut) -> Bools:
    page = of.page
    first = of.atom[of.low[: of.n_leaves]].tolist()
    return np.array(
        [any(page.tags[node] in HEADINGS for node in page.ancestors(atom)) for atom in first], bool
    )


def _standings(site: str, studied: Studied) -> list[Standing]:
    """The leaves of one page, which weighs 1, by the names that they stand in."""
    weights = np.sqrt(studied.leaves.weight)
    weights /= max(float(weights.sum()), 1e-9)
    held: dict[frozenset[str], list[float]] = {}
    words = Standings(studied.cut).words()
    for own, is_content, weight in zip(words, studied.is_content, weights.tolist(), strict=False):
        sums = held.setdefault(own, [0.0, 0.0])
        sums[0] += weight * bool(is_content)
        sums[1] += weight
    return [Standing(site, own, main, weight) for own, (main, weight) in held.items()]


def study(lessons: Sequence[BlockLesson]) -> list[Studied]:
    """The lessons whose pages show anything."""
    return [each for each in map(Studied, lessons) if len(each.leaves)]


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


class _Training:
    """The stages in order."""

    def __init__(self, studied: Sequence[Studied]) -> None:
        self._studied = studied
        self._folds = [fold_of(each.site, FOLDS) for each in studied]
        counts = Counter(each.site for each in studied)
        self._weights = [counts[each.site] ** -0.5 for each in studied]

    def model(self) -> BlockModel:
        """All stages."""
        titles, title_trees = self._stage("titles", _TITLES, [e.title_rows for e in self._studied])
        evidence = [NameEvidence(self._names(fold)) for fold in range(FOLDS)]
        scenes = [
            Scene(each.leaves, evidence[fold], told)
            for each, fold, told in zip(self._studied, self._folds, titles, strict=True)
        ]
        names, own = _named([leaf_features(scene) for scene in scenes])
        content, leaf_trees = self._stage("leaves", _LEAVES, own)
        more, around = _named(
            [context_features(scene, p) for scene, p in zip(scenes, content, strict=True)]
        )
        rows = [np.hstack(pair) for pair in zip(own, around, strict=True)]
        judged, context_trees = self._stage("context", _LEAVES, rows)
        return BlockModel(
            evidence=NameEvidence(self._names(None)),
            trees={"titles": title_trees, "leaves": leaf_trees, "context": context_trees},
            g=self._fit_g(scenes, judged),
            card={"features": {"leaves": names, "context": more}},
        )

    def _names(self, without: int | None) -> dict[str, tuple[float, float]]:
        pairs = zip(self._studied, self._folds, strict=True)
        found = [each for one, fold in pairs if fold != without for each in one.standings]
        return {word: (weight, 0.0) for word, weight in fit_names(found).items()}

    def _stage(
        self, name: str, parameters: dict[str, Any], rows: Sequence[Floats]
    ) -> tuple[list[Floats], Trees]:
        """What an ensemble says of each page that it did not learn from, and that of all pages."""
        by_fold = [self._fit(name, parameters, rows, without) for without in range(FOLDS)]
        told = []
        for each, own, fold in zip(self._studied, rows, self._folds, strict=True):
            found = sigmoid(by_fold[fold].scores(own)[:, 0])
            told.append(found if name == "titles" else with_pictures(each.leaves, found))
        return told, self._fit(name, parameters, rows, None)

    def _fit(
        self, name: str, parameters: dict[str, Any], rows: Sequence[Floats], without: int | None
    ) -> Trees:
        chosen = [place for place, fold in enumerate(self._folds) if fold != without]
        parts: list[tuple[Floats, Bools, NDArray[np.float64]]] = []
        for place in chosen:
            each = self._studied[place]
            labels = each.is_title if name == "titles" else each.is_content
            kept = each.has_letters
            weights = np.full(int(kept.sum()), self._weights[place])
            parts.append((rows[place][kept], labels[kept], weights))
        if not parts:
            return Trees.of([])
        matrix, labels, weights = (np.concatenate(each) for each in zip(*parts, strict=True))
        return fit_trees(parameters, ROUNDS[name], matrix, labels, weights)

    def _fit_g(self, scenes: Sequence[Scene], content: Sequence[Floats]) -> Floats:
        """Of each part of the main template's height, from -1 to 1, how much of its letters is
        content: each page weighs what its site's pages do."""
        sums = np.zeros((PARTS_OF_G, 2))
        pages = zip(self._studied, scenes, content, self._weights, strict=True)
        for each, scene, told, weight in pages:
            main = main_block(scene, told)
            if main is None:
                continue
            leaves = slice(int(scene.low[main]), int(scene.high[main]))
            down = heights(each.leaves.box[leaves], scene.cut.box[main])
            part = np.minimum((down * PARTS_OF_G).astype(int), PARTS_OF_G - 1)
            letters = each.leaves.weight[leaves]
            letters = weight * letters / max(float(letters.sum()), 1.0)
            np.add.at(sums[:, 0], part, letters * each.is_content[leaves])
            np.add.at(sums[:, 1], part, letters)
        shares = sums[:, 0] / np.maximum(sums[:, 1], 1e-9)
        return (2 * shares - 1).astype(np.float32)


def _named(measured: Sequence[tuple[list[str], Floats]]) -> tuple[list[str], list[Floats]]:
    return measured[0][0], [rows for _, rows in measured]
