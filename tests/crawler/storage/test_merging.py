"""`crawler.storage.merging`: many parts become few files, and no moment shows it."""

import os
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from crawler.storage import merging, parquet
from crawler.storage.merging import exchange_folders
from crawler.storage.parquet import StorageError
from crawler.storage.partitions import Storage
from crawler.storage.records import LINK_SCHEMA, PAGE_SCHEMA, records_to_table
from tests.tables import (
    DAY,
    all_files,
    file_size_limit,
    glob_keys,
    group_sizes,
    keys,
    page,
    pages,
    read_keys,
)


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


def test_what_stands_for_rows_is_the_same_after_merging(
    local: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(merging, "MERGE_FAN_IN", 2)
    seen = []
    for start in range(6):
        local.write_part("pages", "a", DAY, pages(range(start, start + 1)))
        before = local.rows_numbers("pages", "a")
        assert before not in seen
        seen.append(before)
        local.merge_parts("pages", "a", DAY)
        local.merge_parts("pages", "a", DAY)
        assert local.rows_numbers("pages", "a") == before
    for path in local.files("pages", "a"):
        Path(path).rename(f"{path}.away")
        assert local.rows_numbers("pages", "a") not in seen
        Path(f"{path}.away").rename(path)


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


@pytest.mark.parametrize(
    "damage", [lambda sound: sound[:100], lambda sound: b"\xff" * 900 + sound[900:]]
)
def test_a_damaged_part_is_named_and_none_is_touched(
    local: Storage, tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    """One without a footer, and one whose rows are damaged."""
    for number in range(3):
        part = Path(local.write_part("pages", "a", DAY, pages(range(number, 100))))
    part.write_bytes(damage(part.read_bytes()))
    before = {path: (tmp_path / path).read_bytes() for path in all_files(tmp_path)}
    with pytest.raises(StorageError, match=r"not read: .*; put a sound copy there") as caught:
        local.merge_parts("pages", "a", DAY)
    assert caught.value.path == str(part)
    assert {path: (tmp_path / path).read_bytes() for path in all_files(tmp_path)} == before


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
