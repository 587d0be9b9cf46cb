"""Where on a page title, date and author are to be looked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from learner.dom.features import FAR, PageBlocks, sure_extent
from learner.ensembles.trees import Floats


@dataclass(frozen=True, slots=True)
class Anchors:
    """Indices of blocks."""

    title: int | None
    """The block that most likely says what the page is called; None if none does."""
    first: int
    """The first of what is thought to be the text; behind the page if nothing is."""
    last: int

    @classmethod
    def of(cls, page: PageBlocks, main: Floats) -> Anchors:
        """Those of a page; `main` has the probability of each block to be main text."""
        n = len(main)
        first, last = sure_extent(main) or (n, n)
        return cls(page.title, first, last)

    def nearest(self, blocks: Sequence[int]) -> int | None:
        """That of some blocks which is nearest to the title, or to the text without one."""
        anchor = self.first if self.title is None else self.title
        return min(blocks, key=lambda index: abs(index - anchor), default=None)

    def distances(self, block: int | None) -> list[float]:
        """How far behind title, first and last block of the text one stands."""
        if block is None:
            return [FAR, FAR, FAR]
        from_title = FAR if self.title is None else float(block - self.title)
        return [from_title, float(block - self.first), float(block - self.last)]
