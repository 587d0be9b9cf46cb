"""A page as one of a cluster: what the steps of learning ask of it, worked out once."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import TypeVar

from learner.page.dates import has_day
from learner.page.extent import Extent
from learner.page.lines import MOST_LINES, Piece
from learner.page.months import month_names
from learner.page.pages import Page
from learner.page.shown_dates import ShownDate
from learner.page.tree import LayoutTree, TreeBlock
from learner.page.wording import Wording
from learner.page.words import TEXT_WEIGHT

T = TypeVar("T")

LIKE_A_TIME = re.compile(
    r"(?<!\d)(?:19|20)\d\d\s?[-/.年년]\s?\d{1,2}(?!\d)"
    r"|(?<!\d)\d{1,2}[-/. ]{1,2}(?:19|20)\d\d(?!\d)"
    r"|(?<![\d.])\d{1,2}(?:[:/h]|\.\d{1,2}\.)\d\d(?!\d|\.\d)"
)
"""Numbers written as a clock or a date, whatever the language: 10:30, 10h30, 5/12, 5.12.09, 5 2009,
but not 7.3.41.1, a section of a manual, nor 8.25, a figure of it, nor 2009 alone, as in a list of
references."""

_AM_PM = r"(?:\s?[ap]\.?m\b\.?)?"
_SPAN = re.compile(
    rf"(?<![\d.])(?:[01]?\d|2[0-4])([:.h])[0-5]\d{_AM_PM}\s*[-–—]\s*"
    rf"(?:[01]?\d|2[0-4])\1[0-5]\d(?!\.?\d){_AM_PM}",
    re.IGNORECASE,
)
"""From one hour to another: an entry of a programme is written at none of them. No day and clock:
"10.12.08 - 10:31"."""

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")

LONGEST_DAY = 40
"""Characters of a text in which a day without a year is a time ("Jun 12"). Origin: guess; the lines
of a log are longer."""

LONGEST_COMMENT_BYLINE = 120
"""Characters of the block that says who wrote a comment and when. Origin: guess."""


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


def running(values: Iterable[int]) -> list[int]:
    """The sum of the first 0, 1, 2 ... values: what a run of blocks has is a difference of two.

    >>> running([3, 0, 4])
    [0, 3, 3, 7]
    """
    return list(accumulate(values, initial=0))


class BlockSums:
    """Running sums over the blocks of a page."""

    def __init__(self, tree: LayoutTree, frame: frozenset[str], languages: tuple[str, ...]) -> None:
        blocks, moments = tree.blocks, {index for index, _ in tree.times}
        self.weights = running(block.weight for block in blocks)
        self.lengths = running(len(block.text) for block in blocks)
        self.own = running(block.text not in frame for block in blocks)
        """Blocks that are none of the site's frame."""
        timed = [
            b.text not in frame and (b.index in moments or _bears_time(b.text, languages))
            for b in blocks
        ]
        self.timed = running(timed)
        """Blocks that may be the byline of a comment; those of the frame are none."""
        self.dated = running(
            is_timed or (b.text not in frame and _bears_year(b.text))
            for b, is_timed in zip(blocks, timed, strict=True)
        )
        """Blocks that may be that of an article, for which a year will do."""


@lru_cache(maxsize=MOST_LINES)
def _bears_time(text: str, languages: tuple[str, ...]) -> bool:
    if len(text) >= LONGEST_COMMENT_BYLINE:
        return False
    if LIKE_A_TIME.search(_SPAN.sub("", text)):
        return True
    may_have_day = len(text) < LONGEST_DAY or _bears_year(text)
    return may_have_day and has_day(text, month_names(languages))


def _bears_year(text: str) -> bool:
    return len(text) < LONGEST_COMMENT_BYLINE and _YEAR.search(text) is not None
