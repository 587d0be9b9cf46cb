"""Links of pages, feeds and sitemaps."""

import json
import time
from contextlib import suppress

import pytest

from crawler.reading.html import parse_html
from crawler.reading.links import (
    MAX_ANCHOR_TEXT,
    MAX_LINKS,
    MAX_SOURCES,
    Link,
    UnreadableSourceError,
    _resolve,
    feed_links,
    feed_urls,
    page_links,
    refresh_target,
    resolve,
    sitemap_links,
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
    assert len(list(page_links(root, URL))) == MAX_LINKS


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


def test_atom_and_rss_entries() -> None:
    rss = b"""<rss version="2.0"><channel><item><title>A &lt;i&gt;b&lt;/i&gt; &amp;amp; c</title>
        <link>/1</link></item><item><title>no link</title></item></channel></rss>"""
    atom = b"""<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>T</title>
        <link href="http://example.org/2"/></entry></feed>"""
    found = [*feed_links(rss, URL), *feed_links(atom, URL)]
    assert [(link.url, link.text, link.source) for link in found] == [
        ("http://example.org/1", "A b & c", "feed"),
        ("http://example.org/2", "T", "feed"),
    ]


@pytest.mark.parametrize(
    "reference", ["&#xD800;", "&#55296;", "&#x00dfff;", "&#1114112;", f"&#{'9' * 5000};"]
)
def test_a_character_that_is_none_does_not_lose_the_feed(reference: str) -> None:
    rss = f"""<rss version="2.0"><channel>
        <item><title>{reference}&lt;</title><link>/1</link></item>
        <item><title>&amp;{reference[1:]}</title><link>/2</link></item>
        <item><title>3</title><link>/{reference}</link></item></channel></rss>"""
    found = list(feed_links(rss.encode(), URL))
    assert [link.url.rpartition("/")[2] for link in found] == ["1", "2", "%EF%BF%BD"]
    assert (found[0].text, found[2].text) == ("\ufffd<", "3")
    for link in found:
        (link.text or "").encode()


def test_sitemaps() -> None:
    body = b"""<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:n="http://www.google.com/schemas/sitemap-news/0.9">
        <url><loc> http://example.org/1 </loc><n:news><n:title>News</n:title></n:news></url>
        <url><loc>/2</loc></url></urlset>"""
    found, sitemaps = sitemap_links(body, URL)
    assert [(link.url, link.text) for link in found] == [
        ("http://example.org/1", "News"),
        ("http://example.org/2", None),
    ]
    assert sitemaps == []
    index = b"<sitemapindex><sitemap><loc>http://example.org/s.xml</loc></sitemap></sitemapindex>"
    assert sitemap_links(index, URL) == ([], ["http://example.org/s.xml"])


def test_images_and_videos_of_a_sitemap_name_no_page() -> None:
    body = b"""<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:n="http://www.google.com/schemas/sitemap-news/0.9"
        xmlns:i="http://www.google.com/schemas/sitemap-image/1.1"
        xmlns:v="http://www.google.com/schemas/sitemap-video/1.1">
        <url><i:image><i:loc>/1.jpg</i:loc><i:title>DSC_0042</i:title></i:image><loc>/1</loc></url>
        <url><loc>/2</loc><n:news><n:title>News</n:title></n:news>
            <v:video><v:title>Trailer</v:title></v:video></url></urlset>"""
    assert [(link.url, link.text) for link in sitemap_links(body, URL)[0]] == [
        ("http://example.org/1", None),
        ("http://example.org/2", "News"),
    ]


def test_a_name_that_is_none_does_not_lose_the_sitemap() -> None:
    body = b"<urlset><a:b:c>x</a:b:c><url><loc>http://a.example/</loc></url></urlset>"
    assert [link.url for link in sitemap_links(body, URL)[0]] == ["http://a.example/"]


HOSTILE = [
    b"", b"junk", b"<a" * 1000, b"\0" * 100,
    b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "' + b"b" * 1000 + b'">'
    b'<!ENTITY c "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;">'
    b'<!ENTITY e "&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;">]><urlset><url><loc>&e;</loc></url></urlset>',
    b'<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>'
    b"<rss><channel><item><title>&f;</title><link>/x</link></item></channel></rss>",
]  # fmt: skip


@pytest.mark.parametrize("body", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_feeds_and_sitemaps_do_no_harm(body: bytes) -> None:
    begun = time.monotonic()
    found: list[Link] = []
    with suppress(UnreadableSourceError):
        found += feed_links(body, URL)
    with suppress(UnreadableSourceError):
        found += sitemap_links(body, URL)[0]
    texts = [link.text or "" for link in found]
    assert not any("root:" in text for text in texts)
    assert time.monotonic() - begun < 5


def test_a_feed_is_never_a_path_or_url() -> None:
    for body in (b"/etc/passwd", b"http://127.0.0.1:1/feed"):
        with pytest.raises(UnreadableSourceError):
            list(feed_links(body, URL))


PAGE = b"<!doctype html><html><head><title>t</title></head><body><a href=/x>x</a></body></html>"


@pytest.mark.parametrize("body", [PAGE, b"<html><body/></html>", b"", b"junk", b"{}"])
def test_what_is_no_feed_or_sitemap_is_refused(body: bytes) -> None:
    with pytest.raises(UnreadableSourceError, match="expected RSS, Atom or JSON Feed, got b'"):
        list(feed_links(body, URL))
    with pytest.raises(UnreadableSourceError, match="expected a sitemap, got b'"):
        sitemap_links(body, URL)


def test_feeds_and_sitemaps_may_be_empty_or_broken() -> None:
    atom = b"\n<feed xmlns='http://www.w3.org/2005/Atom'/>"
    for feed in (b"<rss><channel/></rss>", atom, b"<rss>"):
        assert list(feed_links(feed, URL)) == []
    namespace = b"xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'"
    for sitemap in (b"<urlset/>", b"<sitemapindex %s/>" % namespace, b"<urlset><url><loc>"):
        assert sitemap_links(sitemap, URL) == ([], [])
    cut = b"<urlset><url><loc>/1</loc></url><url><lo"
    assert [link.url for link in sitemap_links(cut, URL)[0]] == ["http://example.org/1"]


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


def test_a_json_feed_with_half_a_character() -> None:
    feed = {
        "version": "https://jsonfeed.org/version/1.1",
        "items": [{"url": "/a", "title": "one \ud800"}],
    }
    (link,) = feed_links(json.dumps(feed).encode(), "http://e/feed.json")
    assert link.text == "one ?"  # what Parquet can hold


def test_a_json_feed() -> None:
    feed = {
        "version": "https://jsonfeed.org/version/1.1",
        "items": [
            {"id": "1", "url": "/one", "title": "One &amp; all"},
            {"id": "http://e/two"},
            {"external_url": 5, "title": []},
            "no item",
        ],
    }
    links = list(feed_links(json.dumps(feed).encode(), "http://e/feed.json"))
    assert [(link.url, link.text, link.source) for link in links][:2] == [
        ("http://e/one", "One & all", "feed"),
        ("http://e/two", None, "feed"),
    ]
    for body in (b"{", b"{}", b'{"version": 1}', b"[" * 100_000):
        with pytest.raises(UnreadableSourceError):
            list(feed_links(body, "http://e/"))
