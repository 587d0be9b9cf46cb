"""Clusters of pages that one page template filled, by their skeletons.

A page's skeleton is the set of its tag paths and of the names on them (`LayoutTree.skeleton`).
What stands on nearly all pages (header, menu, footer) says nothing about which template a page
comes from, so every feature counts by its inverse document frequency.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

CLUSTER_SIMILARITY = 0.5
"""Average linkage joins clusters down to this similarity, inclusive. Origin: measured, see
docs/decisions.md."""

Matrix = NDArray[np.float32]


class Skeletons:
    """The skeletons of some pages as rows of a matrix, weighted.

    >>> skeletons = Skeletons([{1, 2}, {1, 2}, {1, 3}, {3}])  # ln(5 / 3.5), ln(5 / 2.5) twice
    >>> {feature: round(float(w), 2) for feature, w in zip((1, 2, 3), skeletons.weights)}
    {1: 0.36, 2: 0.69, 3: 0.69}
    """

    def __init__(self, skeletons: Sequence[set[int]]) -> None:
        n_pages = len(skeletons)
        frequency = Counter(feature for skeleton in skeletons for feature in skeleton)
        # A feature of one page joins nothing, one of all pages parts nothing.
        kept = sorted(f for f, count in frequency.items() if 2 <= count < n_pages)
        self.columns = {feature: column for column, feature in enumerate(kept)}
        counts = np.array([frequency[f] for f in kept], np.float32)
        self.weights: Matrix = np.log((n_pages + 1) / (counts + 0.5)).astype(np.float32)
        self.rows = feature_rows(skeletons, self.columns)

    def similarities(self) -> Matrix:
        """Weighted Jaccard similarity of each pair of pages, 0 to 1.

        >>> similar = Skeletons([{1, 2}, {1, 2}, {1, 3}, {3}]).similarities()
        >>> [round(float(each), 2) for each in similar[0]]  # .36 / (.36 + .69 + .69) of the third
        [1.0, 1.0, 0.2, 0.0]
        """
        weighted: Matrix = self.rows * self.weights
        shared: Matrix = weighted @ self.rows.T
        return jaccard(shared, weighted.sum(1))

    def clusters(self, threshold: float = CLUSTER_SIMILARITY) -> list[list[int]]:
        """The pages by template: average linkage, largest cluster first.

        >>> Skeletons([{1, 2}, {1, 2}, {1, 3}, {3}]).clusters()  # the last two share .69 of 1.04
        [[0, 1], [2, 3]]
        """
        return average_linkage(self.similarities(), threshold)


def feature_rows(skeletons: Sequence[set[int]], columns: Mapping[int, int]) -> Matrix:
    """A row for each page: 1 in the columns of the features that it has.

    >>> feature_rows([{7, 8}, {8, 9}], {7: 0, 8: 1}).tolist()
    [[1.0, 1.0], [0.0, 1.0]]
    """
    rows: Matrix = np.zeros((len(skeletons), len(columns)), np.float32)
    for row, skeleton in enumerate(skeletons):
        rows[row, [columns[feature] for feature in skeleton if feature in columns]] = 1
    return rows


def jaccard(shared: Matrix, sizes: Matrix) -> Matrix:
    """Similarity of each pair of sets: what both hold over what either holds, 0 to 1.

    >>> jaccard(np.array([[2, 1], [1, 3]], np.float32), np.array([2, 3], np.float32)).tolist()
    [[1.0, 0.25], [0.25, 1.0]]
    """
    union = sizes[:, None] + sizes[None, :] - shared
    similar = np.where(union > 0, shared / np.maximum(union, 1e-9), 1.0)
    return np.clip(similar, 0, 1).astype(np.float32)


def average_linkage(similarities: Matrix, threshold: float) -> list[list[int]]:
    """Indices of what is similar, down to a threshold, inclusive; the largest cluster first.

    >>> average_linkage(np.array([[1, 0.9, 0], [0.9, 1, 0.2], [0, 0.2, 1]], np.float32), 0.5)
    [[0, 1], [2]]
    """
    n_pages = len(similarities)
    if n_pages < 2:
        return [[page] for page in range(n_pages)]
    distances = 1.0 - similarities.astype(np.float64)
    np.fill_diagonal(distances, 0.0)
    tree = linkage(squareform((distances + distances.T) / 2, checks=False), "average")
    labels = fcluster(tree, 1.0 - threshold, "distance")
    clusters: dict[int, list[int]] = {}
    for page, label in enumerate(labels):
        clusters.setdefault(int(label), []).append(page)
    return sorted(clusters.values(), key=lambda pages: (-len(pages), pages))
