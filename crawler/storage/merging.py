"""Merging the small files of a partition, so that no moment shows a row twice or not at all."""

import ctypes
import errno
import os
import re
import shutil
import sys
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from crawler.storage.parquet import (
    conform,
    fsync,
    make_folders,
    reading,
    rows_per_batch_of,
    sort_column,
    sorted_batches,
    write_file,
)

PART_TABLES = ("pages", "links", "runs")
"""The tables of part files; the others have one file a partition already."""
OLD_DAYS = 30
"""Age of the days whose small files are merged if nobody says otherwise. Origin: guess."""
MERGED_FILE_BYTES = 128 * 2**20
"""Files at least this large are not merged again, and a merge starts a new file here.
Origin: guess, the lower half of the 64-256 MB that engines like."""
MERGE_FAN_IN = 8
"""Parts that are merged into one file at most, for each is open with a data page of 4 MB. Origin:
measured, a merge of 1.2 GB of pages adds 230 MB of memory with 8, 310 MB with 16."""
STALE_SECONDS = 3600
"""Age at which a hidden leftover of a killed writer is removed. Origin: guess."""

_NUMBER_BYTES = 16
_MERGED = re.compile(rf"merged-\w+-([0-9a-f]{{{2 * _NUMBER_BYTES}}})\.parquet")


def rows_number(names: Iterable[str]) -> int:
    """What stands for the rows of a partition's files, by their names: the same after merging.

    The sum of the numbers of all parts, which never change: a merged file bears that of its parts.
    """
    return sum(map(_file_number, names)) % (1 << 8 * _NUMBER_BYTES)


def _file_number(name: str) -> int:
    merged = _MERGED.fullmatch(name)
    if merged:
        return int(merged[1], 16)
    return int.from_bytes(blake2b(name.encode(), digest_size=_NUMBER_BYTES).digest(), "big")


def merge_folder(folder: Path, staging: Path) -> list[Path]:
    """Merge the small files of `folder` into few large sorted ones; the new files.

    The new folder is built at `staging`, on the same filesystem but outside the table, and then
    exchanged with `folder` in one system call. A kill before the exchange leaves the old files,
    one after it the new: never both, never neither. StorageError, with the old files as they
    were, names one that cannot be read. What a killed merge left beside `staging` is
    removed by the next one. Where no exchange is possible nothing is done. The caller sees to it
    that nobody else merges below `staging.parent`.
    """
    shutil.rmtree(staging.parent, ignore_errors=True)
    _remove_stale_files(folder)
    files = sorted(folder.glob("*.parquet"))
    groups = _merge_groups([file for file in files if file.stat().st_size < MERGED_FILE_BYTES])
    if not groups or not _can_exchange(staging):
        return []
    try:
        return _merge_groups_of(folder, files, groups, staging)
    finally:
        shutil.rmtree(staging.parent, ignore_errors=True)


def _merge_groups_of(
    folder: Path, files: Sequence[Path], groups: Sequence[Sequence[Path]], staging: Path
) -> list[Path]:
    make_folders(staging)
    merged = [_merge_files(group, staging) for group in groups]
    for file in set(files).difference(*groups):
        os.link(file, staging / file.name)
    fsync(staging)
    exchange_folders(folder, staging)
    _rescue_newcomers(staging, folder, {file.name for file in files})
    return [folder / file.name for file in merged]


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
    schema = pa.unify_schemas([_part_schema(part) for part in parts])
    column = sort_column(schema)
    number = rows_number(part.name for part in parts)
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
    path = staging / f"merged-{stamp}-{number:0{2 * _NUMBER_BYTES}x}.parquet"
    streams = [_part_batches(part, schema) for part in parts]
    rows = _merge_sorted(streams, column) if column else chain.from_iterable(streams)
    write_file(path, schema, rows)
    return path


def _part_schema(part: Path) -> pa.Schema:
    with reading(str(part)):
        return pq.read_schema(part)


def _part_batches(part: Path, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """The rows of `part`, a batch at a time, with the columns of `schema`."""
    with (
        reading(str(part)),
        pq.ParquetFile(part, buffer_size=2**20, pre_buffer=False) as file,
    ):
        step = rows_per_batch_of(file.metadata, set(schema.names))
        for batch in file.iter_batches(batch_size=step, use_threads=False):
            yield conform(batch, schema, {})


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
        yield from sorted_batches(pa.Table.from_batches(ready))


def _rows_up_to(batch: pa.RecordBatch, column: str, bound: Any) -> int:
    """How many rows of the sorted `batch` have a key up to `bound`."""
    return bisect_right(batch.column(column), bound, key=lambda value: value.as_py())


def _remove_stale_files(folder: Path) -> None:
    """Remove hidden files of some age, which killed writers left."""
    oldest = datetime.now(UTC).timestamp() - STALE_SECONDS
    for hidden in folder.glob(".*.tmp"):
        if hidden.stat().st_mtime < oldest:
            hidden.unlink(missing_ok=True)


def _rescue_newcomers(old: Path, folder: Path, seen: set[str]) -> None:
    """Move back files that a writer without the lock added to `old` while it was being merged."""
    for path in old.glob("*.parquet"):
        if path.name not in seen:
            path.replace(folder / path.name)
    fsync(folder)


_AT_FDCWD = -100
_RENAME_EXCHANGE = 2


def exchange_folders(first: Path, second: Path) -> None:
    """Exchange two folders of one filesystem in one step, durably; OSError if that fails.

    Linux renameat2(2) with RENAME_EXCHANGE, which Python's standard library lacks.
    """
    rename = _renameat2()
    if rename is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS), str(first), None, str(second))
    if rename(_AT_FDCWD, os.fsencode(first), _AT_FDCWD, os.fsencode(second), _RENAME_EXCHANGE):
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), str(first), None, str(second))
    fsync(first.parent)
    fsync(second.parent)


def _renameat2() -> Callable[..., int] | None:
    if not sys.platform.startswith("linux"):
        return None
    return getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)


def _can_exchange(staging: Path) -> bool:
    """Try it on two empty folders, before any work is done: many network filesystems cannot."""
    probes = (staging.parent / "probe-1", staging.parent / "probe-2")
    for probe in probes:
        probe.mkdir(parents=True)
    try:
        exchange_folders(*probes)
    except OSError:
        return False
    return True
