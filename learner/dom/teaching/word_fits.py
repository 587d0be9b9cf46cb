"""Linear models over words, fitted with an L2 penalty: what names of elements speak for, and what
the words of a page say of its type."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from learner.dom.model import TYPES, WordScores, scale
from learner.dom.names import words_of
from learner.page.tree import LayoutTree

LEAST_SITES = 5
"""Sites that must use a word. Origin: guess."""

MOST_NAMES = 800
"""Words of names that are kept. Origin: guess, 10 KB."""

MOST_WORDS = 1200
"""Words of pages that are kept. Origin: guess, 20 KB."""

NAME_PENALTY = 1.5
"""L2 penalty on the weights of names. Origin: guess."""

WORD_PENALTY = 2.0
"""... and of words. Origin: guess."""

STEPS = 60
"""Steps of L-BFGS. Origin: guess."""

Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Standing:
    """Some text of a page, and all the words of the names that it stands in."""

    site: str
    words: frozenset[str]
    main: float
    """How much of it is main text."""
    weight: float
    """How much it is."""


def standings(site: str, tree: LayoutTree, labels: NDArray[np.bool_]) -> list[Standing]:
    """The texts of one page, which weighs 1, by the names that they stand in."""
    chains: list[frozenset[str]] = []
    for parent, names in zip(tree.parents, tree.tokens, strict=True):
        above = chains[parent] if parent >= 0 else frozenset()
        chains.append(above.union(words_of(names)) if names else above)
    weights = np.sqrt([block.weight for block in tree.blocks])
    weights /= max(float(weights.sum()), 1e-9)
    held: defaultdict[frozenset[str], list[float]] = defaultdict(lambda: [0.0, 0.0])
    for block, is_main, weight in zip(tree.blocks, labels, weights, strict=True):
        sums = held[chains[block.element]]
        sums[0] += float(weight) * bool(is_main)
        sums[1] += float(weight)
    return [Standing(site, words, main, weight) for words, (main, weight) in held.items()]


def fit_names(found: Sequence[Standing]) -> dict[str, float]:
    """Word -> how much it speaks for main text, of the words that tell most."""
    if not found:
        return {}
    rows = _Rows([(each.site, each.words) for each in found])
    main = np.array([each.main for each in found])
    weight = np.array([each.weight for each in found])
    matrix, turned = rows.matrix, rows.matrix.T.tocsr()

    def loss(parameters: Vector) -> tuple[float, Vector]:
        scores = matrix @ parameters[:-1] + parameters[-1]
        value = weight @ np.logaddexp(0, scores) - main @ scores
        slope = weight / (1 + np.exp(-scores)) - main
        own = parameters[:-1]
        gradient = np.append(turned @ slope + NAME_PENALTY * own, slope.sum())
        return float(value + NAME_PENALTY * own @ own / 2), gradient

    start = np.zeros(len(rows.vocabulary) + 1)
    options = {"maxiter": STEPS}
    weights = minimize(loss, start, jac=True, method="L-BFGS-B", options=options).x
    kept = rows.telling(np.abs(weights[:-1]), MOST_NAMES)
    return {word: float(weights[rows.vocabulary[word]]) for word in kept}


def fit_words(
    pages: Sequence[tuple[str, set[str]]], types: NDArray[np.int64], weights: Vector
) -> WordScores:
    """A multinomial logistic regression. Each page is its site and its words."""
    rows = _Rows(pages, is_scaled=True)
    matrix, turned = rows.matrix, rows.matrix.T.tocsr()
    wanted, each = np.eye(len(TYPES))[types], weights[:, None]
    shape = len(rows.vocabulary) + 1, len(TYPES)

    def loss(parameters: Vector) -> tuple[float, Vector]:
        table = parameters.reshape(shape)
        scores = matrix @ table[:-1] + table[-1]
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        found = powers / powers.sum(axis=1, keepdims=True)
        value = -(each * wanted * np.log(found + 1e-12)).sum()
        slope = each * (found - wanted)
        own = table[:-1]
        gradient = np.vstack([turned @ slope + WORD_PENALTY * own, slope.sum(axis=0)])
        return float(value + WORD_PENALTY * (own**2).sum() / 2), gradient.ravel()

    options = {"maxiter": STEPS}
    start = np.zeros(shape[0] * shape[1])
    table = minimize(loss, start, jac=True, method="L-BFGS-B", options=options).x.reshape(shape)
    kept = rows.telling(np.abs(table[:-1]).max(axis=1), MOST_WORDS)
    chosen = [rows.vocabulary[word] for word in kept]
    return WordScores(
        {word: row for row, word in enumerate(kept)},
        np.vstack([table[chosen], table[-1:]]).astype(np.float32),
    )


class _Rows:
    """Sets of words as a sparse matrix, with the words that enough sites use."""

    def __init__(
        self, found: Sequence[tuple[str, Collection[str]]], is_scaled: bool = False
    ) -> None:
        """Each row is a site and the words; scaled, the words of a row weigh what all do."""
        sites: defaultdict[str, set[str]] = defaultdict(set)
        for site, words in found:
            for word in words:
                sites[word].add(site)
        known = sorted(word for word in sites if len(sites[word]) >= LEAST_SITES)
        self.vocabulary = {word: column for column, word in enumerate(known)}
        self._n_sites = np.array([len(sites[word]) for word in known], np.float64)
        columns: list[int] = []
        values: list[float] = []
        ends = [0]
        for _, words in found:
            own = [self.vocabulary[word] for word in words if word in self.vocabulary]
            columns += sorted(own)
            values += [scale(len(own)) if is_scaled else 1.0] * len(own)
            ends.append(len(columns))
        self.matrix = csr_matrix((values, columns, ends), (len(found), len(known)))

    def telling(self, weights: Vector, most: int) -> list[str]:
        """The words that tell most over all sites."""
        words = list(self.vocabulary)
        worth = weights * np.sqrt(self._n_sites)
        return [words[index] for index in sorted(np.argsort(-worth, kind="stable")[:most])]
