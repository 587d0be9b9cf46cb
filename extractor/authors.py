"""Who wrote an article: the names that its page shows, else those that it says for machines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from learner.bylines import Byline
from learner.tree import LayoutTree, TreeBlock

MOST_SAID = 80
"""Letters outside links up to which a byline in an element like others of the text is left out: a
text may begin with place and date. Origin: guess."""


def find_authors(
    tree: LayoutTree,
    byline: Byline,
    title: TreeBlock | None,
    shown: TreeBlock | None,
    container: int,
) -> tuple[tuple[str, ...], TreeBlock | None]:
    """The authors' names, and the block that shows them if one does.

    `shown` is the block with the date of publication, if the page shows it.
    """
    names, block = byline.read_authors(tree, title, shown, container)
    return (names or byline.machine_authors(tree)), block


def without_bylines(
    tree: LayoutTree, body: Sequence[TreeBlock], bylines: Sequence[TreeBlock | None]
) -> Sequence[TreeBlock]:
    """The body without the blocks that say when and by whom, unless it is nothing else."""
    alike = Counter(_place(tree, block) for block in body)
    left = [
        block
        for block in body
        if block not in bylines
        or (block.unlinked_weight > MOST_SAID and alike[_place(tree, block)] > 1)
    ]
    return left or body


def _place(tree: LayoutTree, block: TreeBlock) -> tuple[int, str, tuple[str, ...]]:
    element = block.element
    return tree.parents[element], tree.tags[element], tree.tokens[element]
