"""The numbers of a snapshot that anyone may have made, checked: indices, boxes, sizes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

MAX_COORDINATE = 1e8
"""Pixels that a box may lie from the origin. Origin: Chromium's own are below 2**25."""

Bools = NDArray[np.bool_]
Ints = NDArray[np.int32]
Floats = NDArray[np.float32]


class SnapshotError(ValueError):
    """A snapshot is damaged, too large, or none at all."""


def read_indices(
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


def read_boxes(values: Sequence[Any], length: int, name: str) -> Floats:
    """The values as boxes: left, top, width and height."""
    found = np.array(values, dtype=np.float64).reshape(len(values), -1 if len(values) else 4)
    if found.shape != (length, 4):
        raise SnapshotError(f"snapshot: expected {length} boxes in {name}, got {found.shape}")
    if not (np.abs(found) <= MAX_COORDINATE).all() or (found[:, 2:] < 0).any():
        raise SnapshotError(f"snapshot: expected sizes of 0 and more in {name}, got others")
    return found.astype(np.float32)


def read_size(value: Any, least: Any) -> float:
    if not 0 <= float(value) <= MAX_COORDINATE:
        raise SnapshotError(f"snapshot: expected a size of 0 and more, got {value!r}")
    return max(float(value), float(least))
