"""A rendered page without a browser: the DOM snapshot that Chromium gives, as arrays.

What is read is the answer to `DOMSnapshot.captureSnapshot` of the Chrome DevTools Protocol, as
JSON, gzip'd or not. It comes from a page that anyone may have made, so that all of it is checked:
what is damaged or too large is a SnapshotError, nothing else.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from crawler.fetching.browser.capture import STYLES, STYLES_KEY

MAX_JSON_BYTES = 64 * 2**20
"""Bytes of a snapshot once unpacked. Origin: guess, see docs/decisions.md."""
MAX_NODES = 200_000
"""Nodes of a page. Origin: guess; Chromium's own warning for large pages is at 1,500."""
MAX_COORDINATE = 1e8
"""Pixels that a box may lie from the origin. Origin: Chromium's own are below 2**25."""

ELEMENT = 1
"""Node type of an element, as the DOM numbers them."""
TEXT = 3
"""Node type of a text."""
DOCTYPE = 10
"""Node type of a document type, whose name is that of the root."""

Bools = NDArray[np.bool_]
Ints = NDArray[np.int32]
Floats = NDArray[np.float32]
_Value = TypeVar("_Value")

_COLOR = re.compile(r"rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)")
_PIXELS = re.compile(r"-?\d+(?:\.\d+)?(?=px$|$)")


class SnapshotError(ValueError):
    """A snapshot is damaged, too large, or none at all."""


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
        flat = _indices(self._attributes[node], -1, len(self._strings), "attributes")
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
        return np.array(self._by_value(name, _pixels, np.nan), dtype=np.float32)

    def rgba(self, name: str) -> Floats:
        """(n, 4) A style's colour, each part from 0 to 1; NaN without a box, and where it is not
        told as red, green and blue."""
        nothing = (np.nan,) * 4
        return np.array(self._by_value(name, _rgba, nothing), dtype=np.float32).reshape(-1, 4)

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
        """(n,) Opacity with that of all above multiplied in."""
        own = np.nan_to_num(self.pixels("opacity"), nan=1.0)
        own[self.node_type == TEXT] = 1  # its parent's
        for level in self._levels[1:]:
            own[level] *= own[self.parent[level]]
        return own

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
        is_placed = (position != "static") & (position != "")
        clips = (
            self._styles_are("overflow-x", "hidden", "clip")
            & self._styles_are("overflow-y", "hidden", "clip")
            & ~self.is_tag("html", "body")
        )
        inside = np.tile(page, (len(self), 1))
        """What a node's children are seen in: those in the flow, and those placed absolutely."""
        placed_inside = inside.copy()
        seen = edges.copy()
        for level in self._levels[1:]:
            above = self.parent[level]
            frame = inside[above]
            absolute = position[level] == "absolute"
            frame[absolute] = placed_inside[above][absolute]
            frame[position[level] == "fixed"] = page
            seen[level] = _intersection(edges[level], frame)
            inside[level] = np.where(clips[level, None], seen[level], frame)
            placed_inside[level] = np.where(
                is_placed[level, None], inside[level], placed_inside[above]
            )
        return seen

    @cached_property
    def _levels(self) -> list[Ints]:
        """The nodes of each depth."""
        order = np.argsort(self.depth, kind="stable").astype(np.int32)
        bounds = np.cumsum(np.bincount(self.depth))[:-1]
        return np.split(order, bounds)

    @cached_property
    def _visible_texts(self) -> Bools:
        found: Bools = (self.node_type == TEXT) & self.is_visible & (self._drawn >= 0)
        return found

    @cached_property
    def block_level(self) -> Ints:
        """(n,) The nearest node, itself or above, that is not in a line."""
        is_text = self.node_type == TEXT
        is_inline = is_text | self._styles_are("display", "inline", "contents")
        block = np.arange(len(self), dtype=np.int32)
        for level in self._levels[1:]:
            inline = level[is_inline[level]]
            block[inline] = block[self.parent[inline]]
        return block

    def _string(self, place: int) -> str:
        return self._strings[place] if place >= 0 else ""


def _intersection(edges: Floats, frame: Floats) -> Floats:
    low = np.maximum(edges[:, :2], frame[:, :2])
    high = np.minimum(edges[:, 2:], frame[:, 2:])
    return np.concatenate([low, np.maximum(low, high)], axis=1)


def _pixels(value: str) -> float:
    """
    >>> _pixels("16.5px"), _pixels("400"), _pixels("normal")
    (16.5, 400.0, nan)
    """
    number = _PIXELS.match(value)
    return float(number[0]) if number else float("nan")


def _rgba(value: str) -> tuple[float, float, float, float]:
    """
    >>> _rgba("rgb(255, 0, 51)"), _rgba("rgba(0, 0, 0, 0.5)")
    ((1.0, 0.0, 0.2, 1.0), (0.0, 0.0, 0.0, 0.5))
    """
    parts = _COLOR.match(value)
    if not parts:
        return (float("nan"),) * 4
    red, green, blue = (int(part) / 255 for part in parts.groups()[:3])
    return red, green, blue, float(parts[4] or 1)


# Reading


def read_snapshot(data: bytes) -> Snapshot:
    """The main frame's page of a snapshot, gzip'd or plain JSON; SnapshotError if it is none."""
    try:
        return _snapshot(_parsed(data))
    except (KeyError, IndexError, TypeError, ValueError, OverflowError) as problem:
        if isinstance(problem, SnapshotError):
            raise
        raise SnapshotError(
            f"snapshot: expected an answer of captureSnapshot, got {problem!r}"
        ) from problem


def _parsed(data: bytes) -> dict[str, Any]:
    if data[:2] == b"\x1f\x8b":
        data = _unpacked(data)
    if len(data) > MAX_JSON_BYTES:
        raise SnapshotError(f"snapshot: expected at most {MAX_JSON_BYTES} bytes, got more")
    try:
        parsed = json.loads(data)
    except (ValueError, RecursionError) as problem:
        raise SnapshotError(f"snapshot: expected JSON, got {problem}") from problem
    if not isinstance(parsed, dict):
        raise SnapshotError(f"snapshot: expected an object, got {type(parsed).__name__}")
    return parsed


def _unpacked(data: bytes) -> bytes:
    reader = zlib.decompressobj(wbits=31)
    try:
        plain = reader.decompress(data, MAX_JSON_BYTES + 1)
    except zlib.error as problem:
        raise SnapshotError(f"snapshot: expected gzip, got {problem}") from problem
    if len(plain) <= MAX_JSON_BYTES and not reader.eof:
        raise SnapshotError("snapshot: expected gzip to its end, got a part of it")
    return plain


def _snapshot(raw: dict[str, Any]) -> Snapshot:
    strings = tuple(raw["strings"])
    if not all(isinstance(each, str) for each in strings):
        raise SnapshotError("snapshot: expected strings alone in 'strings'")
    document = raw["documents"][0]
    nodes, layout, boxes = document["nodes"], document["layout"], document["textBoxes"]
    n_nodes, n_strings = len(nodes["parentIndex"]), len(strings)
    if not 0 < n_nodes <= MAX_NODES:
        raise SnapshotError(f"snapshot: expected 1 to {MAX_NODES} nodes, got {n_nodes}")
    parent, end, depth = _tree(nodes["parentIndex"])
    names = _indices(nodes["nodeName"], 0, n_strings, "nodeName", n_nodes)
    types = _indices(nodes["nodeType"], 0, 256, "nodeType", n_nodes)
    if len(nodes["attributes"]) != n_nodes:
        raise SnapshotError(f"snapshot: expected attributes of {n_nodes} nodes")

    laid_out = _indices(layout["nodeIndex"], 0, n_nodes, "layout.nodeIndex")
    # A pseudo-element has a row for its box, then one for its text.
    with_box, first_row = np.unique(laid_out, return_index=True)
    n_rows = len(laid_out)
    bounds = _boxes(layout["bounds"], n_rows, "layout.bounds")
    order = _indices(layout["paintOrders"], 0, None, "layout.paintOrders", n_rows)
    drawn = _indices(layout["text"], -1, n_strings, "layout.text", n_rows)
    styles = _styles(raw, layout["styles"], n_rows, n_strings)

    def per_node(values: NDArray[Any], absent: Any) -> NDArray[Any]:
        spread = np.full((n_nodes, *values.shape[1:]), absent, dtype=values.dtype)
        spread[with_box] = values[first_row]
        return spread

    # The last row of a node has its text.
    drawn_of_node = np.full(n_nodes, -1, dtype=np.int32)
    drawn_of_node[laid_out] = drawn
    clickable = np.zeros(n_nodes, dtype=bool)
    clickable[_indices(nodes["isClickable"]["index"], 0, n_nodes, "isClickable")] = True
    text_rows = _indices(boxes["layoutIndex"], 0, n_rows, "textBoxes.layoutIndex")
    n_boxes = len(text_rows)
    box = per_node(bounds, 0)
    window = bounds[0, 2:] if n_rows else np.zeros(2, dtype=np.float32)
    return Snapshot(
        url=_named(strings, document.get("documentURL", -1)),
        title=_named(strings, document.get("title", -1)),
        width=_size(document.get("contentWidth", 0), window[0]),
        height=_size(document.get("contentHeight", 0), window[1]),
        viewport=(float(window[0]), float(window[1])),
        parent=parent,
        end=end,
        depth=depth,
        node_type=types,
        tags=_tags(strings, names, types),
        has_box=per_node(np.ones(n_rows, dtype=bool), False),
        box=box,
        paint_order=per_node(order, -1),
        is_clickable=clickable,
        text_node=laid_out[text_rows],
        text_box=_boxes(boxes["bounds"], n_boxes, "textBoxes.bounds"),
        text_start=_indices(boxes["start"], 0, None, "textBoxes.start", n_boxes),
        text_length=_indices(boxes["length"], 0, None, "textBoxes.length", n_boxes),
        _strings=strings,
        _value=_indices(nodes["nodeValue"], -1, n_strings, "nodeValue", n_nodes),
        _drawn=drawn_of_node,
        _attributes=nodes["attributes"],
        _style={name: per_node(column, -1) for name, column in styles.items()},
    )


def _tree(parents: Sequence[int]) -> tuple[Ints, Ints, Ints]:
    """Parent, end and depth of each node; SnapshotError unless they are in document order.

    >>> [each.tolist() for each in _tree([-1, 0, 1, 0])]
    [[-1, 0, 1, 0], [4, 3, 3, 4], [0, 1, 2, 1]]
    """
    n_nodes = len(parents)
    end, depth = np.full(n_nodes, n_nodes, dtype=np.int32), np.zeros(n_nodes, dtype=np.int32)
    above: list[int] = []
    for node, parent in enumerate(parents):
        while above and above[-1] != parent:
            end[above.pop()] = node
        if (node and not above) or (not node and parent != -1):
            raise SnapshotError(f"snapshot: node {node} does not stand below its parent {parent!r}")
        depth[node] = len(above)
        above.append(node)
    return np.array(parents, dtype=np.int32), end, depth


def _tags(strings: tuple[str, ...], names: Ints, types: Ints) -> tuple[str, ...]:
    lower = {place: strings[place].lower() for place in np.unique(names).tolist()}
    tags = [lower[place] for place in names.tolist()]
    for node in (types == DOCTYPE).nonzero()[0].tolist():
        tags[node] = "#doctype"
    return tuple(tags)


def _indices(
    values: Sequence[Any], low: int, high: int | None, name: str, length: int | None = None
) -> Ints:
    """The values as whole numbers from `low` to below `high`, `length` of them."""
    found = np.array(values, dtype=np.int64) if len(values) else np.zeros(0, dtype=np.int64)
    limit = 2**31 if high is None else high
    if found.ndim != 1 or (length is not None and len(found) != length):
        raise SnapshotError(f"snapshot: expected {length} numbers in {name}, got {found.shape}")
    if len(found) and (found.min() < low or found.max() >= limit):
        raise SnapshotError(
            f"snapshot: expected {low} to {limit - 1} in {name}, got {found.min()} to {found.max()}"
        )
    return found.astype(np.int32)


def _boxes(values: Sequence[Any], length: int, name: str) -> Floats:
    """The values as boxes: left, top, width and height."""
    found = np.array(values, dtype=np.float64).reshape(len(values), -1 if len(values) else 4)
    if found.shape != (length, 4):
        raise SnapshotError(f"snapshot: expected {length} boxes in {name}, got {found.shape}")
    if not (np.abs(found) <= MAX_COORDINATE).all() or (found[:, 2:] < 0).any():
        raise SnapshotError(f"snapshot: expected sizes of 0 and more in {name}, got others")
    return found.astype(np.float32)


def _styles(
    raw: dict[str, Any], rows: Sequence[Any], n_rows: int, n_strings: int
) -> dict[str, Ints]:
    """Style -> its place in the strings for each row of the layout; -1 for rows without styles."""
    names = raw.get(STYLES_KEY, STYLES)
    if len(rows) != n_rows or not all(len(row) in (0, len(names)) for row in rows):
        raise SnapshotError(f"snapshot: expected {len(names)} styles of {n_rows} boxes, got others")
    absent = [-1] * len(names)
    flat = [place for row in rows for place in (row or absent)]
    table = _indices(flat, -1, n_strings, "layout.styles").reshape(n_rows, len(names))
    return {str(name): table[:, number] for number, name in enumerate(names)}


def _named(strings: tuple[str, ...], place: Any) -> str:
    checked = int(_indices([place], -1, len(strings), "documents")[0])
    return strings[checked] if checked >= 0 else ""


def _size(value: Any, least: Any) -> float:
    if not 0 <= float(value) <= MAX_COORDINATE:
        raise SnapshotError(f"snapshot: expected a size of 0 and more, got {value!r}")
    return max(float(value), float(least))
