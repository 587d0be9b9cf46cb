"""`crawler.partitions`: what readers may rely on, on a local disk and on S3.

Real Parquet throughout; S3 is moto's server; crashes are real SIGKILLs of real processes.
"""

import os
import random
import resource
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path

import boto3
import duckdb
import pandas
import polars
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from moto.server import ThreadedMotoServer

from crawler import merging, parquet
from crawler.merging import exchange_folders
from crawler.partitions import Storage, StorageError
from crawler.records import LINK_SCHEMA, PAGE_SCHEMA, PageRecord, records_to_table, table_schema

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


def all_files(root: Path) -> list[str]:
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())


@pytest.fixture
def local(tmp_path: Path) -> Storage:
    return Storage(str(tmp_path))


@pytest.fixture(scope="module")
def s3_bucket() -> Iterator[Callable[[str], str]]:
    """Makes buckets on a loopback S3 server; the environment holds its address and keys."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
        patch.setenv("AWS_ACCESS_KEY_ID", "test")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "test")
        patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        patch.setenv("AWS_EC2_METADATA_DISABLED", "true")

        def make(name: str) -> str:
            boto3.client("s3").create_bucket(Bucket=name)
            return name

        yield make
    server.stop()


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


# The file


def group_sizes(file: pq.ParquetFile) -> list[int]:
    metadata = file.metadata
    return [metadata.row_group(index).num_rows for index in range(metadata.num_row_groups)]


def chunk(file: pq.ParquetFile, name: str, group: int = 0) -> pq.ColumnChunkMetaData:
    row_group = file.metadata.row_group(group)
    chunks = [row_group.column(index) for index in range(row_group.num_columns)]
    return next(each for each in chunks if each.path_in_schema.split(".")[-1] == name)


@pytest.fixture(scope="module")
def part(tmp_path_factory: pytest.TempPathFactory) -> Iterator[pq.ParquetFile]:
    path = Storage(str(tmp_path_factory.mktemp("part"))).write_part(
        "pages", "a", DAY, pages(range(1200), html=b"<p>the same body</p>" * 50)
    )
    with pq.ParquetFile(path) as file:
        yield file


def test_row_groups_hold_500_rows(part: pq.ParquetFile) -> None:
    assert group_sizes(part) == [500, 500, 200]


def test_row_groups_are_ordered_by_url_key(part: pq.ParquetFile) -> None:
    ranges = [(chunk(part, "url_key", group).statistics) for group in range(3)]
    assert [(each.min, each.max) for each in ranges] == [
        ("http://a/000000", "http://a/000499"),
        ("http://a/000500", "http://a/000999"),
        ("http://a/001000", "http://a/001199"),
    ]
    (order,) = part.metadata.row_group(0).sorting_columns
    assert order.column_index == PAGE_SCHEMA.get_field_index("url_key")


def test_html_has_neither_dictionary_nor_statistics(part: pq.ParquetFile) -> None:
    html = chunk(part, "html")
    assert not html.has_dictionary_page
    assert html.statistics is None
    assert chunk(part, "run_id").has_dictionary_page


def test_texts_inside_sections_have_no_dictionary(local: Storage) -> None:
    section = pa.struct([("role", pa.string()), ("text", pa.string())])
    schema = table_schema(
        [pa.field("url_key", pa.string()), pa.field("sections", pa.list_(section))],
        table="articles",
        sorted_by="url_key",
    )
    rows = [{"url_key": "a", "sections": [{"role": "main", "text": "x"}] * 9}]
    path = local.replace("articles", "a", DAY, pa.Table.from_pylist(rows, schema=schema))
    with pq.ParquetFile(path) as file:
        assert not chunk(file, "text").has_dictionary_page
        assert chunk(file, "role").has_dictionary_page


def test_every_column_is_zstd_with_a_page_index(part: pq.ParquetFile) -> None:
    group = part.metadata.row_group(0)
    chunks = [group.column(index) for index in range(group.num_columns)]
    assert {each.compression for each in chunks} == {"ZSTD"}
    assert chunk(part, "url_key").has_column_index
    assert all(each.has_offset_index for each in chunks)


def test_the_level_is_9(part: pq.ParquetFile, tmp_path: Path) -> None:
    """The level is not stored: the same rows at other levels have another size."""
    rows = pages(range(400), html=Path(__file__).read_bytes() + Path(os.__file__).read_bytes())
    ours = Path(Storage(str(tmp_path)).write_part("pages", "a", DAY, rows)).stat().st_size
    sizes = {}
    for level in (3, 9):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(parquet, "ZSTD_LEVEL", level)
            path = Storage(str(tmp_path / str(level))).write_part("pages", "a", DAY, rows)
            sizes[level] = Path(path).stat().st_size
    assert ours == sizes[9] < sizes[3]


def test_the_schema_version_is_in_the_file(part: pq.ParquetFile) -> None:
    assert part.metadata.metadata[b"webstem.schema_version"] == b"1"


def test_large_pages_make_smaller_row_groups(
    local: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "ROW_GROUP_BYTES", 100_000)
    monkeypatch.setattr(parquet, "BATCH_BYTES", 10_000)
    path = local.write_part("pages", "a", DAY, pages(range(100), html=b"x" * 5_000))
    with pq.ParquetFile(path) as file:
        sizes = group_sizes(file)
    assert sum(sizes) == 100
    assert max(sizes) <= 20


def test_row_groups_without_the_url_are_not_read(local: Storage) -> None:
    """Shown by breaking them: only the row group that holds the URL is intact."""
    path = local.write_part("pages", "a", DAY, pages(range(1500), html=os.urandom(200)))
    with pq.ParquetFile(path) as file:
        spans = [(chunk(file, "url_key", group)) for group in (0, 2)]
    with open(path, "r+b") as broken:
        for span in spans:
            broken.seek(span.dictionary_page_offset or span.data_page_offset)
            broken.write(b"\xff" * span.total_compressed_size)
    wanted = keys(range(777, 778))
    batches = list(local.read("pages", "a", filters=[("url_key", "==", wanted[0])]))
    assert [batch.column("url_key").to_pylist() for batch in batches] == [wanted]
    with pytest.raises(OSError):
        read_keys(local)


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


@contextmanager
def file_size_limit(size: int) -> Iterator[None]:
    """Writes past `size` bytes of a file fail, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


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


# Merging


def test_parts_become_one_sorted_file(local: Storage, tmp_path: Path) -> None:
    for start in range(3):
        local.write_part("pages", "a", DAY, pages(range(start, 1500, 3)))
    (merged,) = local.merge_parts("pages", "a", DAY)
    assert local.files("pages", "a") == [merged]
    assert read_keys(local) == glob_keys(tmp_path) == keys(range(1500))
    assert all_files(tmp_path) == [str(Path(merged).relative_to(tmp_path))]
    with pq.ParquetFile(merged) as file:
        assert group_sizes(file) == [500, 500, 500]
        assert file.schema_arrow.equals(PAGE_SCHEMA)
        assert file.schema_arrow.metadata == PAGE_SCHEMA.metadata


def test_merging_again_changes_nothing(local: Storage) -> None:
    for start in range(2):
        local.write_part("pages", "a", DAY, pages(range(start, 10, 2)))
    (merged,) = local.merge_parts("pages", "a", DAY)
    stat = Path(merged).stat()
    assert local.merge_parts("pages", "a", DAY) == []
    assert Path(merged).stat() == stat


def test_a_later_run_of_the_day_merges_too(local: Storage) -> None:
    for start in range(4):
        local.write_part("pages", "a", DAY, pages(range(start, 20, 4)))
        local.merge_parts("pages", "a", DAY)
    assert len(local.files("pages", "a")) == 1
    assert read_keys(local) == keys(range(20))


def test_large_files_are_left_alone(local: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    big = local.write_part("pages", "a", DAY, pages(range(2000)))
    monkeypatch.setattr(merging, "MERGED_FILE_BYTES", Path(big).stat().st_size)
    inode = Path(big).stat().st_ino
    for start in (2000, 2001):
        local.write_part("pages", "a", DAY, pages(range(start, start + 1)))
    (merged,) = local.merge_parts("pages", "a", DAY)
    assert local.files("pages", "a") == sorted([big, merged])
    assert Path(big).stat().st_ino == inode
    assert sorted(read_keys(local)) == keys(range(2002))


def test_a_merge_of_many_parts_makes_several_files(
    local: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(merging, "MERGE_FAN_IN", 3)
    for start in range(7):
        local.write_part("pages", "a", DAY, pages(range(start, start + 1)))
    assert len(local.merge_parts("pages", "a", DAY)) == 2
    assert len(local.files("pages", "a")) == 3
    assert sorted(read_keys(local)) == keys(range(7))


@pytest.mark.parametrize("batch_bytes", [1, 300, 5_000])
def test_a_merge_in_small_batches_keeps_rows_and_order(
    local: Storage, monkeypatch: pytest.MonkeyPatch, batch_bytes: int
) -> None:
    """Equal keys, keys only one part has, parts of different length."""
    monkeypatch.setattr(parquet, "BATCH_BYTES", batch_bytes)
    chooser = random.Random(batch_bytes)
    expected: Counter[str] = Counter()
    for size in (0, 1, 40, 90):
        records = [page(chooser.randrange(30)) for _ in range(size)]
        expected.update(record.url_key for record in records)
        local.write_part("pages", "a", DAY, records_to_table(records, PAGE_SCHEMA))
    local.merge_parts("pages", "a", DAY)
    found = read_keys(local)
    assert found == sorted(found)
    assert Counter(found) == expected


def test_parts_of_an_older_schema_merge_with_newer_ones(local: Storage) -> None:
    old = LINK_SCHEMA.remove(LINK_SCHEMA.get_field_index("rel"))
    row = {"run_id": "r", "src_url_key": "b", "dst_url": "x", "dst_url_key": "x"}
    row |= {"position": 0, "in_scope": True, "source": "a"}
    local.write_part("links", "a", DAY, pa.Table.from_pylist([row], schema=old))
    newer = {**row, "src_url_key": "a", "rel": "next"}
    local.write_part("links", "a", DAY, pa.Table.from_pylist([newer], schema=LINK_SCHEMA))
    (merged,) = local.merge_parts("links", "a", DAY)
    table = pq.read_table(merged, partitioning=None)
    assert set(table.schema.names) == set(LINK_SCHEMA.names)
    assert table.select(["src_url_key", "rel"]).to_pylist() == [
        {"src_url_key": "a", "rel": "next"},
        {"src_url_key": "b", "rel": None},
    ]


def test_one_part_or_none_is_nothing_to_merge(local: Storage, tmp_path: Path) -> None:
    assert local.merge_parts("pages", "a", DAY) == []
    part = local.write_part("pages", "a", DAY, pages(range(1)))
    assert local.merge_parts("pages", "a", DAY) == []
    assert all_files(tmp_path) == [str(Path(part).relative_to(tmp_path))]


def test_where_folders_cannot_be_exchanged_parts_stay(
    local: Storage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = [local.write_part("pages", "a", DAY, pages(range(n, n + 1))) for n in range(2)]
    monkeypatch.setattr(merging, "_renameat2", lambda: None)
    assert local.merge_parts("pages", "a", DAY) == []
    assert local.files("pages", "a") == sorted(parts)
    assert len(all_files(tmp_path)) == 2


def test_on_an_object_store_parts_stay(s3_bucket: Callable[[str], str]) -> None:
    storage = Storage(f"s3://{s3_bucket('merge-nothing')}/lake")
    parts = [storage.write_part("pages", "a", DAY, pages(range(n, n + 1))) for n in range(2)]
    assert storage.merge_parts("pages", "a", DAY) == []
    assert storage.files("pages", "a") == sorted(parts)


def test_a_part_that_comes_during_a_merge_is_kept(
    local: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(2):
        local.write_part("pages", "a", DAY, pages(range(number, number + 1)))

    def exchange_late(first: Path, second: Path) -> None:
        if first.name.startswith("date="):
            local.write_part("pages", "a", DAY, pages(range(2, 3)))
        exchange_folders(first, second)

    monkeypatch.setattr(merging, "exchange_folders", exchange_late)
    local.merge_parts("pages", "a", DAY)
    assert sorted(read_keys(local)) == keys(range(3))


# Killed

FORKER = """
# Reads "MODE N ROOT" lines; forks a child that does the work of MODE on ROOT and is killed by
# SIGKILL right before its Nth change of the file system. Prints "killed" or "done".
import os, signal, sys
from datetime import date
from pathlib import Path
sys.path.insert(0, {root!r})
import tests_partitions as tests
from crawler import merging, parquet
from crawler.partitions import Storage

def kill_before_change(number):
    left = number
    def count(*_):
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
    def audit(event, arguments):
        if event in {{"os.rename", "os.remove", "os.rmdir", "os.link", "os.mkdir"}}:
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
            storage.merge_parts("pages", "a", tests.DAY)
        else:
            getattr(storage, mode)("pages", "a", tests.DAY, tests.pages(range(600)))
        os._exit(0)
    _, status = os.waitpid(child, 0)
    print("killed" if os.WIFSIGNALED(status) else "done", os.waitstatus_to_exitcode(status),
          flush=True)
"""


@pytest.fixture(scope="module")
def run_killed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., bool]]:
    """run_killed(mode, number, root): True if the work was killed before its Nth change."""
    folder = tmp_path_factory.mktemp("forker")
    (folder / "tests_partitions.py").write_text(Path(__file__).read_text(encoding="utf-8"))
    process = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", FORKER.format(root=str(folder))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
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


def test_a_killed_merge_never_shows_a_row_twice_or_not_at_all(run_killed, tmp_path: Path) -> None:
    """Killed before each of its changes in turn; then the next merge finishes and clears up."""
    expected = keys(range(900))
    counts = set()
    for number in range(1, 200):
        root = tmp_path / str(number)
        storage = Storage(str(root))
        for start in range(3):
            storage.write_part("pages", "a", DAY, pages(range(start, 900, 3)))
        killed = run_killed("merge", number, root)
        assert sorted(glob_keys(root)) == expected
        assert sorted(read_keys(storage)) == expected
        counts.add(len(storage.files("pages", "a")))
        storage.write_part("pages", "a", DAY, pages(range(900, 901)))
        storage.merge_parts("pages", "a", DAY)
        assert sorted(glob_keys(root)) == keys(range(901))
        assert len(all_files(root)) == 1
        if not killed:
            break
    assert number > 10
    assert counts == {3, 1}


def test_a_full_disk_ends_a_merge_without_a_trace(local: Storage, tmp_path: Path) -> None:
    for number in range(3):
        html = random.Random(number).randbytes(40_000)
        local.write_part("pages", "a", DAY, pages(range(number, number + 1), html))
    before = all_files(tmp_path)
    with file_size_limit(60_000), pytest.raises(StorageError, match="not merged") as caught:
        local.merge_parts("pages", "a", DAY)
    assert caught.value.path == str(tmp_path / "pages" / "site=a" / "date=2026-11-20")
    assert all_files(tmp_path) == before
    assert read_keys(local) == keys(range(3))


def test_what_a_killed_merge_of_an_earlier_day_left_is_removed(
    local: Storage, tmp_path: Path
) -> None:
    left = tmp_path / ".staging" / "pages" / "site=a" / "date=2026-11-01"
    left.mkdir(parents=True)
    (left / "part-1.parquet").write_bytes(b"old rows")
    local.write_part("pages", "a", DAY, pages(range(1)))
    local.merge_parts("pages", "a", DAY)
    assert not left.exists()


def test_old_leftovers_of_killed_writers_are_removed(local: Storage, tmp_path: Path) -> None:
    part = local.write_part("pages", "a", DAY, pages(range(1)))
    stale, fresh = (Path(part).with_name(f".{name}.tmp") for name in ("stale", "fresh"))
    for hidden in (stale, fresh):
        hidden.write_bytes(b"half a file")
    os.utime(stale, (0, 0))
    local.merge_parts("pages", "a", DAY)
    assert not stale.exists()
    assert fresh.exists()
    assert len(glob_keys(tmp_path)) == 1


def test_reading_holds_little_memory(local: Storage) -> None:
    """48 MB of pages, read in batches, add far less to the memory that Arrow holds."""
    for number in range(3):
        html = random.Random(number).randbytes(80_000)
        local.write_part("pages", "a", DAY, pages(range(number * 200, number * 200 + 200), html))
    script = (
        "import sys, pyarrow\n"
        "from crawler.partitions import Storage\n"
        "storage = Storage(sys.argv[1])\n"
        "rows = sum(batch.num_rows for batch in storage.read('pages', 'a'))\n"
        "print(rows, pyarrow.default_memory_pool().max_memory())\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", script, local.root],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    rows, held = map(int, run.stdout.split())
    assert rows == 600
    assert held < 40 * 2**20
