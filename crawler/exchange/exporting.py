"""Stored pages and links as an archive that Webstemmer reads."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path

from crawler.exchange.archives import crawl_zip
from crawler.storage.partitions import Storage
from crawler.storage.records import rows_of

_PAGE_COLUMNS = ("run_id", "final_url", "fetched_at", "html", "error", "unchanged")
_LINK_COLUMNS = ("run_id", "dst_url", "anchor_text", "in_scope")


def write_crawl_zip(
    storage: Storage, site: str, path: Path, since: date | None = None, until: date | None = None
) -> int:
    """Write the pages of these days as one crawl archive; how many.

    Each page is named after the start of its run, as the original did. Pages that a run found
    unchanged are not in it, for they are in that of an earlier run. A file is made only if there
    is a page.
    """
    timestamps = run_timestamps(storage, "pages", site, since, until)
    if not timestamps:
        return 0
    count = 0
    with crawl_zip(path) as archive:
        for page in rows_of(storage.read("pages", site, since, until, _PAGE_COLUMNS)):
            if page["html"] is not None and page["error"] is None:
                timestamp = timestamps[page["run_id"]]
                written = page["fetched_at"]
                count += archive.add_page(page["final_url"], timestamp, page["html"], written)
        for link in rows_of(storage.read("links", site, since, until, _LINK_COLUMNS)):
            if link["in_scope"] and link["anchor_text"] and link["run_id"] in timestamps:
                timestamp = timestamps[link["run_id"]]
                archive.add_anchor(link["dst_url"], timestamp, link["anchor_text"])
    return count


def run_timestamps(
    storage: Storage, table: str, site: str, since: date | None, until: date | None
) -> dict[str, str]:
    """The minute in which each run fetched its first page, as `YYYYMMDDHHMM` in UTC."""
    first: dict[str, datetime] = {}
    for row in rows_of(storage.read(table, site, since, until, ("run_id", "fetched_at"))):
        run, time = row["run_id"], row["fetched_at"]
        if time is not None:
            first[run] = min(time, first.get(run, time))
    return {run: f"{time:%Y%m%d%H%M}" for run, time in first.items()}
