"""Excerpts: the beginning of a text that a template prints once more above it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rapidfuzz.distance import Indel

from learner.page.tree import TreeBlock
from learner.page.wording import LEAST_CUT, cut_end
from learner.page.words import word_letters

OPENING = 60
"""Characters of an excerpt, blanks left out, that are looked for in the text ... Origin: guess; it
must have so many, or end as what was cut."""

FIRST_BLOCKS = 10
"""... in so many of its first blocks. Origin: guess."""


ALIKE = 0.9
"""... or least likeness (Indel) to the letters that the text begins with: descriptions lose marks,
and are of an older version. Origin: guess."""


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
    below = _joined(each.text for each in text[:FIRST_BLOCKS])
    return len(opening) >= least and (opening in below or _is_old(block.text[:cut], below))


def _is_old(excerpt: str, text: str) -> bool:
    """Whether a text begins nearly as an excerpt of it does."""
    letters = word_letters(excerpt)
    alike = Indel.normalized_similarity(
        letters, word_letters(text[: 2 * len(excerpt)])[: len(letters)]
    )
    return len(letters) >= OPENING and alike >= ALIKE


def _joined(texts: Iterable[str]) -> str:
    """Texts without blanks: excerpts join paragraphs as they like."""
    return "".join(texts).replace(" ", "")
