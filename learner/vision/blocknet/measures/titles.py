"""Which leaf blocks are titles, by how they look: no tag, no language."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from learner.dom.characters import ENDING, UPPER
from learner.dom.features import Columns, log, shifted
from learner.vision.blocknet.measures.leaves import Leaves

Floats = NDArray[np.float32]

FARTHEST = 20.0
"""Heights of letters from which on gaps are all the same. Origin: guess."""


def title_features(leaves: Leaves) -> tuple[list[str], Floats]:
    """Names and values of what tells a title of each leaf."""
    font, letters = leaves.font, log(leaves.weight)
    columns = Columns()
    columns.add("font", font / max(leaves.text_font, 1))
    columns.add("font_beside_next", font / np.maximum(_beside(font, 1), 1))
    columns.add("font_beside_last", font / np.maximum(_beside(font, -1), 1))
    columns.add("font_rank", _ranks(leaves))
    columns.add("bold", leaves.bold)
    columns.add("bold_next", shifted(leaves.bold, 1))
    columns.add("tint", leaves.tint)
    columns.add("centred", leaves.centred)
    columns.add("letters", letters)
    columns.add("letters_next", shifted(letters, 1))
    columns.add("lines", leaves.lines)
    columns.add("width", leaves.width / max(leaves.page.width, 1))
    columns.add("linked", leaves.linked)
    columns.add("linked_next", shifted(leaves.linked, 1))
    columns.add("ends_sentence", leaves.ends[:, 1] == ENDING)
    columns.add("capitals", leaves.counts[:, UPPER] / np.maximum(leaves.counts.sum(axis=1), 1))
    columns.add("gap_above", _gap(leaves, -1))
    columns.add("gap_below", _gap(leaves, 1))
    columns.add("top", leaves.box[:, 1] / max(leaves.page.height, 1))
    columns.add("left", leaves.box[:, 0] / max(leaves.page.width, 1))
    columns.add("alike", _alike(leaves))
    return columns.names, columns.matrix()


def _beside(values: Floats, by: int) -> Floats:
    """Those so many places on; at the ends their own."""
    index = np.clip(np.arange(len(values)) + by, 0, max(len(values) - 1, 0))
    return values[index]


def _ranks(leaves: Leaves) -> Floats:
    """(n,) The share of the page's letters that are larger."""
    order = np.argsort(-leaves.font, kind="stable")
    sizes, weight = leaves.font[order], leaves.weight[order].astype(np.float64)
    before = np.concatenate([[0], np.cumsum(weight)])
    first = np.searchsorted(-sizes, -leaves.font, "left")
    found: Floats = (before[first] / max(before[-1], 1)).astype(np.float32)
    return found


def _gap(leaves: Leaves, by: int) -> Floats:
    """(n,) Heights of letters between each leaf and that before (-1) or after it (1)."""
    top, bottom = leaves.box[:, 1], leaves.box[:, 3]
    gap = _beside(top, 1) - bottom if by > 0 else top - _beside(bottom, -1)
    found: Floats = np.clip(gap / leaves.font, -FARTHEST, FARTHEST)
    return found


def _alike(leaves: Leaves) -> Floats:
    """(n,) The share of the page's leaves that have letters of its size, weight and colour."""
    looks = np.column_stack([leaves.font * 2, leaves.bold * 2, leaves.colour * 8]).round()
    _, which, counts = np.unique(looks, axis=0, return_inverse=True, return_counts=True)
    return (counts[which.ravel()] / max(len(leaves), 1)).astype(np.float32)
