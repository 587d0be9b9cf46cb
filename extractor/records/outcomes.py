"""The table `outcomes`: what came of each page that the extractor got, by the day of its fetch.

It is light, for it holds no texts: a page that came again on a hundred nights has a row on each of
them, its article stands once in `articles`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa

from crawler.storage.records import TIMESTAMP, table_schema
from extractor.records.articles import ArticleRecord, Status
from learner.page.words import text_digest, without_numbers

TABLE = "outcomes"

OUTCOME_SCHEMA = table_schema(
    [
        pa.field("url", pa.string(), nullable=False),
        pa.field("url_key", pa.string(), nullable=False),
        pa.field("status", pa.string(), nullable=False),
        pa.field("reason", pa.string()),
        pa.field("title", pa.string()),
        pa.field("body_chars", pa.int32()),
        pa.field("date_published", TIMESTAMP),
        pa.field("authors", pa.list_(pa.string()), nullable=False),
        pa.field("language", pa.string()),
        pa.field("pattern_id", pa.string()),
        pa.field("match_score", pa.float64()),
        pa.field("page_type", pa.string()),
        pa.field("probability", pa.float64()),
        pa.field("text_sha256", pa.string()),
        pa.field("body_sha256", pa.string()),
        pa.field("fetched_at", TIMESTAMP),
        pa.field("extracted_at", TIMESTAMP),
        pa.field("run_id", pa.string(), nullable=False),
        pa.field("code_version", pa.string(), nullable=False),
    ],
    table=TABLE,
    sorted_by="url_key",
)

BATCH_ROWS = 1000
"""Rows written at once. Origin: guess, half a megabyte."""

_SAME_NAMES = tuple(
    name
    for name in OUTCOME_SCHEMA.names
    if name not in ("status", "text_sha256", "body_chars", "authors")
)

Row = dict[str, Any]


def outcome_of(record: ArticleRecord) -> Row:
    """The row of a record."""
    return {
        **{name: getattr(record, name) for name in _SAME_NAMES},
        "status": str(record.status),
        "text_sha256": _digest(record),
        "body_chars": None if record.body is None else len(record.body),
        "authors": list(record.authors),
    }


def _digest(record: ArticleRecord) -> str | None:
    """What tells that pages say one and the same: a wall may be guessed to be an article, and bears
    a number of its own each time."""
    if record.status is not Status.GUESSED:
        return record.text_sha256
    return text_digest(None, without_numbers([record.title or "", record.body or ""]))


def outcomes_to_table(records: Iterable[ArticleRecord]) -> pa.Table:
    """The records as rows of the table."""
    return pa.Table.from_pylist(list(map(outcome_of, records)), schema=OUTCOME_SCHEMA)


def outcome_batches(rows: Iterable[Row]) -> Iterator[pa.RecordBatch]:
    """Rows of the table, so many at a time."""
    waiting: list[Row] = []
    for row in rows:
        waiting.append(row)
        if len(waiting) == BATCH_ROWS:
            yield pa.RecordBatch.from_pylist(waiting, schema=OUTCOME_SCHEMA)
            waiting = []
    if waiting:
        yield pa.RecordBatch.from_pylist(waiting, schema=OUTCOME_SCHEMA)
