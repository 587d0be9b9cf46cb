"""Pages in Parquet as a crawl leaves them: rows of the tables pages and links."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from crawler.storage.partitions import Storage
from crawler.storage.records import (
    LINK_SCHEMA,
    PAGE_SCHEMA,
    LinkRecord,
    PageRecord,
    records_to_table,
)
from learner.page.pages import Page


def write_crawled(storage: Storage, site: str, pages: Sequence[Page]) -> None:
    """Write a part file of each table, for pages in UTF-8 that were fetched now."""
    now = datetime.now(UTC)
    rows = records_to_table(_page_records(pages, now), PAGE_SCHEMA)
    storage.write_part("pages", site, now.date(), rows)
    links = records_to_table(_link_records(pages), LINK_SCHEMA)
    storage.write_part("links", site, now.date(), links)


def _page_records(pages: Sequence[Page], now: datetime) -> Iterator[PageRecord]:
    for page in pages:
        yield PageRecord(
            run_id="r", url=page.url, final_url=page.url, url_key=page.url, fetched_at=now,
            status=200, html=page.html, charset="utf-8",
        )  # fmt: skip


def _link_records(pages: Sequence[Page]) -> Iterator[LinkRecord]:
    """A link to each page with the number that its title bears too, as a list would have it."""
    for page in pages:
        yield LinkRecord(
            run_id="r", src_url_key="http://site.example/", dst_url=page.url,
            dst_url_key=page.url, anchor_text=page.url.rstrip("/").rpartition("/")[2],
        )  # fmt: skip
