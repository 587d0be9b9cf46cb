"""The dates that a page shows, as they stand in its blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from learner.page.calendars.day_text import DateText, Order
from learner.page.dates import (
    find_dates,
    read_machine_date,
)
from learner.page.tree import LayoutTree, TreeBlock

LONGEST_BYLINE = 300
"""Characters of a block that may be a byline; longer ones are prose. Origin: guess."""

LONGEST_SPLIT = 40
"""Characters of an element whose blocks together may be one date (a calendar leaf). Origin:
guess."""

MOST_SPLIT = 4
"""Blocks that such a date is spread over. Origin: day, month, year and the day of the week."""

_LEAD_LENGTH = 24
"""Characters kept of what stands before a date in its block. Origin: guess."""

_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class ShownDate:
    """A date as it stands on a page."""

    block: TreeBlock
    """The (first) block that it stands in."""
    found: DateText | None
    """How its text reads; None if only the `datetime` of a `time` element tells."""
    raw: str
    """The text that was read."""
    n_blocks: int = 1
    """How many blocks it is spread over."""

    @property
    def lead(self) -> str:
        """What stands before it in its block, shortened, so that it recurs over pages."""
        if self.found is None:
            return ""
        return _DIGITS.sub("0", byline_text(self.block)[: self.found.start])[-_LEAD_LENGTH:]

    def day(self, order: Order) -> date | None:
        """The day it names."""
        if self.found is not None:
            return self.found.day(order)
        machine = read_machine_date(self.raw)
        return machine[1] if machine else None


def byline_text(block: TreeBlock) -> str:
    """The text of a block with a blank between its inline parts: style sheets hide or part them."""
    if not block.pieces:
        return block.text
    return " ".join(" ".join(piece.text.split()) for piece in block.pieces)


def read_split(tree: LayoutTree, element: int, names: Mapping[str, int]) -> ShownDate | None:
    """The date that all blocks of an element make together."""
    blocks = tree.inside(element)
    if not 1 < len(blocks) <= MOST_SPLIT:
        return None
    text = " ".join(block.text for block in blocks)
    found = find_dates(text, names)[:1] if len(text) <= LONGEST_SPLIT else []
    if not found:
        return None
    return ShownDate(blocks[0], found[0], text[found[0].start : found[0].end], len(blocks))


def read_block(
    tree: LayoutTree, block: TreeBlock, names: Mapping[str, int], longest: int = LONGEST_BYLINE
) -> Iterator[ShownDate]:
    """The dates in a block; where no text can be read ("3 days ago"), those of `time` elements."""
    if len(block.text) > longest:
        return
    text = byline_text(block) if _DIGITS.search(block.text) else ""
    dates = find_dates(text, names)
    for found in dates:
        yield ShownDate(block, found, text[found.start : found.end])
    if not dates:
        for moment in tree.moments.get(block.index, ()):
            if read_machine_date(moment):
                yield ShownDate(block, None, moment)
