"""What a browser makes of some elements before it draws a page."""

from __future__ import annotations

import re
from typing import cast

from lxml import etree

MOST_SHARE = 0.5
"""Share of the text of a page above which what stands in `noscript` is the page itself: the rest
comes by a script. Origin: guess, as that of hidden text."""

LEAST_ASIDE = 300
"""Letters in `noscript` from which on they may be a text. Origin: guess; who asks for scripts needs
100."""

_found = etree.XPath(
    "descendant::template[@shadowrootmode] | descendant::noscript"
    " | descendant::span[contains(@style, 'display')][not(ancestor::pre)]"
    " | descendant::font[contains(@style, 'display')][not(ancestor::pre)]"
)
_text_inside = etree.XPath(
    "descendant::text()[not(parent::script or parent::style)]", smart_strings=False
)
_text_outside = etree.XPath(
    "descendant::text()[not(ancestor::noscript or ancestor::a or parent::script or parent::style)]",
    smart_strings=False,
)
_BLOCK = re.compile(r"(?:^|;)\s*display\s*:\s*(?:block|flex|grid|table|list-item)\b", re.IGNORECASE)


def draw_elements(body: etree._Element) -> None:
    """Turn into `div` elements what stands in lines of its own: the content of a declared shadow
    tree, a `span` that says so of itself, but for lines of code; and `noscript`, if it has the
    greater part of the text of a page without links.

    >>> page = etree.fromstring('<body><template shadowrootmode="open">One</template></body>')
    >>> draw_elements(page)
    >>> page[0].tag
    'div'
    """
    asides: list[etree._Element] = []
    for element in cast("list[etree._Element]", _found(body)):
        if element.tag == "noscript":
            asides.append(element)
        elif element.tag == "template" or _BLOCK.search(element.get("style") or ""):
            element.tag = "div"
    aside = sum(_size(_text_inside(each)) for each in asides)
    if aside >= LEAST_ASIDE and aside > MOST_SHARE * (_size(_text_outside(body)) + aside):
        for element in asides:
            element.tag = "div"


def _size(texts: object) -> int:
    """Characters of some texts without white space."""
    return sum(len("".join(text.split())) for text in cast("list[str]", texts))
