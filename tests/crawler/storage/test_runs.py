"""Rows of the table `runs`."""

from dataclasses import fields
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from crawler.storage.partitions import Storage
from crawler.storage.runs import (
    MOST_REASONS,
    RUN_SCHEMA,
    FailedPages,
    RunRecord,
    most_frequent,
    write_run,
)

NOW = datetime(2026, 11, 20, 23, 59, tzinfo=UTC)
RUN = RunRecord(
    run_id="r1",
    command="crawl",
    started_at=NOW,
    ended_at=NOW + timedelta(minutes=2),
    exit_code=1,
    cause="site: not one page could be fetched",
    requests=7,
    failures=(FailedPages(reason="http 404", pages=5),),
)


def test_the_schema_has_the_fields_of_the_record():
    assert RUN_SCHEMA.names == [each.name for each in fields(RunRecord)]


def test_a_run_stands_on_the_day_it_began(tmp_path):
    storage = Storage(str(tmp_path))
    for _ in range(2):
        write_run(storage, "site", RUN)
    rows = [row for batch in storage.read("runs", "site") for row in batch.to_pylist()]
    assert [row["date"] for row in rows] == [NOW.date()] * 2
    assert rows[0]["failures"] == [{"reason": "http 404", "pages": 5}]
    assert (rows[0]["pages_new"], rows[0]["cause"]) == (None, RUN.cause)


@given(st.dictionaries(st.text("abc", min_size=1, max_size=4), st.integers(1, 9), max_size=60))
def test_no_failed_page_is_lost_among_rare_reasons(reasons):
    found = most_frequent(reasons)
    assert sum(each.pages for each in found) == sum(reasons.values())
    assert len(found) <= MOST_REASONS + 1
