"""Stored pages as a WARC file (ISO 28500), which archives and other tools read."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from http.client import responses
from pathlib import Path
from typing import Any, BinaryIO

from fastwarc.stream_io import GzipWriter
from fastwarc.warc import WarcRecord, WarcRecordType

from crawler.exchange.resumed_file import resumed_file
from crawler.storage.partitions import Storage

_COLUMNS = ("final_url", "fetched_at", "status", "content_type", "html", "error")


def write_warc(
    storage: Storage, site: str, path: Path, since: date | None = None, until: date | None = None
) -> int:
    """Write the pages of these days as gzipped responses; how many. No page: no file. A run that
    was killed is gone on with, day by day.

    The bodies are as they were stored, without transfer or content encoding; of the headers only
    status and content type were kept.
    """
    order = ["warc", site, str(since), str(until)]
    with resumed_file(path, order) as part:
        for day in storage.dates("pages", site):
            is_wanted = (since is None or day >= since) and (until is None or day <= until)
            if is_wanted and not part.has(str(day)):
                part.finish(str(day), _write_day(storage, site, day, part.file))
        return part.count


def _write_day(storage: Storage, site: str, day: date, file: BinaryIO) -> int:
    """The pages of a day, a gzip member each, as readers that seek need it; how many."""
    count = 0
    for page in _pages(storage, site, day):
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


def _pages(storage: Storage, site: str, day: date) -> Iterator[dict[str, Any]]:
    for batch in storage.read("pages", site, day, day, _COLUMNS):
        for row in batch.to_pylist():
            if row["html"] is not None and row["error"] is None:
                yield row
