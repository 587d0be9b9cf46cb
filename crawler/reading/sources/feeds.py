"""Feeds: RSS and Atom, which feedparser reads however broken they are, and JSON Feed."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from io import BytesIO

import feedparser

from crawler.reading.links import MAX_LINKS, Link, resolve
from crawler.reading.sources.entries import SHOWN_BYTES, Entries, UnreadableSourceError, plain_text
from crawler.reading.sources.json_feed import json_feed_entries
from crawler.reading.sources.pieces import decoded, is_wide

_CHARACTER_NUMBER = re.compile(rb"(&(?:amp;)?#)(?:[xX]0*([0-9a-fA-F]+)|0*([0-9]+))")
_MOST_DIGITS = len(str(sys.maxunicode))
# What is not closed takes all that follows, so that no byte is looked at twice.
_BARE_AMPERSAND = re.compile(
    rb"<!\[CDATA\[.*?(?:\]\]>|\Z)|&(?!#?\w{1,32};)", re.DOTALL | re.IGNORECASE
)


def feed_entries(body: bytes, url: str) -> Entries:
    """The entries of an RSS, Atom or JSON feed; a title becomes the anchor text.

    UnreadableSourceError if it is no feed; one without entries is one.
    """
    if (items := json_feed_entries(body)) is not None:
        return _entries(items, url)
    # As a stream: given a str or bytes that look like one, feedparser would open a URL or path.
    feed = feedparser.parse(BytesIO(_sound(body)), response_headers={"content-location": url})
    if not feed.entries and not feed.get("version"):
        raise UnreadableSourceError(f"expected RSS, Atom or JSON Feed, got {body[:SHOWN_BYTES]!r}")
    return _entries(((_address(each), each.get("title", "")) for each in feed.entries), url)


def _address(entry: feedparser.FeedParserDict) -> str:
    """Where an entry leads; behind a counter of FeedBurner the address that it says itself.

    feedparser takes what stands inside a link for the entry's own address, be it that of a picture.
    """
    link, links = entry.get("link"), entry.get("links", ())
    if any(each.get("href") == link and each.get("rel") != "alternate" for each in links):
        link = next((each.get("href") for each in links if each.get("rel") == "alternate"), link)
    return str(entry.get("feedburner_origlink") or link or entry.get("id") or "")


def _entries(items: Iterable[tuple[str, str]], url: str) -> Entries:
    """The links of a feed's items, each an address and a title."""
    entries = Entries()
    for position, (address, title) in enumerate(items):
        if position >= MAX_LINKS:
            entries.left_out[f"more than {MAX_LINKS} entries of a feed"] += 1
        elif target := resolve(url, address):
            link = Link(url=target, text=plain_text(title), position=position, source="feed")
            entries.links.append(link)
    return entries


def _sound(body: bytes) -> bytes:
    """A feed without what feedparser takes for a character: `&copy=2` in an address is none."""
    if is_wide(body):
        # With the mark, which feedparser believes before the declaration.
        body = "".join(decoded((body,))).lstrip("\ufeff").encode("utf-8-sig", "replace")
    body = _CHARACTER_NUMBER.sub(_possible_character, body)
    return _BARE_AMPERSAND.sub(lambda match: b"&amp;" if match[0] == b"&" else match[0], body)


def _possible_character(match: re.Match[bytes]) -> bytes:
    """A character reference, perhaps escaped once more, as it stands; that of U+FFFD for a lone
    surrogate or what is beyond Unicode, for which feedparser would raise an error."""
    digits, base = (match[2], 16) if match[2] else (match[3], 10)
    number = int(digits, base) if len(digits) <= _MOST_DIGITS else sys.maxunicode + 1
    is_surrogate = 0xD800 <= number <= 0xDFFF
    return match[1] + b"65533" if is_surrogate or number > sys.maxunicode else match[0]
