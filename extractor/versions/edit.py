"""A partition of articles with other rows for some of its pages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import groupby
from operator import attrgetter

import pyarrow as pa
import pyarrow.compute as pc

from crawler.storage.parquet import conform
from extractor.records.articles import (
    ARTICLE_SCHEMA,
    ArticleRecord,
    articles_from_batches,
    articles_to_batches,
)

Records = Sequence[ArticleRecord]

Resolve = Callable[[str, Records, Records], list[ArticleRecord]]
"""Of a key, its fresh records and its stored ones: the rows that the partition shall have of it."""


class PartitionEdit:
    """Other rows for some keys of a partition; batches that hold none of them pass as they are."""

    def __init__(
        self, keys: Sequence[str], fresh: Iterator[ArticleRecord], resolve: Resolve, now: datetime
    ) -> None:
        self._keys = keys
        self._fresh = groupby(fresh, key=attrgetter("url_key"))
        self._resolve = resolve
        self._now = now
        self._next: tuple[str, list[ArticleRecord]] | None = None
        self.is_changed = False

    def batches(self, stored: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The rows of the partition, sorted; `keys` and fresh records are sorted, too."""
        self._advance()
        done = 0
        for batch in _whole_keys(stored):
            last, start = batch["url_key"][-1].as_py(), done
            while done < len(self._keys) and self._keys[done] <= last:
                done += 1
            if start == done:
                yield from with_all_columns(batch)
                continue
            rows: dict[str, list[ArticleRecord]] = defaultdict(list)
            for record in articles_from_batches([batch]):
                rows[record.url_key].append(record)
            for key in self._keys[start:done]:
                rows[key] = self._edited(key, rows.get(key, []))
            yield from articles_to_batches(row for key in sorted(rows) for row in rows[key])
        rest = (row for key in self._keys[done:] for row in self._edited(key, []))
        yield from articles_to_batches(rest)

    def _edited(self, key: str, stored: list[ArticleRecord]) -> list[ArticleRecord]:
        dated = {each.fetched_at: each for each in stored}
        rows = []
        for row in self._resolve(key, self._fresh_of(key), stored):
            old = dated.get(row.fetched_at)
            # What comes from another partition as it is came out when it did there.
            since = old.extracted_at if old else row.extracted_at
            is_same = old is None or replace(row, extracted_at=since) == old
            rows.append(replace(row, extracted_at=(is_same and since) or self._now))
        self.is_changed = self.is_changed or rows != stored
        return rows

    def _fresh_of(self, key: str) -> list[ArticleRecord]:
        """The fresh records of a key; keys are asked for in order."""
        while self._next is not None and self._next[0] < key:
            self._advance()
        return self._next[1] if self._next is not None and self._next[0] == key else []

    def _advance(self) -> None:
        key, records = next(self._fresh, ("", ()))
        self._next = (key, list(records)) if key else None


def with_all_columns(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """Rows as they are; those written before a column was known have its default."""
    required = [field.name for field in ARTICLE_SCHEMA if not field.nullable]
    if any(batch[name].null_count for name in required):
        yield from articles_to_batches(articles_from_batches([batch]))
    else:
        yield conform(batch, ARTICLE_SCHEMA, {})


def _whole_keys(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The rows in batches that have all rows of each of their keys."""
    waiting: pa.RecordBatch | None = None
    for batch in batches:
        if waiting is not None:
            batch = pa.concat_batches([waiting, batch])
        last = batch["url_key"][-1]
        cut = pc.index(batch["url_key"], last).as_py()
        waiting = batch.slice(cut)
        if cut:
            yield batch.slice(0, cut)
    if waiting is not None:
        yield waiting
