"""`crawler.exchange.importing` and `crawler.exchange.exporting`: real tables."""

import hashlib
import zipfile
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from crawler.config.sites import SiteConfig
from crawler.exchange import importing
from crawler.exchange.archives import (
    ArchiveError,
    FoundAnchors,
    FoundPage,
    PassedOver,
    read_archive,
)
from crawler.exchange.exporting import write_crawl_zip
from crawler.exchange.importing import import_pages
from crawler.frontier.urldb import UrlDatabase
from crawler.storage.parquet import StorageError
from crawler.storage.partitions import Storage

TIME = datetime(2005, 1, 2, 3, 4, tzinfo=UTC)
SITE = SiteConfig(
    name="site",
    start_urls=("http://example.com/",),
    rules=({"deny": "/private/"},),
)
HOME = FoundPage(
    url="http://example.com/",
    body="<p>日本 <a href=/a rel=Next>The  text</a> <a href=//other.org/>o</a>".encode("euc-jp"),
    fetched_at=TIME,
    content_type="text/html; charset=EUC-JP",
)
PAGE = FoundPage(url="http://example.com/a", body=b"<p>a", fetched_at=TIME)
ANCHORS = FoundAnchors(url="http://example.com/a", texts=("One", " two\n", ""), fetched_at=TIME)


@pytest.fixture
def storage(tmp_path):
    return Storage(str(tmp_path / "data"))


@pytest.fixture
def database(tmp_path):
    with UrlDatabase(tmp_path / "site.sqlite") as opened:
        yield opened


def rows(storage, table, *columns):
    batches = storage.read(table, "site", columns=columns)
    found = [row for batch in batches for row in batch.to_pylist()]
    return sorted(tuple(row[name] for name in columns) for row in found)


def test_a_page_becomes_a_row_of_the_day_it_was_fetched_on(storage, database):
    summary = import_pages(storage, database, SITE, [HOME], "r1")
    assert (summary.pages, summary.links) == (1, 2)
    columns = ("url", "url_key", "fetched_at", "charset", "charset_source", "html", "run_id")
    assert rows(storage, "pages", *columns) == [
        (HOME.url, HOME.url, TIME, "euc_jp", "http", HOME.body, "r1")
    ]
    assert storage.dates("pages", "site") == [date(2005, 1, 2)]


def test_the_links_of_pages_are_read_where_no_anchor_texts_come(storage, database):
    import_pages(storage, database, SITE, [HOME], "r1")
    columns = ("src_url_key", "dst_url", "anchor_text", "rel", "in_scope", "source")
    assert rows(storage, "links", *columns) == [
        (HOME.url, "http://example.com/a", "The text", "next", True, "a"),
        (HOME.url, "http://other.org/", "o", None, False, "a"),
    ]


def test_anchor_texts_of_an_archive_stand_on_no_page(storage, database):
    summary = import_pages(storage, database, SITE, [ANCHORS, HOME], "r1")
    assert summary.links == 2
    assert rows(storage, "links", "src_url_key", "dst_url_key", "anchor_text") == [
        ("", "http://example.com/a", "One"),
        ("", "http://example.com/a", "two"),
    ]


def test_a_repeated_import_adds_nothing(storage, database):
    import_pages(storage, database, SITE, [ANCHORS, HOME, PAGE], "r1")
    before = rows(storage, "pages", "url"), rows(storage, "links", "anchor_text")
    summary = import_pages(storage, database, SITE, [ANCHORS, HOME, PAGE, PAGE], "r1")
    assert (summary.pages, summary.known, summary.links) == (0, 3, 0)
    assert (rows(storage, "pages", "url"), rows(storage, "links", "anchor_text")) == before


def test_another_capture_of_the_day_is_stored_with_its_links(storage, database):
    """As of a file of the same name in another folder, which is the same run."""
    later = replace(HOME, body=b"<a href=/new>n</a>", fetched_at=TIME + timedelta(hours=1))
    same_moment = replace(later, body=b"<a href=/other>o</a>")
    import_pages(storage, database, SITE, [HOME], "r1")
    for _ in range(2):
        summary = import_pages(storage, database, SITE, [later, same_moment, HOME], "r1")
    assert (summary.pages, summary.known, summary.links) == (0, 3, 0)
    captures = [HOME, later, same_moment]
    assert rows(storage, "pages", "fetched_at", "html") == sorted(
        (each.fetched_at, each.body) for each in captures
    )
    assert {"http://example.com/new", "http://example.com/other"} < {
        url for (url,) in rows(storage, "links", "dst_url")
    }
    assert len(rows(storage, "links", "dst_url")) == 4
    assert database.find(HOME.url).stored_at == later.fetched_at


def test_anchor_texts_of_another_archive_are_stored_too(storage, database):
    more = replace(ANCHORS, texts=("One", "Three"))
    import_pages(storage, database, SITE, [ANCHORS, PAGE], "r1")
    for links in (1, 0):
        assert import_pages(storage, database, SITE, [more, PAGE], "r1").links == links
    assert rows(storage, "links", "anchor_text") == [("One",), ("Three",), ("two",)]


def test_another_run_is_stored_too(storage, database):
    import_pages(storage, database, SITE, [PAGE], "r1")
    assert import_pages(storage, database, SITE, [PAGE], "r2").pages == 1


def test_the_rules_of_the_site_hold(storage, database):
    private = FoundPage(url="http://example.com/private/a", body=b"x", fetched_at=TIME)
    other = FoundPage(url="http://other.org/", body=b"x", fetched_at=TIME)
    nothing = PassedOver(name="x", reason="no plain file")
    summary = import_pages(storage, database, SITE, [PAGE, private, other, nothing], "r1")
    assert rows(storage, "pages", "url") == [(PAGE.url,)]
    assert summary.passed_over == {
        "denied by rule '/private/'": 1,
        "other host": 1,
        "no plain file": 1,
    }
    assert summary.examples["other host"] == "http://other.org/: other host: other.org"


def test_no_links_without_linkinfo(storage, database):
    site = SITE.model_copy(update={"linkinfo": False})
    import_pages(storage, database, site, [ANCHORS, HOME], "r1")
    assert rows(storage, "links", "anchor_text") == []


def test_what_came_before_a_refusal_is_stored(storage, database):
    def broken():
        yield PAGE
        raise ArchiveError("a.zip", "x", "y")

    with pytest.raises(ArchiveError):
        import_pages(storage, database, SITE, broken(), "r1")
    assert rows(storage, "pages", "url") == [(PAGE.url,)]


def test_an_export_imports_as_the_same_pages_and_texts(storage, database, tmp_path):
    import_pages(storage, database, SITE, [ANCHORS, HOME, PAGE], "r1")
    path = tmp_path / "site.zip"
    assert write_crawl_zip(storage, "site", path) == 2
    names = zipfile.ZipFile(path).namelist()
    assert names == ["200501020304/example.com/", "200501020304/example.com/a", "linkinfo"]
    anchors, *pages = read_archive(str(path), SITE)
    assert sorted(anchors.texts) == ["One", "two"]
    assert [page.body for page in pages] == [HOME.body, PAGE.body]
    assert {page.fetched_at for page in pages} == {TIME}


def test_without_pages_no_archive_is_made(storage, tmp_path):
    assert write_crawl_zip(storage, "site", tmp_path / "site.zip") == 0
    assert not (tmp_path / "site.zip").exists()


def test_imported_pages_are_known_to_the_next_crawl(storage, database):
    import_pages(storage, database, SITE, [HOME, PAGE], "r1")
    known = database.find(PAGE.url)
    assert (known.state, known.source, known.depth) == ("done", "import", SITE.depth)
    assert known.stored_at == TIME
    assert database.digest(PAGE.url) == hashlib.sha256(PAGE.body).hexdigest()
    assert database.pending_count() == 0


def test_an_older_page_does_not_hide_a_newer_one(storage, database):
    older = replace(PAGE, body=b"<p>before", fetched_at=TIME - timedelta(days=1))
    import_pages(storage, database, SITE, [PAGE], "r1")
    import_pages(storage, database, SITE, [older], "r2")
    assert database.digest(PAGE.url) == hashlib.sha256(PAGE.body).hexdigest()
    assert len(rows(storage, "pages", "url")) == 2


def test_an_import_that_was_killed_before_its_pages_stores_no_link_twice(storage, database):
    import_pages(storage, database, SITE, [HOME], "r1")
    links = rows(storage, "links", "dst_url")
    for path in storage.files("pages", "site"):
        Path(path).unlink()
    summary = import_pages(storage, database, SITE, [HOME], "r1")
    assert (summary.pages, summary.links) == (1, 0)
    assert rows(storage, "links", "dst_url") == links


@pytest.mark.parametrize("limit", ["FLUSH_PAGES", "FLUSH_BYTES"])
def test_at_no_moment_a_page_is_done_that_is_not_stored(storage, database, monkeypatch, limit):
    monkeypatch.setattr(importing, limit, 2)
    counts = []

    def pages():
        for number in range(5):
            yield replace(PAGE, url=f"http://example.com/{number}")
            stored = {url for (url,) in rows(storage, "pages", "url")}
            assert {each.url for each in database.list_urls(state="done")} == stored
            counts.append(len(stored))

    import_pages(storage, database, SITE, pages(), "r1")
    assert counts == ([0, 2, 2, 4, 4] if limit == "FLUSH_PAGES" else [1, 2, 3, 4, 5])


def test_pages_that_could_not_be_written_are_not_done(storage, database, monkeypatch):
    monkeypatch.setattr(importing, "FLUSH_PAGES", 1)
    folder = Path(storage.partition("pages", "site", TIME.date()))
    folder.parent.mkdir(parents=True)
    folder.write_text("in the way")
    with pytest.raises(StorageError, match="not written"):
        import_pages(storage, database, SITE, [PAGE], "r1")
    assert database.counts() == {}
