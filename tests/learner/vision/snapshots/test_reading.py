"""Damaged and hostile snapshots are refused."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from typing import Any

import pytest

from learner.vision.snapshots.arrays import SnapshotError
from learner.vision.snapshots.reading import MAX_NODES, read_snapshot
from tests.learner.vision.snapshots.made import NAMES, Made


def set_(*path: Any) -> Callable[[dict[str, Any]], None]:
    """Puts the last of the path where the others lead, in the document."""
    *keys, last, value = path

    def change(raw: dict[str, Any]) -> None:
        target: Any = raw["documents"][0]
        for key in keys:
            target = target[key]
        target[last] = value

    return change


@pytest.mark.parametrize(
    "change",
    [
        set_("nodes", "parentIndex", 5, 5),
        set_("nodes", "parentIndex", 5, 9),
        set_("nodes", "parentIndex", 9, 5),
        set_("nodes", "parentIndex", 0, 0),
        set_("nodes", "parentIndex", [-1] * (MAX_NODES + 1)),
        set_("nodes", "parentIndex", []),
        set_("nodes", "nodeName", 3, 10**6),
        set_("nodes", "nodeName", 3, -1),
        set_("nodes", "nodeName", 3, 10**30),
        set_("nodes", "nodeName", 3, "DIV"),
        set_("nodes", "nodeType", []),
        set_("nodes", "attributes", []),
        set_("nodes", "isClickable", {"index": [99]}),
        set_("nodes", "isClickable", None),
        set_("layout", "nodeIndex", 1, 99),
        set_("layout", "bounds", 1, [0, 0, -1, 5]),
        set_("layout", "bounds", 1, [0, 0, float("nan"), 5]),
        set_("layout", "bounds", 1, [0, 0, 1e12, 5]),
        set_("layout", "bounds", 1, [0, 0, 5]),
        set_("layout", "styles", 1, [0]),
        set_("layout", "styles", 1, [99999] * len(NAMES)),
        set_("layout", "text", 1, 10**6),
        set_("textBoxes", "layoutIndex", 0, 99),
        set_("textBoxes", "start", 0, -1),
        set_("contentHeight", -5),
        set_("title", 10**6),
        set_("nodes", {}),
    ],
)
def test_a_hostile_snapshot_is_refused(
    made: Made, change: Callable[[dict[str, Any]], None]
) -> None:
    raw = made.raw()
    change(raw)
    with pytest.raises(SnapshotError):
        read_snapshot(json.dumps(raw).encode())


def test_attributes_are_checked_when_they_are_read(made: Made) -> None:
    raw = made.raw()
    raw["documents"][0]["nodes"]["attributes"][2] = [99999, 1]
    with pytest.raises(SnapshotError):
        read_snapshot(json.dumps(raw).encode()).attributes(2)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"{}",
        b"{",
        b'{"strings": [1], "documents": []}',
        b"[" * 100_000,
        b"\x1f\x8bnothing",
        gzip.compress(b"{}")[:-4],
        gzip.compress(b" " * (65 * 2**20), 1),
    ],
    ids=lambda data: f"{len(data)} bytes",
)
def test_what_is_no_snapshot_is_refused(data: bytes) -> None:
    with pytest.raises(SnapshotError):
        read_snapshot(data)
