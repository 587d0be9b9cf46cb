"""`crawler.storage.partitions`: what readers may rely on, on a local disk and on S3.

Real Parquet throughout; S3 is moto's server; crashes are real SIGKILLs of real processes.
"""

import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import duckdb
import pandas
import polars
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from crawler.storage.parquet import StorageError
from crawler.storage.partitions import Storage
from crawler.storage.records import PAGE_SCHEMA
from tests.tables import (
    DAY,
    NEXT_DAY,
    NOW,
    ROOT,
    all_files,
    file_size_limit,
    glob_keys,
    group_sizes,
    keys,
    pages,
    read_keys,
)


@pytest.fixture(params=["local", "s3"])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Storage:
    """A fresh storage of either kind: what holds for one holds for the other."""
    if request.param == "local":
        return Storage(str(tmp_path))
    make = request.getfixturevalue("s3_bucket")
    return Storage(f"s3://{make(tmp_path.name.replace('_', '-').strip('-').lower())}/lake")


# Both kinds


def test_rows_come_back_sorted_and_typed(storage: Storage) -> None:
    table = pages(range(1200))
    storage.write_part("pages", "a", DAY, table)
    back = pa.Table.from_batches(list(storage.read("pages", "a")))
    assert back.column("url_key").to_pylist() == keys(range(1200))
    assert back.drop_columns(["site", "date"]).schema.equals(PAGE_SCHEMA)
    assert back.schema.field("site").type == pa.string()
    assert back.schema.field("date").type == pa.date32()
    assert set(back.column("date").to_pylist()) == {DAY}
    assert back.drop_columns(["site", "date"]).sort_by("url_key") == table.sort_by("url_key")


def test_since_and_until_are_inclusive(storage: Storage) -> None:
    for day in (18, 19, 20, 21):
        storage.write_part("pages", "a", date(2026, 11, day), pages(range(day, day + 1)))
    found = storage.read("pages", "a", since=date(2026, 11, 19), until=date(2026, 11, 20))
    assert [day for batch in found for day in batch.column("date").to_pylist()] == [
        date(2026, 11, 19),
        date(2026, 11, 20),
    ]


def test_sites_and_dates_are_listed(storage: Storage) -> None:
    assert (storage.sites("pages"), storage.dates("pages", "a")) == ([], [])
    for site, day in (("b", DAY), ("a", NEXT_DAY), ("a", DAY)):
        storage.write_part("pages", site, day, pages(range(1)))
    assert storage.sites("pages") == ["a", "b"]
    assert storage.dates("pages", "a") == [DAY, NEXT_DAY]
    assert storage.sites("links") == []


def test_nothing_stored_reads_as_nothing(storage: Storage) -> None:
    assert list(storage.read("pages", "a")) == []


def test_filters_choose_rows(storage: Storage) -> None:
    storage.write_part("pages", "a", DAY, pages(range(1200)))
    wanted = keys(range(700, 703))
    batches = list(
        storage.read("pages", "a", columns=["status"], filters=[("url_key", "in", wanted)])
    )
    assert [batch.schema.names for batch in batches] == [["status"]]
    assert sum(batch.num_rows for batch in batches) == 3


def test_filters_may_name_the_partition(storage: Storage) -> None:
    storage.write_part("pages", "a", DAY, pages(range(3)))
    assert list(storage.read("pages", "a", filters=[("date", "==", NEXT_DAY)])) == []
    assert len(list(storage.read("pages", "a", filters=[("date", "==", DAY)]))) == 1


def test_a_column_that_older_files_lack_is_null(storage: Storage) -> None:
    old = PAGE_SCHEMA.remove(PAGE_SCHEMA.get_field_index("fetch_ms"))
    storage.write_part("pages", "a", DAY, pages(range(2)).select(old.names).cast(old))
    storage.write_part("pages", "a", NEXT_DAY, pages(range(2, 3)))
    rows = [row for batch in storage.read("pages", "a") for row in batch.to_pylist()]
    assert [row["fetch_ms"] for row in rows] == [None, None, None]
    assert [row["html"] for row in rows] == [b"<p>x"] * 3


def test_replace_leaves_one_file_of_a_fixed_name(storage: Storage) -> None:
    first = storage.replace("articles", "a", DAY, pages(range(10)))
    second = storage.replace("articles", "a", DAY, pages(range(3)))
    assert first == second
    assert first.endswith("/articles/site=a/date=2026-11-20/articles.parquet")
    assert read_keys(storage, "articles") == keys(range(3))
    assert len(storage.files("articles", "a")) == 1


def test_files_of_other_names_are_replaced_by_name_and_removed_together(storage: Storage) -> None:
    for name in ("one", "two", "one"):
        storage.replace("pages", "a", DAY, pages(range(3)), name)
    paths = storage.files("pages", "a")
    assert [Path(path).name for path in paths] == ["one.parquet", "two.parquet"]
    assert [storage.count_rows(path) for path in paths] == [3, 3]
    with pytest.raises(ValueError, match="file name"):
        storage.replace("pages", "a", DAY, pages(range(3)), "../one")
    for _ in range(2):
        storage.remove("pages", "a", DAY)
        assert storage.files("pages", "a") == []


def test_replace_streams_a_reader(storage: Storage) -> None:
    batches = pages(range(1300)).sort_by("url_key").to_batches(max_chunksize=7)
    reader = pa.RecordBatchReader.from_batches(PAGE_SCHEMA, batches)
    path = storage.replace("articles", "a", DAY, reader)
    filesystem, _ = storage._open()
    with pq.ParquetFile(path, filesystem=filesystem) as file:
        assert group_sizes(file) == [500, 500, 300]
    assert read_keys(storage, "articles") == keys(range(1300))


def test_an_empty_table_is_a_file_without_rows(storage: Storage) -> None:
    storage.replace("articles", "a", DAY, PAGE_SCHEMA.empty_table())
    assert len(storage.files("articles", "a")) == 1
    assert read_keys(storage, "articles") == []


def test_parts_of_one_moment_have_different_names(storage: Storage) -> None:
    paths = {storage.write_part("pages", "a", DAY, pages(range(1))) for _ in range(5)}
    assert len(paths) == 5


# Other readers


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    storage = Storage(str(tmp_path))
    storage.write_part("pages", "a", DAY, pages(range(600)))
    storage.write_part("pages", "a", NEXT_DAY, pages(range(600, 700)))
    storage.write_part("pages", "b-2", DAY, pages(range(5)))
    return tmp_path


def test_duckdb_reads_types_and_partitions(lake: Path) -> None:
    query = f"""
        select site, date, count(*), typeof(any_value(date)), typeof(any_value(site)),
               typeof(any_value(fetched_at)), typeof(any_value(html))
        from read_parquet('{lake}/pages/**/*.parquet', hive_partitioning = true)
        group by all order by all
    """
    with duckdb.connect() as connection:
        rows = connection.execute(query).fetchall()
    types = ("DATE", "VARCHAR", "TIMESTAMP WITH TIME ZONE", "BLOB")
    assert rows == [
        ("a", DAY, 600, *types),
        ("a", NEXT_DAY, 100, *types),
        ("b-2", DAY, 5, *types),
    ]


def test_polars_reads_types_and_partitions(lake: Path) -> None:
    frame = polars.scan_parquet(f"{lake}/pages/**/*.parquet", hive_partitioning=True).collect()
    assert frame.height == 705
    assert frame.schema["date"] == polars.Date
    assert frame.schema["site"] == polars.String
    assert frame.schema["fetched_at"] == polars.Datetime("us", "UTC")
    assert frame.schema["redirects"] == polars.List(polars.String)


def test_pandas_reads_a_table(lake: Path) -> None:
    frame = pandas.read_parquet(lake / "pages", filters=[("site", "==", "a")])
    assert len(frame) == 700
    assert str(frame["fetched_at"].dtype) == "datetime64[us, UTC]"


# Names


@pytest.mark.parametrize("site", ["", "A", "a b", "../x", "a/b", "ä", "a\n"])
def test_a_bad_site_name_is_refused(local: Storage, tmp_path: Path, site: str) -> None:
    with pytest.raises(ValueError, match="site name"):
        local.write_part("pages", site, DAY, pages(range(1)))
    assert all_files(tmp_path) == []


@pytest.mark.parametrize("table", ["", "../pages", "Pages", "a/b"])
def test_a_bad_table_name_is_refused(local: Storage, table: str) -> None:
    with pytest.raises(ValueError, match="table name"):
        local.write_part(table, "a", DAY, pages(range(1)))


def test_a_datetime_is_no_date(local: Storage) -> None:
    with pytest.raises(TypeError, match="expected a date"):
        local.write_part("pages", "a", NOW, pages(range(1)))


@pytest.mark.parametrize(
    ("root", "folder"),
    [
        ("data", "data/pages/site=a/date=2026-11-20"),
        ("s3://b/lake/", "s3://b/lake/pages/site=a/date=2026-11-20"),
        ("s3://b/l?region=x", "s3://b/l/pages/site=a/date=2026-11-20?region=x"),
    ],
)
def test_partition_tells_the_folder(root: str, folder: str) -> None:
    assert Storage(root).partition("pages", "a", DAY) == folder


# Failing


@pytest.mark.parametrize("write", ["write_part", "replace"])
def test_a_full_disk_leaves_what_was_there(local: Storage, tmp_path: Path, write: str) -> None:
    getattr(local, write)("pages", "a", DAY, pages(range(3)))
    before = all_files(tmp_path)
    big = pages(range(100), html=None).set_column(
        PAGE_SCHEMA.get_field_index("html"),
        PAGE_SCHEMA.field("html"),
        pa.array([random.Random(n).randbytes(5_000) for n in range(100)]),
    )
    with file_size_limit(100_000), pytest.raises(StorageError) as caught:
        getattr(local, write)("pages", "a", DAY, big)
    assert caught.value.path.startswith(str(tmp_path / "pages" / "site=a" / "date=2026-11-20"))
    assert "not written" in str(caught.value) and "free space" in str(caught.value)
    assert all_files(tmp_path) == before
    assert read_keys(local) == keys(range(3))


def test_rows_that_fail_while_streaming_leave_nothing(local: Storage, tmp_path: Path) -> None:
    def batches() -> Iterator[pa.RecordBatch]:
        yield pages(range(900)).to_batches()[0]
        raise RuntimeError("the source broke")

    reader = pa.RecordBatchReader.from_batches(PAGE_SCHEMA, batches())
    with pytest.raises(RuntimeError, match="the source broke"):
        local.replace("articles", "a", DAY, reader)
    assert all_files(tmp_path) == []


def test_an_object_that_fails_while_streaming_is_not_made(
    s3_bucket: Callable[[str], str],
) -> None:
    def batches() -> Iterator[pa.RecordBatch]:
        yield pages(range(900)).to_batches()[0]
        raise RuntimeError("the source broke")

    storage = Storage(f"s3://{s3_bucket('broken-stream')}/lake")
    reader = pa.RecordBatchReader.from_batches(PAGE_SCHEMA, batches())
    with pytest.raises(RuntimeError, match="the source broke"):
        storage.replace("articles", "a", DAY, reader)
    assert storage.files("articles", "a") == []


def test_a_missing_bucket_is_named(s3_bucket: Callable[[str], str]) -> None:
    with pytest.raises(StorageError, match="no-such-bucket-here"):
        Storage("s3://no-such-bucket-here/x").write_part("pages", "a", DAY, pages(range(1)))


# Killed


def test_a_killed_write_shows_all_rows_or_none(run_killed, tmp_path: Path) -> None:
    seen = set()
    for number in range(1, 100):
        root = tmp_path / str(number)
        Storage(str(root)).write_part("pages", "b", DAY, pages(range(1)))
        killed = run_killed("write_part", number, root)
        visible = glob_keys(root)
        assert Counter(visible) in (
            Counter(keys(range(1))),
            Counter([*keys(range(600)), *keys(range(1))]),
        )
        assert sorted(visible) == sorted([*read_keys(Storage(str(root))), *keys(range(1))])
        seen.add(len(visible))
        if not killed:
            break
    assert number > 4
    assert seen == {1, 601}


def test_a_killed_replace_shows_the_old_rows_or_the_new(run_killed, tmp_path: Path) -> None:
    seen = set()
    for number in range(1, 100):
        root = tmp_path / str(number)
        Storage(str(root)).replace("pages", "a", DAY, pages(range(5)))
        killed = run_killed("replace", number, root)
        visible = sorted(glob_keys(root))
        assert visible in (keys(range(5)), keys(range(600)))
        seen.add(len(visible))
        if not killed:
            break
    assert number > 2
    assert seen == {5, 600}


def test_reading_holds_little_memory(local: Storage) -> None:
    """48 MB of pages, read in batches, add far less to the memory that Arrow holds."""
    for number in range(3):
        html = random.Random(number).randbytes(80_000)
        local.write_part("pages", "a", DAY, pages(range(number * 200, number * 200 + 200), html))
    script = (
        "import sys, pyarrow\n"
        "from crawler.storage.partitions import Storage\n"
        "storage = Storage(sys.argv[1])\n"
        "rows = sum(batch.num_rows for batch in storage.read('pages', 'a'))\n"
        "print(rows, pyarrow.default_memory_pool().max_memory())\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", script, local.root],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    rows, held = map(int, run.stdout.split())
    assert rows == 600
    assert held < 40 * 2**20
