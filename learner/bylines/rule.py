"""The learned rules of a layout's bylines: where its pages say when they were published, and by
whom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from learner.bylines.author_places import AuthorPlace
from learner.page.calendars.day_text import Order
from learner.page.calendars.shown import LONGEST_BYLINE, ShownDate, read_block, read_split
from learner.page.extent import Extent
from learner.page.locators import Locator
from learner.page.months import month_names
from learner.page.tree import LayoutTree, TreeBlock

LONGEST_KNOWN = 600
"""Characters of a block at a place that is known to be one, if its element has a name of its own:
some list all tags. Origin: guess."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DatePlace:
    """Where a page shows its date."""

    locator: Locator
    """The block-level element."""
    nth: int = 0
    """Which of the dates there, counted from 0; -1 is the last."""
    lead: str | None = None
    """The end of what stands before it in its block, digits as `0`; None: anything."""
    split: bool = False
    """Whether it is spread over all blocks inside the element."""

    def read(self, tree: LayoutTree, names: Mapping[str, int]) -> ShownDate | None:
        """The date there, if there is one."""
        elements = self.locator.find(tree)
        if self.split:
            found = (read_split(tree, element, names) for element in elements)
            return next(filter(None, found), None)
        blocks = (b for e in elements for b in tree.inside(e) if b.element == e)
        longest = LONGEST_KNOWN if self.locator.steps[-1][1] else LONGEST_BYLINE
        return self.choose(r for b in blocks for r in read_block(tree, b, names, longest))

    def choose(self, readings: Iterable[ShownDate]) -> ShownDate | None:
        """Which of the dates there it means."""
        chosen = None
        for nth, reading in enumerate(r for r in readings if self.lead in (None, r.lead)):
            if nth == self.nth:
                return reading
            chosen = reading
        return chosen if self.nth < 0 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class DateRule:
    """When the pages of a layout were published."""

    places: tuple[DatePlace, ...] = ()
    """Where the date stands, the place that serves most pages first."""
    languages: tuple[str, ...] = ("en",)
    """Whose month names are read, the most trusted first."""
    order: Order = "dmy"
    """How numeric dates are written."""
    template_dates: frozenset[str] = frozenset()
    """What many pages say, for machines or elsewhere than at the places, whatever date they
    show."""

    @property
    def names(self) -> Mapping[str, int]:
        """Name of a month -> its number."""
        return month_names(self.languages)

    def read(self, tree: LayoutTree) -> ShownDate | None:
        """The date of publication that a page shows: at the first place that has one."""
        for place in self.places:
            reading = place.read(tree, self.names)
            if reading and self.day(reading):
                return reading
        return None

    def in_block(self, tree: LayoutTree, block: TreeBlock) -> Iterator[ShownDate]:
        """All dates in a block, wherever it stands."""
        return read_block(tree, block, self.names)

    def day(self, shown: ShownDate) -> date | None:
        """The day that a date names; None if there is none such."""
        return shown.day(self.order)


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorRule:
    """Who wrote the pages of a layout."""

    places: tuple[AuthorPlace, ...] = ()
    """Where the author is named, the surest place first."""

    def read(
        self,
        tree: LayoutTree,
        title: TreeBlock | None,
        shown: TreeBlock | None,
        extent: Extent,
        dates: DateRule,
    ) -> tuple[tuple[str, ...], TreeBlock | None]:
        """The names that a page shows, without repeats, and the block that has them.

        `shown` is the block with the date of publication, if the page shows it; `extent` tells
        where its text is.
        """
        near = byline_blocks(tree, title, shown, extent) if self.places else []
        return self.read_among(tree, near, shown, dates)

    def read_among(
        self,
        tree: LayoutTree,
        near: Sequence[TreeBlock],
        shown: TreeBlock | None,
        dates: DateRule,
    ) -> tuple[tuple[str, ...], TreeBlock | None]:
        """The same, given the blocks that may have them."""

        def dates_of(block: TreeBlock) -> list[str]:
            return [reading.raw for reading in dates.in_block(tree, block)]

        for place in self.places:
            blocks = [block for block in near if block is shown] if place.dated else near
            found = place.read(tree, blocks, dates_of)
            if found:
                return tuple(dict.fromkeys(found[0])), found[1]
        return (), None


def byline_blocks(
    tree: LayoutTree, title: TreeBlock | None, shown: TreeBlock | None, extent: Extent
) -> list[TreeBlock]:
    """The blocks of a page that may name the author, in document order: short ones around the
    title, the block that shows the date, the end of the text and that of the main container.
    Captions name who took the picture."""
    middle = title.index if title else extent.start
    indices = set(range(middle - 4, middle + 7))
    for end in extent.ends:
        indices.update(range(end - 8, end + 5))
    if shown:
        indices.update(range(shown.index - 4, shown.index + 7))
    blocks = (tree.blocks[i] for i in sorted(indices) if 0 <= i < len(tree.blocks))
    return [
        b for b in blocks
        if b is not title and tree.tags[b.element] != "figcaption" and len(b.text) <= LONGEST_BYLINE
    ]  # fmt: skip
