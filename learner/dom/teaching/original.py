"""A forest from pages with gold. Needs the extra `original` (scikit-learn)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crawler.reading.html import parse_html
from learner.dom.original.features import node_features
from learner.dom.original.forest import Forest
from learner.dom.original.nodes import text_nodes
from learner.dom.repeats.taken import label_blocks
from learner.dom.teaching.training import Lesson, TrainingError
from learner.ensembles.trees import Floats

N_TREES = 100
"""Origin: scikit-learn's default."""

LEAST_NODES = 10
"""Text nodes of a leaf. Origin: guess, for size."""


def train_forest(lessons: Sequence[Lesson]) -> Forest:
    """A forest of the lessons whose text is known; TrainingError if there is none."""
    from sklearn.ensemble import RandomForestClassifier

    rows, labels = [], []
    for lesson in lessons:
        if lesson.body:
            page = text_nodes(parse_html(lesson.page.html, lesson.page.charset))
            rows.append(node_features(page))
            labels.append(label_blocks([node.text for node in page.nodes], lesson.body))
    told = np.concatenate(labels) if labels else np.zeros(0, bool)
    if len(set(told.tolist())) < 2:
        raise TrainingError("expected pages with main text and with other text, got none")
    forest = RandomForestClassifier(N_TREES, min_samples_leaf=LEAST_NODES, random_state=3)
    forest.fit(np.concatenate(rows), told)
    return flattened(forest)


def flattened(forest: Any) -> Forest:
    """The trees of a fitted `RandomForestClassifier` of two classes."""
    trees = [each.tree_ for each in forest.estimators_]
    starts = np.cumsum([0, *(tree.node_count for tree in trees)])[:-1]

    def joined(arrays: list[Any], kind: type) -> Any:
        return np.concatenate(arrays).astype(kind)

    shares = [tree.value[:, 0, 1] / tree.value[:, 0].sum(axis=1) for tree in trees]
    return Forest(
        roots=starts.astype(np.int32),
        features=joined([np.maximum(tree.feature, -1) for tree in trees], np.int16),
        thresholds=_rounded_down(np.concatenate([tree.threshold for tree in trees])),
        left=joined([t.children_left + s for t, s in zip(trees, starts, strict=True)], np.int32),
        right=joined([t.children_right + s for t, s in zip(trees, starts, strict=True)], np.int32),
        values=joined(shares, np.float32),
    )


def _rounded_down(values: NDArray[np.float64]) -> Floats:
    """The greatest 32-bit numbers that are no greater: numbers of 32 bits compare to them alike."""
    near = values.astype(np.float32)
    down: Floats = np.where(near > values, np.nextafter(near, np.float32(-np.inf)), near)
    return down
