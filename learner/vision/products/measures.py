"""What is measured of a candidate for a product's name, price or picture.

Each is a number from 0 to 1 or little more; distances and counts are on a scale of logarithms. In
`DIRECTIONS` stands how a measure speaks: 1 if more of it can only speak for a candidate, -1 if only
against it, 0 if either. Shops to learn from are few; what is known beforehand keeps a model from
learning their accidents.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from urllib.parse import unquote, urlsplit

import numpy as np
from lxml import etree
from numpy.typing import NDArray
from rapidfuzz import fuzz

from learner.vision.products.amounts import currency_signs
from learner.vision.products.candidates import HEADINGS, Candidate, ProductPage, place_of

ASIDE = frozenset({"nav", "header", "footer", "aside", "dialog"})
STRUCK = frozenset({"del", "s", "strike"})

FAR = 2000
"""Elements from which on nothing is farther, and of what is not there. Origin: guess."""

_WORDS = re.compile(r"\w{3,}")
_SIZE = re.compile(r"[-_@](?:\{[^}]*\}x?|(?:\d+x\d*|x\d+|scaled)(?=[._-]|$))")

Measures = dict[str, float]


class Around:
    """What stands around the candidates of a page, worked out once."""

    def __init__(self, page: ProductPage, name: Candidate | None) -> None:
        self.page = page
        self.name = name
        self._boxes = set() if name is None else set(name.element.iterancestors())

    def of(self, candidate: Candidate) -> Measures:
        """In what it stands, and how many like it there are."""
        above = {str(each.tag) for each in candidate.element.iterancestors()}
        return {
            "alike": _scaled(self.page.places[place_of(candidate.element)]),
            "aside": float(bool(ASIDE & above)),
            "linked": float("a" in above),
            "in_list": float("li" in above),
            "action": _scaled(_next_of(candidate.position, self.page.actions)),
        }

    def from_name(self, candidate: Candidate) -> Measures:
        """How far it is from the name of the product."""
        if self.name is None:
            return {"from_name": _scaled(FAR), "steps_to_name": _scaled(FAR)}
        around = enumerate(candidate.element.iterancestors())
        steps = (n for n, each in around if each in self._boxes)
        return {
            "from_name": _scaled(abs(candidate.position - self.name.position)),
            "steps_to_name": _scaled(next(steps, FAR)),
        }


DIRECTIONS = {
    "alike": -1, "aside": -1, "linked": -1, "in_list": -1, "action": 0,
    "from_name": -1, "steps_to_name": -1,
    # Of names.
    "level": -1, "length": 0, "like_title": 1, "in_title": 1, "opens_title": 1, "of_title": 1,
    "price_behind": -1, "said": 0,
    # Of prices.
    "currency": 1, "struck": -1, "order": -1, "letters": -1, "is_zero": -1, "named_price": 1,
    "named_old": -1,
    # Of pictures.
    "alt": 1, "said_by_file": 1, "drawing": -1, "files": 1, "links_to_it": 1, "logo": -1,
    "rank": -1,
}  # fmt: skip


def as_rows(measures: Sequence[Measures]) -> NDArray[np.float64]:
    """One row a candidate, one column a measure."""
    return np.array([list(each.values()) for each in measures], np.float64)


def _scaled(value: float) -> float:
    """A distance or count from 0 to `FAR` as a number from 0 to 1.

    >>> _scaled(0), round(_scaled(9), 2), _scaled(FAR)
    (0.0, 0.3, 1.0)
    """
    return math.log1p(min(value, FAR)) / math.log1p(FAR)


def measure_names(around: Around, candidates: Sequence[Candidate]) -> list[Measures]:
    """The measures of each candidate for the name."""
    title = around.page.title.casefold()
    said = Counter(each.text for each in candidates)
    return [_of_name(around, each, title, said[each.text]) for each in candidates]


def _of_name(around: Around, candidate: Candidate, title: str, said: int) -> Measures:
    text, tag = candidate.text.casefold(), str(candidate.element.tag)
    return {
        **around.of(candidate),
        "level": HEADINGS.index(tag) / len(HEADINGS) if tag in HEADINGS else 1.0,
        "length": _scaled(len(text)),
        "like_title": fuzz.ratio(text, title) / 100,
        "in_title": fuzz.partial_ratio(text, title) / 100 if title else 0.0,
        "opens_title": float(title.startswith(text)),
        "of_title": _matched(text, title) / max(len(title), 1),
        "price_behind": _scaled(_next_of(candidate.position, around.page.price_places)),
        "said": _scaled(said),
    }


def measure_prices(around: Around, candidates: Sequence[Candidate]) -> list[Measures]:
    """The measures of each candidate for the price."""
    name = -1 if around.name is None else around.name.position
    before = sum(each.position < name for each in candidates)
    measures = []
    for rank, each in enumerate(candidates):
        order = rank - before if rank >= before else MOST_ORDER + before - rank
        measures.append(_of_price(around, each, order))
    return measures


MOST_ORDER = 100
"""Prices behind the name that come before any above it. Origin: guess; no product has so many."""


def _of_price(around: Around, candidate: Candidate, order: int) -> Measures:
    assert candidate.price is not None
    above = {str(each.tag) for each in (candidate.element, *candidate.element.iterancestors())}
    return {
        **around.of(candidate),
        **around.from_name(candidate),
        "currency": float(bool(candidate.price.currency) or bool(currency_signs(candidate.text))),
        "struck": float(bool(STRUCK & above)),
        "order": _scaled(order),
        "letters": _scaled(sum(map(str.isalpha, candidate.text))),
        "is_zero": float(not candidate.price.amount),
        "named_price": float(_is_named(candidate.element, ("price",))),
        "named_old": float(_is_named(candidate.element, ("old",))),
    }


def measure_pictures(around: Around, candidates: Sequence[Candidate]) -> list[Measures]:
    """The measures of each candidate for the picture."""
    files = Counter(file_of(each.text) for each in candidates)
    return [_of_picture(around, each, rank, files) for rank, each in enumerate(candidates)]


def _of_picture(
    around: Around, candidate: Candidate, rank: int, files: Mapping[str, int]
) -> Measures:
    image, file = candidate.element, file_of(candidate.text)
    name = around.name.text.casefold() if around.name else around.page.title.casefold()
    alt = (image.get("alt") or "").casefold()
    link = next(image.iterancestors("a"), None)
    target = "" if link is None else link.get("href") or ""
    measures = {
        **around.of(candidate),
        **around.from_name(candidate),
        "alt": fuzz.ratio(alt, name) / 100 if alt else 0.0,
        "said_by_file": fuzz.partial_ratio(" ".join(_WORDS.findall(file)), name) / 100,
        "drawing": float(file.endswith((".svg", ".gif"))),
        "files": _scaled(files[file]),
        "links_to_it": float(bool(file) and file_of(target) == file),
        "logo": float("logo" in candidate.text.casefold()),
        "rank": _scaled(rank),
    }
    # A picture that opens its larger form is linked, but to itself.
    return {**measures, "linked": measures["linked"] * (1 - measures["links_to_it"])}


def file_of(address: str) -> str:
    """The name of a picture's file, without the size that a shop's software writes into it.

    >>> file_of("https://shop.example/img/Red-Cup-600x600.png?v=3")
    'red-cup.png'
    """
    try:
        path = urlsplit(address).path
    except ValueError:
        return ""
    return _SIZE.sub("", unquote(path.rsplit("/", 1)[-1]).casefold())


def _matched(one: str, other: str) -> int:
    """The length of the longest part that both have."""
    return SequenceMatcher(None, one, other, autojunk=False).find_longest_match().size


def _is_named(element: etree._Element, words: Sequence[str]) -> bool:
    """Whether the element, or one of the two around it, bears one of these in its names."""
    for _ in range(3):
        names = f"{element.get('class') or ''} {element.get('id') or ''}".casefold()
        if any(word in names for word in words):
            return True
        parent = element.getparent()
        if parent is None:
            return False
        element = parent
    return False


def _next_of(position: int, others: Sequence[int]) -> float:
    """How far the next of some positions, in order, is behind."""
    place = bisect_left(others, position)
    return float(others[place] - position) if place < len(others) else FAR
