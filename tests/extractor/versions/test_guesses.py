"""What is guessed stands behind what a pattern reads, in whatever order they come."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from extractor.records.articles import ArticleRecord, Status
from tests.extractor.versions.merger import HOST, Merger, fetch


def guess(name: str, day: int, text: str, **facts: Any) -> ArticleRecord:
    return fetch(name, day, text, status=Status.GUESSED, **facts)


def told(merge: Merger, table: str = "articles") -> list[tuple[str, str, str, int]]:
    rows = merge.rows(table)
    return [(r["url"].removeprefix(HOST), r["status"], r["body"], r["version"]) for r in rows]


def test_a_guess_is_an_article_until_a_pattern_reads_it(merge: Merger) -> None:
    counts = merge(guess("p", 0, "Menu. Text."))
    assert (counts.new, told(merge)) == (1, [("p", "guessed", "Menu. Text.", 1)])
    seen = merge.rows()[0]["first_seen_at"]
    counts = merge(fetch("p", 0, "Text."))
    assert (counts.new, counts.edited) == (0, 0)
    assert told(merge) == [("p", "ok", "Text.", 1)]
    assert merge.rows()[0]["first_seen_at"] == seen


def test_a_guess_that_was_edited_leaves_no_version_behind(merge: Merger) -> None:
    merge(guess("p", 0, "Menu. Text."), guess("p", 1, "Menu. New text."))
    assert told(merge) == [("p", "guessed", "Menu. New text.", 2)]
    assert len(told(merge, "article_versions")) == 2
    first_seen = merge.rows()[0]["first_seen_at"]
    merge(fetch("p", 1, "New text."))
    assert told(merge) == [("p", "ok", "New text.", 1)]
    assert told(merge, "article_versions") == []
    assert merge.rows()[0]["first_seen_at"] == first_seen
    merge(fetch("p", 0, "Text."))
    assert told(merge) == [("p", "ok", "New text.", 2)]


def test_a_guess_changes_no_article(merge: Merger) -> None:
    merge(fetch("p", 0, "Text."))
    before = merge.rows()
    merge(guess("p", 1, "Just a moment."))
    assert merge.rows() == before


def test_an_article_that_no_pattern_fits_any_more_is_not_lost(merge: Merger) -> None:
    merge(fetch("p", 0, "Text."))
    merge(guess("p", 0, "Menu. Text."))
    assert told(merge) == [("p", "guessed", "Menu. Text.", 1)]


def test_what_nobody_wants_guessed_goes(merge: Merger) -> None:
    merge(guess("p", 0, "Text."))
    merge(fetch("p", 0, None, status=Status.NO_PATTERN))
    assert merge.rows() == []


def test_a_copy_that_is_guessed_is_another_address(merge: Merger) -> None:
    merge(guess("print", 0, "Text."))
    merge(fetch("p", 1, "Text."))
    assert told(merge) == [("p", "ok", "Text.", 1)]
    assert merge.rows()[0]["other_urls"] == [HOST + "print"]
    # Its own page says the same in other words, as guesses do.
    merge(guess("print", 2, "Print. Text."))
    assert told(merge) == [("p", "ok", "Text.", 1)]


@pytest.mark.parametrize("order", list(permutations(range(4))))
def test_in_any_order(merge: Merger, order: tuple[int, ...]) -> None:
    records = [
        guess("p", 0, "Menu. Text."),
        fetch("p", 1, "Text."),
        guess("p", 2, "Menu. Later."),
        fetch("p", 3, "New text."),
    ]
    for number in order:
        merge(records[number])
    assert told(merge) == [("p", "ok", "New text.", 2)]
    assert [text for _, _, text, _ in told(merge, "article_versions")] == ["Text.", "New text."]
