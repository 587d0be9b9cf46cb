"""A page as one of a cluster: what the steps of learning ask of it, worked out once."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from learner.page.calendars.shown import ShownDate
from learner.page.extent import Extent
from learner.page.lines import Piece
from learner.page.pages import Page
from learner.page.tree import LayoutTree, TreeBlock
from learner.page.wording import Wording
from learner.page.words import TEXT_WEIGHT
from learner.site.block_sums import BlockSums

T = TypeVar("T")


@dataclass(eq=False)
class ClusterPage:
    """One page while its site is learned: what the steps have found of it so far."""

    tree: LayoutTree
    title: TreeBlock | None = None
    """The block of its title; None if only `<title>` tells it."""
    frame: frozenset[str] = frozenset()
    """The texts of the site's frame."""
    languages: tuple[str, ...] = ("en",)
    """Those of its dates (`learner.site.languages`)."""
    source: Page | None = None
    """The page as it was given."""
    names: Sequence[str] = ()
    """What it is called from outside its body, best first; empty if nothing says so."""
    places: Sequence[int] = ()
    """The signature of each element (`learner.site.signatures`), in its cluster."""
    container: int = 0
    """The element that holds its text."""
    body: Sequence[TreeBlock] = ()
    """Its text, as far as it is found."""
    shown: dict[int, list[ShownDate]] = field(default_factory=dict)
    """The dates of the blocks that may be a byline, by index, in document order."""
    searched: frozenset[int] = frozenset()
    """The indices of the blocks that were searched for bylines."""
    date: ShownDate | None = None
    """The date of publication that it shows."""
    weekday: int | None = None
    """That of this date, 0 for Monday."""
    byline: Sequence[TreeBlock] = ()
    """The blocks that may name its author, in document order."""
    pieces: dict[int, list[Piece]] = field(default_factory=dict)
    """The inline parts of these, by index."""
    authors: tuple[str, ...] = ()
    """Their names, as far as they are found."""
    written_dates: dict[int, list[str]] = field(default_factory=dict)
    """The texts of the dates in blocks, by index."""

    @property
    def extent(self) -> Extent:
        """Where its text begins and ends."""
        return Extent.of(self.tree, self.container, self.body)

    @property
    def date_index(self) -> int | None:
        """Index of the block that shows the date of publication."""
        return self.date.block.index if self.date else None

    @property
    def title_index(self) -> int:
        """Index of the title's block, or of the first one in the container."""
        return self.title.index if self.title else self.tree.starts[self.container]

    @property
    def first_after_title(self) -> int:
        """Index of the first block after the title."""
        return self.title.index + 1 if self.title else 0

    @cached_property
    def text_begins(self) -> int:
        """Index of the block after the first that is long enough to be text, after the title."""
        for block in self.tree.blocks[self.first_after_title :]:
            if block.unlinked_weight >= TEXT_WEIGHT:
                return block.index + 1
        return len(self.tree.blocks)

    @property
    def alone(self) -> frozenset[int]:
        """The elements whose place no other element of the page has."""
        return frozenset(standing_once(self.places))

    @cached_property
    def sums(self) -> BlockSums:
        """What its blocks say of records."""
        return BlockSums(self.tree, self.frame, self.languages)

    @cached_property
    def forms(self) -> set[int]:
        """The elements that are or hold a form: where comments are written looks like one."""
        forms = (element for element, tag in enumerate(self.tree.tags) if tag == "form")
        return {element for form in forms for element in self.tree.ancestors(form)}

    @cached_property
    def wording(self) -> Wording:
        """How it words what it says of itself."""
        return Wording(self.tree, self.title)


def standing_once(places: Sequence[int]) -> Iterator[int]:
    """The elements of a page whose place no other element of it has, given all of their places.

    >>> list(standing_once([0, 1, 1, 2]))
    [0, 3]
    """
    times = Counter(places)
    return (element for element, place in enumerate(places) if times[place] == 1)


def on_several_titles(said: Iterable[tuple[ClusterPage, T]]) -> frozenset[T]:
    """What of that which some pages say stands on pages of several titles.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.page.tree import build_tree
    >>> one, two = (ClusterPage(build_tree(parse(f"<title>{name}</title>")), None) for name in "ab")
    >>> on_several_titles([(one, "Ann"), (one, "Bob"), (two, "Ann")])
    frozenset({'Ann'})
    """
    titles: dict[T, set[str]] = defaultdict(set)
    for member, each in said:
        titles[each].add(member.title.text if member.title else member.tree.metadata.title)
    return frozenset(each for each, on in titles.items() if len(on) > 1)
