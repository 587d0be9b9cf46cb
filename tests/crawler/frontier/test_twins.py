"""Which names of queries change nothing on a site, as its pages prove."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from crawler.frontier.twins import LEAST_TEXTS, SAYS_THE_SAME
from crawler.frontier.urldb import Found, UrlDatabase, Visit

NOW = datetime(2026, 11, 20, tzinfo=UTC)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[UrlDatabase]:
    with UrlDatabase(tmp_path / "site.sqlite") as database:
        database.begin_run("one", NOW, max_depth=3, scope="")
        yield database


def add(database: UrlDatabase, *keys: str) -> None:
    database.add_links([Found(url_key=key, url=key, source="link") for key in keys], 1, None, NOW)


def fetch(database: UrlDatabase, key: str, text: str) -> None:
    add(database, key)
    database.twins.note(key, text)
    visit = Visit(url_key=key, url=key, depth=1, visited_at=NOW, status=200, digest=text)
    database.record_visits([visit])


def prove(database: UrlDatabase, name: str) -> None:
    """The name changes nothing: several texts under two addresses each."""
    for number in range(LEAST_TEXTS):
        fetch(database, f"http://e/{number}", str(number))
        fetch(database, f"http://e/{number}?{name}=home", str(number))


def test_a_name_that_changes_nothing_leaves_addresses_out(database: UrlDatabase) -> None:
    prove(database, "ref")
    fetch(database, "http://e/new?ref=feed", "new")
    add(database, "http://e/new", "http://e/new?ref=top", "http://e/other?ref=top")
    assert database.twins.of("http://e/new?ref=feed") is None
    assert database.skip_twin("http://e/new") and database.skip_twin("http://e/new?ref=top")
    assert not database.skip_twin("http://e/other?ref=top")
    info = database.find("http://e/new")
    assert info and (info.state, info.reason) == (
        "skipped", SAYS_THE_SAME + "http://e/new?ref=feed",
    )  # fmt: skip


def test_an_address_without_the_name_that_waits_is_the_one(database: UrlDatabase) -> None:
    prove(database, "ref")
    add(database, "http://e/new?id=1&ref=top", "http://e/new?id=1")
    assert database.twins.of("http://e/new?id=1&ref=top") == "http://e/new?id=1"
    assert database.twins.of("http://e/new?id=1") is None


def test_one_pair_of_other_texts_proves_that_a_name_counts(database: UrlDatabase) -> None:
    prove(database, "session")
    fetch(database, "http://e/debate?session=1", "one")
    assert database.twins.of("http://e/debate?session=2") == "http://e/debate?session=1"
    fetch(database, "http://e/sitting?session=1", "one")
    fetch(database, "http://e/sitting?session=2", "two")
    assert database.twins.of("http://e/debate?session=2") is None
    prove(database, "session")
    assert database.twins.of("http://e/debate?session=2") is None


def test_one_text_everywhere_proves_nothing(database: UrlDatabase) -> None:
    """A wall before the site."""
    for number in range(3 * LEAST_TEXTS):
        fetch(database, f"http://e/debate?session={number}", "please wait")
    assert database.twins.of("http://e/debate?session=99") is None


def test_an_address_that_is_gone_stands_for_no_other(database: UrlDatabase) -> None:
    prove(database, "ref")
    fetch(database, "http://e/a", "a")
    assert database.twins.of("http://e/a?ref=x") == "http://e/a"
    gone = Visit(url_key="http://e/a", url="http://e/a", depth=1, visited_at=NOW, error="http 404")
    database.record_visits([gone])
    assert database.twins.of("http://e/a?ref=x") is None


def test_what_is_left_out_is_looked_at_again_by_the_next_run(database: UrlDatabase) -> None:
    prove(database, "ref")
    fetch(database, "http://e/a", "a")
    add(database, "http://e/a?ref=x")
    assert database.skip_twin("http://e/a?ref=x")
    database.finish_run(NOW)
    database.begin_run("two", NOW, max_depth=3, scope="")
    waiting = {entry.url_key for entry in iter_entries(database)}
    assert "http://e/a?ref=x" in waiting
    fetch(database, "http://e/a?ref=y", "another text")
    assert database.twins.of("http://e/a?ref=x") is None


def iter_entries(database: UrlDatabase) -> Iterator:
    while database.next_level():
        yield from database.next_entries(100)
