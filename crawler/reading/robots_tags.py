"""What a page asks of robots: its `X-Robots-Tag` headers and `meta name=robots` elements."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml import etree

MOST_CHARACTERS = 500
"""Characters that are kept of what a page asks. Origin: none needed; all known words have 200."""

NOINDEX = frozenset({"noindex", "none"})
"""Words that ask not to be shown in an index. Origin: Google's specification of robots tags."""

NOFOLLOW = frozenset({"nofollow", "none"})
"""Words that ask not to follow links. Origin: the same."""

# `unavailable_after: DATE` is a word with a value; `otherbot: noindex` is for another robot.
_VALUED = re.compile(r"unavailable_after|max-[a-z-]+")
_AGENT = re.compile(r"[a-z_-]+")


def robots_tags(headers: Iterable[str], root: etree._Element | None, agent: str) -> str | None:
    """What is asked of all robots or of `agent` (a User-Agent header), in lower case; None if
    nothing is.

    >>> robots_tags(["NoIndex", "otherbot: noarchive, nofollow"], None, "webstem/0.1")
    'noindex'
    >>> robots_tags(["otherbot: noindex", "webstem: nofollow, max-snippet: 5"], None, "webstem/0.1")
    'nofollow, max-snippet: 5'
    """
    named = _AGENT.match(agent.lower())
    names = {"robots", named[0] if named else "robots"}
    words = [word for header in headers for word in _header_words(header, names)]
    if root is not None:
        words += [word for content in _contents(root, names) for word in content.split(",")]
    plain = (" ".join(word.lower().split()) for word in words)
    return ", ".join(dict.fromkeys(filter(None, plain)))[:MOST_CHARACTERS] or None


def asks(tags: str | None, words: frozenset[str]) -> bool:
    """Whether one of these words is among a page's tags, or in a link's `rel`.

    >>> asks("all, none", NOINDEX), asks("noopener nofollow", NOFOLLOW), asks(None, NOINDEX)
    (True, True, False)
    """
    return not words.isdisjoint((tags or "").replace(",", " ").split())


def _header_words(header: str, names: set[str]) -> Iterator[str]:
    """The words of a header that are for one of these robots; a name holds for all that follows."""
    is_ours = True
    for word in header.split(","):
        name, colon, rest = (part.strip() for part in word.partition(":"))
        if colon and not _VALUED.fullmatch(name.lower()):
            is_ours, word = name.lower() in names, rest
        if is_ours:
            yield word


def _contents(root: etree._Element, names: set[str]) -> Iterator[str]:
    for meta in root.iter("meta"):
        if meta.get("name", "").strip().lower() in names:
            yield meta.get("content", "")[:MOST_CHARACTERS]
