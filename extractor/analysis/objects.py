"""The objects by which a page says for machines what it shows: JSON-LD, microdata, Open Graph."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lxml import etree

from extractor.analysis.microdata import Item, read_items
from learner.page.said.json_ld import MOST_TOPICS, JsonFacts, Node, first_text


@dataclass(frozen=True, slots=True)
class Said:
    """One object, and who says so."""

    node: Mapping[str, Any]
    source: str
    """`jsonld`, `microdata` or `opengraph`."""

    def is_a(self, *types: str) -> bool:
        """Whether it is of one of some types of schema.org."""
        return not set(types).isdisjoint(type_names(self.node))

    def text(self, *names: str) -> str:
        """The first of some properties that says anything, as text."""
        return next(filter(None, (first_text(self.node.get(name)) for name in names)), "")

    def place(self, name: str) -> etree._Element | None:
        """The element that says a property; None of JSON-LD, which stands nowhere."""
        return self.node.places.get(name) if isinstance(self.node, Item) else None


def read_objects(root: etree._Element) -> list[Said]:
    """The objects of a page, those of JSON-LD first, each source from the outermost."""
    facts = JsonFacts()
    for script in root.iter("script"):
        if "ld+json" in (script.get("type") or "") and script.text:
            facts.read(script.text)
    found = [Said(node, "jsonld") for node in facts.nodes]
    found += [Said(item, "microdata") for item in read_items(root)]
    return [*found, *_open_graph(root)]


def _open_graph(root: etree._Element) -> Iterator[Said]:
    """A product of which Open Graph tells the price."""
    said: dict[str, str] = {}
    for meta in root.iter("meta"):
        name = (meta.get("property") or meta.get("name") or "").strip().lower()
        said.setdefault(
            name.removeprefix("og:").removeprefix("product:"), meta.get("content") or ""
        )
    if said.get("price:amount"):
        offer = {
            "price": said["price:amount"],
            "priceCurrency": said.get("price:currency", ""),
            "availability": said.get("availability", ""),
        }
        node = {"@type": "Product", "name": said.get("title", ""), "offers": offer}
        yield Said(
            {**node, "brand": said.get("brand", ""), "image": said.get("image")}, "opengraph"
        )


def type_names(node: Mapping[str, Any]) -> Iterator[str]:
    """What an object is, without the address of its vocabulary.

    >>> list(type_names({"@type": ["http://schema.org/Product", 3]}))
    ['Product']
    """
    said = node.get("@type")
    for each in said if isinstance(said, list) else [said]:
        if isinstance(each, str):
            yield each.rpartition("/")[2].rpartition("#")[2]


def nodes_in(value: Any) -> Sequence[Node]:
    """The objects that are a value, or among several.

    >>> nodes_in([{"a": 1}, "b"]), nodes_in({"a": 1}), nodes_in(None)
    ([{'a': 1}], [{'a': 1}], [])
    """
    values = value[:MOST_TOPICS] if isinstance(value, list) else [value]
    return [each for each in values if isinstance(each, dict)]
