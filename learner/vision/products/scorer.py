"""What a page sells: in turn its name, its price and its picture, by a model of what they may be.

A candidate's score is the sum of its measures times their weights; among all candidates of a page
its probability is the softmax of the scores (conditional logit, McFadden 1974). What TextMaps does
with pixels and a map of likely positions (Gogar et al. 2016) is done here with elements and their
order, so that no browser is needed. The weights are data, `weights.json` beside this file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from learner.vision.products.candidates import Candidate, ProductPage
from learner.vision.products.measures import (
    Around,
    Measures,
    as_rows,
    measure_names,
    measure_pictures,
    measure_prices,
)

FIELDS = ("name", "price", "picture")
"""What is found, in this order: where the name stands tells which price is its own."""

SHIPPED = "weights.json"

Weights = Mapping[str, Mapping[str, float]]
"""Of each field: measure -> weight."""

MEASURES: Mapping[str, Callable[[Around, Sequence[Candidate]], list[Measures]]] = {
    "name": measure_names,
    "price": measure_prices,
    "picture": measure_pictures,
}


class ProductModelError(ValueError):
    """A file that holds no weights for products; the message names it."""


@dataclass(frozen=True, slots=True)
class Found:
    """One field of a product."""

    candidate: Candidate
    probability: float
    """0 to 1, among the candidates of the page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundProduct:
    """What a page sells; None what nothing on it may be."""

    name: Found | None = None
    price: Found | None = None
    picture: Found | None = None


def load_weights(path: Path) -> Weights:
    """Read weights; ProductModelError if the file holds none."""
    try:
        stored = json.loads(path.read_text("utf-8"))["weights"]
        return {
            field: {str(name): float(weight) for name, weight in stored[field].items()}
            for field in FIELDS
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ProductModelError(
            f"{path}: expected weights for {', '.join(FIELDS)}, got {type(error).__name__}: {error}"
        ) from error


@lru_cache(maxsize=1)
def shipped_weights() -> Weights:
    """The weights that come with the project."""
    with resources.as_file(resources.files(__package__) / SHIPPED) as path:
        return load_weights(path)


def find_product(root: etree._Element, url: str, weights: Weights | None = None) -> FoundProduct:
    """The likeliest name, price and picture of the product that a page sells.

    Elements that the page hides are left out of `root`, which is changed by that.

    >>> root = etree.HTML("<title>Red cup - Shop</title><p>Free delivery from $50</p>"
    ... "<h1>Red cup</h1><img src=/red.jpg><p>$3.50</p><button>Buy</button><h2>See also</h2>"
    ... "<p>$4.20</p>")
    >>> found = find_product(root, "https://shop.example/red")
    >>> [found.name.candidate.text, found.price.candidate.text, found.picture.candidate.text]
    ['Red cup', '$3.50', 'https://shop.example/red.jpg']
    """
    weights = weights or shipped_weights()
    page = ProductPage(root, url)
    found: dict[str, Found] = {}
    for field in FIELDS:
        candidates = candidates_of(page, field)
        if candidates:
            around = Around(page, found["name"].candidate if "name" in found else None)
            likely = probabilities(MEASURES[field](around, candidates), weights[field])
            best = int(likely.argmax())
            found[field] = Found(candidates[best], float(likely[best]))
    return FoundProduct(**found)


def candidates_of(page: ProductPage, field: str) -> list[Candidate]:
    """What may be a field of the product."""
    return {"name": page.names, "price": page.prices, "picture": page.pictures}[field]


def probabilities(
    measures: Sequence[Measures], weights: Mapping[str, float]
) -> NDArray[np.float64]:
    """Of each candidate of a page that it is the one."""
    scores = as_rows(measures) @ np.array([weights[name] for name in measures[0]])
    powers = np.exp(scores - scores.max())
    likely: NDArray[np.float64] = powers / powers.sum()
    return likely
