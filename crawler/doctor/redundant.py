"""Names of queries that change nothing: pages with them say what those without them say."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from urllib.parse import parse_qsl, urlsplit

from crawler.storage.partitions import Storage

LEAST_COPIES = 3
"""Addresses with such a name that must say nothing new. Origin: guess."""


def redundant_names(storage: Storage, site: str) -> dict[str, int]:
    """Such names, and how many addresses of a site with them gave the text of another address,
    which differs in the query alone. None that an article's own address has, or that of a page
    which is no article: lists may go on behind it."""
    copies: Counter[str] = Counter()
    needed: set[str] = set()
    for url, others in _articles(storage, site):
        needed.update(_names(url))
        place = urlsplit(url)[:3]
        for other in others:
            if urlsplit(other)[:3] == place:
                copies.update(_names(other))
    for url in _other_pages(storage, site):
        needed.update(_names(url))
    return {
        name: count
        for name, count in sorted(copies.items())
        if count >= LEAST_COPIES and name not in needed
    }


def rule_lines(names: dict[str, int]) -> list[str]:
    """The lines of an entry that leave addresses with these names out; none without names.

    >>> print(*rule_lines({"share": 12}), sep="\\n")
    # Addresses with these names said what those without them say: share (12).
    rules:
      - deny: "[?&](?:share)="
    """
    if not names:
        return []
    told = ", ".join(f"{name} ({count})" for name, count in names.items())
    pattern = f"[?&](?:{'|'.join(map(re.escape, names))})="
    return [
        f"# Addresses with these names said what those without them say: {told}.",
        "rules:",
        f"  - deny: {json.dumps(pattern)}",
    ]


def _names(url: str) -> set[str]:
    """The names in a URL's query that can stand in pipelines.yaml as they are."""
    pairs = parse_qsl(urlsplit(url).query, keep_blank_values=True)
    return {name for name, _ in pairs if name.isascii() and name.isprintable()}


def _articles(storage: Storage, site: str) -> Iterator[tuple[str, list[str]]]:
    for batch in storage.read("articles", site, columns=("url", "other_urls")):
        for row in batch.to_pylist():
            yield row["url"], row["other_urls"] or []


def _other_pages(storage: Storage, site: str) -> Iterator[str]:
    wanted = [("status", "!=", "ok")]
    for batch in storage.read("outcomes", site, columns=("url",), filters=wanted):
        yield from batch["url"].to_pylist()
