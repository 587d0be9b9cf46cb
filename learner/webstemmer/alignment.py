"""Pages of one cluster side by side: which blocks of each page fill the same section."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from learner.patterns.sequences import Matcher, assign_symbols, common_sequence
from learner.webstemmer.blocks import Block, Layout


@dataclass(frozen=True, slots=True)
class Column:
    """One section of the common layout with the blocks it has on each page."""

    path: str
    blocks: tuple[tuple[Block, ...], ...]
    """The section's blocks of each page, in the order of the pages."""

    @property
    def texts(self) -> tuple[str, ...]:
        """The section's letters on each page."""
        return tuple("".join(block.letters for block in page) for page in self.blocks)

    @property
    def weight(self) -> int:
        """Word characters of the section on all pages."""
        return sum(block.weight for page in self.blocks for block in page)

    @property
    def unlinked_weights(self) -> tuple[int, ...]:
        """Word characters outside links, of each page."""
        return tuple(sum(block.unlinked_weight for block in page) for page in self.blocks)

    @property
    def support(self) -> float:
        """Share of the pages that have the section."""
        return sum(1 for page in self.blocks if page) / len(self.blocks)


def assign_blocks(paths: Sequence[str], layout: Layout) -> list[tuple[Block, ...]]:
    """The blocks of a page that fill each path of a pattern; an empty tuple where the page has
    none."""
    places = assign_symbols(paths, layout.paths)
    return [tuple(layout.blocks[position] for position in found) for found in places]


def align_layouts(layouts: Sequence[Layout], matcher: Matcher) -> list[Column]:
    """The sections that the pages share: the common sequence of their paths, and who fills it.

    Sections that the first page leaves empty are dropped, as in the original.
    """
    paths = common_sequence([layout.path_runs for layout in layouts], matcher)
    pages = [assign_blocks(paths, layout) for layout in layouts]
    columns = (Column(path, tuple(blocks)) for path, *blocks in zip(paths, *pages, strict=True))
    return [column for column in columns if column.blocks[0]]
