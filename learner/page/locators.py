"""Locators: how a pattern finds an element again, and which names on elements can be relied on.

A locator is the tag path from `body` to an element, each step with the names that the element
bears on (nearly) all pages of the cluster: its least general generalisation over the pages.
Names that come and go (`category-news`, `sticky`, `odd`) are left out by their frequency alone.
Boxes without a name are told from their siblings by their slot: `div[2of3]`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from zlib import crc32

from learner.page.tree import LayoutTree

MOST_LOCATORS = 10_000
"""Locators that are remembered once read. Origin: guess, 10 MB; a pattern has some ten."""

Step = tuple[str, tuple[str, ...]]
_Fits = Callable[[LayoutTree, int, Step], bool]


class Fit(Enum):
    """How much of a place an element must have to be found, the strictest first."""

    EXACT = "the tag path, and on it all names"
    LOOSE = "the tag path, and on it one name of each step, none of `body`"
    MOVED = "the tags and names at its end, from the last step with names on; wherever it stands"


_STEP = re.compile(r"([^.#[/]+)(\[\d+of\d+\]|(?:[.#][^.#/]+)*)")
NAME = re.compile(r"[.#][^.#/]+")
_NAMES = re.compile(r"[.#][^.#/]+|\[.+\]")


@dataclass(frozen=True, slots=True)
class Locator:
    """A path of steps from `body`; written like a CSS selector without blanks."""

    steps: tuple[Step, ...]
    path: int = field(init=False, compare=False, repr=False)
    """CRC-32 of its tags, as `LayoutTree.paths` has them."""

    def __post_init__(self) -> None:
        path = 0
        for tag, _ in self.steps:
            path = crc32(tag.encode(), path)
        object.__setattr__(self, "path", path)

    def __hash__(self) -> int:
        return self.path  # the same in every process, and worked out once

    def __str__(self) -> str:
        return "/".join(tag + "".join(names) for tag, names in self.steps)

    @staticmethod
    @lru_cache(maxsize=MOST_LOCATORS)
    def parse(text: str) -> Locator:
        """The locator that `str` wrote; one object for each text.

        >>> Locator.parse("body/div#page.wide/h1").steps
        (('body', ()), ('div', ('#page', '.wide')), ('h1', ()))
        """
        steps: list[Step] = []
        for part in text.split("/"):
            found = _STEP.fullmatch(part)
            if found:
                steps.append((found[1], tuple(_NAMES.findall(found[2]))))
        return Locator(tuple(steps))

    def covers(self, other: Locator) -> bool:
        """Whether what stands at another place is found at this one, too.

        >>> Locator.parse("body/div").covers(Locator.parse("body/div.text"))
        True
        """
        if self.path != other.path or len(self.steps) != len(other.steps):
            return False
        pairs = zip(self.steps, other.steps, strict=True)
        return all(set(mine[1]) <= set(theirs[1]) for mine, theirs in pairs)

    def find(self, tree: LayoutTree, fit: Fit = Fit.EXACT) -> list[int]:
        """The elements at this place, in document order.

        An element may bear more names than the step asks for. A pattern of few pages takes names
        for stable that come and go (`LOOSE`), and a template has variants (`MOVED`).

        >>> from lxml.html import document_fromstring as parse
        >>> from learner.page.tree import build_tree
        >>> html = "<p class='a b'>x</p><p class=a>y</p><div><p class='a b'>z</p></div>"
        >>> tree, place = build_tree(parse(html)), Locator.parse("body/p.a.b")
        >>> place.find(tree), place.find(tree, Fit.LOOSE), place.find(tree, Fit.MOVED)
        ([1], [1, 2], [1, 4])
        """
        if fit is Fit.MOVED:
            return self._find_end(tree)
        fits = _fits_loosely if fit is Fit.LOOSE else _fits
        here = tree.elements_at(self.path)
        return [e for e in here if _leads_to(tree, e, self.steps, fits) == -1]

    def _find_end(self, tree: LayoutTree) -> list[int]:
        """The elements that bear the names of the last step with names, and what it leads to."""
        named = [
            n for n, (tag, names) in enumerate(self.steps)
            if names and tag != "body" and not is_slot(names)
        ]  # fmt: skip
        if not named:
            return []
        end = self.steps[named[-1] :]
        last_tag = end[-1][0]
        alike = [e for e, tag in enumerate(tree.tags) if tag == last_tag]
        return [e for e in alike if _leads_to(tree, e, end, _fits) is not None]


def _leads_to(tree: LayoutTree, element: int, steps: Sequence[Step], fits: _Fits) -> int | None:
    """The parent of the first of these steps, if they lead to the element; -1 above the root."""
    for step in reversed(steps):
        if element < 0 or tree.tags[element] != step[0]:
            return None
        if step[1] and not fits(tree, element, step):
            return None
        element = tree.parents[element]
    return element


def is_slot(names: tuple[str, ...]) -> bool:
    return names[0][0] == "["


def _fits(tree: LayoutTree, element: int, step: Step) -> bool:
    _, names = step
    if names[0][0] == "[":  # as `is_slot`, for this is asked very often
        return tree.slots[element] == names[0]
    tokens = tree.tokens[element]
    return all(name in tokens for name in names)


def _fits_loosely(tree: LayoutTree, element: int, step: Step) -> bool:
    tag, names = step
    if tag == "body":
        return True
    if is_slot(names):
        return tree.slots[element] == names[0]
    tokens = tree.tokens[element]
    return any(name in tokens for name in names)


class FoundPlaces:
    """The elements at the places of one page, found with one fit and remembered: the patterns of a
    site share most of their places."""

    def __init__(self, tree: LayoutTree, fit: Fit = Fit.EXACT) -> None:
        self.tree = tree
        self.fit = fit
        self._elements: dict[Locator, list[int]] = {}

    def at(self, place: Locator) -> list[int]:
        """The elements at a place, in document order."""
        if place not in self._elements:
            self._elements[place] = place.find(self.tree, self.fit)
        return self._elements[place]
