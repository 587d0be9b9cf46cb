"""Where the text of a page begins and ends, in indices of its blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from learner.page.tree import LayoutTree, TreeBlock


@dataclass(frozen=True, slots=True)
class Extent:
    """Where the text of a page is, in indices of its blocks."""

    start: int
    """The first of the main container."""
    end: int
    """The one after the last of the text."""
    container_end: int
    """The one after the last of the container: comments may follow the text in it."""

    @classmethod
    def of(cls, tree: LayoutTree, container: int, body: Sequence[TreeBlock]) -> Extent:
        """That of a text found in a container; all of it if there is none."""
        start, container_end = tree.starts[container], tree.ends[container]
        end = max(start, body[-1].index + 1) if body else container_end
        return cls(start, end, container_end)

    @property
    def ends(self) -> tuple[int, int]:
        """Where a byline may follow."""
        return self.end, self.container_end

    def blocks(self, tree: LayoutTree) -> Sequence[TreeBlock]:
        """From the beginning of the container to the end of the text."""
        return tree.blocks[self.start : self.end]

    def holds(self, index: int) -> bool:
        """Whether a block is one of them."""
        return self.start <= index < self.end
