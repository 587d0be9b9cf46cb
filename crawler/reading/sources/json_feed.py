"""JSON Feed (https://www.jsonfeed.org/version/1.1/)."""

from __future__ import annotations

import json
from collections.abc import Iterator

VERSION = "https://jsonfeed.org/version/"


def json_feed_entries(body: bytes) -> Iterator[tuple[str, str]] | None:
    """Address and title of each item, both perhaps empty; None if it is no such feed.

    >>> items = '[{"url": "/a", "title": 1}]'
    >>> feed = f'{{"version": "https://jsonfeed.org/version/1.1", "items": {items}}}'
    >>> list(json_feed_entries(feed.encode()) or ())
    [('/a', '')]
    """
    if not body.lstrip().startswith(b"{"):
        return None
    try:
        feed = json.loads(body)
    except (ValueError, RecursionError):
        return None
    version, items = feed.get("version"), feed.get("items")
    if not isinstance(version, str) or not version.startswith(VERSION):
        return None
    return _entries(items if isinstance(items, list) else [])


def _entries(items: list[object]) -> Iterator[tuple[str, str]]:
    for item in items:
        if isinstance(item, dict):
            addresses = (_text(item.get(name)) for name in ("url", "external_url", "id"))
            yield next(filter(None, addresses), ""), _text(item.get("title"))


def _text(value: object) -> str:
    """A text of JSON, which may escape half of a character: that is none of Unicode."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else ""
