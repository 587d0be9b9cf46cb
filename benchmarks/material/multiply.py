"""More pages of a site than it has: real pages, again with other words and other structure.

Each copy of a page has its own address, title and words (those of its longer texts in another
order, its numbers changed), and some noise in its structure: paragraphs that are doubled or left
out, boxes with names of their own. What stands on every page stays as it is. Pages are made one by
one and not held; the same arguments give the same pages.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from urllib.parse import urlsplit, urlunsplit

from learner.page.pages import Page

OWN_TEXT = 40
"""Bytes of a text from which on it is the page's own, not the frame's."""

NOISE = 0.03
"""Share of the paragraphs that are doubled, left out, or get a box beside them; each."""

_TEXT = re.compile(rb">([^<>]{%d,})<" % OWN_TEXT)
_TITLE = re.compile(rb"(<title[^>]*>)([^<]*)", re.IGNORECASE)
_HEADING = re.compile(rb"(<h1[^>]*>(?:<[^>]*>)*)([^<]+)", re.IGNORECASE)
_PARAGRAPH = re.compile(rb"<p[ >](?:(?!<p[ >]).)*?</p>", re.IGNORECASE | re.DOTALL)


def multiplied(pages: Sequence[Page], n_pages: int) -> Iterator[Page]:
    """`n_pages` pages: the given ones, then their copies, round by round."""
    for number in range(n_pages):
        page = pages[number % len(pages)]
        copy = number // len(pages)
        yield _copy(page, copy) if copy else page


def _copy(page: Page, copy: int) -> Page:
    chance = random.Random(f"{copy} {page.url}")
    html = _PARAGRAPH.sub(lambda found: _noisy(found[0], chance), page.html)
    html = _TEXT.sub(lambda found: b">" + _reworded(found[1], chance) + b"<", html)
    mark = b" %d" % copy
    html = _TITLE.sub(lambda found: found[1] + mark.lstrip() + b" " + found[2], html, count=1)
    html = _HEADING.sub(lambda found: found[1] + mark.lstrip() + b" " + found[2], html, count=1)
    return replace(page, url=_address(page.url, copy), html=html, anchor_texts=())


def _noisy(paragraph: bytes, chance: random.Random) -> bytes:
    drawn = chance.random()
    if drawn < NOISE:
        return b""
    if drawn < 2 * NOISE:
        return paragraph + paragraph
    if drawn < 3 * NOISE:
        return paragraph + b'<div class="box-%06x">%d</div>' % (chance.getrandbits(24), drawn * 1e6)
    return paragraph


def _reworded(text: bytes, chance: random.Random) -> bytes:
    """The text with its words in another order: cut at blanks only, so that no letter breaks."""
    words = text.split(b" ")
    turn = chance.randrange(len(words))
    return b" ".join(words[turn:] + words[:turn])


def _address(url: str, copy: int) -> str:
    """A sibling of the page."""
    parts = urlsplit(url)
    folder, _, name = parts.path.rstrip("/").rpartition("/")
    end = "/" if parts.path.endswith("/") else ""
    return urlunsplit(parts._replace(path=f"{folder}/{copy}-{name}{end}"))
