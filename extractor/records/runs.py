"""Runs: article records in a file of their own until their day is written.

Arrow's stream format and not Parquet, whose footer tells of all batches: many runs are open at once
while they are merged, each with one batch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
from pyarrow import ipc

from extractor.records.articles import ARTICLE_SCHEMA

_COMPRESSED = ipc.IpcWriteOptions(compression="lz4")


def write_run(path: Path, batches: Iterable[pa.RecordBatch]) -> None:
    """Write rows of the articles table, in the batches that they are read in."""
    with (
        pa.OSFile(str(path), "wb") as sink,
        ipc.new_stream(sink, ARTICLE_SCHEMA, options=_COMPRESSED) as writer,
    ):
        for batch in batches:
            writer.write_batch(batch)


@contextmanager
def open_run(path: Path, columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatchReader]:
    """The rows of a run, or these columns of them, batch by batch."""
    fields = None if columns is None else [ARTICLE_SCHEMA.get_field_index(c) for c in columns]
    options = ipc.IpcReadOptions(included_fields=fields, use_threads=False)
    with pa.OSFile(str(path)) as source, ipc.open_stream(source, options=options) as reader:
        yield reader


def read_run(path: Path, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """The same as a stream, which closes the file at its end."""
    with open_run(path, columns) as reader:
        yield from reader
