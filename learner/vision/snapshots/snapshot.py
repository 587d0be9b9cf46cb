"""A page as it was drawn: its nodes in arrays, their boxes, styles and texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from learner.vision.snapshots.arrays import Bools, Floats, Ints, SnapshotError, read_indices
from learner.vision.snapshots.nodes import TEXT, levels_of, nearest_without
from learner.vision.snapshots.styles import pixels_of, rgba_of
from learner.vision.snapshots.visibility import opacity_in_page, seen_boxes

_Value = TypeVar("_Value")


@dataclass(frozen=True, eq=False, kw_only=True)
class Snapshot:
    """A page as it was drawn: `n` nodes in document order, parents first, of the main frame.

    Arrays of the length `n` have a row for each node, in document pixels where they measure. The
    node 0 is the document. Pseudo-elements (`::before`) are nodes, too.
    """

    url: str
    """Address of the document."""
    title: str
    """Text of its title element, empty if it has none."""
    width: float
    """Of the whole document, at least that of the viewport."""
    height: float
    viewport: tuple[float, float]
    """Width and height of the window that it was drawn for."""

    parent: Ints
    """(n,) The parent of each node, before it; -1 for the document."""
    end: Ints
    """(n,) The node after the last one below each node: `range(node, end[node])` is its subtree."""
    depth: Ints
    """(n,) Steps from the document."""
    node_type: Ints
    """(n,) Type as the DOM numbers it: 1 element, 3 text, 8 comment, 9 document."""
    tags: tuple[str, ...]
    """Name of each node, lower case: of an element its tag, of a pseudo-element such as
    `::before`, else `#text`, `#comment`, `#doctype`, `#document`."""

    has_box: Bools
    """(n,) Whether the node is laid out: not where `display` is `none`."""
    box: Floats
    """(n, 4) Left, top, width and height; zeros without a box. A text's box holds all its lines."""
    paint_order: Ints
    """(n,) When it is painted: what has more lies above; -1 without a box."""
    is_clickable: Bools
    """(n,) Whether a click does something: links, controls, listeners of scripts."""

    text_node: Ints
    """(m,) The text node that each text box, a piece of a line, belongs to."""
    text_box: Floats
    """(m, 4) Left, top, width and height of each text box."""
    text_start: Ints
    """(m,) Where the piece begins in the node's `drawn_text`, in UTF-16 units."""
    text_length: Ints
    """(m,) Its UTF-16 units."""

    _strings: tuple[str, ...]
    _value: Ints
    """(n,) Place in `_strings` of the node's value; -1 without."""
    _drawn: Ints
    """(n,) Place in `_strings` of the text as it is laid out; -1 without."""
    _attributes: Sequence[Any]
    _style: dict[str, Ints]
    """Computed style -> (n,) place in `_strings` of its value; -1 without a box."""

    def __len__(self) -> int:
        return len(self.parent)

    # Single nodes

    def attributes(self, node: int) -> dict[str, str]:
        """The attributes of an element; of equal names the first."""
        found: dict[str, str] = {}
        flat = read_indices(self._attributes[node], -1, len(self._strings), "attributes")
        for name, value in zip(flat[::2].tolist(), flat[1::2].tolist(), strict=False):
            found.setdefault(self._string(name), self._string(value))
        return found

    def text(self, node: int) -> str:
        """The value of a text or comment as it stands in the document; empty for others."""
        return self._string(int(self._value[node]))

    def drawn_text(self, node: int) -> str:
        """The text of a node as it is laid out, white space collapsed; empty if it is not."""
        return self._string(int(self._drawn[node]))

    def text_of_box(self, number: int) -> str:
        """The piece of text that a text box holds."""
        units = self.drawn_text(int(self.text_node[number])).encode("utf-16-le", "surrogatepass")
        start, length = 2 * int(self.text_start[number]), 2 * int(self.text_length[number])
        return units[start : start + length].decode("utf-16-le", "replace")

    def children(self, node: int) -> list[int]:
        """The nodes right below a node, in order."""
        below = self.parent[node + 1 : self.end[node]] == node
        return [node + 1 + place for place in below.nonzero()[0].tolist()]

    def ancestors(self, node: int) -> Iterator[int]:
        """The nodes above a node, from its parent to the document."""
        above = int(self.parent[node])
        while above >= 0:
            yield above
            above = int(self.parent[above])

    def xpath(self, node: int) -> str:
        """Where a node stands, by position among its siblings of the same name.

        Of the document it is `/`, of an element such as `/html/body/div[2]`, of a text
        `/html/body/p/text()[1]`. The place is left out where a name stands once.
        """
        steps = []
        while node > 0:
            above = int(self.parent[node])
            same = [each for each in self.children(above) if self.tags[each] == self.tags[node]]
            name = "text()" if self.tags[node] == "#text" else self.tags[node]
            steps.append(f"{name}[{same.index(node) + 1}]" if len(same) > 1 else name)
            node = above
        return "/" + "/".join(reversed(steps))

    def visible_text(
        self, *nodes: int, without: Iterable[int] = (), as_written: bool = False
    ) -> str:
        """The text that is to be seen below some nodes (or of a text) and not below others, in the
        page's order: a line for each block. `as_written` gives it as it stands in the document, in
        capitals only if it is written so."""
        read = self.text if as_written else self.drawn_text
        first = min(nodes, default=0)
        texts = np.zeros(max((int(self.end[node]) for node in nodes), default=0) - first, bool)
        for node in nodes:
            part = slice(node - first, self.end[node] - first)
            texts[part] = self._visible_texts[node : self.end[node]]
        for node in without:
            texts[max(0, node - first) : max(0, self.end[node] - first)] = False
        lines: list[str] = []
        last = -1
        for each in (texts.nonzero()[0] + first).tolist():
            block = int(self.block_level[each])
            if block == last:
                lines[-1] += read(each)
            else:
                lines.append(read(each))
            last = block
        collapsed = (" ".join(line.split()) for line in lines)
        return "\n".join(filter(None, collapsed))

    # All nodes

    def is_tag(self, *names: str) -> Bools:
        """(n,) Whether a node is an element of one of these names (lower case)."""
        return np.fromiter((tag in names for tag in self.tags), bool, len(self))

    def style(self, name: str) -> list[str]:
        """The computed value of a style of each node; empty without a box. SnapshotError if the
        snapshot does not have the style. A text has what its parent has, be it inherited or not."""
        return self._by_value(name, str, "")

    def pixels(self, name: str) -> Floats:
        """(n,) A style's length in pixels, or its number (`opacity`, `font-weight`); NaN without a
        box and for words such as `auto` and `normal`."""
        return np.array(self._by_value(name, pixels_of, np.nan), dtype=np.float32)

    def rgba(self, name: str) -> Floats:
        """(n, 4) A style's colour, each part from 0 to 1; NaN without a box, and where it is not
        told as red, green and blue."""
        nothing = (np.nan,) * 4
        return np.array(self._by_value(name, rgba_of, nothing), dtype=np.float32).reshape(-1, 4)

    def _by_value(self, name: str, read: Callable[[str], _Value], absent: _Value) -> list[_Value]:
        """`read` of each node's value of a style; each value is read once."""
        if name not in self._style:
            raise SnapshotError(f"snapshot: expected the style {name!r}, got {[*self._style]}")
        places = self._style[name]
        known = {place: read(self._string(place)) for place in np.unique(places).tolist()}
        known[-1] = absent
        return [known[place] for place in places.tolist()]

    @cached_property
    def area(self) -> Floats:
        """(n,) Square pixels of each box."""
        return self.box[:, 2] * self.box[:, 3]

    @cached_property
    def is_visible(self) -> Bools:
        """(n,) Whether something of a node can be seen, if need be by scrolling: it has an area,
        inside the document and what clips it, and neither it nor what holds it is transparent."""
        left, top, right, bottom = self.seen.T
        shown = self._styles_are("visibility", "visible") & self.has_box
        visible: Bools = shown & (right > left) & (bottom > top) & (self._opacity > 0)
        return visible

    def _styles_are(self, name: str, *values: str) -> Bools:
        read = self._by_value(name, lambda value: value in values, False)
        return np.array(read, dtype=bool)

    @cached_property
    def _opacity(self) -> Floats:
        own = np.nan_to_num(self.pixels("opacity"), nan=1.0)
        own[self.node_type == TEXT] = 1  # its parent's
        return opacity_in_page(own, self.parent, self._levels)

    @cached_property
    def seen(self) -> Floats:
        """(n, 4) Left, top, right and bottom of each box inside of what clips it.

        A box that hides its overflow clips what is below; what is placed absolutely only where
        it is placed itself, what is fixed not at all. The overflow of the root and the body is
        that of the window.
        """
        edges = np.concatenate([self.box[:, :2], self.box[:, :2] + self.box[:, 2:]], axis=1)
        page = np.array([0, 0, self.width, self.height], dtype=np.float32)
        position = np.array(self.style("position"), dtype=object)
        position[self.node_type == TEXT] = "static"
        clips = (
            self._styles_are("overflow-x", "hidden", "clip")
            & self._styles_are("overflow-y", "hidden", "clip")
            & ~self.is_tag("html", "body")
        )
        return seen_boxes(edges, page, position, clips, self.parent, self._levels)

    @cached_property
    def _levels(self) -> list[Ints]:
        return levels_of(self.depth)

    @cached_property
    def _visible_texts(self) -> Bools:
        found: Bools = (self.node_type == TEXT) & self.is_visible & (self._drawn >= 0)
        return found

    @cached_property
    def block_level(self) -> Ints:
        """(n,) The nearest node, itself or above, that is not in a line."""
        is_inline = self._styles_are("display", "inline", "contents") | (self.node_type == TEXT)
        return nearest_without(is_inline, self.parent, self._levels)

    def _string(self, place: int) -> str:
        return self._strings[place] if place >= 0 else ""
