"""Who wrote an article: the names that its page shows, else those that it says for machines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from learner.page.tree import LayoutTree, TreeBlock
from learner.page.words import LINE_ENDS
from learner.patterns.matching import Match

MOST_SAID = 80
"""Letters outside links up to which a byline is left out, in an element like others of the text or
with the end of a sentence: a text may begin with place and date. Origin: guess."""

_DASH = re.compile(r"\s+[-–—|]\s+")
"""Stands between two names of one person as well as between two persons."""

CELLS = frozenset({"td", "th", "dd"})
"""Tags of what is no byline beside others of the text: a row of a table."""


def find_authors(
    tree: LayoutTree, match: Match, shown: TreeBlock | None
) -> tuple[tuple[str, ...], TreeBlock | None]:
    """The authors' names, and the block that shows them if one does.

    `shown` is the block with the date of publication, if the page shows it.
    """
    rule, dates = match.rules.authors, match.rules.dates
    names, block = rule.read(tree, match.title_block, shown, match.extent(tree), dates)
    return (_joined(names, tree.metadata.authors) or tree.metadata.authors), block


def _joined(names: tuple[str, ...], said: Sequence[str]) -> tuple[str, ...]:
    """The names, or the one that the page says for machines if they are its parts.

    >>> _joined(("Ann Lee", "annie"), ["Ann Lee - annie"]), _joined(("Ann", "Bob"), ["Ann, Bob"])
    (('Ann Lee - annie',), ('Ann', 'Bob'))
    """
    return next(((name,) for name in said if tuple(_DASH.split(name)) == names), names)


def without_bylines(
    tree: LayoutTree, body: Sequence[TreeBlock], bylines: Sequence[TreeBlock | None]
) -> Sequence[TreeBlock]:
    """The body without the blocks that say when and by whom, unless it is nothing else."""
    if not any(block in bylines for block in body):
        return body
    alike = Counter(_place(tree, block) for block in body)

    def is_text(block: TreeBlock) -> bool:
        beside_others = alike[_place(tree, block)] > 1
        if tree.tags[block.element] in CELLS:
            return beside_others
        is_sentence = block.text.endswith(LINE_ENDS)
        return block.unlinked_weight > MOST_SAID and (beside_others or is_sentence)

    return [block for block in body if block not in bylines or is_text(block)] or body


def _place(tree: LayoutTree, block: TreeBlock) -> tuple[int, str, tuple[str, ...]]:
    element = block.element
    return tree.parents[element], tree.tags[element], tree.tokens[element]
