"""Where on a page its text stands, whoever found it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from learner.page.tree import LayoutTree, TreeBlock
from learner.patterns.matching import Match


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPlace:
    """The lines of a text and what is around them."""

    body: Sequence[TreeBlock]
    title: TreeBlock | None
    """The block that says what the page is called; None if none does."""
    containers: tuple[int, ...]
    """The elements that hold the text, and its pictures."""
    decoration: frozenset[str] = frozenset()
    """Addresses of pictures that many pages of the site have."""

    @classmethod
    def of_match(cls, match: Match, body: Sequence[TreeBlock]) -> TextPlace:
        """That of a text that a pattern has found."""
        return cls(
            body=body,
            title=match.title_block,
            containers=match.containers,
            decoration=match.rules.topics.template_facts,
        )

    @classmethod
    def of_blocks(
        cls, tree: LayoutTree, body: Sequence[TreeBlock], title: TreeBlock | None
    ) -> TextPlace:
        """That of some blocks, in the element that holds them all."""
        container = common_element(tree, body)
        return cls(body=body, title=title, containers=() if container is None else (container,))


def common_element(tree: LayoutTree, blocks: Sequence[TreeBlock]) -> int | None:
    """The innermost element that holds some blocks; None if there are none.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.page.tree import build_tree
    >>> tree = build_tree(parse("<div id=x><p>a<p>b</div><p>c"))
    >>> [tree.tags[common_element(tree, tree.blocks[:n])] for n in (1, 2, 3)]
    ['p', 'div', 'body']
    """
    if not blocks:
        return None
    first, last = blocks[0].index, blocks[-1].index
    return next(
        element
        for element in tree.ancestors(blocks[0].element)
        if tree.starts[element] <= first and last < tree.ends[element]
    )
