"""Which drawing of a page counts, and what belongs to it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from crawler.storage import drawings
from crawler.storage.drawings import last_drawings, read_drawings
from crawler.storage.partitions import Storage
from crawler.storage.records import records_to_table
from crawler.storage.rendered import (
    SCREENSHOT_SCHEMA,
    SCREENSHOTS,
    SNAPSHOT_SCHEMA,
    SNAPSHOTS,
    ScreenshotRecord,
    SnapshotRecord,
)
from tests.tables import DAY, NOW


@pytest.fixture
def storage(tmp_path: Path) -> Storage:
    return Storage(str(tmp_path))


def store(
    storage: Storage, name: str, hour: int, *, styled: bool = True, pictured: bool = True
) -> None:
    """A drawing whose bytes say name and hour; each hour has a day and a run."""
    day, data = DAY + timedelta(days=hour), f"{name} {hour}".encode()
    keys = {
        "run_id": str(hour), "url_key": name, "url": f"http://a/{name}",
        "rendered_at": NOW + timedelta(hours=hour),
    }  # fmt: skip
    snapshot = SnapshotRecord(
        **keys, viewport_width=1280, viewport_height=1024, styled=styled, snapshot=data
    )  # type: ignore[arg-type]
    storage.write_part(SNAPSHOTS, "a", day, records_to_table([snapshot], SNAPSHOT_SCHEMA))
    if pictured:
        picture = ScreenshotRecord(**keys, media_type="image/jpeg", picture=data)  # type: ignore[arg-type]
        storage.write_part(SCREENSHOTS, "a", day, records_to_table([picture], SCREENSHOT_SCHEMA))


def read(storage: Storage) -> list[tuple[bytes, bytes | None]]:
    found = read_drawings(storage, "a", last_drawings(storage, "a"))
    return [(each.snapshot, each.picture) for each in found]


def test_the_last_drawing_with_its_style_sheets_counts(storage: Storage) -> None:
    store(storage, "page", 0)
    store(storage, "page", 2, styled=False)
    store(storage, "page", 1)
    assert read(storage) == [(b"page 1", b"page 1")]


def test_where_no_drawing_has_them_it_is_the_last(storage: Storage) -> None:
    store(storage, "plain", 1, styled=False)
    store(storage, "plain", 0, styled=False)
    assert read(storage) == [(b"plain 1", b"plain 1")]


def test_a_picture_of_another_drawing_is_none_of_this(storage: Storage) -> None:
    store(storage, "page", 0)
    store(storage, "page", 1, pictured=False)
    assert read(storage) == [(b"page 1", None)]


def test_all_are_read_in_order(storage: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawings, "AT_A_TIME", 2)
    for hour in range(5):
        store(storage, f"page{hour}", hour)
    assert [snapshot for snapshot, _ in read(storage)] == [
        f"page{hour} {hour}".encode() for hour in (4, 3, 2, 1, 0)
    ]


def test_other_days_are_left_out(storage: Storage) -> None:
    store(storage, "page", 0)
    store(storage, "page", 1)
    (drawing,) = last_drawings(storage, "a", until=DAY)
    assert drawing.run_id == "0"
    assert last_drawings(storage, "a", since=DAY + timedelta(days=2)) == []
