"""Which elements of a page are kept around the lines of a text, and what stands in each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from extractor.structure.pictures import Placed
from learner.page.tree import HEADINGS, LayoutTree, TreeBlock

DEEPEST = 32
"""Kept elements inside each other. Origin: guess, against hostile pages."""

LINES = HEADINGS | {"p", "pre"}
"""Elements that hold lines and nothing else."""

CELLS = frozenset({"td", "th"})

PARENTS = {
    "li": frozenset({"ul", "ol"}),
    "dt": frozenset({"dl"}),
    "dd": frozenset({"dl"}),
    "tr": frozenset({"table"}),
    "td": frozenset({"tr"}),
    "th": frozenset({"tr"}),
    "caption": frozenset({"table"}),
    "figcaption": frozenset({"figure"}),
}
"""What must stand in another element, and in which."""

BOXES = frozenset({"ul", "ol", "dl", "table", "blockquote", "figure"})
"""Elements that hold others."""


@dataclass(frozen=True, slots=True)
class Run:
    """Lines that follow each other in one element of the page."""

    element: int
    blocks: list[TreeBlock]


@dataclass(frozen=True, slots=True)
class Element:
    """A kept element of a text, and what stands in it."""

    index: int
    """Which element of the page it is; -1 for the text itself."""
    tag: str
    items: list[Item] = field(default_factory=list)


Item = Run | Element | Placed


def kept_elements(
    tree: LayoutTree, body: Sequence[TreeBlock], pictures: Sequence[Placed]
) -> Element:
    """The text as kept elements: what a layout wraps around them is left away, tables among it
    that no row of which has two cells with text."""
    return _Builder(tree, body, pictures).build()


class _Builder:
    """Sorts lines and pictures into the elements that are kept around them."""

    def __init__(
        self, tree: LayoutTree, body: Sequence[TreeBlock], pictures: Sequence[Placed]
    ) -> None:
        self._tree = tree
        self._body = body
        # A picture in a line of the text is written with it.
        inside = {block.index for block in body}
        self._pictures = [
            each
            for each in pictures
            if each.index not in inside or tree.blocks[each.index].element != each.element
        ]
        self._top = _top(tree, body)
        self._root = Element(-1, "")
        self._kept: dict[int, Element] = {}
        """For each element of the page the kept one that it is, or that is next around it."""
        self._depths = {-1: 0}
        self._figures = {each.figure for each in pictures}
        self._tables = _data_tables(tree, body)

    def build(self) -> Element:
        """The text itself, with all that stands in it."""
        for item in self._in_order():
            if isinstance(item, Placed):
                self._around(item.element).items.append(item)
                continue
            items = self._around(item.element).items
            last = items[-1] if items else None
            if isinstance(last, Run) and last.element == item.element:
                last.blocks.append(item)
            else:
                items.append(Run(item.element, [item]))
        return self._root

    def _in_order(self) -> Iterator[TreeBlock | Placed]:
        """Lines and pictures, a picture before the line that comes next."""
        pictures = iter(self._pictures)
        picture = next(pictures, None)
        for block in self._body:
            while picture and picture.index <= block.index:
                yield picture
                picture = next(pictures, None)
            yield block
        if picture:
            yield picture
        yield from pictures

    def _around(self, element: int) -> Element:
        """The kept element that an element of the page is, or that is next around it."""
        path = []
        for each in self._tree.ancestors(element):
            if each in self._kept or each == self._top:
                break
            path.append(each)
        else:
            each = self._top
        around = self._kept.get(each, self._root)
        for inner in reversed(path):
            around = self._kept[inner] = self._inside(around, inner)
        return around

    def _inside(self, around: Element, element: int) -> Element:
        """An element of the page inside a kept one: itself if it is kept."""
        tag, depth = self._tree.tags[element], self._depths[around.index]
        if depth >= DEEPEST or not self._is_kept(around, element, tag):
            return around
        found = Element(element, tag)
        self._depths[element] = depth + 1
        around.items.append(found)
        return found

    def _is_kept(self, around: Element, element: int, tag: str) -> bool:
        if around.tag == "pre":
            return False
        if tag in PARENTS:
            return around.tag in PARENTS[tag]
        if tag == "table":
            return element in self._tables
        if tag == "figure":
            return element in self._figures
        return tag in LINES or tag in BOXES


def _top(tree: LayoutTree, body: Sequence[TreeBlock]) -> int:
    """The innermost element around all lines that holds others by itself, -1 above `body`: what is
    a part of a list or a table says nothing without it."""
    first, last = body[0].index, body[-1].index
    for element in tree.ancestors(body[0].element):
        holds_all = tree.starts[element] <= first and last < tree.ends[element]
        tag = tree.tags[element]
        if holds_all and tag not in BOXES and tag not in LINES and tag not in PARENTS:
            return element
        if holds_all and tag in CELLS:
            return element
    return -1


def _data_tables(tree: LayoutTree, body: Sequence[TreeBlock]) -> set[int]:
    """The tables of which a row has two cells with lines of the text: the others are layout."""
    cells: defaultdict[int, set[int]] = defaultdict(set)
    seen: set[int] = set()
    for block in body:
        for element in tree.ancestors(block.element):
            if element in seen:
                break
            seen.add(element)
            if tree.tags[element] in CELLS:
                cells[tree.parents[element]].add(element)
    rows = [row for row, found in cells.items() if row >= 0 and len(found) > 1]
    tables = (
        next((e for e in tree.ancestors(row) if tree.tags[e] == "table"), None) for row in rows
    )
    return {table for table in tables if table is not None}
