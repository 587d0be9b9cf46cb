"""Addresses that end like files, tried and learned."""

import sqlite3

import pytest

from crawler.frontier.endings import MOST_ALLOWED_TRIALS, MOST_TRIALS, Endings
from crawler.reading.links import Link


@pytest.fixture
def db() -> sqlite3.Connection:
    return sqlite3.connect(":memory:", isolation_level=None)


def link(url: str, text: str | None = "A title", source: str = "a") -> Link:
    return Link(url=f"http://e/{url}", text=text, position=0, source=source)  # type: ignore[arg-type]


def test_a_few_are_tried_and_a_page_tells_that_the_ending_says_nothing(
    db: sqlite3.Connection,
) -> None:
    endings = Endings(db)
    for n in range(MOST_TRIALS):
        assert endings.wants(link(f"{n}.js"), is_allowed=False)
    assert endings.wants(link("0.js"), is_allowed=False)
    assert not endings.wants(link("9.js"), is_allowed=False)
    assert endings.wants(link("9.css"), is_allowed=False)
    endings.note("http://e/0.js", is_page=False)
    assert not endings.wants(link("9.js"), is_allowed=False)
    endings.note("http://e/1.js", is_page=True)
    # Also for the next run.
    for known in (endings, Endings(db)):
        assert known.wants(link("9.js"), is_allowed=False)
        assert not known.wants(link("9.js", text=None), is_allowed=False)


def test_a_file_that_no_text_calls_by_a_title_is_not_tried(db: sqlite3.Connection) -> None:
    for text in (None, "", "boat.xml", "http://e/boat.xml"):
        assert not Endings(db).wants(link("boat.xml", text), is_allowed=False)
        assert Endings(db).wants(link("boat.xml", text), is_allowed=True)
        assert Endings(db).wants(link("boat.xml", text, "sitemap"), is_allowed=False)


def test_a_picture_or_document_is_tried_where_a_rule_allows_it(db: sqlite3.Connection) -> None:
    for name in ("boat.jpg", "report.PDF", "a.mp3"):
        assert not Endings(db).wants(link(name), is_allowed=False)
        assert Endings(db).wants(link(name), is_allowed=True)


def test_a_title_in_a_namespace_is_of_another_kind(db: sqlite3.Connection) -> None:
    endings = Endings(db)
    endings.note("http://e/wiki/File%3ABoat.jpg", is_page=True)
    assert endings.wants(link("wiki/File:Oar.JPG"), is_allowed=False)
    assert not endings.wants(link("oar.jpg"), is_allowed=False)


def test_where_a_rule_allows_them_it_takes_more_to_give_them_up(db: sqlite3.Connection) -> None:
    endings = Endings(db)
    for n in range(MOST_ALLOWED_TRIALS):
        assert endings.wants(link(f"{n}.pdf", None), is_allowed=True)
        assert endings.refusal("http://e/a.pdf") is None
        endings.note(f"http://e/{n}.pdf", is_page=False)
    assert not endings.wants(link("more.pdf"), is_allowed=True)
    said = "media file: of 20 addresses that end in .pdf none was a page"
    assert endings.refusal("http://e/a.pdf") == said
