"""Pages with gold from Parquet files: one row a page, with what a person says of it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from learner.dom.model import TYPES
from learner.dom.teaching.training import Lesson
from learner.page.pages import Page

SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("url", pa.string()),
        ("site", pa.string()),
        ("page_type", pa.string()),
        ("language", pa.string()),
        ("title", pa.string()),
        ("body", pa.string()),
        ("authors", pa.list_(pa.string())),
        ("date", pa.string()),
        ("html", pa.large_binary()),
    ]
)
"""Columns of such a file; null is what nobody says. `date` is ISO 8601, `page_type` one of
`learner.dom.model.TYPES`, of which a list may be called `listing`, too."""

_SAME_TYPE = {"listing": "list"}

ROWS_AT_ONCE = 32
"""Rows read at once: a few megabytes of pages. Origin: guess."""


class GoldError(ValueError):
    """A file that has no pages with gold; the message tells what is missing."""


def read_gold(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a file; GoldError if it has not the columns."""
    try:
        file = pq.ParquetFile(path)
    except (OSError, pa.ArrowInvalid) as error:
        raise GoldError(f"{path}: expected a Parquet file of pages, got: {error}") from error
    with file:
        missing = [name for name in SCHEMA.names if name not in file.schema_arrow.names]
        if missing:
            raise GoldError(f"{path}: expected the columns {SCHEMA.names}, missing: {missing}")
        for batch in file.iter_batches(ROWS_AT_ONCE, columns=SCHEMA.names):
            yield from batch.to_pylist()


def gold_lessons(path: Path) -> Iterator[Lesson]:
    """A lesson for each row of a file."""
    for row in read_gold(path):
        yield lesson_of(row)


def lesson_of(row: Mapping[str, Any]) -> Lesson:
    """What a row says of its page."""
    kind = _SAME_TYPE.get(row["page_type"], row["page_type"])
    return Lesson(
        site=row["site"],
        page=Page(url=row["url"], html=row["html"]),
        type=kind if kind in TYPES else None,
        title=row["title"] or "",
        body=row["body"] or "",
        published=day_of(row["date"]),
        authors=tuple(row["authors"] or ()),
    )


def day_of(text: str | None) -> date | None:
    """The day that a date in ISO 8601 begins with; None if there is none.

    >>> day_of("2024-12-17 12:17:15+01:00"), day_of("last year")
    (datetime.date(2024, 12, 17), None)
    """
    try:
        return date.fromisoformat((text or "")[:10])
    except ValueError:
        return None


def file_hash(path: Path) -> str:
    """SHA-256 of a file, for the model card."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
