"""Weights for products from pages whose name, price and picture are known.

Of each shop all pages count as much as those of another: shops differ, pages of one are alike.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
from lxml import etree
from numpy.typing import NDArray
from price_parser import Price
from scipy.optimize import minimize

from crawler.reading.html import parse_html
from crawler.storage.outfile import whole_file
from learner.page.words import clean_text
from learner.vision.products.candidates import Candidate, ProductPage
from learner.vision.products.measures import DIRECTIONS, Around, as_rows, file_of
from learner.vision.products.scorer import FIELDS, MEASURES, Weights, candidates_of

SHRINKAGE = 0.002
"""How much large weights cost (half of it times the sum of their squares). Origin: measured, see
docs/decisions.md."""

FOR_MACHINES = ("script", "meta", "link")
STRUCTURED = ("property", "itemprop", "itemtype", "itemscope")

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductLesson:
    """A page that sells one product."""

    shop: str
    url: str
    html: bytes
    name: str
    amount: Decimal | None
    """None if the page has no price."""
    picture: str | None
    """Its address; None if the page has none."""


@dataclass(frozen=True, slots=True)
class Example:
    """The candidates of a page for one field, of which at least one is right."""

    shop: str
    measures: tuple[str, ...]
    rows: Floats
    """A row a candidate, a column a measure."""
    right: NDArray[np.bool_]


def read_without_facts(html: bytes) -> etree._Element:
    """A page without what it says for machines: JSON-LD, microdata, Open Graph."""
    root = parse_html(html, None)
    etree.strip_elements(root, *FOR_MACHINES, with_tail=False)
    for element in root.iter("*"):
        for name in STRUCTURED:
            element.attrib.pop(name, "")
    return root


def is_right(field: str, candidate: Candidate, lesson: ProductLesson) -> bool:
    """Whether a candidate says what is known; a picture if it is the same file, of any size."""
    if field == "name":
        return clean_text(candidate.text).casefold() == clean_text(lesson.name).casefold()
    if field == "price":
        return candidate.price is not None and candidate.price.amount == lesson.amount
    return lesson.picture is not None and file_of(candidate.text) == file_of(lesson.picture)


def amount_of(text: str) -> Decimal | None:
    """The amount of a price as it is written."""
    return Price.fromstring(text).amount


def examples_of(lessons: Sequence[ProductLesson]) -> Mapping[str, list[Example]]:
    """What each field is learned from."""
    found: dict[str, list[Example]] = {field: [] for field in FIELDS}
    for lesson in lessons:
        for field, example in _of_page(lesson):
            found[field].append(example)
    return found


def _of_page(lesson: ProductLesson) -> Iterator[tuple[str, Example]]:
    page = ProductPage(read_without_facts(lesson.html), lesson.url)
    name = None
    for field in FIELDS:
        candidates = candidates_of(page, field)
        right = np.array([is_right(field, each, lesson) for each in candidates], np.bool_)
        if right.any():
            measures = MEASURES[field](Around(page, name), candidates)
            yield field, Example(lesson.shop, tuple(measures[0]), as_rows(measures), right)
            if field == "name":
                name = candidates[int(right.argmax())]


def fit_weights(examples: Mapping[str, Sequence[Example]], without: str | None = None) -> Weights:
    """The weights of all fields; `without` the pages of one shop."""
    return {
        field: _fit([each for each in examples[field] if each.shop != without]) for field in FIELDS
    }


def write_weights(path: Path, weights: Weights, card: Mapping[str, Any]) -> None:
    """Write weights as `learner.vision.products.scorer.load_weights` reads them, with what is to be
    known of them."""
    text = json.dumps({**card, "weights": weights}, indent=1)
    with whole_file(path) as hidden:
        hidden.write_text(text + "\n", "utf-8")


def _fit(examples: Sequence[Example]) -> dict[str, float]:
    """The weights under which the right candidates are likeliest, none against its direction."""
    if not examples:
        raise ValueError("expected pages with name, price and picture to learn from, got none")
    names = examples[0].measures
    bounds = [(0 if DIRECTIONS[n] > 0 else None, 0 if DIRECTIONS[n] < 0 else None) for n in names]
    likelihood = _Likelihood(examples)
    found = minimize(likelihood.loss, np.zeros(len(names)), jac=True, bounds=bounds)
    return {name: round(float(w), 3) + 0.0 for name, w in zip(names, found.x, strict=True)}


class _Likelihood:
    """The pages of all shops in one table."""

    def __init__(self, examples: Sequence[Example]) -> None:
        sizes = [len(each.rows) for each in examples]
        pages = Counter(each.shop for each in examples)
        self._rows = np.concatenate([each.rows for each in examples])
        self._right = np.concatenate([each.right for each in examples]).astype(float)
        self._starts = np.cumsum([0, *sizes[:-1]])
        self._page = np.repeat(np.arange(len(examples)), sizes)
        self._weights = np.array([1 / pages[each.shop] / len(pages) for each in examples])

    def loss(self, weights: Floats) -> tuple[float, Floats]:
        """Minus the mean logarithm of the probability of what is right, and its gradient."""
        scores = self._rows @ weights
        powers = np.exp(scores - np.maximum.reduceat(scores, self._starts)[self._page])
        everything = np.add.reduceat(powers, self._starts)
        right = np.add.reduceat(powers * self._right, self._starts)
        likely = powers / everything[self._page]
        likely_if_right = powers * self._right / right[self._page]
        gradient = ((likely - likely_if_right) * self._weights[self._page]) @ self._rows
        lost = -float(np.log(right / everything) @ self._weights)
        return lost + SHRINKAGE / 2 * float(weights @ weights), gradient + SHRINKAGE * weights
