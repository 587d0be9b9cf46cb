"""Snapshots as Chromium gives them, read.

What is read is the answer to `DOMSnapshot.captureSnapshot` of the Chrome DevTools Protocol, as
JSON, gzip'd or not. It comes from a page that anyone may have made, so that all of it is checked:
what is damaged or too large is a SnapshotError, nothing else.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crawler.fetching.browser.capture import STYLES, STYLES_KEY
from learner.vision.snapshots.arrays import (
    Ints,
    SnapshotError,
    read_boxes,
    read_indices,
    read_size,
)
from learner.vision.snapshots.nodes import read_tags, read_tree
from learner.vision.snapshots.snapshot import Snapshot

MAX_JSON_BYTES = 64 * 2**20
"""Bytes of a snapshot once unpacked. Origin: guess, see docs/decisions.md."""
MAX_NODES = 200_000
"""Nodes of a page. Origin: guess; Chromium's own warning for large pages is at 1,500."""


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
    parent, end, depth = read_tree(nodes["parentIndex"])
    names = read_indices(nodes["nodeName"], 0, n_strings, "nodeName", n_nodes)
    types = read_indices(nodes["nodeType"], 0, 256, "nodeType", n_nodes)
    if len(nodes["attributes"]) != n_nodes:
        raise SnapshotError(f"snapshot: expected attributes of {n_nodes} nodes")

    laid_out = read_indices(layout["nodeIndex"], 0, n_nodes, "layout.nodeIndex")
    # A pseudo-element has a row for its box, then one for its text.
    with_box, first_row = np.unique(laid_out, return_index=True)
    n_rows = len(laid_out)
    bounds = read_boxes(layout["bounds"], n_rows, "layout.bounds")
    order = read_indices(layout["paintOrders"], 0, None, "layout.paintOrders", n_rows)
    drawn = read_indices(layout["text"], -1, n_strings, "layout.text", n_rows)
    styles = _styles(raw, layout["styles"], n_rows, n_strings)

    def per_node(values: NDArray[Any], absent: Any) -> NDArray[Any]:
        spread = np.full((n_nodes, *values.shape[1:]), absent, dtype=values.dtype)
        spread[with_box] = values[first_row]
        return spread

    # The last row of a node has its text.
    drawn_of_node = np.full(n_nodes, -1, dtype=np.int32)
    drawn_of_node[laid_out] = drawn
    clickable = np.zeros(n_nodes, dtype=bool)
    clickable[read_indices(nodes["isClickable"]["index"], 0, n_nodes, "isClickable")] = True
    text_rows = read_indices(boxes["layoutIndex"], 0, n_rows, "textBoxes.layoutIndex")
    n_boxes = len(text_rows)
    box = per_node(bounds, 0)
    window = bounds[0, 2:] if n_rows else np.zeros(2, dtype=np.float32)
    return Snapshot(
        url=_named(strings, document.get("documentURL", -1)),
        title=_named(strings, document.get("title", -1)),
        width=read_size(document.get("contentWidth", 0), window[0]),
        height=read_size(document.get("contentHeight", 0), window[1]),
        viewport=(float(window[0]), float(window[1])),
        parent=parent,
        end=end,
        depth=depth,
        node_type=types,
        tags=read_tags(strings, names, types),
        has_box=per_node(np.ones(n_rows, dtype=bool), False),
        box=box,
        paint_order=per_node(order, -1),
        is_clickable=clickable,
        text_node=laid_out[text_rows],
        text_box=read_boxes(boxes["bounds"], n_boxes, "textBoxes.bounds"),
        text_start=read_indices(boxes["start"], 0, None, "textBoxes.start", n_boxes),
        text_length=read_indices(boxes["length"], 0, None, "textBoxes.length", n_boxes),
        _strings=strings,
        _value=read_indices(nodes["nodeValue"], -1, n_strings, "nodeValue", n_nodes),
        _drawn=drawn_of_node,
        _attributes=nodes["attributes"],
        _style={name: per_node(column, -1) for name, column in styles.items()},
    )


def _styles(
    raw: dict[str, Any], rows: Sequence[Any], n_rows: int, n_strings: int
) -> dict[str, Ints]:
    """Style -> its place in the strings for each row of the layout; -1 for rows without styles."""
    names = raw.get(STYLES_KEY, STYLES)
    if len(rows) != n_rows or not all(len(row) in (0, len(names)) for row in rows):
        raise SnapshotError(f"snapshot: expected {len(names)} styles of {n_rows} boxes, got others")
    absent = [-1] * len(names)
    flat = [place for row in rows for place in (row or absent)]
    table = read_indices(flat, -1, n_strings, "layout.styles").reshape(n_rows, len(names))
    return {str(name): table[:, number] for number, name in enumerate(names)}


def _named(strings: tuple[str, ...], place: Any) -> str:
    checked = int(read_indices([place], -1, len(strings), "documents")[0])
    return strings[checked] if checked >= 0 else ""
