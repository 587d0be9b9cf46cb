"""One Parquet file: how rows are ordered and encoded in it, how it becomes visible, and how it is
named if it cannot be read."""

import os
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow import fs

ROW_GROUP_ROWS = 500
"""Rows of a row group at most. Origin: design measurement, point reads of pages of 20-200 KB."""
ROW_GROUP_BYTES = 32 * 2**20
"""Uncompressed bytes of a row group at most, which a writer holds: 500 pages of 65 KB. Origin:
measured, a merge of 1.2 GB of pages adds 230 MB of memory with this, 290 MB with twice as much."""
ZSTD_LEVEL = 9
"""Origin: design measurement, blogs shrink 12-23x."""
PAGE_BYTES = 4 * 2**20
"""Uncompressed bytes of a data page, what a reader must hold of a column at least. Measured on a
blog: 5 % larger files than with one page per row group, which is what bodies get by default."""
BODY_WRITE_BATCH_ROWS = 16
"""Rows after which the writer looks at the size of a page that holds bodies; its default of 1024
makes one page of a whole row group. Origin: 16 pages of 200 KB are 3 MB."""
PLAIN_LEAVES = frozenset({"html", "body", "text", "snapshot", "picture"})
"""Names of columns (or struct fields) that hold page bodies, or drawn pages: no dictionary, no
statistics. Origin: design measurement, same size, 3.5-5x slower to read with a dictionary."""
BLOOM_FALSE_POSITIVES = 0.01
"""Share of the row groups without a key that its Bloom filter does not exclude. The filter of a row
group of 500 takes 1 KB. Origin: files of one day overlap, so that statistics leave one row group of
each; with 16 files that is 1.15 instead of 16."""
BATCH_BYTES = 2**20
"""Uncompressed bytes aimed at for one record batch, for readers and inside a merge.
Origin: guess; a merge holds a few of them for each part."""
MAX_BATCH_ROWS = 16_384
"""Rows of a record batch at most. Origin: guess."""


class StorageError(OSError):
    """A table's file could not be written or read; `path` says which."""

    def __init__(self, path: str, problem: str, advice: str) -> None:
        super().__init__(f"{path}: {problem}; {advice}")
        self.path = path


@contextmanager
def reading(path: str) -> Iterator[None]:
    """StorageError with its path for a file that cannot be read: Arrow's errors do not tell it."""
    try:
        yield
    except (OSError, pa.ArrowException) as problem:
        advice = (
            "put a sound copy there or move it away, then run again; patterns and articles are "
            "made anew by learn and extract"
        )
        said = " ".join(str(problem).split())  # of Arrow sometimes several lines
        raise StorageError(path, f"not read: {said}", advice) from problem


def sort_column(schema: pa.Schema) -> str | None:
    """The column that the schema's `webstem.sorted_by` metadata names; None if it names none."""
    named = (schema.metadata or {}).get(b"webstem.sorted_by")
    return named.decode() if named else None


def sorted_batches(rows: pa.Table) -> Iterator[pa.RecordBatch]:
    """The rows as batches, sorted stably by the schema's sort column, a few at a time.

    Only the order is computed for the whole table; bodies are copied batch by batch.
    """
    step = _rows_per_batch(rows.nbytes, rows.num_rows)
    column = sort_column(rows.schema)
    if column is None:
        yield from rows.to_batches(max_chunksize=step)
        return
    order = pc.sort_indices(rows, sort_keys=[(column, "ascending")])
    for start in range(0, len(order), step):
        yield from rows.take(order.slice(start, step)).combine_chunks().to_batches()


def _rows_per_batch(size: int, rows: int) -> int:
    """Rows that make about `BATCH_BYTES`, if `rows` rows take `size` bytes."""
    return max(1, min(MAX_BATCH_ROWS, BATCH_BYTES * rows // max(1, size)))


def rows_per_batch_of(metadata: pq.FileMetaData, columns: set[str]) -> int:
    """Rows that make about `BATCH_BYTES` of `columns` of a file."""
    groups = [metadata.row_group(index) for index in range(metadata.num_row_groups)]
    chunks = [group.column(index) for group in groups for index in range(group.num_columns)]
    size = sum(
        chunk.total_uncompressed_size
        for chunk in chunks
        if chunk.path_in_schema.partition(".")[0] in columns
    )
    return _rows_per_batch(size, metadata.num_rows)


@contextmanager
def _parquet_writer(sink: Any, schema: pa.Schema) -> Iterator[pq.ParquetWriter]:
    leaves = list(_leaf_paths(schema))
    small = [path for path in leaves if path.rpartition(".")[2] not in PLAIN_LEAVES]
    column = sort_column(schema)
    order = [(column, "ascending")] if column else None
    with pq.ParquetWriter(
        sink,
        schema,
        compression="zstd",
        compression_level=ZSTD_LEVEL,
        use_dictionary=small,
        write_statistics=small,
        write_page_index=True,
        data_page_size=PAGE_BYTES,
        write_batch_size=BODY_WRITE_BATCH_ROWS if small != leaves else None,
        sorting_columns=pq.SortingColumn.from_ordering(schema, order) if order else None,
        bloom_filter_options=_bloom_filters(column),
    ) as writer:
        yield writer


def _bloom_filters(column: str | None) -> dict[str, Any] | None:
    """A filter for the sort column, the key by which rows are looked up."""
    if column is None:
        return None
    return {column: {"ndv": ROW_GROUP_ROWS, "fpp": BLOOM_FALSE_POSITIVES}}


def _leaf_paths(schema: pa.Schema) -> Iterator[str]:
    """Dotted Parquet paths of the leaf columns, as the writer's per-column options want them."""
    for field in schema:
        yield from _leaves_of(field.name, field.type)


def _leaves_of(path: str, kind: pa.DataType) -> Iterator[str]:
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        yield from _leaves_of(f"{path}.list.element", kind.value_type)
    elif pa.types.is_map(kind):
        yield from _leaves_of(f"{path}.key_value.key", kind.key_type)
        yield from _leaves_of(f"{path}.key_value.value", kind.item_type)
    elif pa.types.is_struct(kind):
        for field in kind:
            yield from _leaves_of(f"{path}.{field.name}", field.type)
    else:
        yield path


def write_batches(sink: Any, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> None:
    with _parquet_writer(sink, schema) as writer:
        for group in _row_groups(batches):
            writer.write_table(pa.Table.from_batches(group, schema), row_group_size=ROW_GROUP_ROWS)
    # Arrow keeps what it freed for the next file: 45 MB that a crawl holds between two parts.
    pa.default_memory_pool().release_unused()


def _row_groups(batches: Iterable[pa.RecordBatch]) -> Iterator[list[pa.RecordBatch]]:
    """Cut the stream into groups of `ROW_GROUP_ROWS` rows, fewer if they pass `ROW_GROUP_BYTES`."""
    group: list[pa.RecordBatch] = []
    rows = size = 0
    for batch in batches:
        for piece in _slices(batch, ROW_GROUP_ROWS - rows):
            group.append(piece)
            rows += piece.num_rows
            size += piece.nbytes
            if rows >= ROW_GROUP_ROWS or size >= ROW_GROUP_BYTES:
                yield group
                group, rows, size = [], 0, 0
    if group:
        yield group


def _slices(batch: pa.RecordBatch, first: int) -> Iterator[pa.RecordBatch]:
    """`batch` cut after `first` rows, then after every `ROW_GROUP_ROWS`."""
    start, length = 0, first
    while start < batch.num_rows:
        yield batch.slice(start, length)
        start, length = start + length, ROW_GROUP_ROWS


# Making a file visible


def write_file(path: Path, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> None:
    """Write a hidden file, fsync it, rename it to `path`, fsync the folders up to the root."""
    created = make_folders(path.parent)
    hidden = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}.tmp")
    try:
        with fs.LocalFileSystem().open_output_stream(str(hidden)) as sink:
            write_batches(sink, schema, batches)
        fsync(hidden)
        hidden.replace(path)
    except BaseException:
        with suppress(OSError):
            hidden.unlink(missing_ok=True)
        raise
    for folder in (path.parent, *created):
        fsync(folder)


def make_folders(folder: Path) -> list[Path]:
    """Make `folder`; the folders whose entries changed, which must be fsynced too."""
    changed = []
    missing = folder
    while not missing.exists():
        missing = missing.parent
        changed.append(missing)
    folder.mkdir(parents=True, exist_ok=True)
    return changed


def fsync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def unified(schemas: Sequence[pa.Schema]) -> pa.Schema:
    """All columns that any of the schemas has; what one of them lacks may be null."""
    whole = pa.unify_schemas(schemas) if schemas else pa.schema([])
    everywhere = {name for name in whole.names if all(name in each.names for each in schemas)}
    fields = [f if f.name in everywhere else f.with_nullable(True) for f in whole]
    return pa.schema(fields, whole.metadata)


def conform(
    batch: pa.RecordBatch, schema: pa.Schema, constants: Mapping[str, pa.Scalar]
) -> pa.RecordBatch:
    """`batch` with exactly the columns of `schema`: stored, else constant, else null."""
    arrays = []
    for field in schema:
        if field.name in batch.schema.names:
            arrays.append(batch.column(field.name).cast(field.type))
        else:
            value = constants.get(field.name, pa.scalar(None, field.type))
            arrays.append(pa.repeat(value, batch.num_rows))
    return pa.RecordBatch.from_arrays(arrays, schema=schema)
