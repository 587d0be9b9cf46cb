"""Which stored pages are drawn, and what is kept of them; no browser is needed."""

from __future__ import annotations

import gzip
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from crawler.exchange.rendered_files import write_stored_pages
from crawler.fetching.browser.drawing import Rendered
from crawler.spiders.rendered_pages import DrawnRows, pages_to_draw
from crawler.storage.partitions import Storage
from crawler.storage.records import PAGE_SCHEMA, PageRecord, records_to_table

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def stored(storage: Storage, run: int, name: str, **values: object) -> None:
    """A page's row of one run, a day each."""
    at = NOW + timedelta(days=run)
    html = f"<p>{name} {run}".encode()
    facts = {"html": html, "body_len": len(html), "charset": "cp932", **values}
    url = f"http://a/{name}"
    page = PageRecord(
        run_id=str(run), url=url, final_url=url, url_key=url, fetched_at=at,
        **facts,  # type: ignore[arg-type]
    )  # fmt: skip
    storage.write_part("pages", "site", at.date(), records_to_table([page], PAGE_SCHEMA))


def drawing(url: str, picture: bytes | None = b"picture") -> Rendered:
    return Rendered(
        url=url, html="", snapshot=gzip.compress(url.encode()), picture=picture,
        viewport=(1280, 1024), styled=True, loaded_bytes=1, refused={}, seconds=0.1,
    )  # fmt: skip


@pytest.fixture
def storage(tmp_path: Path) -> Storage:
    """Two versions of `new`, one of `old`, and rows without a body."""
    storage = Storage(str(tmp_path / "data"))
    stored(storage, 0, "old")
    stored(storage, 0, "new")
    stored(storage, 1, "new")
    stored(storage, 2, "new", html=None, unchanged=True)
    stored(storage, 2, "gone", html=None, body_len=0, error="http 404")
    return storage


def test_the_newest_version_of_each_page_is_drawn(storage: Storage) -> None:
    pages = list(pages_to_draw(storage, "site"))
    assert sorted((page.url_key, page.run_id) for page in pages) == [
        ("http://a/new", "1"),
        ("http://a/old", "0"),
    ]
    (newest,) = pages_to_draw(storage, "site", most=1)
    assert (newest.url_key, newest.day) == ("http://a/new", date(2026, 11, 21))
    assert newest.document.body == b"<p>new 1"
    assert newest.document.content_type == "text/html; charset=shift_jis"
    assert newest.document.has_scripts
    assert [page.run_id for page in pages_to_draw(storage, "site", until=NOW.date())] == ["0", "0"]


def test_a_drawn_page_is_not_drawn_again(storage: Storage, tmp_path: Path) -> None:
    rows = DrawnRows(storage, "site")
    for page in pages_to_draw(storage, "site"):
        rows.add(page, drawing(page.url, picture=None if "old" in page.url else b"picture"))
    rows.flush()
    assert list(pages_to_draw(storage, "site")) == []
    assert storage.dates("snapshots", "site") == [NOW.date(), date(2026, 11, 21)]
    assert storage.dates("screenshots", "site") == [date(2026, 11, 21)]
    assert write_stored_pages(storage, "site", tmp_path / "out", None, None) == 2
    found = {path.name: path.read_bytes() for path in (tmp_path / "out").glob("a-new-*/*")}
    assert found == {"dom.json": b"http://a/new", "screenshot.jpeg": b"picture"}


def test_scripts_of_a_page_that_was_stored_drawn_do_not_run(tmp_path: Path) -> None:
    storage = Storage(str(tmp_path))
    stored(storage, 0, "app", rendered=True)
    (page,) = pages_to_draw(storage, "site")
    assert not page.document.has_scripts
