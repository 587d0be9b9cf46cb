"""What a crawl reads of a page, in one parsing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from crawler.reading.html import Charset, parse_html, words_digest
from crawler.reading.links import Link, all_links, feed_urls, refresh_target
from crawler.reading.robots_tags import robots_tags
from crawler.reading.sources.entries import Entries

if TYPE_CHECKING:
    from lxml import etree


@dataclass(frozen=True, slots=True)
class ReadPage:
    """What was read."""

    links: Entries
    """Its outlinks."""
    robots: str | None
    """What it and its X-Robots-Tag headers ask of robots."""
    feeds: tuple[str, ...]
    """Those that it names, if that was asked for."""
    words: str | None
    """Digest of what it says, if that was asked for."""


def read_page(
    body: bytes,
    charset: Charset,
    url: str,
    tags: Iterable[str],
    agent: str,
    *,
    wants_feeds: bool,
    wants_words: bool,
) -> ReadPage:
    """What a response says that is a page; `tags` are its X-Robots-Tag headers."""
    root = parse_html(body, charset.name)
    return ReadPage(
        links=_links_of(root, charset, url),
        robots=robots_tags(tags, root, agent),
        feeds=tuple(feed_urls(root, url)) if wants_feeds else (),
        words=words_digest(root) if wants_words else None,
    )


def read_links(body: bytes, charset: Charset, url: str) -> Entries:
    """The outlinks of a page."""
    return _links_of(parse_html(body, charset.name), charset, url)


def _links_of(root: etree._Element, charset: Charset, url: str) -> Entries:
    """The outlinks; the target of a refresh is the last of them."""
    named = Entries()
    for found in all_links(root, url, charset.name):
        if isinstance(found, Link):
            named.links.append(found)
        else:
            named.left_out[found] += 1
    refresh = refresh_target(root, url, charset.name)
    if refresh:
        link = Link(url=refresh, text=None, position=len(named.links), rel="refresh")
        named.links.append(link)
    return named
