"""Article records on their way to a partition: sorted in files, so that memory stays bounded."""

from __future__ import annotations

import heapq
import uuid
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from crawler.storage.outfile import naming
from extractor.records.articles import ArticleRecord, articles_from_batches, articles_to_batches
from extractor.records.runs import open_run, write_run

RUN_RECORDS = 2000
"""Records sorted in memory at once. Origin: guess, 10 MB."""

READ_RECORDS = 20
"""Records read at once from each sorted run. Origin: guess; 12 MB for 120 runs of real articles."""

OPEN_RUNS = 128
"""Runs that are merged at once, for each is an open file. Origin: guess, see docs/decisions.md."""

_LONG_AGO = datetime.min.replace(tzinfo=UTC)


class Spool:
    """A folder of sorted runs of records, merged when all are there (an external merge sort)."""

    def __init__(self, folder: str | Path) -> None:
        self._folder = Path(folder)
        self._waiting: list[ArticleRecord] = []

    def extend(self, records: Iterable[ArticleRecord]) -> None:
        """Add records in any order."""
        for record in records:
            self._waiting.append(record)
            if len(self._waiting) >= RUN_RECORDS:
                self.flush()

    def flush(self) -> None:
        """Write the waiting records as a sorted run, visible when complete."""
        if self._waiting:
            self._write(sorted(self._waiting, key=_order))
            self._waiting.clear()

    def _write(self, records: Iterable[ArticleRecord]) -> Path:
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / f"{uuid.uuid4().hex}.arrow"
        hidden = path.with_suffix(".tmp")
        with naming(path):  # in a folder for temporary files, which may be small
            write_run(hidden, articles_to_batches(records, READ_RECORDS))
        hidden.replace(path)
        return path

    def versions(self) -> Iterator[tuple[str, str | None]]:
        """(`url_key`, SHA-256 of the body) of each record."""
        self.flush()
        for path in self._runs():
            with open_run(path, ("url_key", "body_sha256")) as batches:
                for batch in batches:
                    yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)

    def merged(self) -> Iterator[ArticleRecord]:
        """All records by `url_key`, those of one page by their fetch."""
        self.flush()
        yield from _merge(self._few_runs())

    def _few_runs(self) -> list[Path]:
        """The runs, once so many of them are merged that all can be open."""
        runs = self._runs()
        while len(runs) > OPEN_RUNS:
            merged, runs = runs[:OPEN_RUNS], runs[OPEN_RUNS:]
            runs.append(self._write(_merge(merged)))
            for path in merged:
                path.unlink()
        return runs

    def _runs(self) -> list[Path]:
        return sorted(self._folder.glob("*.arrow"))


def _order(record: ArticleRecord) -> tuple[str, datetime]:
    return (record.url_key, record.fetched_at or _LONG_AGO)


def _merge(runs: Iterable[Path]) -> Iterator[ArticleRecord]:
    return heapq.merge(*map(_read_run, runs), key=_order)


def _read_run(path: Path) -> Iterator[ArticleRecord]:
    with open_run(path) as batches:
        yield from articles_from_batches(batches)
