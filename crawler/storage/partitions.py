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

import os
import re
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow import fs

from crawler.storage.merging import merge_folder, rows_number
from crawler.storage.parquet import (
    StorageError,
    conform,
    reading,
    rows_per_batch_of,
    sorted_batches,
    unified,
    write_batches,
    write_file,
)

Condition = tuple[str, str, Any]
"""A filter: column, operator (`==`, `!=`, `<`, `<=`, `>`, `>=`, `in`, `not in`), value."""

_PARTITION_KEYS = pa.schema([("site", pa.string()), ("date", pa.date32())])
_SITE_NAME = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*")
_TABLE_NAME = re.compile(r"[a-z0-9_]+")
_FILE_NAME = re.compile(r"[a-z0-9_-]+")
_STAGING = ".staging"
_URI_ADVICE = "check `storage` in pipelines.yaml, the network and the keys in the environment"


def is_site_name(name: str) -> bool:
    """Whether this may name a partition."""
    return bool(_SITE_NAME.fullmatch(name))


def check_site_name(site: str) -> str:
    """`site` itself if it may name a partition, else ValueError."""
    if not is_site_name(site):
        raise ValueError(
            "site name: expected lower-case letters, digits, '_', '-' and dots between them, "
            f"got {site!r}; rename it"
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

    def holds(self, path: Path) -> bool:
        """Whether a local path lies among the tables."""
        filesystem, base = self._open()
        is_local = isinstance(filesystem, fs.LocalFileSystem)
        return is_local and path.resolve().is_relative_to(Path(base).resolve())

    def write_part(self, table: str, site: str, day: date, rows: pa.Table) -> str:
        """Write `rows`, sorted, as a new immutable part file; its path once it is durable."""
        stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
        name = f"part-{stamp}-{uuid.uuid4().hex[:8]}.parquet"
        return self._write(
            f"{_relative(table, site, day)}/{name}", rows.schema, sorted_batches(rows)
        )

    def replace(
        self,
        table: str,
        site: str,
        day: date,
        rows: pa.Table | pa.RecordBatchReader,
        name: str | None = None,
    ) -> str:
        """Write a file of the partition with a fixed name (by default the table's, and then it is
        the only one), replacing it whole; its path.

        A table is sorted first; a reader is streamed, so its rows must come sorted.
        """
        if not _FILE_NAME.fullmatch(name or table):
            raise ValueError(f"file name: expected a-z, 0-9, '_' and '-', got {name!r}")
        batches = sorted_batches(rows) if isinstance(rows, pa.Table) else rows
        path = f"{_relative(table, site, day)}/{name or table}.parquet"
        return self._write(path, rows.schema, batches)

    def remove(self, table: str, site: str, day: date) -> None:
        """Remove the partition; none is no error. Only for tables that no reader knows."""
        filesystem, base = self._open()
        folder = f"{base}/{_relative(table, site, day)}"
        if filesystem.get_file_info(folder).type == fs.FileType.Directory:
            filesystem.delete_dir(folder)

    def check_writable(self) -> None:
        """StorageError if nothing can be written; leaves nothing behind."""
        filesystem, base = self._open()
        probe = f"{base}/.probe-{uuid.uuid4().hex}"
        try:
            if isinstance(filesystem, fs.LocalFileSystem):
                filesystem.create_dir(base)
            with filesystem.open_output_stream(probe) as stream:
                stream.write(b"webstem")
            filesystem.delete_file(probe)
        except OSError as problem:
            advice = _advice(filesystem, "check free space and permissions")
            raise StorageError(base, f"not written: {_on_one_line(problem)}", advice) from problem

    def count_rows(self, path: str) -> int:
        """Rows of one file, as its footer says."""
        filesystem, _ = self._open()
        with reading(path):
            return int(pq.read_metadata(path, filesystem=filesystem).num_rows)

    def files(
        self, table: str, site: str, since: date | None = None, until: date | None = None
    ) -> list[str]:
        """Paths (inside the filesystem) of the visible files, by date and name.

        `since` and `until` are inclusive UTC dates; None leaves that side open.
        """
        return [info.path for info in self._infos(table, site, since, until)]

    def _infos(
        self, table: str, site: str, since: date | None, until: date | None
    ) -> Iterator[fs.FileInfo]:
        filesystem, base = self._open()
        for day in self.dates(table, site):
            if (since is None or day >= since) and (until is None or day <= until):
                yield from _parquet_files(filesystem, f"{base}/{_relative(table, site, day)}")

    def rows_numbers(
        self, table: str, site: str, since: date | None = None, until: date | None = None
    ) -> list[tuple[str, int]]:
        """Folder of each partition, below the root, and what stands for its rows: the same while
        they are the same, also when part files are merged. No file is opened."""
        names: dict[str, list[str]] = {}
        for path in self.files(table, site, since, until):
            *_, site_key, date_key, name = path.split("/")
            names.setdefault(f"{table}/{site_key}/{date_key}", []).append(name)
        return [(folder, rows_number(found)) for folder, found in names.items()]

    def stamps(
        self, table: str, site: str, since: date | None = None, until: date | None = None
    ) -> list[tuple[str, int, int]]:
        """Name, size and time of change of each file: others if one was removed or replaced."""
        _, base = self._open()
        infos = self._infos(table, site, since, until)
        return [(i.path.removeprefix(base), i.size or 0, i.mtime_ns or 0) for i in infos]

    def schema(
        self, table: str, site: str, since: date | None = None, until: date | None = None
    ) -> pa.Schema:
        """All columns that any of the files has, and the keys of their partitions."""
        filesystem, _ = self._open()
        paths = self.files(table, site, since, until)
        return _schema_of_all(_footer_of(path, filesystem) for path in paths)

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
        all come, these two last. A column that a file lacks is null there. No partition: no
        batch. Memory: a few data pages, at most a row group.
        """
        paths = self.files(table, site, since, until)
        if not paths:
            return
        filesystem, _ = self._open()
        footers = {path: _footer_of(path, filesystem) for path in paths}
        selection = _Selection(
            schema=_schema_of_all(footers.values()),
            columns=None if columns is None else tuple(columns),
            filters=tuple(filters or ()),
        )
        for path in paths:
            with reading(path):
                yield from selection.read(path, footers.pop(path), filesystem)

    def read_file(self, path: str, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Stream the rows of one file, as `write_part` and `files` name it."""
        filesystem, _ = self._open()
        footer = _footer_of(path, filesystem)
        selection = _Selection(schema=_schema_of_all([footer]), columns=tuple(columns), filters=())
        with reading(path):
            yield from selection.read(path, footer, filesystem)

    def sites(self, table: str) -> list[str]:
        """Names of the sites that have a partition of `table`, sorted."""
        filesystem, base = self._open()
        return _partition_values(filesystem, f"{base}/{table}", "site")

    def dates(self, table: str, site: str) -> list[date]:
        """UTC dates for which `table` has a partition of `site`, ascending.

        StorageError names a folder that is like one but has no date (`date=2026-11-20.bak`):
        readers that know nothing but the layout of the folders would read its rows, too.
        """
        filesystem, base = self._open()
        folder = f"{base}/{table}/site={check_site_name(site)}"
        return [_day(folder, value) for value in _partition_values(filesystem, folder, "date")]

    def merge_parts(self, table: str, site: str, day: date) -> list[str]:
        """Merge the partition's small files into few large sorted ones; paths of the new files.

        The caller holds the site's lock: no other process writes this partition. At every moment,
        whenever the process is killed, readers see each row exactly once. Where folders cannot be
        exchanged (object stores, some filesystems) parts stay as they are: nothing is returned. So
        they do at a StorageError, which names the part that cannot be read.
        """
        filesystem, base = self._open()
        relative = _relative(table, site, day)
        folder = Path(base, relative)
        if not isinstance(filesystem, fs.LocalFileSystem) or not folder.is_dir():
            return []
        try:
            return [str(path) for path in merge_folder(folder, Path(base, _STAGING, relative))]
        except StorageError:
            raise  # a part that cannot be read: it is named
        except OSError as problem:
            raise StorageError(
                str(folder), f"not merged: {problem}", "its rows are safe; free space, run again"
            ) from problem

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
                write_file(Path(path), schema, batches)
            else:
                _put_object(filesystem, path, schema, batches)
        except OSError as problem:
            advice = _advice(filesystem, "check free space and permissions, then run again")
            raise StorageError(path, f"not written: {_on_one_line(problem)}", advice) from problem
        return path


@lru_cache(maxsize=16)
def _open_uri(root: str) -> tuple[fs.FileSystem, str]:
    """Cached, for a new client of an object store asks the network for its region."""
    try:
        filesystem, path = fs.FileSystem.from_uri(root)
    except (OSError, pa.ArrowException) as problem:
        raise StorageError(root, f"not opened: {_on_one_line(problem)}", _URI_ADVICE) from problem
    bucket = path.strip("/").partition("/")[0]
    if _is_missing(filesystem, bucket) and "allow_bucket_creation" not in root:
        raise StorageError(root, f"expected a bucket {bucket!r}, found none", _URI_ADVICE)
    return filesystem, path.rstrip("/")


def _is_missing(filesystem: fs.FileSystem, bucket: str) -> bool:
    """Whether an object store has no such bucket; keys that open a part of one may not ask."""
    if isinstance(filesystem, fs.LocalFileSystem):
        return False
    try:
        return bool(filesystem.get_file_info(bucket).type == fs.FileType.NotFound)
    except OSError:
        return False


def _advice(filesystem: fs.FileSystem, local: str) -> str:
    """What to do about a failure: of a local filesystem this, of an object store its own."""
    return local if isinstance(filesystem, fs.LocalFileSystem) else _URI_ADVICE


def _on_one_line(problem: BaseException) -> str:
    """What Arrow says, sometimes on several lines."""
    return " ".join(str(problem).split())


def _footer_of(path: str, filesystem: fs.FileSystem) -> pq.FileMetaData:
    with reading(path):
        return pq.read_metadata(path, filesystem=filesystem)


def _schema_of_all(footers: Iterable[pq.FileMetaData]) -> pa.Schema:
    """All columns that any of the files has, and the keys of their partitions."""
    stored = unified([footer.schema.to_arrow_schema() for footer in footers])
    return pa.unify_schemas([stored, _PARTITION_KEYS])


def _relative(table: str, site: str, day: date) -> str:
    if not _TABLE_NAME.fullmatch(table):
        raise ValueError(f"table name: expected lower-case letters, digits and '_', got {table!r}")
    if isinstance(day, datetime):
        raise TypeError(f"partition date: expected a date, got the datetime {day!r}; use .date()")
    return f"{table}/site={check_site_name(site)}/date={day.isoformat()}"


def _partition_values(filesystem: fs.FileSystem, folder: str, key: str) -> list[str]:
    prefix = f"{key}="
    return sorted(
        info.base_name.removeprefix(prefix)
        for info in _listed(filesystem, folder)
        if info.type == fs.FileType.Directory and info.base_name.startswith(prefix)
    )


def _listed(filesystem: fs.FileSystem, folder: str) -> list[fs.FileInfo]:
    """What is in a folder; nothing if there is none."""
    try:
        return list(filesystem.get_file_info(fs.FileSelector(folder, allow_not_found=True)))
    except OSError as problem:
        advice = _advice(filesystem, "check its permissions, then run again")
        raise StorageError(folder, f"not listed: {_on_one_line(problem)}", advice) from problem


def _day(folder: str, value: str) -> date:
    try:
        return date.fromisoformat(value)
    except ValueError:
        path, advice = f"{folder}/date={value}", f"move it out of {folder}, then run again"
        raise StorageError(path, "expected YYYY-MM-DD after date=", advice) from None


def _parquet_files(filesystem: fs.FileSystem, folder: str) -> list[fs.FileInfo]:
    infos = _listed(filesystem, folder)
    return sorted(
        (info for info in infos if info.is_file and info.base_name.endswith(".parquet")),
        key=lambda info: str(info.path),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Selection:
    """Which columns and rows to read of a table's files."""

    schema: pa.Schema
    """All columns of the table, the partition's keys last."""
    columns: tuple[str, ...] | None
    filters: tuple[Condition, ...]

    def read(
        self, path: str, footer: pq.FileMetaData, filesystem: fs.FileSystem
    ) -> Iterator[pa.RecordBatch]:
        """The selected rows of one file, a batch at a time.

        Not by a dataset scan: on 1.2 GB of pages that held 200-700 MB, this holds 80 MB.
        """
        if not {column for column, _, _ in self.filters} <= {*self.schema.names}:
            return  # what is null everywhere fulfils no condition
        condition = pq.filters_to_expression(list(self.filters)) if self.filters else None
        names = self.schema.names if self.columns is None else list(self.columns)
        needed = [*dict.fromkeys([*names, *(column for column, _, _ in self.filters)])]
        schema = pa.schema([self._field(name) for name in needed])
        groups = self._row_groups(path, filesystem, condition)
        opened = pq.ParquetFile(path, metadata=footer, filesystem=filesystem, buffer_size=2**20)
        with opened as file:
            known = frozenset(file.schema_arrow.names)
            stored = [name for name in needed if name in known]
            step = rows_per_batch_of(file.metadata, set(stored))
            for batch in file.iter_batches(step, groups, stored, use_threads=False):
                whole = conform(batch, schema, _keys_of(path))
                kept = whole if condition is None else whole.filter(condition)
                if kept.num_rows:
                    yield kept.select(names)

    def _field(self, name: str) -> pa.Field:
        """A column as the files have it; of type null if none has."""
        known = name in self.schema.names
        return self.schema.field(name) if known else pa.field(name, pa.null())

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


def _put_object(
    filesystem: fs.FileSystem, path: str, schema: pa.Schema, batches: Iterable[pa.RecordBatch]
) -> None:
    """Encode in memory, then send the object in one go.

    Not streamed: closing a stream after an error would publish the half that was sent.
    """
    encoded = pa.BufferOutputStream()
    write_batches(encoded, schema, batches)
    with filesystem.open_output_stream(path) as sink:
        sink.write(encoded.getvalue())
