"""A page model from pages with gold, or from those that learned patterns have read.

Needs the extra `train` (LightGBM). Each stage learns from what the stage before says of pages that
it did not learn from (stacking, Wolpert 1992): sites are dealt into folds, and what is told of the
pages of one fold was learned from the others.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learner.dom.candidates.authors import author_candidates, author_features
from learner.dom.candidates.dates import date_candidates, date_features
from learner.dom.candidates.titles import title_candidates, title_features
from learner.dom.characters import letters_of
from learner.dom.context import context_features
from learner.dom.features import SURE, PageBlocks, block_features
from learner.dom.model import TYPES, DomModel, WordScores
from learner.dom.names import NameEvidence, Told
from learner.dom.page_features import page_words
from learner.dom.reading import page_tree, type_row
from learner.dom.repeats.taken import label_blocks
from learner.dom.teaching.word_fits import Standing, fit_names, fit_words, standings
from learner.ensembles.trees import MOST_LEAVES, Floats, Trees, sigmoid, softmax
from learner.page.pages import Page
from learner.page.tree import LayoutTree
from learner.page.words import clean_text

FOLDS = 3
"""Parts that sites are dealt into. Origin: guess; each costs a training of the first stage."""

LEAST_COVERED = 0.7
"""Least share of the letters of a gold text that the blocks of its page must say; else the text is
not on the page, and teaches nothing. Origin: guess."""

MOST_BLOCKS = 160
"""Blocks of a page that are learned from, drawn by chance. Origin: guess, for time."""

TEMPERATURES = np.linspace(0.6, 2.0, 29)

COMMON: dict[str, Any] = {
    "num_leaves": MOST_LEAVES,
    "max_depth": 7,
    "bagging_fraction": 0.6,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "max_bin": 127,
    # Threads that wait for one another on a busy machine cost more than they bring.
    "num_threads": 1,
    "seed": 3,
    "deterministic": True,
    "force_col_wise": True,
    "verbose": -1,
    # Trees in numpy know no missing values.
    "use_missing": False,
}

_BLOCKS = {
    **COMMON,
    "objective": "binary",
    "learning_rate": 0.1,
    "min_data_in_leaf": 150,
    "feature_fraction": 0.3,
}

_TYPES = {
    **COMMON,
    "objective": "multiclass",
    "num_class": len(TYPES),
    "num_leaves": 8,
    "learning_rate": 0.07,
    "min_data_in_leaf": 15,
    "feature_fraction": 0.3,
    "lambda_l2": 3.0,
}

_CANDIDATES = {
    **COMMON,
    "objective": "binary",
    "num_leaves": 8,
    "learning_rate": 0.05,
    "min_data_in_leaf": 40,
    "feature_fraction": 0.5,
}

ROUNDS = {"blocks": 80, "context": 150, "types": 100, "title": 300, "date": 120, "author": 160}
"""Trees of each ensemble (of each output). Origin: guess, for size and time."""


class TrainingError(ValueError):
    """What is given teaches nothing; the message says what is missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """A page, and what a person or a learned pattern says of it."""

    site: str
    """Whose pages stand together: folds never part a site."""
    page: Page
    type: str | None = None
    """One of `TYPES`; None if unknown."""
    title: str = ""
    """Empty if unknown, as is the body."""
    body: str = ""
    published: date | None = None
    authors: tuple[str, ...] = ()


class Studied:
    """A lesson with its blocks labelled; done once, however often it is learned from."""

    def __init__(self, lesson: Lesson) -> None:
        self.lesson = lesson
        self.tree: LayoutTree = page_tree(lesson.page)
        texts = [block.text for block in self.tree.blocks]
        self.labels: NDArray[np.bool_] = label_blocks(texts, lesson.body)
        said = sum(
            len(letters_of(t)) for t, is_main in zip(texts, self.labels, strict=True) if is_main
        )
        self.has_text = said >= LEAST_COVERED * max(len(letters_of(lesson.body)), 1)
        self.standings: list[Standing] = (
            standings(lesson.site, self.tree, self.labels) if self.has_text else []
        )

    @cached_property
    def words(self) -> set[str]:
        """The words of the page."""
        return page_words(self.tree)


def study(lessons: Sequence[Lesson]) -> list[Studied]:
    """The lessons that have any text."""
    return [each for each in map(Studied, lessons) if each.tree.blocks]


def fold_of(site: str, n_folds: int, salt: str = "") -> int:
    """Which of so many folds a site is dealt into, the same each time."""
    digest = hashlib.sha256(f"{salt}{site}".encode()).digest()
    return int.from_bytes(digest[:8], "big") % n_folds


def train(studied: Sequence[Studied], tell: Callable[[str], None] = lambda _: None) -> DomModel:
    """A model of some lessons. TrainingError if none has a text."""
    if not any(each.has_text for each in studied):
        raise TrainingError("expected pages whose texts are known, got none")
    return _Training(studied, tell).model()


def train_with_card(
    studied: Sequence[Studied],
    data: Mapping[str, str],
    tell: Callable[[str], None] = lambda _: None,
) -> DomModel:
    """The same with a model card; `data` names what it was learned from."""
    model = train(studied, tell)
    types = Counter(each.lesson.type or "unknown" for each in studied)
    card = {
        "data": dict(data),
        "pages": len(studied),
        "sites": len({each.lesson.site for each in studied}),
        "pages_by_type": dict(sorted(types.items())),
        "pages_with_text": sum(each.has_text for each in studied),
        **model.card,
    }
    return replace(model, card=card)


class _Training:
    """The stages in order."""

    def __init__(self, studied: Sequence[Studied], tell: Callable[[str], None]) -> None:
        self._studied, self._tell = studied, tell
        self._folds = np.array([fold_of(each.lesson.site, FOLDS) for each in studied])
        counts = Counter(each.lesson.site for each in studied)
        self._weights = np.array([counts[each.lesson.site] ** -0.5 for each in studied])
        self._names: dict[str, list[str]] = {}
        self._trees: dict[str, Trees] = {}

    def model(self) -> DomModel:
        """All stages."""
        tables = [NameEvidence(self._fit_names(fold)) for fold in range(FOLDS)]
        self._tell("names")
        self._pages = [
            PageBlocks(each.tree, tables[fold])
            for each, fold in zip(self._studied, self._folds, strict=True)
        ]
        self._own = [self._named("blocks", *block_features(page)) for page in self._pages]
        self._tell("blocks measured")
        self._main = self._first_stage()
        words, temperature = self._type_stage()
        self._context_stage()
        self._candidate_stages()
        return DomModel(
            evidence=NameEvidence(self._fit_names(None)),
            words=words,
            trees=self._trees,
            temperature=temperature,
            card={"figures": self._figures, "features": self._names},
        )

    @property
    def _figures(self) -> dict[str, float]:
        """How right the stages were on sites that they had not learned: F1 of the letters that the
        first one calls main text, and accuracy of the types."""
        hit = said = wanted = 0.0
        for each, page, main in zip(self._studied, self._pages, self._main, strict=True):
            if each.has_text:
                taken, is_main = main >= SURE, each.labels[: len(page)]
                hit += float(page.weight[taken & is_main].sum())
                said += float(page.weight[taken].sum())
                wanted += float(page.weight[is_main].sum())
        pairs = zip(self._studied, self._types, strict=True)
        right = [
            TYPES[int(p.argmax())] == each.lesson.type for each, p in pairs if each.lesson.type
        ]
        return {
            "first_stage_letters_f1": round(2 * hit / max(said + wanted, 1.0), 4),
            "type_accuracy": round(sum(right) / max(len(right), 1), 4),
        }

    def _named(self, ensemble: str, names: list[str], rows: Floats) -> Floats:
        self._names[ensemble] = names
        return rows

    def _fit_names(self, without: int | None) -> dict[str, Told]:
        """The words of names on articles and on other pages; what nobody calls anything is both."""
        articles, others = [], []
        for each, fold in zip(self._studied, self._folds, strict=True):
            if fold != without and each.lesson.type in ("article", None):
                articles += each.standings
            if fold != without and each.lesson.type != "article":
                others += each.standings
        first, second = fit_names(articles), fit_names(others)
        return {word: (first.get(word, 0.0), second.get(word, 0.0)) for word in {**first, **second}}

    def _first_stage(self) -> list[Floats]:
        """The trees of single blocks; for each page what those say that have not learned it."""
        found: list[Floats] = [np.zeros(0, np.float32)] * len(self._studied)
        for fold in range(FOLDS):
            trees = self._fit_blocks("blocks", self._own, self._folds != fold)
            for index in np.flatnonzero(self._folds == fold).tolist():
                found[index] = sigmoid(trees.scores(self._own[index])[:, 0])
            self._tell(f"blocks, fold {fold}")
        self._trees["blocks"] = self._fit_blocks("blocks", self._own, self._folds >= 0)
        return found

    def _fit_blocks(
        self, ensemble: str, rows: Sequence[Floats], chosen: NDArray[np.bool_]
    ) -> Trees:
        """Trees of the blocks of some pages; those of a page weigh together what it weighs."""
        chance = np.random.default_rng(3)
        parts = _Parts()
        for index in np.flatnonzero(chosen).tolist():
            each = self._studied[index]
            if each.has_text:
                drawn = chance.permutation(len(rows[index]))[:MOST_BLOCKS]
                weight = np.sqrt(self._pages[index].weight[drawn] + 1)
                shares = weight / weight.sum() * self._weights[index]
                parts.add(rows[index][drawn], each.labels[drawn], shares)
        return parts.fit(_BLOCKS, ROUNDS[ensemble])

    def _type_stage(self) -> tuple[WordScores, float]:
        """The trees of types; what they say of pages that they have not learned is kept for the
        stages that follow."""
        known = np.array([each.lesson.type in TYPES for each in self._studied])
        types = np.array(
            [TYPES.index(each.lesson.type) if each.lesson.type else 0 for each in self._studied]
        )
        rows: list[Floats] = [np.zeros(0, np.float32)] * len(types)
        for fold in range(FOLDS):
            words = self._fit_words(known & (self._folds != fold), types)
            for index in np.flatnonzero(self._folds == fold).tolist():
                scores = words.of(self._studied[index].words)
                names, row = type_row(self._pages[index], self._main[index], scores)
                rows[index] = self._named("types", names, row)
        matrix = np.stack(rows)
        told = np.zeros((len(types), len(TYPES)), np.float32)
        for fold in range(FOLDS):
            trees = self._fit_types(matrix, types, known & (self._folds != fold))
            here = self._folds == fold
            told[here] = trees.scores(matrix[here], len(TYPES))
        temperature = _temperature(told[known], types[known], self._weights[known])
        self._types = softmax(told / temperature)
        self._trees["types"] = self._fit_types(matrix, types, known)
        self._tell("types")
        return self._fit_words(known, types), temperature

    def _fit_words(self, chosen: NDArray[np.bool_], types: NDArray[np.int64]) -> WordScores:
        indices = np.flatnonzero(chosen).tolist()
        pages = [(self._studied[i].lesson.site, self._studied[i].words) for i in indices]
        return fit_words(pages, types[indices], self._weights[indices])

    def _fit_types(
        self, matrix: Floats, types: NDArray[np.int64], chosen: NDArray[np.bool_]
    ) -> Trees:
        if not chosen.any():
            return Trees.of([])
        return fit_trees(
            _TYPES, ROUNDS["types"], matrix[chosen], types[chosen], self._weights[chosen]
        )

    def _context_stage(self) -> None:
        rows = []
        for page, own, main, types in zip(
            self._pages, self._own, self._main, self._types, strict=True
        ):
            names, around = context_features(page, main, types)
            rows.append(np.hstack([own, self._named("context", names, around)]))
        self._trees["context"] = self._fit_blocks("context", rows, self._folds >= 0)
        self._tell("context")

    def _candidate_stages(self) -> None:
        """Title, date and authors, each chosen among what a page offers."""
        for name, labelled in _CHOICES.items():
            parts = _Parts()
            pages = zip(
                self._studied, self._pages, self._main, self._types, self._weights, strict=True
            )
            for each, page, main, types, weight in pages:
                found = labelled(each.lesson, page, main, types)
                if found is not None:
                    parts.add(*found, np.full(len(found[0]), weight))
            self._trees[name] = parts.fit(_CANDIDATES, ROUNDS[name])
            self._tell(name)


class _Parts:
    """Rows with their labels and weights, page by page."""

    def __init__(self) -> None:
        self._parts: list[tuple[Floats, NDArray[np.bool_], NDArray[np.float64]]] = []

    def add(self, rows: Floats, labels: NDArray[np.bool_], weights: NDArray[np.float64]) -> None:
        """Those of one page."""
        self._parts.append((rows, labels, weights))

    def fit(self, parameters: dict[str, Any], rounds: int) -> Trees:
        """Trees of all; none if nothing was added."""
        if not self._parts:
            return Trees.of([])
        rows, labels, weights = (np.concatenate(each) for each in zip(*self._parts, strict=True))
        return fit_trees(parameters, rounds, rows, labels, weights)


_Labelled = tuple[Floats, NDArray[np.bool_]] | None


def _titles(lesson: Lesson, page: PageBlocks, main: Floats, types: Floats) -> _Labelled:
    if not lesson.title:
        return None
    found = title_candidates(page)
    right = np.array([clean_text(each.text) == clean_text(lesson.title) for each in found], bool)
    return (title_features(page, main, types, found), right) if right.any() else None


def _dates(lesson: Lesson, page: PageBlocks, main: Floats, types: Floats) -> _Labelled:
    if lesson.published is None:
        return None
    found = date_candidates(page)
    right = np.array([each.day == lesson.published for each in found], bool)
    return (date_features(page, main, types, found), right) if right.any() else None


def _authors(lesson: Lesson, page: PageBlocks, main: Floats, types: Floats) -> _Labelled:
    if not lesson.authors:
        return None
    found = author_candidates(page, main)
    wanted = {letters_of(name) for name in lesson.authors}
    right = np.array([letters_of(each.name) in wanted for each in found], bool)
    dated = frozenset(
        index
        for each in date_candidates(page)
        if each.day == lesson.published
        for index in each.blocks
    )
    return (author_features(page, main, types, found, dated), right) if right.any() else None


_CHOICES = {"title": _titles, "date": _dates, "author": _authors}


def _temperature(scores: Floats, types: NDArray[np.int64], weights: NDArray[np.float64]) -> float:
    """The temperature with the least loss on pages that were not learned from."""

    def loss(temperature: float) -> float:
        told = softmax(scores / temperature)[np.arange(len(types)), types]
        return float(-(weights * np.log(told + 1e-9)).sum())

    return float(min(TEMPERATURES, key=loss)) if len(types) else 1.0


def fit_trees(
    parameters: dict[str, Any],
    rounds: int,
    rows: Floats,
    labels: NDArray[Any],
    weights: NDArray[Any],
) -> Trees:
    """Trees of some rows; with labels and weights a row each."""
    import lightgbm

    data = lightgbm.Dataset(rows, labels.astype(np.float32), weight=weights / weights.mean())
    booster = lightgbm.train(parameters, data, rounds)
    model = booster.dump_model()
    return Trees.of([each["tree_structure"] for each in model["tree_info"]])
