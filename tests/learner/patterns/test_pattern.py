import os
from dataclasses import replace
from datetime import UTC, date, datetime

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from learner.kinds.kind import Kind
from learner.patterns.pattern import (
    PATTERN_SCHEMA,
    Pattern,
    PatternFileError,
    PatternSet,
    Role,
    Section,
    load_patterns,
    save_patterns,
)

PATTERN = Pattern(
    preset="webstemmer",
    kind=Kind.ARTICLE,
    score=123.5,
    n_pages=2,
    sections=(
        Section(path="h1", role=Role.TITLE, diff_score=0.9, main_score=12.0, support=0.5),
        Section(path="div/p", role=Role.MAIN, diff_score=1.0, main_score=100.0, sample="Some"),
    ),
    title=0,
    main=1,
    params='{"mangle": "a"}',
    name="http://example.com/1",
    example_urls=("http://example.com/1", "http://example.com/2"),
    train_dates=(date(2026, 11, 20),),
    learned_at=datetime(2026, 11, 20, 1, 2, 3, tzinfo=UTC),
    valid_from=datetime(2026, 11, 20, tzinfo=UTC),
    parent_pattern_id="0123456789abcdef",
    code_version="1.0",
)
OTHER = replace(PATTERN, score=50.0, kind=Kind.OTHER, title=None, main=None, params="{}")


def test_a_saved_file_gives_the_same_patterns_back(tmp_path):
    save_patterns(PatternSet([OTHER, PATTERN]), tmp_path / "p.parquet")
    assert load_patterns(tmp_path / "p.parquet").patterns == (PATTERN, OTHER)
    assert [path.name for path in tmp_path.iterdir()] == ["p.parquet"]


def test_the_table_has_the_schema_of_the_contract():
    table = PatternSet([PATTERN]).to_table()
    assert table.schema.equals(PATTERN_SCHEMA)
    assert table.schema.metadata.items() >= PATTERN_SCHEMA.metadata.items()
    assert table.column("pattern_id").to_pylist() == [PATTERN.pattern_id]


def test_an_empty_set_is_a_table_too(tmp_path):
    save_patterns(PatternSet(), tmp_path / "p.parquet")
    assert len(load_patterns(tmp_path / "p.parquet")) == 0


def test_any_order_in_gives_one_order_out():
    assert PatternSet([OTHER, PATTERN]).patterns == PatternSet([PATTERN, OTHER]).patterns


def test_names_and_times_do_not_change_the_id():
    renamed = replace(PATTERN, name="x", learned_at=None, n_pages=9, example_urls=())
    assert renamed.pattern_id == PATTERN.pattern_id
    assert len(PATTERN.pattern_id) == 16


@pytest.mark.parametrize(
    "change",
    [
        {"title": None},
        {"preset": "default"},
        {"params": "{}"},
        {"sections": PATTERN.sections[:1]},
        {"kind": Kind.LIST},
    ],
)
def test_what_decides_the_match_changes_the_id(change):
    assert replace(PATTERN, **change).pattern_id != PATTERN.pattern_id


def test_columns_of_later_versions_are_ignored_and_of_earlier_ones_default():
    table = PatternSet([PATTERN]).to_table()
    later = table.append_column("new", pa.array([1]))
    assert PatternSet.from_table(later).patterns == (PATTERN,)
    earlier = table.drop_columns(["name", "parent_pattern_id", "n_pages"])
    expected = replace(PATTERN, name="", parent_pattern_id=None, n_pages=0)
    assert PatternSet.from_table(earlier).patterns == (expected,)


def test_patterns_are_saved_in_place_of_a_file_only(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="got a named pipe"):
        save_patterns(PatternSet([PATTERN]), tmp_path / "pipe")
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]


def test_a_file_that_is_no_patterns_table_is_named(tmp_path):
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"url": ["http://example.com"]}), path)
    with pytest.raises(PatternFileError, match=r"x\.parquet: no patterns table: expected .*'kind'"):
        load_patterns(path)
    path.write_bytes(b"nonsense")
    with pytest.raises(PatternFileError, match=r"x\.parquet"):
        load_patterns(path)
