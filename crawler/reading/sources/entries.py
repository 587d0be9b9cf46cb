"""What a page, a feed or a sitemap names."""

from __future__ import annotations

import html as entities
import re
from collections import Counter
from dataclasses import dataclass, field

from crawler.reading.html import parse_html, text_content
from crawler.reading.links import MAX_ANCHOR_TEXT, Link

MAX_TITLE_SOURCE = 4 * MAX_ANCHOR_TEXT
"""Characters of a title's source that are read. Origin: guess; above all it keeps numbers of
characters below the 4,300 digits that `int` takes."""

SHOWN_BYTES = 60
"""Bytes shown of what is no feed or sitemap. Origin: guess, a line of the log."""

_CONTROL = re.compile("[\0-\x08\x0e-\x1f\x7f]")


class UnreadableSourceError(ValueError):
    """The body of a feed or sitemap is none, is no sound gzip, or inflates too far."""


@dataclass(slots=True)
class Entries:
    """What one page, feed or sitemap names."""

    links: list[Link] = field(default_factory=list)
    """Pages, in order."""
    sitemaps: list[str] = field(default_factory=list)
    """The sitemaps of an index."""
    left_out: Counter[str] = field(default_factory=Counter)
    """Addresses that it names besides, by the reason why they are left out."""
    fault: str = ""
    """What keeps the rest of it from being read; empty if all of it was."""


def plain_text(title: str) -> str | None:
    """A title without markup: those of feeds may be HTML, escaped once more.

    >>> plain_text("Salt &amp;amp; <b>pepper</b>")
    'Salt &amp; pepper'
    """
    title = _CONTROL.sub("", title[:MAX_TITLE_SOURCE])
    if "<" in title:
        text = text_content(parse_html(title.encode("utf-8", "replace"), "utf-8"))
    else:
        text = entities.unescape(title)
    return " ".join(text.split())[:MAX_ANCHOR_TEXT] or None
