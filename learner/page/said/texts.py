"""The texts that JSON-LD repeats from its page: what an article says, what a thing is like, what
readers have said of either."""

from __future__ import annotations

import re
from collections import defaultdict
from html import unescape
from typing import Any

DEEPEST = 12
"""How deep a text may stand in JSON-LD. Origin: guess; a comment of a comment is 8 deep."""

MOST_LETTERS = 200_000
"""Characters of such texts of a page that are kept. Origin: guess; a long article has 50,000."""

_KINDS = {
    "articleBody": "body",
    "text": "body",
    "description": "about",
    "reviewBody": "replies",
}
"""Properties of schema.org that repeat what a page shows."""

_REPLIES = frozenset(("comment", "review", "reviews", "suggestedAnswer", "acceptedAnswer"))
"""Properties of schema.org under which others speak than who has made the page."""

_TAG = re.compile(r"<[^<>]*>")


class SaidTexts:
    """Collects the texts of each kind."""

    def __init__(self) -> None:
        self._found: defaultdict[str, list[str]] = defaultdict(list)
        self._left = MOST_LETTERS

    def of(self, kind: str) -> str:
        """Those of a kind: `body`, `about` or `replies`; a line each.

        >>> texts = SaidTexts()
        >>> texts.read({"articleBody": "It <b>rained</b>", "comment": [{"text": "No"}]})
        >>> texts.of("body"), texts.of("replies"), texts.of("about")
        ('It  rained ', 'No', '')
        """
        return "\n".join(self._found[kind])

    def read(self, content: Any) -> None:
        """What one script has."""
        self._read(content, DEEPEST, is_reply=False)

    def _read(self, value: Any, depth: int, is_reply: bool) -> None:
        if depth and isinstance(value, list):
            for each in value:
                self._read(each, depth - 1, is_reply)
        elif depth and isinstance(value, dict):
            for name, each in value.items():
                if not isinstance(each, str):
                    self._read(each, depth - 1, is_reply or name in _REPLIES)
                elif name in _KINDS:
                    self._add("replies" if is_reply else _KINDS[name], each)

    def _add(self, kind: str, text: str) -> None:
        """One text, which may be escaped HTML."""
        self._left -= len(text)
        if self._left >= 0:
            clean = _TAG.sub(" ", unescape(text))
            self._found[kind].append(clean.encode("utf-8", "replace").decode())
