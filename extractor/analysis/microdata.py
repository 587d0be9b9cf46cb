"""Microdata: what the elements of a page say of it in `itemprop` (HTML living standard, 5), without
`itemref`, which nobody uses.

The items come in the shape of JSON-LD's objects, so that one reader does for both. Own code, for
the library of this field, extruct, brings 15 packages (rdflib, pyRdfa3, requests, html5lib and
others) for one of its six formats; on 245 of 250 pages of WCXB with microdata both give the same
items and properties, this one in half the time.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lxml import etree

from learner.page.said.json_ld import LONGEST_FACT
from learner.page.words import clean_text

MOST_PROPERTIES = 2_000
"""Properties of a page that are read. Origin: guess; a product has some tens."""

_ADDRESS = {
    "a": "href", "area": "href", "link": "href", "object": "data", "data": "value",
    "meter": "value", "time": "datetime", "audio": "src", "embed": "src", "iframe": "src",
    "img": "src", "source": "src", "track": "src", "video": "src",
}  # fmt: skip
"""Elements whose value is an attribute (5.2.4)."""

_marked = etree.XPath("descendant-or-self::*[@itemprop or @itemscope]")


class Item(dict[str, Any]):
    """An item as an object of JSON-LD, and where it says so."""

    def __init__(self, element: etree._Element) -> None:
        super().__init__({"@type": types_of(element.get("itemtype") or "")})
        self.places: dict[str, etree._Element] = {}
        """The element that says each property first."""

    def add(self, name: str, value: Any, element: etree._Element) -> None:
        """One more value of a property."""
        self.places.setdefault(name, element)
        known = self.get(name)
        self[name] = value if known is None else [*_as_list(known), value]


def types_of(itemtype: str) -> list[str]:
    """The names of types without their vocabulary.

    >>> types_of("https://schema.org/Product http://data-vocabulary.org/Breadcrumb")
    ['Product', 'Breadcrumb']
    """
    return [each.rstrip("/").rpartition("/")[2].rpartition("#")[2] for each in itemtype.split()]


def read_items(root: etree._Element) -> list[Item]:
    """The items of a page that are no property of another, in document order; a property of nothing
    is an item, too, as templates leave its owner out.

    >>> from lxml.html import document_fromstring as parse
    >>> page = "<div itemscope itemtype=http://schema.org/Product><h1 itemprop=name>Cup</h1></div>"
    >>> read_items(parse(page))
    [{'@type': ['Product'], 'name': 'Cup'}]
    """
    return list(_read(root))


def _read(root: etree._Element) -> Iterator[Item]:
    items: dict[etree._Element, Item] = {}
    found: Any = _marked(root)
    for element in found[:MOST_PROPERTIES]:
        if element.get("itemscope") is not None:
            items[element] = Item(element)
        names = (element.get("itemprop") or "").split()
        around = (items[each] for each in element.iterancestors() if each in items)
        owner = next(around, None) if names else None
        if owner is not None:
            value = items[element] if element in items else _value(element)
            for name in names:
                owner.add(name, value, element)
        elif element in items:
            yield items[element]


def _value(element: etree._Element) -> str:
    """What an element says: for machines, or else for readers."""
    said = element.get("content")
    if said is None:
        said = element.get(_ADDRESS.get(str(element.tag), "content"))
    if said is None:
        said = _text(element)
    return clean_text(said)[:LONGEST_FACT]


def _text(element: etree._Element) -> str:
    """The start of the text inside an element: of the outermost it may be all of a page."""
    found, length = [], 0
    for text in element.itertext():
        found.append(str(text))
        length += len(text)
        if length > 2 * LONGEST_FACT:
            break
    return "".join(found)


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
