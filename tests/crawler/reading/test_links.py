"""Links of pages."""

import time

import pytest

from crawler.reading.html import parse_html
from crawler.reading.links import (
    MAX_ANCHOR_TEXT,
    MAX_LINKS,
    MAX_SOURCES,
    _resolve,
    all_links,
    feed_urls,
    page_links,
    refresh_target,
    resolve,
)
from crawler.reading.urls import MAX_URL_LENGTH

URL = "http://example.org/folder/page?q=1"


def links(html: str, charset: str = "utf-8") -> list[tuple[str, str | None]]:
    root = parse_html(html.encode(charset), charset)
    return [(link.url, link.text) for link in page_links(root, URL, charset)]


def test_links_in_order_with_their_texts() -> None:
    html = "<a href=b> One\n <b>two</b></a><a href=/c><img alt=picture></a><area href=d alt=Map>"
    assert links(html) == [
        ("http://example.org/folder/b", "One two"),
        ("http://example.org/c", "picture"),
        ("http://example.org/folder/d", "Map"),
    ]


@pytest.mark.parametrize(
    "href",
    ["#top", "", " ", "mailto:a@b.c", "javascript:go()", "data:text/html,x", "http://", "//"],
)
def test_what_is_no_link_to_a_page(href: str) -> None:
    assert links(f'<a href="{href}">x</a>') == []


def test_too_long_links_are_left_out_and_not_remembered() -> None:
    """A page may hold megabytes of them; caches are bounded by entries."""
    before = _resolve.cache_info().currsize
    assert links(f"<a href=/{'a' * MAX_URL_LENGTH}>x</a><a href=data:{'b' * 9000}>x</a>") == []
    assert _resolve.cache_info().currsize == before
    assert links(f"<a href=/{'日' * 600}>x</a>") == []
    assert resolve(URL, "/" + "a" * (MAX_URL_LENGTH - len("http://example.org/"))) is not None


def test_base_counts() -> None:
    assert links("<base href=/other/><a href=x>x</a>") == [("http://example.org/other/x", "x")]


def test_queries_are_sent_in_the_charset_of_the_page() -> None:
    assert links('<a href="/s?q=日本">x</a>', "euc_jp") == [
        ("http://example.org/s?q=%C6%FC%CB%DC", "x")
    ]
    assert links('<a href="/日本">x</a>', "euc_jp")[0][0] == (
        "http://example.org/%E6%97%A5%E6%9C%AC"
    )


def test_a_host_in_letters_is_linked_as_it_is_sent() -> None:
    assert resolve(URL, "//bücher.example/ä?x=1") == "http://xn--bcher-kva.example/%C3%A4?x=1"
    # As browsers do; Python's own codec would ask another host, strasse.example.
    assert resolve(URL, "http://straße.example/") == "http://xn--strae-oqa.example/"
    assert resolve("http://bücher.example/a/", "b") == "http://xn--bcher-kva.example/a/b"


def test_a_query_alone_belongs_to_the_page() -> None:
    assert links('<a href="?q=2">x</a>') == [("http://example.org/folder/page?q=2", "x")]


def test_positions_count_links_only() -> None:
    root = parse_html(b"<a href=#x>no</a><a href=a>1</a><a name=n>no</a><a href=b rel='NoFollow'>2")
    found = list(page_links(root, URL))
    assert [(link.position, link.rel) for link in found] == [(0, None), (1, "nofollow")]


def test_a_flood_of_links_is_cut() -> None:
    root = parse_html(b"<a href=a>x</a>" * (MAX_LINKS + 5))
    found = list(page_links(root, URL))
    assert len(found) == MAX_LINKS
    assert list(all_links(root, URL)) == [*found, *["too many links on a page"] * 5]


def test_links_that_are_too_long_are_counted() -> None:
    long = "x" * MAX_URL_LENGTH
    root = parse_html(f"<a href=/{long}>1</a><a href=data:{long}>2</a><a href=/b>3</a>".encode())
    assert [each for each in all_links(root, URL) if isinstance(each, str)] == ["too long"]


def test_a_long_text_is_cut() -> None:
    assert len(links(f"<a href=a>{'x' * 5000}</a>")[0][1] or "") == MAX_ANCHOR_TEXT


def test_a_link_ends_where_the_next_begins() -> None:
    assert links("<a href=a>One <i>two <img alt=x><a href=b>three</a> four</i></a>") == [
        ("http://example.org/folder/a", "One two"),
        ("http://example.org/folder/b", "three"),
    ]
    begun = time.monotonic()
    assert len(links("<a href=/y><i>" * 900 + "word " * 400_000)) == 900
    assert len(links("<a href=/y><i>" * 900 + "<b></b>" * 100_000)) == 900
    assert time.monotonic() - begun < 5


def test_refresh_and_feeds_of_a_page() -> None:
    root = parse_html(
        b"<meta http-equiv=refresh content=\"0; url='/next'\">"
        b"<link rel=alternate type=application/rss+xml href=feed.xml>"
        b"<link rel=alternate hreflang=de href=/de>"
    )
    assert refresh_target(root, URL) == "http://example.org/next"
    assert feed_urls(root, URL) == ["http://example.org/folder/feed.xml"]


def test_a_flood_of_feeds_is_cut() -> None:
    """A `base` without an address makes a reader look through the whole page for another."""
    feed = b"<link rel=alternate type=application/rss+xml href=/%d>"
    root = parse_html(b"<base target=x>" + b"".join(feed % (n % 600) for n in range(20_000)))
    begun = time.monotonic()
    assert len(feed_urls(root, URL)) == MAX_SOURCES
    assert feed_urls(parse_html(b"<base target=x>" + feed % 1 * 20_000), URL) == [
        "http://example.org/1"
    ]
    assert time.monotonic() - begun < 5


def test_resolving_does_not_forget_the_host() -> None:
    assert resolve("http://example.org", "a") == "http://example.org/a"
    assert resolve("http://example.org?x=1", "a") == "http://example.org/a"
    assert resolve("http://example.org?x=/1", "/a") == "http://example.org/a"
    assert resolve("http://example.org/a/b?x=/1", "/c/../d") == "http://example.org/d"
    assert resolve("http://example.org/a/b", "///c") == resolve("http://example.org", "///c")


def test_a_doubled_slash_hides_no_page() -> None:
    """`//index.html` shares the key of `/index.html`, which is the one that can be fetched."""
    base = "http://e.org/x/"
    assert resolve(base, "http://e.org//index.html") == "http://e.org/index.html"
    assert resolve(base, "a//b?c=//d") == "http://e.org/x/a/b?c=//d"


def test_a_name_and_password_are_no_part_of_a_link() -> None:
    assert resolve(URL, "http://u:p@example.org:81/x@y?z=@") == "http://example.org:81/x@y?z=@"
    assert links("<base href=//u@example.org/b/><a href=c>x</a>") == [
        ("http://example.org/b/c", "x")
    ]


def test_the_pages_before_and_behind_a_list_are_linked() -> None:
    head = "<link rel=next href=?page=2><link rel='prev' href=/list><link rel=icon href=/i>"
    found = links(f"<html><head>{head}</head><body><a href=b>One</a></body></html>")
    assert found == [
        ("http://example.org/folder/page?page=2", None),
        ("http://example.org/list", None),
        ("http://example.org/folder/b", "One"),
    ]


def test_backslashes_of_a_path_are_slashes_as_browsers_read_them() -> None:
    base = "http://gazette.example/news/1"
    assert resolve(base, "\\story\\3?a=b\\c") == "http://gazette.example/story/3?a=b%5Cc"
    assert resolve(base, "..\\story\\3") == "http://gazette.example/story/3"
