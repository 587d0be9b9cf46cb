"""The articles of sites as a stream of rows: JSON lines, CSV, a Parquet file or a Delta table."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any, TextIO

import pyarrow as pa

from crawler.exchange.resumed_file import as_text, resumed_file
from crawler.storage.outfile import whole_file
from crawler.storage.parquet import conform, unified, write_file
from crawler.storage.partitions import Condition, Storage
from crawler.storage.records import json_value, rows_of

Write = Callable[[Iterator[pa.RecordBatch], TextIO], int]
"""Writes some rows; how many."""

ARTICLE_STATUSES = ("ok", "guessed")
"""Of what stands in the table `articles`."""

Unit = tuple[str, date]
"""The rows of a site of one day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Which articles are wanted, or which other pages."""

    sites: tuple[str, ...]
    since: date | None = None
    """The first UTC day on which they were first seen; None: from the beginning."""
    until: date | None = None
    language: str | None = None
    """Their two-letter code; None: all."""
    tag: str | None = None
    """One of their tags; None: all."""
    status: str | None = None
    """Of articles `ok` or `guessed`, None: both; else what came of other pages, without texts."""

    @property
    def table(self) -> str:
        """Where they stand."""
        is_of_articles = self.status is None or self.status in ARTICLE_STATUSES
        return "articles" if is_of_articles else "outcomes"

    def stored(self, storage: Storage) -> Choice:
        """The same of those of its sites that have any."""
        known = set(storage.sites(self.table))
        values = asdict(self) | {"sites": tuple(name for name in self.sites if name in known)}
        return Choice(**values)

    def units(self, storage: Storage) -> list[Unit]:
        """The days that have rows, site by site."""
        return [
            (site, day)
            for site in self.sites
            for day in storage.dates(self.table, site)
            if (self.since is None or day >= self.since)
            and (self.until is None or day <= self.until)
        ]

    def read(self, storage: Storage, unit: Unit, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
        """The rows of a unit, with the columns of all."""
        statuses = ARTICLE_STATUSES if self.status is None else (self.status,)
        wanted: list[Condition] = [("status", "in", statuses)]
        if self.language:
            wanted.append(("language", "==", self.language))
        site, day = unit
        for batch in storage.read(self.table, site, day, day, filters=wanted):
            chosen = batch if self.tag is None else batch.filter(_has_tag(batch, self.tag))
            if chosen.num_rows:
                yield conform(chosen, schema, {})

    def schema(self, storage: Storage) -> pa.Schema | None:
        """The columns of all of them; None if there is no file."""
        known = [
            storage.schema(self.table, site, self.since, self.until)
            for site in self.sites
            if storage.files(self.table, site, self.since, self.until)
        ]
        return unified(known).remove_metadata() if known else None


def _has_tag(batch: pa.RecordBatch, tag: str) -> pa.Array:
    """For each row whether it has a tag, however its letters are written."""
    rows = batch["tags"].to_pylist() if "tags" in batch.schema.names else [None] * batch.num_rows
    wanted = tag.casefold()
    return pa.array([wanted in map(str.casefold, tags or ()) for tags in rows])


def write_lines(
    storage: Storage, choice: Choice, schema: pa.Schema, write: Write, path: str
) -> int:
    """Write to a file that appears when it is whole; a run that was killed is gone on with, unit by
    unit. How many rows it has."""
    order = {"choice": asdict(choice), "columns": schema.names, "as": write.__name__}
    with resumed_file(path, json.loads(json.dumps(order, default=str))) as part:
        for unit in choice.units(storage):
            piece = f"{unit[0]} {unit[1]}"
            if part.has(piece):
                continue
            with as_text(part.file) as file:
                if part.is_new and write is write_csv:
                    write_csv_head(schema, file)
                count = write(choice.read(storage, unit, schema), file)
            part.finish(piece, count)
        return part.count


def write_jsonl(batches: Iterable[pa.RecordBatch], file: TextIO) -> int:
    """A JSON object a line, times in ISO 8601; how many."""
    count = 0
    for row in rows_of(batches):
        file.write(json.dumps(row, ensure_ascii=False, default=json_value) + "\n")
        count += 1
    return count


OBJECTS = ("sections", "images", "links")
"""Columns whose elements have parts: a spreadsheet has no cell for them."""


def write_csv_head(schema: pa.Schema, file: TextIO) -> None:
    """The line of names."""
    csv.writer(file).writerow([name for name in schema.names if name not in OBJECTS])


def write_csv(batches: Iterable[pa.RecordBatch], file: TextIO) -> int:
    """A line each, for spreadsheets: lists are joined, those of objects left out; how many."""
    writer, count = csv.writer(file), 0
    for row in rows_of(batches):
        writer.writerow(_csv_value(value) for name, value in row.items() if name not in OBJECTS)
        count += 1
    return count


def write_parquet(batches: Iterable[pa.RecordBatch], schema: pa.Schema, path: Path) -> int:
    """All in one file, which appears when it is whole; how many."""
    counted = _Counted(batches)
    with whole_file(path) as hidden:
        write_file(hidden, schema, iter(counted))
    return counted.rows


def write_delta(batches: Iterable[pa.RecordBatch], schema: pa.Schema, folder: Path) -> int:
    """All as one version of a Delta table, in place of what it had before; how many. ImportError
    without the extra `delta`."""
    from deltalake import write_deltalake

    counted = _Counted(batches)
    reader = pa.RecordBatchReader.from_batches(schema, iter(counted))
    write_deltalake(
        str(folder), reader, partition_by=["site"], mode="overwrite", schema_mode="overwrite"
    )
    return counted.rows


class _Counted:
    """Batches, and how many rows went by."""

    def __init__(self, batches: Iterable[pa.RecordBatch]) -> None:
        self._batches = batches
        self.rows = 0

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        for batch in self._batches:
            self.rows += batch.num_rows
            yield batch


def all_batches(storage: Storage, choice: Choice, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """All rows, site by site, day by day."""
    for unit in choice.units(storage):
        yield from choice.read(storage, unit, schema)


def _csv_value(value: Any) -> str:
    """A value in one cell. One that a spreadsheet would take for a formula gets a mark before it:
    what was crawled is hostile."""
    if value is None:
        return ""
    if isinstance(value, datetime | date):
        return value.isoformat()
    text = _joined(value)
    is_number = isinstance(value, int | float)
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) and not is_number else text


def _joined(value: Any) -> str:
    """A list or what has parts as one text."""
    if isinstance(value, dict):
        return "; ".join(f"{name}: {part}" for name, part in value.items() if part is not None)
    return "; ".join(map(str, value)) if isinstance(value, list) else str(value)
