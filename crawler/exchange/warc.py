"""Stored pages as a WARC file (ISO 28500), which archives and other tools read."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from http.client import responses
from itertools import chain
from pathlib import Path
from typing import Any

from fastwarc.stream_io import GzipWriter
from fastwarc.warc import WarcRecord, WarcRecordType

from crawler.storage.outfile import whole_file
from crawler.storage.partitions import Storage

_COLUMNS = ("final_url", "fetched_at", "status", "content_type", "html", "error")


def write_warc(
    storage: Storage, site: str, path: Path, since: date | None = None, until: date | None = None
) -> int:
    """Write the pages of these days as gzipped responses; how many. No page: no file.

    The bodies are as they were stored, without transfer or content encoding; of the headers only
    status and content type were kept.
    """
    pages = _pages(storage, site, since, until)
    first = next(pages, None)
    if first is None:
        return 0
    count = 0
    with whole_file(path) as hidden, hidden.open("wb") as file:
        for page in chain((first,), pages):
            # A member of its own for each record, as readers that seek need it.
            member = GzipWriter(file)
            _response(page).write(member, checksum_data=True)
            member.finish()
            count += 1
    return count


def _response(page: dict[str, Any]) -> WarcRecord:
    record = WarcRecord()
    record.init_headers(record_type=WarcRecordType.response)
    record.headers["WARC-Target-URI"] = page["final_url"]
    record.headers["WARC-Date"] = f"{page['fetched_at']:%Y-%m-%dT%H:%M:%SZ}"
    record.headers["Content-Type"] = "application/http; msgtype=response"
    kind = " ".join((page["content_type"] or "text/html").split())
    status = page["status"] or 200
    head = f"HTTP/1.1 {status} {responses.get(status, '')}\r\nContent-Type: {kind}\r\n"
    head += f"Content-Length: {len(page['html'])}\r\n\r\n"
    record.set_bytes_content(head.encode("latin-1", "replace") + page["html"])
    return record


def _pages(
    storage: Storage, site: str, since: date | None, until: date | None
) -> Iterator[dict[str, Any]]:
    for batch in storage.read("pages", site, since, until, _COLUMNS):
        for row in batch.to_pylist():
            if row["html"] is not None and row["error"] is None:
                yield row
