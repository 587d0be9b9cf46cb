"""Witnesses: the features of a page that tell a new page of one kind from the other.

While learning, kinds come from the evidence of all pages of the site (`learner.kinds.measures`). A
new page comes alone; its skeleton and its address say which of the known pages it is like. The
weights are those of a logistic regression over the training pages, kept for the strongest features
only.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from learner.site.kind_features import KindFeatures
from learner.site.page_features import Skeletons

MOST_WITNESSES = 60
"""Features kept. Origin: guess; 30 and 120 give the same figures."""

SAME_COLUMNS = 3
"""Features that stand on the very same pages are kept at most this often. Origin: guess."""

CERTAIN_EVIDENCE = 2.0
"""Evidence (`learner.kinds.measures`), for lists or for articles, from which on a page teaches as
much as any; below it teaches in proportion. Origin: measured, see docs/decisions.md."""

REGULARISATION = 0.05
"""Pull of each weight towards 0. Origin: measured, see docs/decisions.md."""

_STEPS = 300


def find_kind_features(skeletons: Skeletons, evidence: Sequence[float]) -> KindFeatures:
    """Learn the weights from the training pages, whose kinds `evidence` tells: a list is above 0.

    Pages whose kind is doubtful teach less: what they have in common with lists is by chance.

    >>> skeletons = Skeletons([{1, 2}, {1, 2}, {1, 3}, {1, 3}])
    >>> found = find_kind_features(skeletons, [-3.0, -2.5, 3.0, 4.0])
    >>> {feature: weight > 0 for feature, weight in found.weights.items()}
    {2: False, 3: True}
    """
    told = np.array(evidence, np.float64)
    is_list = (told > 0).astype(np.float64)
    share = is_list.mean() if len(is_list) else 0.0
    if share in (0.0, 1.0):
        return KindFeatures({}, 1.0 if share else -1.0)
    certainty = np.minimum(1.0, np.abs(told) / CERTAIN_EVIDENCE)
    columns = _different_columns(skeletons)
    rows = skeletons.rows[:, columns].astype(np.float64)
    # The rarer kind counts more, but two lists among a hundred articles not as much as all of them.
    balance = np.where(is_list > 0, 0.5 / share, 0.5 / (1 - share)) ** 0.5 / len(is_list)
    balance *= certainty
    signs = 2 * is_list - 1
    weights, bias = np.zeros(len(columns)), 0.0
    step = 4.0 / (1.0 + (rows * rows).sum(1).max())
    for _ in range(_STEPS):
        wrong = balance * signs / (1 + np.exp(signs * (rows @ weights + bias)))
        weights += step * (wrong @ rows - REGULARISATION * weights)
        bias += step * wrong.sum()
    strongest = sorted(range(len(columns)), key=lambda i: (-abs(weights[i]), columns[i]))
    kept = strongest[:MOST_WITNESSES]
    features = {column: feature for feature, column in skeletons.columns.items()}
    # What was cut off counts as it does on average, so that the bias stays right.
    cut = np.setdiff1d(np.arange(len(columns)), kept)
    bias += _middle(rows[:, cut] @ weights[cut], is_list)
    return KindFeatures(
        {features[columns[i]]: round(float(weights[i]), 4) for i in kept}, round(float(bias), 4)
    )


def _middle(scores: np.ndarray, is_list: np.ndarray) -> float:
    return float((scores[is_list > 0].mean() + scores[is_list == 0].mean()) / 2)


def _different_columns(skeletons: Skeletons) -> list[int]:
    seen: dict[bytes, int] = {}
    columns = []
    for column in range(skeletons.rows.shape[1]):
        pages = skeletons.rows[:, column].tobytes()
        seen[pages] = seen.get(pages, 0) + 1
        if seen[pages] <= SAME_COLUMNS:
            columns.append(column)
    return columns
