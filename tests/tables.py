"""Rows of the tables for tests, what readers see of them, and processes that are killed."""

import random
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from crawler.storage.partitions import Storage
from crawler.storage.records import PAGE_SCHEMA, PageRecord, records_to_table

ROOT = Path(__file__).parents[1]
DAY = date(2026, 11, 20)
NEXT_DAY = date(2026, 11, 21)
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def page(number: int, html: bytes | None = b"<p>x") -> PageRecord:
    url = f"http://a/{number:06}"
    return PageRecord(
        run_id="r1", url=url, final_url=url, url_key=url, fetched_at=NOW, status=200, html=html
    )


def pages(numbers: range, html: bytes | None = b"<p>x") -> pa.Table:
    """Pages in an order that is not sorted."""
    shuffled = list(numbers)
    random.Random(0).shuffle(shuffled)
    return records_to_table([page(number, html) for number in shuffled], PAGE_SCHEMA)


def keys(numbers: range) -> list[str]:
    return [f"http://a/{number:06}" for number in numbers]


def read_keys(storage: Storage, table: str = "pages", site: str = "a") -> list[str]:
    batches = storage.read(table, site, columns=["url_key"])
    return [key for batch in batches for key in batch.column("url_key").to_pylist()]


def glob_keys(root: Path) -> list[str]:
    """What a reader sees that knows nothing but the layout of the folders."""
    pattern = f"{root}/pages/**/*.parquet"
    query = "select url_key from read_parquet($pattern, hive_partitioning = true)"
    with duckdb.connect() as connection:
        return [row[0] for row in connection.execute(query, {"pattern": pattern}).fetchall()]


def group_sizes(file: pq.ParquetFile) -> list[int]:
    metadata = file.metadata
    return [metadata.row_group(index).num_rows for index in range(metadata.num_row_groups)]


def all_files(root: Path) -> list[str]:
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())


@contextmanager
def file_size_limit(size: int) -> Iterator[None]:
    """Writes past `size` bytes of a file fail, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


FORKER = """
# Reads "MODE N ROOT" lines; forks a child that does the work of MODE on ROOT and is killed by
# SIGKILL right before its Nth change of the file system. Prints "killed" or "done".
import os, signal, sys
from datetime import date
from pathlib import Path
from tests import tables
from crawler.storage import merging, parquet
from crawler.storage.partitions import Storage

def kill_before_change(number):
    left = number
    def count(*_):
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
    def audit(event, arguments):
        if event in {"os.rename", "os.remove", "os.rmdir", "os.link", "os.mkdir"}:
            count()
    sys.addaudithook(audit)
    real_fsync, real_exchange = parquet.fsync, merging.exchange_folders
    parquet.fsync = merging.fsync = lambda path: (count(), real_fsync(path))
    merging.exchange_folders = lambda a, b: (count(), real_exchange(a, b), count())

for line in sys.stdin:
    mode, number, root = line.split()
    child = os.fork()
    if child == 0:
        kill_before_change(int(number))
        storage = Storage(root)
        if mode == "merge":
            storage.merge_parts("pages", "a", tables.DAY)
        else:
            getattr(storage, mode)("pages", "a", tables.DAY, tables.pages(range(600)))
        os._exit(0)
    _, status = os.waitpid(child, 0)
    print("killed" if os.WIFSIGNALED(status) else "done", os.waitstatus_to_exitcode(status),
          flush=True)
"""


@contextmanager
def killer() -> Iterator[Callable[..., bool]]:
    """run_killed(mode, number, root): True if the work was killed before its Nth change."""
    process = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", FORKER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )

    def run(mode: str, number: int, root: Path) -> bool:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(f"{mode} {number} {root}\n")
        process.stdin.flush()
        word, code = process.stdout.readline().split()
        assert int(code) in (0, -signal.SIGKILL)
        return word == "killed"

    with process:
        yield run
        assert process.stdin is not None
        process.stdin.close()
