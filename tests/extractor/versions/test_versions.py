"""Each article once, whatever happens to its page, in which order, and however often."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import permutations
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from crawler.storage.partitions import Storage
from crawler.storage.records import PAGE_SCHEMA, PageRecord, records_to_table
from extractor.records.articles import (
    ARTICLE_SCHEMA,
)
from extractor.versions.plan import ArticleCounts
from tests.extractor.versions.merger import DAY, HOST, NOW, Merger, fetch


def day(number: int) -> date:
    return DAY + timedelta(days=number)


def test_a_page_that_changed_around_its_text_is_nothing_new(merge: Merger) -> None:
    assert merge(fetch("one", 0, "text")) == ArticleCounts(new=1)
    before = merge.files()
    assert merge(fetch("one", 1, "text"), fetch("one", 2, "text")) == ArticleCounts()
    assert merge.files() == before
    assert merge.told() == [("one", DAY, "text", 1, DAY, None, ())]


def test_a_text_that_changed_is_a_version(merge: Merger) -> None:
    merge(fetch("one", 0, "a"), fetch("two", 0, "b"))
    assert merge(fetch("one", 3, "new")) == ArticleCounts(edited=1)
    assert merge.told() == [
        ("one", DAY, "new", 2, DAY, day(3), ()),
        ("two", DAY, "b", 1, DAY, None, ()),
    ]
    assert merge.versions() == [("one", DAY, "a", 1), ("one", day(3), "new", 2)]
    merge(fetch("one", 5, "a"))
    assert merge.told()[0] == ("one", DAY, "a", 3, DAY, day(5), ())
    assert len(merge.versions()) == 3


def test_two_versions_of_one_day(merge: Merger) -> None:
    merge(fetch("one", 0, "a", hour=8), fetch("one", 0, "b", hour=9), fetch("one", 0, "b", hour=10))
    assert merge.told() == [("one", DAY, "b", 2, DAY, DAY, ())]
    assert merge.versions() == [("one", DAY, "a", 1), ("one", DAY, "b", 2)]
    merge(fetch("one", 0, "A", hour=8), fetch("one", 0, "b", hour=9))
    assert merge.versions() == [("one", DAY, "A", 1), ("one", DAY, "b", 2)]


def test_done_twice_changes_no_byte(merge: Merger) -> None:
    records = [fetch("one", 0, "a"), fetch("two", 0, "c"), fetch("one", 1, "b")]
    merge(*records)
    before = merge.files()
    assert merge(*records, now=NOW + timedelta(days=1)) == ArticleCounts()
    assert merge.files() == before


def test_the_order_of_days_does_not_count(tmp_path: Path) -> None:
    """But for where an article stands: that is decided when it is seen first."""
    records = [fetch("one", 0, "a"), fetch("one", 1, "a"), fetch("one", 2, "b")]
    found = set()
    for number, order in enumerate(permutations(records)):
        merge = Merger(Storage(str(tmp_path / str(number))), tmp_path)
        for record in order:
            merge(record)
        (row,) = merge.rows()
        versions = tuple((v["body"], v["version"]) for v in merge.rows("article_versions"))
        found.add((row["body"], row["version"], row["changed_at"], versions))
    assert found == {("b", 2, records[2].fetched_at, (("a", 1), ("b", 2)))}


def test_other_patterns_correct_what_was_said_and_edit_nothing(merge: Merger) -> None:
    merge(fetch("one", 0, "menu text"), fetch("two", 0, "menu other"))
    merge(fetch("one", 1, "text"))  # read by better patterns
    assert merge.told()[0][3] == 2
    counts = merge(fetch("one", 0, "text"), fetch("two", 0, "other"), fetch("one", 1, "text"))
    assert counts == ArticleCounts()
    assert [row[2:4] for row in merge.told()] == [("text", 1), ("other", 1)]
    assert merge.versions() == []


def test_what_other_patterns_call_a_list_is_no_article(merge: Merger) -> None:
    merge(fetch("list", 0, "text"), fetch("one", 0, "a"), fetch("one", 1, "b"))
    merge(fetch("list", 1, None))  # another fetch: the page may be ill
    assert [row[0] for row in merge.told()] == ["list", "one"]
    merge(fetch("list", 0, None), fetch("one", 1, None))
    assert merge.told() == [("one", DAY, "a", 1, DAY, None, ())]
    assert merge.versions() == []


def test_one_article_under_many_addresses(merge: Merger) -> None:
    slugs = [f"slug-{number}" for number in range(5)]
    original = {"canonical_url": HOST + "zz-original"}
    first = [fetch(slug, 0, "text", **original) for slug in (*slugs, "zz-original")]
    assert merge(*first, fetch("other", 0, "other")).new == 2
    assert merge.told() == [
        ("other", DAY, "other", 1, DAY, None, ()),
        ("zz-original", DAY, "text", 1, DAY, None, tuple(slugs)),
    ]
    merge(fetch("slug-5", 1, "text"))
    merge(fetch("slug-2", 1, "text, edited", **original))  # its own page has not come yet
    assert merge.told()[1][2:4] == ("text", 1)
    assert merge.told()[1][-1] == (*slugs, "slug-5")
    merge(fetch("zz-original", 2, "text, edited", **original))
    assert merge.told()[1][2:4] == ("text, edited", 2)


def test_an_address_that_says_something_else_is_an_article(merge: Merger) -> None:
    merge(fetch("one", 0, "please wait"), fetch("two", 0, "please wait"))
    assert [row[0] for row in merge.told()] == ["one"]
    assert merge(fetch("two", 1, "second story")) == ArticleCounts(new=1)
    assert [(row[0], row[1], row[-1]) for row in merge.told()] == [
        ("one", DAY, ()),
        ("two", day(1), ()),
    ]


def test_two_articles_that_came_to_say_the_same_are_one(merge: Merger) -> None:
    merge(fetch("one", 0, "text with menu"), fetch("two", 1, "text with footer"))
    merge(fetch("one", 0, "text"), fetch("two", 1, "text"))
    assert merge.told() == [("one", DAY, "text", 1, DAY, None, ("two",))]


def test_the_same_words_on_another_date_are_another_article(merge: Merger) -> None:
    dates = [datetime(2026, 11, day, tzinfo=UTC) for day in (1, 8)]
    merge(*(fetch(f"week-{d.day}", 0, "The table", date_published=d) for d in dates))
    assert len(merge.rows()) == 2


def test_first_seen_is_told_by_days_that_were_not_extracted_yet(
    storage: Storage, merge: Merger
) -> None:
    record = fetch("one", 4, "text")
    first = fetch("one", 1, "text").fetched_at
    page = PageRecord(
        run_id="r", url=record.url, final_url=record.url, url_key=record.url_key,
        fetched_at=first, body_sha256="x", html=b"x",
    )  # fmt: skip
    storage.write_part("pages", "a", day(1), records_to_table([page], PAGE_SCHEMA))
    merge(record)
    assert merge.told() == [("one", day(1), "text", 1, day(1), None, ())]
    merge(fetch("one", 1, "text"))
    assert merge.told() == [("one", day(1), "text", 1, day(1), None, ())]


def test_extracted_at_is_when_the_row_came_out_as_it_is(merge: Merger) -> None:
    merge(fetch("one", 0, "a"), fetch("two", 0, "b"))
    later = NOW + timedelta(days=1)
    merge(fetch("one", 1, "A"), fetch("two", 0, "b"), now=later)
    assert [row["extracted_at"] for row in merge.rows()] == [later, NOW]
    assert [row["extracted_at"] for row in merge.rows("article_versions")] == [NOW, later]


class Killed(BaseException):
    pass


def test_a_kill_at_any_moment_loses_and_doubles_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = [fetch("one", 0, "a"), fetch("two", 0, "b"), fetch("four", 1, "d with menu")]
    second = [
        fetch("one", 2, "new"), fetch("two", 2, "b"), fetch("three", 2, "c"),
        fetch("five", 2, "d"), fetch("four", 1, "d"),
    ]  # fmt: skip
    third = [fetch("one", 2, "a"), fetch("two", 0, None)]
    lasting = [HOST + "four", HOST + "one"]
    replace_file = Storage.replace

    def run(folder: Path, killed_at: int | None) -> tuple[Merger, bool]:
        merge = Merger(Storage(str(folder)), tmp_path)
        left = [killed_at]

        def counting(self: Storage, *arguments: Any, **named: Any) -> str:
            if left[0] is not None:
                left[0] -= 1
                if left[0] < 0:
                    raise Killed
            return replace_file(self, *arguments, **named)

        was_killed = False
        for records in (first, second, third):
            with monkeypatch.context() as patch:
                patch.setattr(Storage, "replace", counting)
                try:
                    merge(*records)
                    continue
                except Killed:
                    was_killed, left[0] = True, None
            if records is not first:
                assert (
                    sorted(row["url"] for row in merge.rows() if row["url"] in lasting) == lasting
                )
            merge(*records)
        return merge, was_killed

    whole, _ = run(tmp_path / "whole", None)
    for killed_at in range(100):
        merge, was_killed = run(tmp_path / str(killed_at), killed_at)
        assert merge.told() == whole.told() and merge.versions() == whole.versions()
        if not was_killed:
            break
    assert killed_at > 6


def test_rows_of_before_a_column_was_known_pass_as_they_are(merge: Merger) -> None:
    merge(fetch("one", 0, "text"), fetch("two", 0, "other"))
    new = ["tags", "images", "links", "sources", "body_html"]
    (batch,) = merge.storage.read("articles", "a", columns=ARTICLE_SCHEMA.names)
    old = pa.Table.from_batches([batch]).drop_columns(new)
    merge.storage.replace("articles", "a", DAY, old.to_reader())
    merge(fetch("two", 1, "edited"))
    assert [(row["body"], row["tags"], row["images"]) for row in merge.rows()] == [
        ("text", [], []),
        ("edited", [], []),
    ]
