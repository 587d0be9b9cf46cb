"""Who wrote an article: the names that its page shows, else those that it says for machines."""

from __future__ import annotations

from collections.abc import Sequence

from learner.bylines import LONGEST_BYLINE, Byline, byline_blocks, read_block
from learner.tree import LayoutTree, TreeBlock


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

    def dates_of(block: TreeBlock) -> list[str]:
        return [reading.raw for reading in read_block(tree, block, byline.names)]

    near = byline_blocks(tree, title, shown, container) if byline.authors else []
    for place in byline.authors:
        found = place.read(tree, near, dates_of)
        if found:
            names, block = found
            return tuple(dict.fromkeys(names)), block
    return tree.metadata.authors, None


def without_bylines(
    body: Sequence[TreeBlock], bylines: Sequence[TreeBlock | None]
) -> Sequence[TreeBlock]:
    """The body without the short blocks that say when and by whom, unless it is nothing else."""
    left = [b for b in body if b not in bylines or len(b.text) > LONGEST_BYLINE]
    return left or body
