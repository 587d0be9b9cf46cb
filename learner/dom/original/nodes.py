"""The text nodes of a page, and what each element holds of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from zlib import crc32

from lxml import etree

from learner.page.markup import SKIPPED_TAGS
from learner.page.words import clean_text

BLOCKS = frozenset({"div", "section", "article"})
"""Elements whose text is looked at."""

MOST_NODES = 20_000
"""Text nodes of a page that are looked at. Origin: that of the page model's blocks."""


@dataclass(frozen=True, slots=True)
class TextNode:
    """One text between two tags, in an element of `BLOCKS`."""

    element: etree._Element
    """The element whose text it is."""
    text: str
    """On one line, not empty."""
    is_linked: bool


@dataclass(slots=True)
class TextNodes:
    """Those of one page in document order. Of each element the nodes inside are a stretch of them,
    so that sums over any element are differences."""

    nodes: list[TextNode] = field(default_factory=list)
    spans: dict[etree._Element, tuple[int, int]] = field(default_factory=dict)
    """From which node to which an element reaches."""
    paths: dict[etree._Element, int] = field(default_factory=dict)
    """CRC-32 of the tags from the root to an element."""


def text_nodes(root: etree._Element) -> TextNodes:
    """The text nodes of a parsed page, in one walk.

    >>> from lxml.html import document_fromstring as parse
    >>> found = text_nodes(parse("<p>a</p><div>b <a>c</a> d<script>e</script></div>"))
    >>> [(node.element.tag, node.text, node.is_linked) for node in found.nodes]
    [('div', 'b', False), ('a', 'c', True), ('div', 'd', False)]
    """
    found = TextNodes()
    n_blocks = n_links = 0

    def add(element: etree._Element, text: str | None) -> None:
        if n_blocks and text and len(found.nodes) < MOST_NODES and (said := clean_text(text)):
            found.nodes.append(TextNode(element, said, n_links > 0))

    walk = etree.iterwalk(root, events=("start", "end"))
    for event, element in walk:
        tag, parent = str(element.tag), element.getparent()
        if event == "start":
            above = found.paths[parent] if parent is not None else 0
            found.paths[element] = crc32(tag.encode(), above)
            found.spans[element] = (len(found.nodes), len(found.nodes))
            n_blocks += tag in BLOCKS
            n_links += tag == "a"
            if tag in SKIPPED_TAGS:
                walk.skip_subtree()
            else:
                add(element, element.text)
        else:
            found.spans[element] = (found.spans[element][0], len(found.nodes))
            n_blocks -= tag in BLOCKS
            n_links -= tag == "a"
            if parent is not None:
                add(parent, element.tail)
    return found
