"""Running sums over the blocks of a page: what a run of them has is a difference of two."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import accumulate

from learner.page.dates import has_day
from learner.page.lines import MOST_LINES
from learner.page.months import month_names
from learner.page.tree import LayoutTree, TreeBlock

LIKE_A_TIME = re.compile(
    r"(?<!\d)(?:19|20)\d\d\s?[-/.年년]\s?\d{1,2}(?!\d)"
    r"|(?<!\d)\d{1,2}[-/. ]{1,2}(?:19|20)\d\d(?!\d)"
    r"|(?<![\d.])\d{1,2}(?:[:/h]|\.\d{1,2}\.)\d\d(?!\d|\.\d)"
)
"""Numbers written as a clock or a date, whatever the language: 10:30, 10h30, 5/12, 5.12.09, 5 2009,
but not 7.3.41.1, a section of a manual, nor 8.25, a figure of it, nor 2009 alone, as in a list of
references."""

_AM_PM = r"(?:\s?[ap]\.?m\b\.?)?"

_SPAN = re.compile(
    rf"(?<![\d.])(?:[01]?\d|2[0-4])([:.h])[0-5]\d{_AM_PM}\s*[-–—]\s*"
    rf"(?:[01]?\d|2[0-4])\1[0-5]\d(?!\.?\d){_AM_PM}",
    re.IGNORECASE,
)
"""From one hour to another: an entry of a programme is written at none of them. No day and clock:
"10.12.08 - 10:31"."""

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")

LONGEST_DAY = 40
"""Characters of a text in which a day without a year is a time ("Jun 12"). Origin: guess; the lines
of a log are longer."""

LONGEST_COMMENT_BYLINE = 120
"""Characters of the block that says who wrote a comment and when. Origin: guess."""


def running(values: Iterable[int]) -> list[int]:
    """The sum of the first 0, 1, 2 ... values: what a run of blocks has is a difference of two.

    >>> running([3, 0, 4])
    [0, 3, 3, 7]
    """
    return list(accumulate(values, initial=0))


class BlockSums:
    """Running sums over the blocks of a page."""

    def __init__(self, tree: LayoutTree, frame: frozenset[str], languages: tuple[str, ...]) -> None:
        blocks, moments = tree.blocks, {index for index, _ in tree.times}
        self.weights = running(block.weight for block in blocks)
        self.lengths = running(len(block.text) for block in blocks)
        self.own = running(block.text not in frame for block in blocks)
        """Blocks that are none of the site's frame."""
        timed = [
            b.text not in frame and (b.index in moments or _bears_time(b.text, languages))
            for b in blocks
        ]
        self.timed = running(timed)
        """Blocks that may be the byline of a comment; those of the frame are none."""
        self.dated = running(
            is_timed or (b.text not in frame and _bears_year(b.text))
            for b, is_timed in zip(blocks, timed, strict=True)
        )
        """Blocks that may be that of an article, for which a year will do."""

    def is_timed(self, block: TreeBlock) -> bool:
        """Whether a block may be the byline of a comment."""
        return self.timed[block.index + 1] > self.timed[block.index]


@lru_cache(maxsize=MOST_LINES)
def _bears_time(text: str, languages: tuple[str, ...]) -> bool:
    if len(text) >= LONGEST_COMMENT_BYLINE:
        return False
    if LIKE_A_TIME.search(_SPAN.sub("", text)):
        return True
    may_have_day = len(text) < LONGEST_DAY or _bears_year(text)
    return may_have_day and has_day(text, month_names(languages))


def _bears_year(text: str) -> bool:
    return len(text) < LONGEST_COMMENT_BYLINE and _YEAR.search(text) is not None
