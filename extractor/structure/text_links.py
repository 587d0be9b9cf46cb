"""The links of an article's text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from extractor.structure.inline import absolute
from learner.page.tree import TreeBlock
from learner.page.words import clean_text

MOST_LINKS = 1_000
"""Links of an article that are kept. Origin: guess; an encyclopedia's entry has some hundreds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextLink:
    """One link of a text."""

    url: str
    """Where it leads, absolute, with its fragment."""
    text: str
    """What it says."""


def text_links(body: Iterable[TreeBlock], base: str) -> tuple[TextLink, ...]:
    """The links of a text in order, each address once."""
    found: dict[str, TextLink] = {}
    for block in body:
        for text, href in block.line.linked_texts if block.line.has_links else ():
            url = absolute(base, href)
            text = clean_text(text)
            if url and text and len(found) < MOST_LINKS:
                found.setdefault(url, TextLink(url=url, text=text))
    return tuple(found.values())
