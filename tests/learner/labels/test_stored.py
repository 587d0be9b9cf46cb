"""Drawn pages come out of the tables as they were drawn last, with their documents."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from crawler.storage.drawings import last_drawings
from crawler.storage.partitions import Storage
from crawler.storage.records import PAGE_SCHEMA, PageRecord, records_to_table
from crawler.storage.rendered import (
    SCREENSHOT_SCHEMA,
    SCREENSHOTS,
    SNAPSHOT_SCHEMA,
    SNAPSHOTS,
    ScreenshotRecord,
    SnapshotRecord,
)
from learner.labels.stored import as_utf8, drawn_pages
from tests.learner.labels.pages import PICTURE, drawn_bytes
from tests.tables import DAY, NOW

HTML = '<meta charset="shift_jis"><title>雨</title>'.encode("cp932")


@pytest.fixture
def storage(tmp_path: Path) -> Storage:
    return Storage(str(tmp_path / "data"))


def store(storage: Storage, name: str, minute: int = 0, *, known: bool = True) -> None:
    """A drawn page of the site `site`; a document of it if it is `known`."""
    url, at = f"http://a.example/{name}", NOW + timedelta(minutes=minute)
    keys = {"run_id": "r1", "url_key": url, "url": url, "rendered_at": at}
    snapshot = SnapshotRecord(
        **keys, viewport_width=1280, viewport_height=1024, styled=True, snapshot=drawn_bytes()
    )  # type: ignore[arg-type]
    picture = ScreenshotRecord(**keys, media_type="image/jpeg", picture=PICTURE)  # type: ignore[arg-type]
    tables = {
        SNAPSHOTS: records_to_table([snapshot], SNAPSHOT_SCHEMA),
        SCREENSHOTS: records_to_table([picture], SCREENSHOT_SCHEMA),
    }
    if known:
        page = PageRecord(
            run_id="r1", url=url, final_url=url, url_key=url, fetched_at=NOW, status=200,
            html=HTML, charset="cp932",
        )  # fmt: skip
        tables["pages"] = records_to_table([page], PAGE_SCHEMA)
    for table, rows in tables.items():
        storage.write_part(table, "site", DAY, rows)


def test_pages_come_as_they_were_drawn_last(storage: Storage) -> None:
    store(storage, "old")
    store(storage, "new", 1)
    store(storage, "new", 2, known=False)
    pages = list(drawn_pages(storage, "site", last_drawings(storage, "site")))
    assert [page.url for page in pages] == ["http://a.example/new", "http://a.example/old"]
    assert pages[0].rendered_at == (NOW + timedelta(minutes=2)).isoformat()
    assert pages[0].picture == PICTURE and pages[0].snapshot == drawn_bytes()


def test_documents_are_utf8_whatever_they_declare(storage: Storage) -> None:
    store(storage, "a")
    (page,) = drawn_pages(storage, "site", last_drawings(storage, "site"))
    assert page.html == as_utf8(HTML, "cp932")
    assert page.html is not None and "雨".encode() in page.html


def test_a_page_without_a_document_has_none(storage: Storage) -> None:
    store(storage, "a", known=False)
    (page,) = drawn_pages(storage, "site", last_drawings(storage, "site"))
    assert page.html is None
