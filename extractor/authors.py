"""Who wrote an article: the names that its page shows, else those that it says for machines."""

from __future__ import annotations

from collections.abc import Sequence

from learner.bylines import LONGEST_BYLINE, Byline
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
    names, block = byline.read_authors(tree, title, shown, container)
    return (names or byline.machine_authors(tree)), block


def without_bylines(
    body: Sequence[TreeBlock], bylines: Sequence[TreeBlock | None]
) -> Sequence[TreeBlock]:
    """The body without the short blocks that say when and by whom, unless it is nothing else."""
    left = [b for b in body if b not in bylines or len(b.text) > LONGEST_BYLINE]
    return left or body
