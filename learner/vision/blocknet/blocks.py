"""The blocks of a page, as they are given out."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    """What a block is: the page, a part of its template, a title, or content."""

    PAGE = "page"
    HEADER = "header"
    LEFT = "left"
    MAIN = "main"
    RIGHT = "right"
    FOOTER = "footer"
    TITLE = "title"
    CONTENT = "content"


TEMPLATE = (Kind.HEADER, Kind.LEFT, Kind.MAIN, Kind.RIGHT, Kind.FOOTER)
"""The parts of a template, in the order in which they are told."""


class Params(NamedTuple):
    """Which shares of a block's area show what, each from 0 to 1 and together at most 1."""

    text: float
    """Text outside links."""
    pictures: float
    """Pictures outside links."""
    own_links: float
    """Links within the site, with their text and pictures."""
    other_links: float
    """Links to other sites."""
    forms: float
    """Forms and their controls."""
    actions: float
    """Elements that do something when they are clicked."""


class Box(NamedTuple):
    """Document pixels."""

    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One block of a page. Other blocks are named by their numbers."""

    number: int
    kind: Kind
    """Of what titles join: content."""
    doms: tuple[int, ...]
    """The nodes of the snapshot that it consists of, with all below them."""
    box: Box
    """Around all that it shows."""
    params: Params
    parent: int
    """-1 for the page."""
    children: tuple[int, ...]
    """In the document's order; a title before what it joins."""
    above: tuple[int, ...]
    """The blocks of the same parent that are next to it, in four directions. What is above a block
    has it below, what is left of it has it to its right."""
    below: tuple[int, ...]
    left: tuple[int, ...]
    right: tuple[int, ...]
    text: str
    """Of a block without children, white space collapsed; else empty."""
    pictures: tuple[str, ...]
    """Addresses of its pictures, http(s) ones; of a block without children."""
    score: float
    """`learned`: the probability to be content as a share of that of the page's surest leaf, 0 to
    1; of a block that holds others the mean over their letters. `paper`: P, of what stands in a
    decided block that of the block; -inf outside the main part."""
    is_kept: bool
    """Whether it is content, or holds any."""
