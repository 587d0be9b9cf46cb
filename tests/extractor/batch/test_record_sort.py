"""Records sorted outside memory."""

import random
import resource
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from extractor.batch import record_sort
from extractor.batch.record_sort import Spool
from extractor.records.articles import ArticleRecord, Status
from extractor.records.runs import open_run

NOW = datetime(2026, 11, 20, tzinfo=UTC)


def record(key: str, hours: int = 0, digest: str | None = "d") -> ArticleRecord:
    return ArticleRecord(
        url=key,
        url_key=key,
        status=Status.OK if digest else Status.ERROR,
        body_sha256=digest,
        fetched_at=NOW + timedelta(hours=hours),
    )


def test_records_come_back_by_key_whatever_their_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_sort, "RUN_RECORDS", 7)
    keys = [f"k{number:03}" for number in range(50)]
    shuffled = random.Random(1).sample(keys, k=len(keys))
    spool = Spool(tmp_path / "s")
    spool.extend(record(key) for key in shuffled)
    assert [each.url_key for each in spool.merged()] == keys
    assert len(list((tmp_path / "s").iterdir())) == 8


def test_no_number_of_files_is_too_many_to_be_open(tmp_path: Path) -> None:
    """A crawl writes a part each minute, so that a day may have 1,440."""
    keys = [f"k{number:03}" for number in range(2 * record_sort.OPEN_RUNS + 3)]
    spool = Spool(tmp_path / "s")
    for number, key in enumerate(keys):
        spool.extend([record(key, digest="old"), record(keys[number - 1], hours=1, digest="new")])
        spool.flush()
    versions = set(spool.versions())
    open_files, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (record_sort.OPEN_RUNS + 64, hard))
    try:
        merged = list(spool.merged())
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (open_files, hard))
    expected = [(key, digest) for key in keys for digest in ("old", "new")]
    assert [(each.url_key, each.body_sha256) for each in merged] == expected
    assert set(spool.versions()) == versions
    assert len(versions) == 2 * len(keys)


def test_fetches_of_one_page_come_in_their_order(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "s")
    spool.extend([record("a", 2, "c"), record("b"), record("a", 0, "a"), record("a", 1, "b")])
    assert [each.body_sha256 for each in spool.merged()] == ["a", "b", "c", "d"]


def test_another_spool_of_the_folder_sees_what_was_flushed(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "s")
    spool.extend([record("a"), record("b", digest=None)])
    spool.flush()
    assert set(Spool(tmp_path / "s").versions()) == {("a", "d"), ("b", None)}


def test_an_empty_spool(tmp_path: Path) -> None:
    assert list(Spool(tmp_path / "none").merged()) == []


def test_all_files_together_are_read_a_few_records_at_a_time(tmp_path: Path) -> None:
    """A crawl leaves a file for each of its parts, and all are open while they are merged."""
    spool = Spool(tmp_path / "s")
    spool.extend(record(f"k{number:03}") for number in range(record_sort.READ_RECORDS + 1))
    spool.flush()
    (path,) = (tmp_path / "s").iterdir()
    with open_run(path) as batches:
        assert [batch.num_rows for batch in batches] == [record_sort.READ_RECORDS, 1]
