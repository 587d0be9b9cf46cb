"""The articles of sites as a stream of rows: JSON lines, CSV, or one Parquet file."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any, TextIO

import pyarrow as pa

from crawler.storage.outfile import whole_file
from crawler.storage.parquet import conform, unified, write_file
from crawler.storage.partitions import Condition, Storage

TABLE = "articles"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Which articles are wanted."""

    sites: tuple[str, ...]
    since: date | None = None
    """The first UTC day on which they were first seen; None: from the beginning."""
    until: date | None = None
    language: str | None = None
    """Their two-letter code; None: all."""

    def batches(self, storage: Storage) -> Iterator[pa.RecordBatch]:
        """Their rows, site by site, day by day."""
        wanted: list[Condition] = []
        if self.language:
            wanted.append(("language", "==", self.language))
        for site in self.sites:
            yield from storage.read(TABLE, site, self.since, self.until, filters=wanted)

    def schema(self, storage: Storage) -> pa.Schema | None:
        """The columns of all of them; None if there is no file."""
        known = [
            storage.schema(TABLE, site, self.since, self.until)
            for site in self.sites
            if storage.files(TABLE, site, self.since, self.until)
        ]
        return unified(known).remove_metadata() if known else None


def write_jsonl(batches: Iterator[pa.RecordBatch], file: TextIO) -> int:
    """A JSON object a line, times in ISO 8601; how many."""
    count = 0
    for row in _rows(batches):
        file.write(json.dumps(row, ensure_ascii=False, default=_json_value) + "\n")
        count += 1
    return count


def write_csv(batches: Iterator[pa.RecordBatch], file: TextIO) -> int:
    """A line each under a line of names, for spreadsheets: lists are joined, sections left out; how
    many."""
    writer, count = csv.writer(file), 0
    for row in _rows(batches):
        row.pop("sections", None)
        if not count:
            writer.writerow(row)
        writer.writerow(map(_csv_value, row.values()))
        count += 1
    return count


def write_parquet(batches: Iterator[pa.RecordBatch], schema: pa.Schema, path: Path) -> int:
    """All in one file, which appears when it is whole; how many."""
    counts: list[int] = []

    def counted() -> Iterator[pa.RecordBatch]:
        for batch in batches:
            counts.append(batch.num_rows)
            yield conform(batch, schema, {})

    with whole_file(path) as hidden:
        write_file(hidden, schema, counted())
    return sum(counts)


def sites_with_articles(storage: Storage, names: Sequence[str]) -> tuple[str, ...]:
    """Those of the sites that have any."""
    stored = set(storage.sites(TABLE))
    return tuple(name for name in names if name in stored)


def _rows(batches: Iterator[pa.RecordBatch]) -> Iterator[dict[str, Any]]:
    for batch in batches:
        yield from batch.to_pylist()


def _json_value(value: object) -> str:
    if isinstance(value, datetime | date):
        return value.isoformat()
    raise TypeError(f"no JSON for {value!r}")


def _csv_value(value: Any) -> str:
    """A value in one cell. One that a spreadsheet would take for a formula gets a mark before it:
    what was crawled is hostile."""
    if value is None:
        return ""
    if isinstance(value, datetime | date):
        return value.isoformat()
    text = "; ".join(map(str, value)) if isinstance(value, list) else str(value)
    is_number = isinstance(value, int | float)
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) and not is_number else text
