"""All text of a page without its tags: Webstemmer's html2txt."""

from __future__ import annotations

from crawler.reading.html import parse_html
from learner.webstemmer.blocks import WEBSTEMMER_STYLE, BlockStyle, build_layout

TEXT_STYLE = BlockStyle(
    # Inline elements cut no line; what HTML5 added does.
    cutting_tags=(WEBSTEMMER_STYLE.cutting_tags - {"font", "span"})
    | {"article", "aside", "body", "caption", "details", "dialog", "fieldset", "figcaption"}
    | {"figure", "footer", "form", "header", "legend", "main", "nav", "section", "summary"},
    breaking_tags=frozenset({"hr", "br"}),
    skipped_tags=frozenset({"comment", "style", "script", "select", "template"}),
    attributes=frozenset(),
    path_length=1,
    minimum_weight=0,
)


def page_text(html: bytes, charset: str | None = None) -> str:
    """The text of a page in source order, a line for each block, its title first.

    >>> print(page_text(b"<title>A title</title><p>One <b>line</b>.<p>&amp; two<br>three"))
    A title
    One line.
    & two
    three
    """
    layout = build_layout(parse_html(html, charset), TEXT_STYLE)
    return "\n".join(block.text for block in layout.blocks)
