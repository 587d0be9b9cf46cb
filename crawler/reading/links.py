"""Outlinks of a page with their anchor texts; entries of feeds and sitemaps."""

from __future__ import annotations

import html as entities
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from itertools import islice
from typing import Literal
from urllib.parse import urljoin, urlsplit

import feedparser
from lxml import etree
from w3lib.url import safe_url_string

from crawler.reading.hostnames import with_ascii_host
from crawler.reading.html import parse_html, text_content
from crawler.reading.json_feed import json_feed_entries
from crawler.reading.urls import CACHE_SIZE, MAX_URL_LENGTH, merge_slashes, without_user

MAX_LINKS = 20_000
"""Links read from one page; the rest of a page made to flood the crawl is left. Origin: guess."""

MAX_SOURCES = 500
"""Feeds that one page names, and feeds and sitemaps read in one run. Origin: guess."""

MAX_ANCHOR_TEXT = 1000
"""Characters kept of an anchor text. Origin: guess; a title is shorter."""

MAX_SITEMAP_URLS = 50_000
"""URLs read from one sitemap. Origin: the limit of sitemaps.org."""

MAX_TITLE_SOURCE = 4 * MAX_ANCHOR_TEXT
"""Characters of a title's source that are read. Origin: guess; above all it keeps numbers of
characters below the 4,300 digits that `int` takes."""

SHOWN_BYTES = 60
"""Bytes shown of what is no feed or sitemap. Origin: guess, a line of the log."""

_NO_HOST = re.compile("(https?:)?//", re.IGNORECASE)
_CHARACTER_NUMBER = re.compile(rb"(&(?:amp;)?#)(?:[xX]0*([0-9a-fA-F]+)|0*([0-9]+))")
_MOST_DIGITS = len(str(sys.maxunicode))
_LINK_TAGS = ("a", "area", "frame")
_FEED_TYPES = frozenset({"application/rss+xml", "application/atom+xml", "application/feed+json"})
_SITEMAP_ROOTS = ("urlset", "sitemapindex")
_SITEMAP_ENTRIES = ("url", "sitemap")
_NEWS_NAMESPACE = "sitemap-news"


class UnreadableSourceError(ValueError):
    """The body of a feed or sitemap is none, is no sound gzip, or inflates too far."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """One reference to another page."""

    url: str
    """Absolute http(s) URL without fragment, escaped as it will be sent."""
    text: str | None
    """Anchor text with white space collapsed; the alternative text of images if there is no
    other; None if there is nothing to read."""
    position: int
    """Place among the links of its source, from 0."""
    rel: str | None = None
    """The rel attribute, lower case."""
    source: Literal["a", "feed", "sitemap"] = "a"


def page_links(root: etree._Element, url: str, charset: str = "utf-8") -> Iterator[Link]:
    """The outlinks of a page in document order, one for each element that links.

    Links within the page (`#top`) are none. `charset` is that of the page: the query of a URL is
    sent in it. A `base` element counts.
    """
    base = base_url(root, url)
    own = url.partition("#")[0]
    position = 0
    for element in root.iter(*_LINK_TAGS):
        href = element.get("src" if element.tag == "frame" else "href", "")
        target = resolve(base, href, charset)
        if not target or ("#" in href and target == own):
            continue
        rel = element.get("rel")
        yield Link(
            url=target,
            text=anchor_text(element),
            position=position,
            rel=rel.lower() if rel else None,
        )
        position += 1
        if position == MAX_LINKS:
            return


def refresh_target(root: etree._Element, url: str, charset: str = "utf-8") -> str | None:
    """The URL of a `meta http-equiv=refresh`; None if the page has none."""
    for element in root.iter("meta"):
        if (element.get("http-equiv") or "").strip().lower() != "refresh":
            continue
        _, mark, target = (element.get("content") or "").partition("=")
        if mark:
            return resolve(base_url(root, url), target.strip(" \t\n\r'\""), charset)
    return None


def feed_urls(root: etree._Element, url: str) -> list[str]:
    """The feeds that a page names in `link rel=alternate`, in order, at most `MAX_SOURCES`."""
    base = base_url(root, url)
    found: dict[str, None] = {}
    for element in root.iter("link"):
        kind = (element.get("type") or "").partition(";")[0].strip().lower()
        relations = (element.get("rel") or "").lower().split()
        if "alternate" in relations and kind in _FEED_TYPES:
            target = resolve(base, element.get("href", ""))
            if target:
                found[target] = None
        if len(found) == MAX_SOURCES:
            break
    return list(found)


def anchor_text(element: etree._Element) -> str | None:
    """What a reader sees of a link: its text, else the alternative text of its images."""
    # Most links hold nothing but text: no need to walk through them.
    text, pictures = _shown_in(element) if len(element) else (element.text or "", "")
    text = " ".join(text.split())
    if not text:
        text = " ".join(f"{pictures} {element.get('alt') or ''}".split())
    return text[:MAX_ANCHOR_TEXT] or None


def _shown_in(link: etree._Element) -> tuple[str, str]:
    """The text in a link, and the alternative texts of its images.

    The next link ends it if it has no end of its own (HTML standard, 13.2.6.4.7: start tag `a`),
    so that of links within links each text is read once.
    """
    texts, pictures = [link.text or ""], []
    for event, element in islice(etree.iterwalk(link, events=("start", "end")), 1, None):
        if element is link or (event == "start" and element.tag == "a"):
            break
        if event == "end":
            texts.append(element.tail or "")
            continue
        texts.append(element.text or "")
        if element.tag == "img":
            pictures.append(element.get("alt") or "")
    return "".join(texts), " ".join(pictures)


def feed_links(body: bytes, url: str) -> Iterator[Link]:
    """The entries of an RSS, Atom or JSON feed; a title becomes the anchor text.

    UnreadableSourceError if it is no feed; one without entries is one.
    """
    if (entries := json_feed_entries(body)) is not None:
        yield from _entry_links(entries, url)
        return
    # As a stream: given a str or bytes that look like one, feedparser would open a URL or path.
    sound = _CHARACTER_NUMBER.sub(_possible_character, body)
    feed = feedparser.parse(BytesIO(sound), response_headers={"content-location": url})
    if not feed.entries and not feed.get("version"):
        raise UnreadableSourceError(f"expected RSS, Atom or JSON Feed, got {body[:SHOWN_BYTES]!r}")
    named = ((e.get("link") or e.get("id") or "", e.get("title", "")) for e in feed.entries)
    yield from _entry_links(named, url)


def _entry_links(entries: Iterable[tuple[str, str]], url: str) -> Iterator[Link]:
    """The links of a feed's entries, each an address and a title."""
    for position, (address, title) in enumerate(islice(entries, MAX_LINKS)):
        if target := resolve(url, address):
            yield Link(url=target, text=_plain_text(title), position=position, source="feed")


def _possible_character(match: re.Match[bytes]) -> bytes:
    """A character reference, perhaps escaped once more, as it stands; that of U+FFFD for a lone
    surrogate or what is beyond Unicode, for which feedparser would raise an error."""
    digits, base = (match[2], 16) if match[2] else (match[3], 10)
    number = int(digits, base) if len(digits) <= _MOST_DIGITS else sys.maxunicode + 1
    is_surrogate = 0xD800 <= number <= 0xDFFF
    return match[1] + b"65533" if is_surrogate or number > sys.maxunicode else match[0]


def sitemap_links(body: bytes, url: str) -> tuple[list[Link], list[str]]:
    """The pages of a sitemap with the titles of news sitemaps, and the sitemaps of an index.

    Of broken XML, what stands before the fault; UnreadableSourceError if it is no sitemap.
    """
    links: list[Link] = []
    sitemaps: list[str] = []
    for name, location, title in _sitemap_entries(body):
        target = resolve(url, location)
        if target and name == "sitemap":
            sitemaps.append(target)
        elif target:
            text = _plain_text(title)
            links.append(Link(url=target, text=text, position=len(links), source="sitemap"))
    return links, sitemaps


def _sitemap_entries(body: bytes) -> Iterator[tuple[str, str, str]]:
    """(`url` or `sitemap`, loc, title) of each entry; elements are freed as they are read.

    UnreadableSourceError if there is none and the root is not that of a sitemap.
    """
    events = etree.iterparse(
        BytesIO(body), events=("end",), recover=True, resolve_entities=False, no_network=True
    )
    found, location, title = 0, "", ""
    try:
        for _, element in events:
            name = _local_name(element)
            # Images and videos of the page have a `loc` or `title` of theirs.
            if name == "loc" and _local_name(element.getparent()) in _SITEMAP_ENTRIES:
                location = location or (element.text or "").strip()
            elif name == "title" and _NEWS_NAMESPACE in _namespace(element):
                title = element.text or ""
            elif name in _SITEMAP_ENTRIES:
                if location:
                    yield name, location, title
                    found += 1
                location = title = ""
                element.clear()
            if found == MAX_SITEMAP_URLS:
                return
    except etree.XMLSyntaxError:
        pass
    if not found and _local_name(events.root) not in _SITEMAP_ROOTS:
        raise UnreadableSourceError(f"expected a sitemap, got {body[:SHOWN_BYTES]!r}")


def _local_name(element: etree._Element | None) -> str:
    """Tag without its namespace; empty for comments."""
    # QName would refuse a name that only a broken sitemap has, such as `a:b:c`.
    tag = "" if element is None else element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def _namespace(element: etree._Element) -> str:
    """Namespace of an element that has a local name; empty if it has none."""
    return str(element.tag).rpartition("}")[0]


def resolve(base: str, href: str, charset: str = "utf-8") -> str | None:
    """`href` as an absolute http(s) URL without fragment, name and password.

    None if it is none, or too long to be fetched (`MAX_URL_LENGTH`), as it stands or escaped.

    >>> resolve("http://example.org/a/b", "../c d#top")
    'http://example.org/c%20d'
    """
    href = href.strip().partition("#")[0]
    # Before the cache, which is bounded by entries.
    if not href or len(href) > MAX_URL_LENGTH or _NO_HOST.fullmatch(href):
        return None
    if href.startswith(("?", "//")):
        return _resolve(base, href, charset)
    if href.startswith("/"):
        # Only the host of the base counts.
        return _resolve("/".join(base.split("/", 3)[:3]), href, charset)
    # Only the folder of the base counts here, so that most pages share the cached answer.
    path = base.partition("?")[0]
    return _resolve(path[: path.rfind("/") + 1] if path.count("/") > 2 else path, href, charset)


@lru_cache(maxsize=CACHE_SIZE)
def _resolve(base: str, href: str, charset: str) -> str | None:
    try:
        url = with_ascii_host(without_user(urljoin(base, href)))
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            return None
        # A doubled slash is a slip of who wrote the page, which few servers forgive.
        target = merge_slashes(safe_url_string(url, charset)).partition("#")[0]
        return target if len(target) <= MAX_URL_LENGTH else None
    except (ValueError, LookupError, UnicodeError):
        return None


def base_url(root: etree._Element, url: str) -> str:
    """Where the links of a page start from: its `base` element, or else its own URL."""
    for element in root.iter("base"):
        if element.get("href"):
            return resolve(url, element.get("href", "")) or url
    return url


def _plain_text(title: str) -> str | None:
    """A feed title without markup: titles may be HTML, escaped once more."""
    title = title[:MAX_TITLE_SOURCE]
    if "<" in title:
        text = text_content(parse_html(title.encode(), "utf-8"))
    else:
        text = entities.unescape(title)
    return " ".join(text.split())[:MAX_ANCHOR_TEXT] or None
