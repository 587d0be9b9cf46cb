"""Trees that rank the candidates of a page. Needs the extra `train` (LightGBM)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learner.dom.teaching.training import fold_of
from learner.ensembles.trees import Trees
from learner.vision.candidates.checking import Choice, Score, choices, text_f1, top1
from learner.vision.candidates.lessons import DrawnLesson, Example, examples_of, teaching
from learner.vision.candidates.likeness import LEAST_F1
from learner.vision.candidates.measures import MEASURES
from learner.vision.candidates.model import CandidateModel
from learner.vision.snapshots.arrays import Floats

GRADES = 4
"""Grades of a candidate above 0: one less for each 1/16 that its F1 lies below the best. Origin:
guess."""

SEEDS = (3, 4, 5)
"""Of ensembles that are added up: on few sites one of them depends on chance, see
docs/decisions.md."""

ROUNDS = 150
"""Trees of each. Origin: measured, see docs/decisions.md."""

FOLDS = 5
"""Parts that sites are dealt into for the figures of the model card. Origin: guess."""

_PARAMETERS: dict[str, Any] = {
    "objective": "lambdarank",
    "num_leaves": 8,
    "max_depth": 5,
    "learning_rate": 0.07,
    "min_data_in_leaf": 20,
    "feature_fraction": 0.4,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 3.0,
    "num_threads": 1,
    "deterministic": True,
    "force_col_wise": True,
    "verbose": -1,
    # Trees in numpy know no missing values.
    "use_missing": False,
}


class TooFewError(ValueError):
    """What is given teaches nothing; the message says what is missing."""


def train(lessons: Sequence[DrawnLesson], data: Mapping[str, str]) -> CandidateModel:
    """A model of some pages with its card; `data` names what it was learned from. TooFewError
    without pages that have a right candidate."""
    examples = examples_of(lesson for lesson in lessons if lesson.body)
    pages = teaching(examples)
    trees = fit_trees(pages)
    left_out: list[Choice] = []
    for fold in range(FOLDS):
        own = [page for page in pages if fold_of(page.site, FOLDS) == fold]
        others = [page for page in pages if fold_of(page.site, FOLDS) != fold]
        if own and others:
            left_out += choices(own, by_trees(fit_trees(others), MEASURES))
    card = {
        "data": dict(data),
        "pages": len(pages),
        "pages_without_right": len(examples) - len(pages),
        "sites": len({page.site for page in pages}),
        "measures": list(MEASURES),
    }
    if left_out:
        card["figures, sites left out"] = {
            "top1": round(top1(left_out), 4),
            "text_f1": round(text_f1(left_out), 4),
        }
    return CandidateModel(trees=trees, card=card)


def by_trees(trees: Trees, names: Sequence[str]) -> Score:
    """Scores by trees that were fitted to some of the measures."""
    return lambda example: trees.scores(columns(example.measures, names))[:, 0]


def fit_trees(examples: Sequence[Example], names: Sequence[str] = MEASURES) -> Trees:
    """Trees whose scores order the candidates of a page (LambdaMART, Burges 2010), by some of the
    measures; pages of a site weigh together the root of what they are. TooFewError without pages
    that have a right candidate."""
    pages = teaching(examples)
    return fit_ranking(pages, [columns(each.measures, names) for each in pages])


def fit_ranking(pages: Sequence[Example], told: Sequence[Floats]) -> Trees:
    """The same of pages that have a right candidate, by what is `told` of each one's candidates."""
    import lightgbm

    if not pages:
        raise TooFewError(f"expected drawn pages of whose text an element has F1 {LEAST_F1}")
    counts = Counter(each.site for each in pages)
    sizes = [len(each.likeness) for each in pages]
    rows = np.concatenate(told)
    grades = np.concatenate([_grades(each.likeness) for each in pages])
    weights = np.repeat([counts[each.site] ** -0.5 for each in pages], sizes)
    structures = []
    for seed in SEEDS:
        data = lightgbm.Dataset(rows, grades, weight=weights, group=sizes)
        booster = lightgbm.train({**_PARAMETERS, "seed": seed}, data, ROUNDS)
        structures += [tree["tree_structure"] for tree in booster.dump_model()["tree_info"]]
    return Trees.of(structures)


def columns(measures: Floats, names: Sequence[str]) -> Floats:
    """Some of the measures."""
    return measures[:, [MEASURES.index(name) for name in names]]


def _grades(likeness: Floats) -> NDArray[np.int64]:
    """
    >>> _grades(np.array([0.2, 0.9, 1.0])).tolist()
    [0, 2, 4]
    """
    below = np.round(4 * GRADES * (likeness.max() - likeness))
    grades: NDArray[np.int64] = np.maximum(GRADES - below, 0).astype(np.int64)
    return grades
