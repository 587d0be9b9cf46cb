"""The pages above a page: what it says for machines, else a navigation that is a breadcrumb."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from crawler.reading.links import resolve
from extractor.analysis.objects import Said, nodes_in
from learner.page.said.json_ld import MOST_TOPICS, first_text
from learner.page.tree import LayoutTree
from learner.page.words import clean_text

LONGEST_CRUMB = 200
"""Characters of a crumb. Origin: guess, a title."""

_CRUMBS = re.compile(r"bread-?_?crumb")
_SIGN = re.compile(r"^[\s>»›/|→·-]+|[\s>»›/|→·-]+$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Crumb:
    """One page above."""

    name: str
    url: str | None = None
    """Absolute; None where the page does not say it, as of the page itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Crumbs:
    """The pages above a page, the outermost first, and mostly itself; and who says so."""

    crumbs: tuple[Crumb, ...]
    source: str
    """`jsonld`, `microdata` or `navigation`."""
    element: int | None = None
    """The element of the layout tree that shows them."""


def find_crumbs(objects: Sequence[Said], tree: LayoutTree, base: str) -> Crumbs | None:
    """The breadcrumbs of a page; None if it has none. Addresses start from `base`."""
    for said in objects:
        for node in _lists(said):
            crumbs = tuple(_read(node.get("itemListElement"), base))
            if crumbs:
                return Crumbs(crumbs=crumbs, source=said.source)
    return _shown(tree, base)


def _lists(said: Said) -> Iterator[Any]:
    if said.is_a("BreadcrumbList"):
        yield said.node
    yield from nodes_in(said.node.get("breadcrumb"))


def _read(items: Any, base: str) -> Iterator[Crumb]:
    numbered = [(_position(node, nth), node) for nth, node in enumerate(nodes_in(items))]
    for _, node in sorted(numbered, key=itemgetter(0)):
        item = node.get("item")
        inner = item if isinstance(item, dict) else {"@id": item}
        name = clean_text(first_text(node.get("name") or inner.get("name")))[:LONGEST_CRUMB]
        address = first_text(inner.get("@id") or inner.get("url") or node.get("url"))
        if name:
            yield Crumb(name=name, url=resolve(base, address))


def _position(node: Any, nth: int) -> int:
    said = node.get("position")
    if isinstance(said, str) and said.isdecimal():
        return int(said[:6])
    return said if isinstance(said, int) else nth


def _shown(tree: LayoutTree, base: str) -> Crumbs | None:
    """The first element that is named a breadcrumb, if it holds links."""
    for element, names in enumerate(tree.tokens):
        if any(map(_CRUMBS.search, names)) or _is_labelled(tree.sources[element]):
            crumbs = tuple(_crumbs_of(tree, element, base))[:MOST_TOPICS]
            if len(crumbs) > 1:
                return Crumbs(crumbs=crumbs, source="navigation", element=element)
    return None


def _is_labelled(source: str) -> bool:
    return "aria-label=" in source and bool(_CRUMBS.search(source.lower()))


def _crumbs_of(tree: LayoutTree, element: int, base: str) -> Iterator[Crumb]:
    for block in tree.inside(element)[:MOST_TOPICS]:
        links = block.line.linked_texts if block.line.has_links else []
        for text, href in links:
            if name := _name(text):
                yield Crumb(name=name, url=resolve(base, href))
        # The page itself stands behind the last link, or alone.
        if rest := _name(
            block.text.rpartition(clean_text(links[-1][0]))[2] if links else block.text
        ):
            yield Crumb(name=rest)


def _name(text: str) -> str:
    """What a crumb says, without the signs that part it from others.

    >>> _name(" » Shoes › ")
    'Shoes'
    """
    return _SIGN.sub("", clean_text(text[:LONGEST_CRUMB]))
