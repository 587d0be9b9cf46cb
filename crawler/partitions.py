"""Tables as hive-partitioned Parquet: `<root>/<table>/site=<site>/date=<YYYY-MM-DD>/*.parquet`.

Works for any schema and on any pyarrow filesystem (a local folder, `s3://...`, `gs://...`).
Promises to every reader, also to one that only globs `**/*.parquet`:

- A file is visible whole or not at all. Locally it is written under a hidden name that does not
  end in `.parquet` (DuckDB's glob does see leading dots), fsynced, renamed, and its folder
  fsynced; on an object store it is one PUT.
- Part files never change and have unique names.
- Merging swaps the partition's folder in one step: no moment shows a row twice or not at all.

Memory is bounded: readers get record batches, writers hold one row group.
"""

import ctypes
import errno
import os
import re
import shutil
import sys
import uuid
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow import fs

ROW_GROUP_ROWS = 500
"""Rows of a row group at most. Origin: design measurement, point reads of pages of 20-200 KB."""
ROW_GROUP_BYTES = 64 * 2**20
"""Uncompressed bytes of a row group at most, so that 500 pages of 16 MB are not one group.
Origin: guess."""
MERGED_FILE_BYTES = 128 * 2**20
"""Files at least this large are not merged again, and a merge starts a new file here.
Origin: guess, the lower half of the 64-256 MB that engines like."""
MERGE_FAN_IN = 32
"""Parts that one merge pass reads at once; bounds open files and memory. Origin: guess."""
ZSTD_LEVEL = 9
"""Origin: design measurement, blogs shrink 12-23x."""
PLAIN_LEAVES = frozenset({"html", "body", "text"})
"""Names of columns (or struct fields) that hold page bodies: no dictionary, no statistics.
Origin: design measurement, same size, 3.5-5x slower to read with a dictionary."""
BATCH_BYTES = 4 * 2**20
"""Uncompressed bytes aimed at for one record batch, for readers and inside a merge.
Origin: guess; a merge holds `MERGE_FAN_IN` of them."""
MAX_BATCH_ROWS = 16_384
"""Rows of a record batch at most. Origin: guess."""
STALE_SECONDS = 3600
"""Age at which a hidden leftover of a killed writer is removed. Origin: guess."""

Condition = tuple[str, str, Any]
"""A filter: column, operator (`==`, `!=`, `<`, `<=`, `>`, `>=`, `in`, `not in`), value."""

_PARTITION_KEYS = pa.schema([("site", pa.string()), ("date", pa.date32())])
_SITE_NAME = re.compile(r"[a-z0-9_-]+")
_TABLE_NAME = re.compile(r"[a-z0-9_]+")
_STAGING = ".staging"


class StorageError(OSError):
    """A partition could not be written or read; `path` says which file."""

    def __init__(self, path: str, problem: str, advice: str) -> None:
        super().__init__(f"{path}: {problem}; {advice}")
        self.path = path


def check_site_name(site: str) -> str:
    """`site` itself if it may name a partition, else ValueError."""
    if not _SITE_NAME.fullmatch(site):
        raise ValueError(
            f"site name: expected lower-case letters, digits, '_' and '-', got {site!r}; rename it"
        )
    return site


@dataclass(frozen=True, slots=True)
class Storage:
    """The tables under one root: a local folder or a URI that pyarrow knows."""

    root: str

    def partition(self, table: str, site: str, day: date) -> str:
        """URI or path of the folder that holds the rows of one site and UTC day."""
        root, mark, query = self.root.partition("?")
        return f"{root.rstrip('/')}/{_relative(table, site, day)}{mark}{query}"

    def write_part(self, table: str, site: str, day: date, rows: pa.Table) -> str:
        """Write `rows`, sorted, as a new immutable part file; its path once it is durable."""
        stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
        name = f"part-{stamp}-{uuid.uuid4().hex[:8]}.parquet"
        return self._write(f"{_relative(table, site, day)}/{name}", rows.schema, _sorted(rows))

    def replace(
        self, table: str, site: str, day: date, rows: pa.Table | pa.RecordBatchReader
    ) -> str:
        """Write the partition's one fixed-name file, replacing it whole; its path.

        A table is sorted first; a reader is streamed, so its rows must come sorted.
        """
        batches = _sorted(rows) if isinstance(rows, pa.Table) else rows
        path = f"{_relative(table, site, day)}/{table}.parquet"
        return self._write(path, rows.schema, batches)

    def files(
        self, table: str, site: str, since: date | None = None, until: date | None = None
    ) -> list[str]:
        """Paths (inside the filesystem) of the visible files, by date and name.

        `since` and `until` are inclusive UTC dates; None leaves that side open.
        """
        filesystem, base = self._open()
        found = []
        for day in self.dates(table, site):
            if (since is None or day >= since) and (until is None or day <= until):
                folder = f"{base}/{_relative(table, site, day)}"
                found += [info.path for info in _parquet_files(filesystem, folder)]
        return found

    def read(
        self,
        table: str,
        site: str,
        since: date | None = None,
        until: date | None = None,
        columns: Sequence[str] | None = None,
        filters: Sequence[Condition] | None = None,
    ) -> Iterator[pa.RecordBatch]:
        """Stream the rows of the dates from `since` to `until`, both inclusive, file by file.

        `filters` are pyarrow's (column, operator, value) triples, such as
        `[("url_key", "in", keys)]`; all must hold, and row groups that they exclude are not
        read. `columns` and `filters` may name `site` and `date` (date32) too; without `columns`
        all come, these two last. A column that older files lack is null there. No partition: no
        batch. Memory: about `BATCH_BYTES`, at most a row group.
        """
        paths = self.files(table, site, since, until)
        if not paths:
            return
        filesystem, _ = self._open()
        schemas = [pq.read_schema(path, filesystem=filesystem) for path in paths]
        selection = _Selection(
            schema=pa.unify_schemas([*schemas, _PARTITION_KEYS]),
            columns=None if columns is None else tuple(columns),
            filters=tuple(filters or ()),
        )
        for path in paths:
            yield from selection.read(path, filesystem)

    def read_file(self, path: str, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Stream the rows of one file, as `write_part` and `files` name it."""
        filesystem, _ = self._open()
        schema = pa.unify_schemas([pq.read_schema(path, filesystem=filesystem), _PARTITION_KEYS])
        selection = _Selection(schema=schema, columns=tuple(columns), filters=())
        yield from selection.read(path, filesystem)

    def sites(self, table: str) -> list[str]:
        """Names of the sites that have a partition of `table`, sorted."""
        filesystem, base = self._open()
        return _partition_values(filesystem, f"{base}/{table}", "site")

    def dates(self, table: str, site: str) -> list[date]:
        """UTC dates for which `table` has a partition of `site`, ascending."""
        filesystem, base = self._open()
        folder = f"{base}/{table}/site={check_site_name(site)}"
        return [date.fromisoformat(day) for day in _partition_values(filesystem, folder, "date")]

    def merge_parts(self, table: str, site: str, day: date) -> list[str]:
        """Merge the partition's small files into few large sorted ones; paths of the new files.

        The caller holds the site's lock: no other process writes this partition. The merged
        files are built in a staging folder outside the table, then that folder and the
        partition's are exchanged in one system call. A kill before the exchange leaves the old
        files, one after it the new: never both, never neither. What the killed run left in
        staging is removed by the next merge. Where no such exchange exists (object stores,
        filesystems without RENAME_EXCHANGE) the parts stay as they are and nothing is returned.
        """
        filesystem, base = self._open()
        relative = _relative(table, site, day)
        if not isinstance(filesystem, fs.LocalFileSystem) or not Path(base, relative).is_dir():
            return []
        return _merge_folder(Path(base, relative), Path(base, _STAGING, relative))

    def _open(self) -> tuple[fs.FileSystem, str]:
        """The filesystem and the root's path inside it."""
        if "://" not in self.root:
            return fs.LocalFileSystem(), os.path.abspath(self.root)
        return _open_uri(self.root)

    def _write(self, relative: str, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> str:
        filesystem, base = self._open()
        path = f"{base}/{relative}"
        try:
            if isinstance(filesystem, fs.LocalFileSystem):
                _write_local(Path(path), schema, batches)
            else:
                _put_object(filesystem, path, schema, batches)
        except OSError as problem:
            raise StorageError(
                path, f"not written: {problem}", "check free space and permissions, then run again"
            ) from problem
        return path


@lru_cache(maxsize=16)
def _open_uri(root: str) -> tuple[fs.FileSystem, str]:
    """Cached, for a new client of an object store asks the network for its region."""
    filesystem, path = fs.FileSystem.from_uri(root)
    return filesystem, path.rstrip("/")


def _relative(table: str, site: str, day: date) -> str:
    if not _TABLE_NAME.fullmatch(table):
        raise ValueError(f"table name: expected lower-case letters, digits and '_', got {table!r}")
    if isinstance(day, datetime):
        raise TypeError(f"partition date: expected a date, got the datetime {day!r}; use .date()")
    return f"{table}/site={check_site_name(site)}/date={day.isoformat()}"


def _partition_values(filesystem: fs.FileSystem, folder: str, key: str) -> list[str]:
    selector = fs.FileSelector(folder, allow_not_found=True)
    prefix = f"{key}="
    return sorted(
        info.base_name.removeprefix(prefix)
        for info in filesystem.get_file_info(selector)
        if info.type == fs.FileType.Directory and info.base_name.startswith(prefix)
    )


def _parquet_files(filesystem: fs.FileSystem, folder: str) -> list[fs.FileInfo]:
    selector = fs.FileSelector(folder, allow_not_found=True)
    infos = filesystem.get_file_info(selector)
    return sorted(
        (info for info in infos if info.is_file and info.base_name.endswith(".parquet")),
        key=lambda info: str(info.path),
    )


# Reading


@dataclass(frozen=True, slots=True, kw_only=True)
class _Selection:
    """Which columns and rows to read of a table's files."""

    schema: pa.Schema
    """All columns of the table, the partition's keys last."""
    columns: tuple[str, ...] | None
    filters: tuple[Condition, ...]

    def read(self, path: str, filesystem: fs.FileSystem) -> Iterator[pa.RecordBatch]:
        """The selected rows of one file, a batch at a time.

        Not by a dataset scan: on 1.2 GB of pages that held 200-700 MB, this holds 80 MB.
        """
        condition = pq.filters_to_expression(list(self.filters)) if self.filters else None
        names = self.schema.names if self.columns is None else list(self.columns)
        needed = [*dict.fromkeys([*names, *(column for column, _, _ in self.filters)])]
        schema = pa.schema([self.schema.field(name) for name in needed])
        groups = self._row_groups(path, filesystem, condition)
        with pq.ParquetFile(path, filesystem=filesystem, buffer_size=2**20) as file:
            stored = [name for name in needed if name in file.schema_arrow.names]
            step = _batch_rows(file.metadata, set(stored))
            for batch in file.iter_batches(step, groups, stored, use_threads=False):
                whole = _conform(batch, schema, _keys_of(path))
                kept = whole if condition is None else whole.filter(condition)
                if kept.num_rows:
                    yield kept.select(names)

    def _row_groups(
        self, path: str, filesystem: fs.FileSystem, condition: pc.Expression | None
    ) -> list[int] | None:
        """Numbers of the row groups that may hold a row of `condition`; None for all."""
        if condition is None:
            return None
        # Here, for it imports pandas where that is installed: half a second of every command.
        import pyarrow.dataset as ds

        fragment = ds.ParquetFileFormat().make_fragment(
            path, filesystem, partition_expression=_keys_expression(path)
        )
        return [group.id for group in fragment.subset(condition, schema=self.schema).row_groups]


def _keys_of(path: str) -> dict[str, pa.Scalar]:
    """The partition's keys, from the folders of `path`."""
    site, day = path.split("/")[-3:-1]
    return {
        "site": pa.scalar(site.removeprefix("site=")),
        "date": pa.scalar(date.fromisoformat(day.removeprefix("date="))),
    }


def _keys_expression(path: str) -> pc.Expression:
    keys = _keys_of(path)
    return (pc.field("site") == keys["site"]) & (pc.field("date") == keys["date"])


def _conform(
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


# Sorting and encoding


def sort_column(schema: pa.Schema) -> str | None:
    """The column that the schema's `webstem.sorted_by` metadata names; None if it names none."""
    named = (schema.metadata or {}).get(b"webstem.sorted_by")
    return named.decode() if named else None


def _sorted(rows: pa.Table) -> Iterator[pa.RecordBatch]:
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


def _batch_rows(metadata: pq.FileMetaData, columns: set[str]) -> int:
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
        sorting_columns=pq.SortingColumn.from_ordering(schema, order) if order else None,
    ) as writer:
        yield writer


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


def _write_batches(sink: Any, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> None:
    with _parquet_writer(sink, schema) as writer:
        for group in _row_groups(batches):
            writer.write_table(pa.Table.from_batches(group, schema), row_group_size=ROW_GROUP_ROWS)


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


def _write_local(path: Path, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> None:
    """Write a hidden file, fsync it, rename it to `path`, fsync the folders up to the root."""
    created = _make_folders(path.parent)
    hidden = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}.tmp")
    try:
        with fs.LocalFileSystem().open_output_stream(str(hidden)) as sink:
            _write_batches(sink, schema, batches)
        _fsync(hidden)
        hidden.replace(path)
    except BaseException:
        with suppress(OSError):
            hidden.unlink(missing_ok=True)
        raise
    for folder in (path.parent, *created):
        _fsync(folder)


def _put_object(
    filesystem: fs.FileSystem, path: str, schema: pa.Schema, batches: Iterable[pa.RecordBatch]
) -> None:
    """Encode in memory, then send the object in one go.

    Not streamed: closing a stream after an error would publish the half that was sent.
    """
    encoded = pa.BufferOutputStream()
    _write_batches(encoded, schema, batches)
    with filesystem.open_output_stream(path) as sink:
        sink.write(encoded.getvalue())


def _make_folders(folder: Path) -> list[Path]:
    """Make `folder`; the folders whose entries changed, which must be fsynced too."""
    changed = []
    missing = folder
    while not missing.exists():
        missing = missing.parent
        changed.append(missing)
    folder.mkdir(parents=True, exist_ok=True)
    return changed


def _fsync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# Merging


def _merge_folder(folder: Path, staging: Path) -> list[str]:
    """Merge the small files of `folder`, building the new folder at `staging`."""
    _remove_leftovers(folder, staging)
    infos = _parquet_files(fs.LocalFileSystem(), str(folder))
    parts = [Path(info.path) for info in infos if info.size < MERGED_FILE_BYTES]
    groups = _merge_groups(parts)
    if not groups:
        return []
    _make_folders(staging)
    new = [_merge_files(group, staging) for group in groups]
    merged = {part for group in groups for part in group}
    kept = [Path(info.path) for info in infos if Path(info.path) not in merged]
    for part in kept:
        os.link(part, staging / part.name)
    _fsync(staging)
    seen = {Path(info.path).name for info in infos}
    if exchange_folders(folder, staging):
        _rescue_newcomers(staging, folder, seen)
    else:
        new = []
    shutil.rmtree(staging)
    return [str(folder / path.name) for path in new]


def _merge_groups(parts: Sequence[Path]) -> list[list[Path]]:
    """Groups of at least two files, in order, each up to the merged size or the fan-in."""
    groups: list[list[Path]] = []
    size = MERGED_FILE_BYTES
    for part in parts:
        if size >= MERGED_FILE_BYTES or len(groups[-1]) == MERGE_FAN_IN:
            groups.append([])
            size = 0
        groups[-1].append(part)
        size += part.stat().st_size
    return [group for group in groups if len(group) > 1]


def _merge_files(parts: Sequence[Path], staging: Path) -> Path:
    """Merge the rows of sorted `parts`, streamed, into one new file of `staging`."""
    schema = pa.unify_schemas([pq.read_schema(part) for part in parts])
    column = sort_column(schema)
    path = staging / f"merged-{datetime.now(UTC):%Y%m%dT%H%M%S%f}-{uuid.uuid4().hex[:8]}.parquet"
    streams = [_part_batches(part, schema) for part in parts]
    rows = _merge_sorted(streams, column) if column else chain.from_iterable(streams)
    _write_local(path, schema, rows)
    return path


def _part_batches(part: Path, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """The rows of `part`, a batch at a time, with the columns of `schema`."""
    with pq.ParquetFile(part, buffer_size=2**20, pre_buffer=False) as file:
        step = _batch_rows(file.metadata, set(schema.names))
        for batch in file.iter_batches(batch_size=step, use_threads=False):
            yield _conform(batch, schema, {})


def _merge_sorted(
    streams: Iterable[Iterator[pa.RecordBatch]], column: str
) -> Iterator[pa.RecordBatch]:
    """Merge streams that are each sorted by `column`, holding one batch of each.

    All rows up to the least of the last keys in hand are final: no later batch of any stream can
    hold a smaller key. They are sorted together and leave; that stream's batch is used up, so
    every round gets on.
    """
    sources = dict(enumerate(streams))
    firsts = ((index, next(source, None)) for index, source in sources.items())
    heads = {index: batch for index, batch in firsts if batch is not None}
    while heads:
        bound = min(batch.column(column)[-1].as_py() for batch in heads.values())
        ready = []
        for index, batch in list(heads.items()):
            count = _rows_up_to(batch, column, bound)
            ready.append(batch.slice(0, count))
            rest = batch.slice(count) if count < batch.num_rows else next(sources[index], None)
            if rest is None:
                del heads[index]
            else:
                heads[index] = rest
        yield from _sorted(pa.Table.from_batches(ready))


def _rows_up_to(batch: pa.RecordBatch, column: str, bound: Any) -> int:
    """How many rows of the sorted `batch` have a key up to `bound`."""
    return bisect_right(batch.column(column), bound, key=lambda value: value.as_py())


def _remove_leftovers(folder: Path, staging: Path) -> None:
    """Remove what killed writers left: the staging folder, and hidden files of some age."""
    shutil.rmtree(staging, ignore_errors=True)
    oldest = datetime.now(UTC).timestamp() - STALE_SECONDS
    for hidden in folder.glob(".*.tmp"):
        if hidden.stat().st_mtime < oldest:
            hidden.unlink(missing_ok=True)


def _rescue_newcomers(old: Path, folder: Path, seen: set[str]) -> None:
    """Move back files that a writer without the lock added to `old` while it was being merged."""
    for path in old.glob("*.parquet"):
        if path.name not in seen:
            path.replace(folder / path.name)
    _fsync(folder)


_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_NOT_SUPPORTED = {errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP}


def exchange_folders(first: Path, second: Path) -> bool:
    """Exchange two folders of one filesystem in one step, durably; False if it cannot do that.

    Linux renameat2(2) with RENAME_EXCHANGE, which Python's standard library lacks.
    """
    rename = _renameat2()
    if rename is None:
        return False
    if rename(_AT_FDCWD, os.fsencode(first), _AT_FDCWD, os.fsencode(second), _RENAME_EXCHANGE):
        code = ctypes.get_errno()
        if code in _NOT_SUPPORTED:
            return False
        raise OSError(code, os.strerror(code), str(first), None, str(second))
    _fsync(first.parent)
    _fsync(second.parent)
    return True


def _renameat2() -> Callable[..., int] | None:
    if not sys.platform.startswith("linux"):
        return None
    return getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
