"""Soft errors: pages that say, with status 200, that what was asked for is not there.

A site answers many addresses with one and the same page, "not found" or a wall before what it has.
In the frame of the articles it looks like one. What gives it away is that links call these
addresses by many names, and none is what the page says.
"""

from __future__ import annotations

from collections.abc import Sequence

from learner.page.words import word_letters
from learner.site.copies import ReadPage

LEAST_ADDRESSES = 3
"""Addresses of one answer that links must call by names of their own. Origin: guess; a page that
moved has two."""


def is_soft_error(copies: Sequence[ReadPage]) -> bool:
    """Whether pages that say the same are none of those that links to them speak of.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.page.pages import Page
    >>> from learner.page.tree import build_tree
    >>> tree = build_tree(parse("<title>Not found - A</title><h1>Not found</h1>"))
    >>> def read(name):
    ...     return Page(url=f"https://a.example/{name}", html=b"", anchor_texts=(name,)), tree
    >>> is_soft_error([read("Rain"), read("Fog"), read("Sun")])
    True
    >>> is_soft_error([read("Rain"), read("Fog"), read("Not found")])
    False
    """
    called = {page.anchor_texts for page, _ in copies if page.anchor_texts}
    if len(called) < LEAST_ADDRESSES:  # as nearly all pages, which are alone
        return False
    names = {word_letters(name) for texts in called for name in texts}
    tree = copies[0][1]
    said = {word_letters(block.text) for block in tree.blocks}
    title = word_letters(tree.metadata.title)
    return not any(name in said or name in title for name in names)
