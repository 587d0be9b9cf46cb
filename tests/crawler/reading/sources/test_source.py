"""Feeds and sitemaps, sound and broken."""

import gzip
import json
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import suppress

import pytest

from crawler.reading.links import MAX_LINKS, Link
from crawler.reading.sources.entries import UnreadableSourceError
from crawler.reading.sources.feeds import feed_entries
from crawler.reading.sources.pieces import PIECE_BYTES, pieces_of
from crawler.reading.sources.sitemaps import MAX_SITEMAP_URLS, sitemap_entries
from crawler.reading.sources.source import MAX_SITEMAP_BYTES, read_source

URL = "http://example.org/folder/page?q=1"


def feed_links(body: bytes, url: str) -> list[Link]:
    return feed_entries(body, url).links


def sitemap_links(body: bytes, url: str) -> tuple[list[Link], list[str]]:
    entries = sitemap_entries(pieces_of(body, MAX_SITEMAP_BYTES), url)
    return entries.links, entries.sitemaps


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


DECLARED = "<?xml version='1.0' encoding='{}'?>"
ENTRY = (
    "<url><loc>http://e/{0}?id={0}&amp;part=2</loc><n:news><n:title>{1}</n:title></n:news></url>"
)


def sitemap(*titles: str, head: str = DECLARED.format("utf-8")) -> str:
    """A news sitemap; every address is right."""
    entries = "".join(ENTRY.format(n, title) for n, title in enumerate(titles))
    return f"{head}<urlset xmlns='http://s' xmlns:n='http://sitemap-news'>{entries}</urlset>"


def addresses(count: int) -> list[str]:
    return [f"http://e/{n}?id={n}&part=2" for n in range(count)]


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("Salt & pepper", "Salt & pepper"),
        ("Caf&eacute;&nbsp;au lait", "Café au lait"),
        ("R&amp;D &#38; more", "R&D & more"),
        ("&nosuch; &;", "&nosuch; &;"),
        ("a < b, 5 <10", "a < b, 5 <10"),
        ("The <br> tag and <p>", "The tag and"),
        ("bell \x07 and \x00 NUL", "bell and NUL"),
        ("<![CDATA[A & B <loc>http://no</loc>]]>", "A & B http://no"),
        ("<!-- <loc>http://no</loc> -->said", "said"),
        ("not </n:tilte> closed", "not closed"),
    ],
)
def test_a_fault_in_a_title_spoils_no_address(title: str, said: str) -> None:
    body = sitemap("First", title, "Third").encode()
    found, _ = sitemap_links(body, URL)
    assert [link.url for link in found] == addresses(3)
    assert found[1].text and " ".join(found[1].text.split()) == said
    assert found[2].text == "Third"
    # In pieces of any size.
    for size in (1, 7, 50):
        pieces = (body[n : n + size] for n in range(0, len(body), size))
        assert sitemap_entries(pieces, URL).links == found


@pytest.mark.parametrize(
    ("source", "address"),
    [
        ("http://e/a?x=1&y=2", "http://e/a?x=1&y=2"),
        ("http://e/a?x=1&copy=2&reg=3", "http://e/a?x=1&copy=2&reg=3"),
        ("http://e/caf&eacute;", "http://e/caf%C3%A9"),
        ("<![CDATA[http://e/a?x=1&amp;y=2]]>", "http://e/a?x=1&amp;y=2"),
        ("\n <![CDATA[ http://e/a?x=1&y=2 ]]>\n", "http://e/a?x=1&y=2"),
        ("//e/a", "http://e/a"),
        ("/a", "http://example.org/a"),
        ("http://e/a<lastmod>2026", "http://e/a"),
        ("http://e/\x0ba", "http://e/%0Ba"),
    ],
)
def test_an_address_as_it_is_meant(source: str, address: str) -> None:
    body = (
        f"<urlset><url><loc>{source}</loc></url><url><loc>http://e/z?a&amp;b</loc></url></urlset>"
    )
    assert [link.url for link in sitemap_links(body.encode(), URL)[0]] == [
        address,
        "http://e/z?a&b",
    ]


@pytest.mark.parametrize(
    "change",
    [
        lambda text: ("\n \t" + text).encode(),
        lambda text: b"\xef\xbb\xbf\n" + text.encode(),
        lambda text: text.encode("utf-16"),
        lambda text: text.encode("utf-16-le"),
        lambda text: text.replace("<url>", "<s:url >").replace("</url>", "</s:url>").encode(),
        lambda text: text.replace("<urlset ", "<urlset xmlns='http://other' x:y='2' ").encode(),
        lambda text: text.replace("xmlns:n='http://sitemap-news'", "").encode(),
        lambda text: text.upper().encode(),
        lambda text: text.replace("</url>", "").encode(),
        lambda text: text.replace("</urlset>", "").encode(),
        lambda text: gzip.compress(text.encode()),
        lambda text: gzip.compress(text[:200].encode()) + gzip.compress(text[200:].encode()),
    ],
)
def test_a_sitemap_however_it_is_written(change) -> None:
    found = read_source(change(sitemap("One", "Two")), URL, "sitemap", 10_000).links
    assert [link.url.lower() for link in found] == addresses(2)
    assert [(link.text or "").lower() for link in found] == ["one", "two"]


@pytest.mark.parametrize(
    ("declared", "written"),
    [
        ("utf-8", "latin-1"), ("iso-8859-1", "utf-8"), ("utf-16", "utf-8"), ("no-such", "utf-8"),
        ("no-such", "cp1252"), ("windows-1252", "cp1252"),
    ],
)  # fmt: skip
def test_a_wrong_declaration_of_the_charset(declared: str, written: str) -> None:
    text = sitemap("x", "Café", head=DECLARED.format(declared)).replace("e/1", "e/é1")
    (_, link), _ = sitemap_links(text.encode(written), URL)
    assert (link.url, link.text) == ("http://e/%C3%A91?id=1&part=2", "Café")


def test_a_charset_of_many_bytes_is_read_as_declared() -> None:
    text = sitemap("試験のページ", head=DECLARED.format("euc-jp"))
    assert sitemap_links(text.encode("euc-jp"), URL)[0][0].text == "試験のページ"


def test_a_text_file_and_a_feed_are_sitemaps_too() -> None:
    text = b"\xef\xbb\xbfhttp://e/a?x=1&amp=2\r\n\nhttps://e/b"
    assert [link.url for link in sitemap_links(text, URL)[0]] == [
        "http://e/a?x=1&amp=2", "https://e/b",
    ]  # fmt: skip
    rss = (
        b"<rss version='2.0'><channel><item><title>T</title><link>/1</link></item></channel></rss>"
    )
    (link,) = read_source(rss, URL, "sitemap", 10_000).links
    assert (link.url, link.text) == ("http://example.org/1", "T")
    with pytest.raises(UnreadableSourceError, match="expected a sitemap"):
        read_source(PAGE, URL, "sitemap", 10_000)


def test_more_addresses_than_the_protocol_allows_are_counted() -> None:
    url = b"<url><loc>/a</loc></url>"
    entries = sitemap_entries([b"<urlset>", url * (MAX_SITEMAP_URLS + 3)], URL)
    assert len(entries.links) == MAX_SITEMAP_URLS
    assert entries.left_out == {"more than 50000 addresses of a sitemap": 3}


def test_more_entries_than_a_feed_should_have_are_counted() -> None:
    item = {"url": "/a"}
    feed = {"version": "https://jsonfeed.org/version/1.1", "items": [item] * (MAX_LINKS + 3)}
    entries = feed_entries(json.dumps(feed).encode(), URL)
    assert len(entries.links) == MAX_LINKS
    assert entries.left_out == {"more than 20000 entries of a feed": 3}


def large_sitemap(count: int) -> Iterator[bytes]:
    """About 420 bytes an address, as with other languages."""
    yield b"<urlset xmlns:x='http://www.w3.org/1999/xhtml'>"
    link = b"<x:link rel='alternate' hreflang='de' href='http://e.org/de/%d'/>"
    for n in range(count):
        yield b"<url><loc>http://e.org/%d</loc>%s</url>\n" % (n, (link % n) * 6)
    yield b"</urlset>"


def test_a_large_sitemap_takes_little_time_and_memory() -> None:
    body = gzip.compress(b"".join(large_sitemap(12_000)), 1)
    tracemalloc.start()
    begun = time.monotonic()
    entries = read_source(body, URL, "sitemap", 2**24)
    seconds, (held, peak) = time.monotonic() - begun, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (len(entries.links), entries.fault) == (12_000, "")
    assert peak - held < 5 * 2**20
    assert seconds < 20


def test_past_the_limit_what_stood_before_is_taken() -> None:
    bomb = b"".join(large_sitemap(10)) + b" " * MAX_SITEMAP_BYTES
    entries = read_source(gzip.compress(bomb, 1), URL, "sitemap", 2**24)
    assert len(entries.links) == 10
    assert entries.fault.startswith("too large: ") and "than 52428800" in entries.fault
    with pytest.raises(UnreadableSourceError, match="too large: "):
        read_source(gzip.compress(b" " * MAX_SITEMAP_BYTES + b"x"), URL, "sitemap", 2**24)
    cut = gzip.compress(b"".join(large_sitemap(3000)))
    entries = read_source(cut[:-50], URL, "sitemap", 2**24)
    assert len(entries.links) > 2000 and entries.fault.startswith("no sound gzip: ")


@pytest.mark.parametrize(
    "sign", [b"<!--", b"<![CDATA[", b"<loc", b"<", b"<a:", b"&", b"<url>", b"<loc>"]
)
def test_no_sitemap_takes_long(sign: bytes) -> None:
    body = b"<urlset><url><loc>/a</loc></url>" + sign * (8 * 2**20 // len(sign))
    begun = time.monotonic()
    entries = sitemap_entries(pieces_of(body, MAX_SITEMAP_BYTES), URL)
    assert entries.links[0].url == "http://example.org/a"
    assert time.monotonic() - begun < 20
    assert len(body) > 10 * PIECE_BYTES


@pytest.mark.parametrize(
    "address",
    ["http://e/a?x=1&copy=2", "http://e/a?x=1&amp;copy=2", "<![CDATA[http://e/a?x=1&copy=2]]>"],
)
@pytest.mark.parametrize("title", ["T", "Salt & pepper", "Caf&eacute;", "a < b", "x\x0by"])
def test_a_fault_in_a_feed_spoils_no_address(title: str, address: str) -> None:
    items = f"<item><title>{title}</title><link>{address}</link></item>"
    items += "<item><title>T2</title><link>http://e/b?x=1&amp;y=2</link></item>"
    rss = f"\n<rss version='2.0'><channel><title>c</title>{items}</channel></rss>"
    found = feed_links(rss.encode(), URL)
    assert [link.url for link in found] == ["http://e/a?x=1&copy=2", "http://e/b?x=1&y=2"]
    assert found[1].text == "T2"


@pytest.mark.parametrize("charset", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"])
def test_a_feed_in_a_wide_encoding(charset: str) -> None:
    declared = DECLARED.format(charset.removesuffix("-sig").removesuffix("-le"))
    items = "<item><title>Café &amp; Salt & 1</title><link>http://e/?a=1&copy=2</link></item>"
    rss = f"{declared}<rss version='2.0'><channel>{items}</channel></rss>"
    (link,) = feed_links(rss.encode(charset), URL)
    assert (link.url, link.text) == ("http://e/?a=1&copy=2", "Café & Salt & 1")


def test_an_entry_behind_a_counter_that_names_its_own_address() -> None:
    rss = b"""<rss version="2.0" xmlns:feedburner="http://rssnamespace.org/feedburner/ext/1.0">
        <channel><item><link>http://go.example/~r/1</link>
        <feedburner:origLink>http://e/1</feedburner:origLink></item></channel></rss>"""
    assert [link.url for link in feed_links(rss, URL)] == ["http://e/1"]


def test_a_sitemap_that_is_listed_as_a_page() -> None:
    said = "<urlset><url><loc>/news.xml.gz</loc></url><url><loc>/a</loc></url></urlset>"
    pages, sitemaps = sitemap_links(said.encode(), "https://a.example/sitemap.xml")
    assert [link.url for link in pages] == ["https://a.example/a"]
    assert sitemaps == ["https://a.example/news.xml.gz"]


@pytest.mark.parametrize("behind", [b"<!-- kept since noon -->", b"\0" * 600, b""])
def test_what_stands_behind_a_gzip_spoils_nothing(behind: bytes) -> None:
    members = [gzip.compress(part) for part in (b"<urlset>", *large_sitemap(3), b"</urlset>")]
    entries = read_source(b"".join(members) + behind, URL, "sitemap", 2**24)
    assert (len(entries.links), entries.fault) == (3, "")


def test_of_a_small_gzip_that_is_cut_what_came_counts() -> None:
    body = gzip.compress(b"<urlset>" + b"".join(large_sitemap(3)), 0)
    entries = read_source(body[:-9], URL, "sitemap", 2**24)
    assert len(entries.links) == 3 and entries.fault.startswith("no sound gzip: ")


def test_a_link_of_an_entry_to_its_picture_is_none_to_the_entry() -> None:
    atom = b"""<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>T</title>
        <link rel="alternate" type="text/html" href="http://e/1"/>
        <link rel="enclosure" type="image/jpeg">http://e/1.jpg</link></entry></feed>"""
    assert [link.url for link in feed_links(atom, URL)] == ["http://e/1"]
