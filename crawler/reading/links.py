"""Outlinks of a page with their anchor texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Literal
from urllib.parse import urljoin, urlsplit

from lxml import etree
from w3lib.url import safe_url_string

from crawler.reading.hostnames import with_ascii_host
from crawler.reading.urls import CACHE_SIZE, MAX_URL_LENGTH, merge_slashes, without_user

MAX_LINKS = 20_000
"""Links read from one page; the rest of a page made to flood the crawl is left. Origin: guess."""

MAX_SOURCES = 500
"""Feeds that one page names, and feeds and sitemaps read in one run. Origin: guess."""

MAX_ANCHOR_TEXT = 1000
"""Characters kept of an anchor text. Origin: guess; a title is shorter."""

TOO_LONG = "too long"
"""Why links of more than `MAX_URL_LENGTH` characters are left out."""

TOO_MANY = "too many links on a page"
"""Why links after the first `MAX_LINKS` are left out."""

_NO_ADDRESS = re.compile(r"\s*(data|javascript|mailto):", re.IGNORECASE)
_NO_HOST = re.compile("(https?:)?//", re.IGNORECASE)
_LINK_TAGS = ("a", "area", "frame", "link")
_NEIGHBOURS = frozenset({"next", "prev", "previous"})
"""What `rel` of a `link` element calls the pages that go on with a list."""
_FEED_TYPES = frozenset({"application/rss+xml", "application/atom+xml", "application/feed+json"})


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

    Links within the page (`#top`) are none; `link` elements are if they name the pages before and
    behind it. `charset` is that of the page: the query of a URL is
    sent in it. A `base` element counts.
    """
    return (each for each in all_links(root, url, charset) if isinstance(each, Link))


def all_links(root: etree._Element, url: str, charset: str = "utf-8") -> Iterator[Link | str]:
    """The same, and of each link that a limit leaves out the reason."""
    base = base_url(root, url)
    own = url.partition("#")[0]
    position = 0
    for element in root.iter(*_LINK_TAGS):
        if element.tag == "link" and not _is_neighbour(element):
            continue
        href = element.get("src" if element.tag == "frame" else "href", "")
        if position == MAX_LINKS:
            if href:
                yield TOO_MANY
            continue
        target = resolve(base, href, charset)
        if not target:
            if len(href) > MAX_URL_LENGTH and not _NO_ADDRESS.match(href):
                yield TOO_LONG
            continue
        if "#" in href and target == own:
            continue
        rel = element.get("rel")
        yield Link(
            url=target,
            text=anchor_text(element),
            position=position,
            rel=rel.lower() if rel else None,
        )
        position += 1


def _is_neighbour(link: etree._Element) -> bool:
    return not _NEIGHBOURS.isdisjoint((link.get("rel") or "").lower().split())


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


_READINGS = frozenset({"rp", "rt", "rtc"})
"""How a word is read, above it."""


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
        if element.tag not in _READINGS:
            texts.append(element.text or "")
        if element.tag == "img":
            pictures.append(element.get("alt") or "")
    return "".join(texts), " ".join(pictures)


def resolve(base: str, href: str, charset: str = "utf-8") -> str | None:
    """`href` as an absolute http(s) URL without fragment, name and password.

    None if it is none, or too long to be fetched (`MAX_URL_LENGTH`), as it stands or escaped.

    >>> resolve("http://example.org/a/b", "../c d#top")
    'http://example.org/c%20d'
    >>> resolve("http://example.org/a/b", "\\\\c\\\\d")
    'http://example.org/c/d'
    """
    href = _with_slashes(href.strip().partition("#")[0])
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


def _with_slashes(href: str) -> str:
    """A link whose path has slashes for backslashes, as browsers read it (WHATWG URL, 4.4)."""
    if "\\" not in href:
        return href
    path, mark, query = href.partition("?")
    return path.replace("\\", "/") + mark + query


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
