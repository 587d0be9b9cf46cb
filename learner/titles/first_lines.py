"""Texts that open with their titles: those of pages that nothing names, or that `<title>` and the
path to the page call by another name than the heading above the text does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from learner.page.dates import find_dates
from learner.page.months import month_names
from learner.page.tree import TreeBlock
from learner.page.words import LINE_ENDS

OPENING_SHARE = 0.8
"""Least share of the pages that nothing names that must begin with a title if they are called by
it. Origin: guess."""

LEAST_OPENINGS = 3
"""... and so many. Origin: guess."""

LONGEST_OPENING = 120
"""Characters of a first line that may be a title. Origin: guess."""

_LETTERS = re.compile(r"[^\W\d_]{2}")


def open_with_titles(bodies: Sequence[Sequence[TreeBlock]]) -> bool:
    """Whether the texts of pages that nothing names begin with their titles: with short lines, no
    two of which are the same.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.page.tree import build_tree
    >>> page = "<body><p><b>{}</b></p><p>And a text of some length.</p></body>"
    >>> trees = [build_tree(parse(page.format(title))) for title in ("Rain", "Sun", "Snow")]
    >>> open_with_titles([tree.blocks for tree in trees])
    True
    """
    openings = {body[0].text for body in bodies if len(body) > 1 and may_open(body[0])}
    return len(openings) >= max(LEAST_OPENINGS, OPENING_SHARE * len(bodies))


def may_open(block: TreeBlock) -> bool:
    """Whether the first block of a text may be its title by its looks: a short line with letters,
    no date and no sentence.

    >>> from learner.page.lines import Line
    >>> texts = "Rain", "It rains.", "3 May 2021"
    >>> [may_open(TreeBlock(0, 0, Line(text))) for text in texts]
    [True, False, False]
    """
    text = block.text
    if len(text) > LONGEST_OPENING or text.endswith(LINE_ENDS) or not _LETTERS.search(text):
        return False
    return not find_dates(text, month_names())
