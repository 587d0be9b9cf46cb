"""Excerpts: the beginning of a text that a template prints once more above it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from learner.page.tree import TreeBlock
from learner.page.wording import LEAST_CUT, cut_end

OPENING = 60
"""Characters of an excerpt, blanks left out, that are looked for in the text ... Origin: guess; it
must have so many, or end as what was cut."""

FIRST_BLOCKS = 10
"""... in so many of its first blocks. Origin: guess."""


def is_excerpt(block: TreeBlock, text: Sequence[TreeBlock]) -> bool:
    """Whether a block is the beginning of the text below it, as templates print it under the title.

    >>> from learner.page.lines import Line
    >>> texts = "It rains in the ...", "It rains in the south."
    >>> excerpt, text = (TreeBlock(0, 0, Line(each)) for each in texts)
    >>> is_excerpt(excerpt, [text]), is_excerpt(text, [text])
    (True, False)
    """
    cut = cut_end(block.text)
    opening = _joined([block.text[:cut]])[:OPENING]
    least = OPENING if cut is None else LEAST_CUT
    return len(opening) >= least and opening in _joined(each.text for each in text[:FIRST_BLOCKS])


def _joined(texts: Iterable[str]) -> str:
    """Texts without blanks: excerpts join paragraphs as they like."""
    return "".join(texts).replace(" ", "")
