"""`crawler.storage.parquet`: how rows are ordered and encoded inside a file."""

import os
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from crawler.storage import parquet
from crawler.storage.partitions import Storage
from crawler.storage.records import PAGE_SCHEMA, SCHEMA_VERSION, table_schema
from tests.tables import DAY, group_sizes, keys, pages, read_keys


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


def test_only_the_sorted_column_has_a_bloom_filter(part: pq.ParquetFile) -> None:
    sizes = {name: chunk(part, name).bloom_filter_length for name in ("url_key", "url", "html")}
    assert 500 < (sizes["url_key"] or 0) < 2000
    assert sizes["url"] is sizes["html"] is None


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
    assert part.metadata.metadata[b"webstem.schema_version"] == str(SCHEMA_VERSION).encode()


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
