"""A feed or sitemap as it was fetched, perhaps gzipped, and what it names."""

from __future__ import annotations

from contextlib import suppress

from crawler.reading.sources.entries import Entries, UnreadableSourceError
from crawler.reading.sources.feeds import feed_entries
from crawler.reading.sources.pieces import pieces_of
from crawler.reading.sources.sitemaps import sitemap_entries

MAX_SITEMAP_BYTES = 52_428_800
"""Bytes of a sitemap, inflated. Origin: the limit of sitemaps.org."""


def max_bytes_of(kind: str, max_page_bytes: int) -> int:
    """Bytes that a feed or a sitemap may have; a feed no more than a page."""
    return max(MAX_SITEMAP_BYTES, max_page_bytes) if kind == "sitemap" else max_page_bytes


def read_source(body: bytes, url: str, kind: str, max_page_bytes: int) -> Entries:
    """What a feed or sitemap names; UnreadableSourceError if the body is none."""
    max_bytes = max_bytes_of(kind, max_page_bytes)
    if kind == "feed":
        return _feed(body, url, max_bytes)
    try:
        return sitemap_entries(pieces_of(body, max_bytes), url)
    except UnreadableSourceError:
        # A feed is a sitemap, too (sitemaps.org, "Syndication feed").
        with suppress(UnreadableSourceError):
            return _feed(body, url, max_page_bytes)
        raise


def _feed(body: bytes, url: str, max_bytes: int) -> Entries:
    if len(body) > max_bytes:
        raise UnreadableSourceError(f"too large: {len(body)} bytes, a feed has at most {max_bytes}")
    pieces: list[bytes] = []
    fault = ""
    try:
        for piece in pieces_of(body, max_bytes):
            pieces.append(piece)
    except UnreadableSourceError as problem:
        if not pieces:
            raise
        fault = str(problem)
    entries = feed_entries(b"".join(pieces), url)
    entries.fault = fault
    return entries
