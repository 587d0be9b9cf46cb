"""Articles of all sites in few large files by date: for engines that like 64-256 MB each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

import pyarrow as pa

from crawler.storage.outfile import naming
from crawler.storage.parquet import conform, unified, write_file
from crawler.storage.partitions import Storage

FILE_BYTES = 512 * 2**20
"""Bytes of rows in memory that make one file. Origin: measured, texts shrink 3-5x with zstd, so
that files have 100-170 MB."""


def export_days(storage: Storage, since: date | None, until: date | None) -> list[date]:
    """The dates, within these, on which any site has articles."""
    days = {day for site in storage.sites("articles") for day in storage.dates("articles", site)}
    return sorted(
        day for day in days if (since is None or day >= since) and (until is None or day <= until)
    )


def export_day(storage: Storage, day: date, folder: Path, file_bytes: int = FILE_BYTES) -> int:
    """Write `date=<day>/articles-<n>.parquet` below `folder`, by site and `url_key`; rows written.

    Streamed: one row group is in memory. Files of an earlier export of the day are replaced, what
    is left of them removed. OSError names the file that could not be written.
    """
    sites = [s for s in storage.sites("articles") if storage.files("articles", s, day, day)]
    schema = _schema(storage, sites, day)
    batches = _rows(storage, sites, day, schema)
    target = folder / f"date={day}"
    count = number = 0
    first = next(batches, None)
    while first is not None:
        cut = _Cut(first, batches, file_bytes)
        path = target / f"articles-{number:03}.parquet"
        with naming(path):
            write_file(path, schema, cut)
        count, number, first = count + cut.rows, number + 1, cut.rest
    for left in target.glob("articles-*.parquet"):
        if int(left.stem.rpartition("-")[2]) >= number:
            left.unlink()
    return count


def _schema(storage: Storage, sites: Sequence[str], day: date) -> pa.Schema:
    """All columns of the day's articles but the date, which the folder says. The tables' metadata
    does not hold here: it says by which column their rows are sorted."""
    whole = unified([storage.schema("articles", site, day, day) for site in sites])
    return pa.schema([column for column in whole if column.name != "date"])


def _rows(
    storage: Storage, sites: Sequence[str], day: date, schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    """The day's articles of these sites."""
    for site in sites:
        for batch in storage.read("articles", site, day, day):
            yield conform(batch, schema, {})


class _Cut:
    """Batches up to the size of a file; afterwards `rest` is the first of the next file."""

    def __init__(
        self, first: pa.RecordBatch, more: Iterator[pa.RecordBatch], file_bytes: int
    ) -> None:
        self._first = first
        self._more = more
        self._file_bytes = file_bytes
        self.rows = 0
        self.rest: pa.RecordBatch | None = None

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        size, batch = 0, self._first
        while batch is not None:
            if size and size + batch.nbytes > self._file_bytes:
                self.rest = batch
                return
            size += batch.nbytes
            self.rows += batch.num_rows
            yield batch
            batch = next(self._more, None)
