"""Where the text of a page stands, whoever found it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from learner.page.tree import LayoutTree, TreeBlock
from learner.patterns.matching import Match


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPlace:
    """What is known of the places around a text."""

    title_block: TreeBlock | None
    """The block that says what the page is called; None if none does."""
    containers: Sequence[int]
    """The elements in which the text stands."""
    decoration: frozenset[str] = frozenset()
    """Addresses of pictures that many pages show, whatever they are about."""

    @classmethod
    def of(cls, match: Match) -> Self:
        """Where the pattern that fits a page found it."""
        return cls(
            title_block=match.title_block,
            containers=match.containers,
            decoration=match.rules.topics.template_facts,
        )

    @classmethod
    def around(cls, tree: LayoutTree, body: Sequence[TreeBlock], title: str | None) -> Self:
        """Where these blocks stand: in the innermost element that holds them all."""
        first, last = body[0], body[-1]
        container = next(
            each for each in tree.ancestors(first.element) if tree.ends[each] > last.index
        )
        called = (block for block in tree.blocks if block.text == title)
        return cls(title_block=next(called, None), containers=(container,))
