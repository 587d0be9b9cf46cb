"""What stands where on a page, as maps: what eyes learn to see, and how a box is told by them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from learner.vision.candidates.sight.strips import CELL, WIDTH
from learner.vision.candidates.texts import PageTexts
from learner.vision.snapshots.arrays import Floats
from learner.vision.snapshots.snapshot import Snapshot

MAPS = ("running", "linked", "other", "large", "picture", "control")
"""Shares of a cell that are covered by the text boxes of running text, links, other text, text that
is larger than the running text, by pictures, and by what is filled in."""

LARGE = 1.25
"""Font size from which on a text is large, in those of the running text. Origin: guess."""

_PICTURES = ("img", "svg", "video", "canvas", "iframe")
_CONTROLS = ("input", "select", "textarea", "button")


Table = NDArray[np.float64]
Cells = NDArray[np.int64]


def maps_of(snapshot: Snapshot, n_rows: int, pixels: float) -> Floats:
    """(n_rows, WIDTH / CELL, len(MAPS)) What a page shows in each cell, which is `pixels` wide."""
    found = np.zeros((n_rows, WIDTH // CELL, len(MAPS)), np.float32)
    texts = PageTexts(snapshot)
    kind = np.full(len(snapshot), -1)
    kind[texts.nodes] = np.where(
        texts.is_linked, MAPS.index("linked"),
        np.where(texts.is_running, MAPS.index("running"), MAPS.index("other")),
    )  # fmt: skip
    sizes = np.nan_to_num(snapshot.pixels("font-size"))
    running = sizes[texts.nodes][texts.is_running]
    usual = float(np.median(running)) if len(running) else np.inf
    for node, box in zip(snapshot.text_node.tolist(), snapshot.text_box, strict=True):
        if kind[node] >= 0:
            is_large = sizes[node] >= LARGE * usual
            _paint(found[:, :, MAPS.index("large") if is_large else kind[node]], box / pixels)
    for name, tags in (("picture", _PICTURES), ("control", _CONTROLS)):
        for node in np.flatnonzero(snapshot.is_visible & snapshot.is_tag(*tags)).tolist():
            _paint(found[:, :, MAPS.index(name)], snapshot.box[node] / pixels)
    return np.minimum(found, 1)


def _paint(cells: Floats, box: Floats) -> None:
    """Add to each cell how much of it a box covers."""
    left, top, width, height = box.tolist()
    rows = _covered(top, top + height, len(cells))
    columns = _covered(left, left + width, cells.shape[1])
    (first, last), (start, end) = rows[1], columns[1]
    cells[first:last, start:end] += np.outer(rows[0], columns[0])


def _covered(low: float, high: float, n_cells: int) -> tuple[Floats, tuple[int, int]]:
    """How much of each cell a stretch covers, and which cells."""
    first = int(np.clip(np.floor(low), 0, n_cells))
    last = int(np.clip(np.ceil(high), first, n_cells))
    edges = np.arange(first, last, dtype=np.float32)
    covered = np.minimum(edges + 1, high) - np.maximum(edges, low)
    return covered.astype(np.float32), (first, last)


TOLD = (
    "left", "top", "width", "height", "right_rest", "bottom_rest", "area", "flatness",
    *(f"{name}_of_page" for name in MAPS), *(f"{name}_density" for name in MAPS),
    *(f"{name}_around" for name in MAPS), *(f"{name}_beside_inner" for name in MAPS),
    *(f"{name}_above" for name in MAPS), "agreement", "around", "beside_inner", "n_around",
)  # fmt: skip
"""What is told of a box."""


def told_of(maps: Floats, boxes: Floats, pixels: float) -> Floats:
    """(n, len(TOLD)) Each box by what the maps show in it, around it and above it: the sums of maps
    under the mask of a box, pooled for all boxes from one table of running sums. `boxes` are left,
    top, width and height in pixels of the page, of which a cell has `pixels`."""
    if not len(boxes):
        return np.zeros((0, len(TOLD)), np.float32)
    n_rows, n_columns, _ = maps.shape
    table = np.zeros((n_rows + 1, n_columns + 1, len(MAPS)))
    table[1:, 1:] = maps.cumsum(axis=0).cumsum(axis=1)
    edges = np.stack([boxes[:, :2], boxes[:, :2] + boxes[:, 2:]], axis=1) / pixels
    limits = np.array([n_columns, n_rows])
    cells = np.clip(np.rint(edges), 0, limits).astype(np.int64)
    sums = _within(table, cells)
    sides = (cells[:, 1] - cells[:, 0]).clip(0)
    areas = sides.prod(axis=1)
    outer, inner, n_around = _nested(cells, sums[:, 0])
    page = np.maximum(table[-1, -1], 1e-3)
    rest = sums[outer] - sums
    beside = sums - sums[inner]
    columns = [
        cells[:, 0, 0] / n_columns, cells[:, 0, 1] / n_rows,
        sides[:, 0] / n_columns, sides[:, 1] / n_rows,
        1 - cells[:, 1, 0] / n_columns, 1 - cells[:, 1, 1] / n_rows,
        areas / (n_rows * n_columns), sides[:, 0] / np.maximum(sides[:, 1], 1),
        *(sums / page).T, *(sums / np.maximum(areas, 1)[:, None]).T,
        *(rest / page * (outer >= 0)[:, None]).T, *(beside / page * (inner >= 0)[:, None]).T,
        *(table[cells[:, 0, 1], -1] / page).T,
        _agreement(sums, page), _density(rest, areas[outer] - areas) * (outer >= 0),
        _density(beside, areas - areas[inner]) * (inner >= 0), n_around,
    ]  # fmt: skip
    return np.stack(columns, axis=1).astype(np.float32)


def _within(table: Table, cells: Cells) -> Table:
    (left, top), (right, bottom) = cells[:, 0].T, cells[:, 1].T
    found: Table = table[bottom, right] - table[top, right] - table[bottom, left] + table[top, left]
    return found


def _density(sums: Table, areas: Cells) -> Table:
    """Share of some area that is running text."""
    found: Table = sums[:, 0] / np.maximum(areas, 1)
    return found


def _agreement(sums: Table, page: Table) -> Table:
    """F1 of the text in each box against the running text of the page."""
    texts = np.maximum(sums[:, :4].sum(axis=1), 1e-3)
    precision, recall = sums[:, 0] / texts, sums[:, 0] / page[0]
    found: Table = 2 * precision * recall / np.maximum(precision + recall, 1e-6)
    return found


def _nested(cells: Cells, running: Table) -> tuple[Cells, Cells, Cells]:
    """For each box the smallest that holds it, the one in it with most running text (-1 without),
    and how many hold it."""
    low, high = cells[:, 0], cells[:, 1]
    holds = (low[:, None] <= low[None]).all(axis=2) & (high[:, None] >= high[None]).all(axis=2)
    areas = (high - low).clip(0).prod(axis=1)
    holds &= areas[:, None] > areas[None]
    outer = np.where(holds, areas[:, None], np.inf).argmin(axis=0)
    inner = np.where(holds, running[None], -np.inf).argmax(axis=1)
    return (
        np.where(holds.any(axis=0), outer, -1),
        np.where(holds.any(axis=1), inner, -1),
        holds.sum(axis=0),
    )
