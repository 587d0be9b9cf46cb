"""Pages that are shells: they have next to no text, for scripts draw it in a browser."""

from __future__ import annotations

from typing import cast

from lxml import etree

SHELL_LETTERS = 200
"""Letters below which a page with scripts is a shell that they fill. Origin: guess."""

_body_text = etree.XPath(
    "//body//text()[not(parent::script or parent::style or parent::noscript)]", smart_strings=False
)


def count_letters(root: etree._Element) -> int:
    """Letters of a page's text, that of its links too."""
    return sum(sum(map(str.isalpha, text)) for text in cast("list[str]", _body_text(root)))


def is_shell(root: etree._Element) -> bool:
    """Whether scripts seem to draw a page: it has some, and next to no text.

    >>> from crawler.reading.html import parse_html
    >>> is_shell(parse_html(b"<script src=app.js></script>Loading")), is_shell(parse_html(b"Hi"))
    (True, False)
    """
    return next(root.iter("script"), None) is not None and count_letters(root) < SHELL_LETTERS
