"""Hubs: the pages that many of a site's pages link to, and those that others lie below.

A list is mostly one: a menu leads to it, and its entries are kept in its folder. And it leads to
pages that hardly any other leads to. What the links of the learned pages tell holds for new pages,
too, for their addresses are known before they are.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from zlib import crc32

from learner.page.lines import Line
from learner.page.tree import LayoutTree

OFTEN_LINKED = 0.1
"""Share of the pages (at least three) that link to a page which is a hub; a link to one is one of
many. Origin: guess."""

MOST_HUBS = 1000
"""Hubs that are kept, those that most pages link to. Origin: guess, see docs/decisions.md."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where a page stands among the others by its links. Each is ln(1 + a number of pages)."""

    inlinks: float
    """Those that link to it, if many do, be it in the frame."""
    pages_below: float
    """Those whose addresses go on from its own, as far as links tell."""
    rare_links: float
    """Those that it links to and that are linked to by few."""


@dataclass(frozen=True, slots=True)
class LinkCounts:
    """The hubs of a site: CRC-32 of a page's key -> how many pages link to it, 0 if few do, and how
    many lie below it."""

    known: Mapping[int, tuple[int, int]] = field(default_factory=dict)

    @classmethod
    def find(cls, trees: Sequence[LayoutTree]) -> LinkCounts:
        """Those that the links of some pages tell of.

        >>> from lxml.html import document_fromstring as parse
        >>> from learner.page.tree import build_tree
        >>> html = "<a href=/news>News</a><p>See <a href=/news/{0}>page {0}</a></p>"
        >>> urls = [f"https://a.example/news/{n}" for n in range(4)]
        >>> trees = [build_tree(parse(html.format(n + 1)), url) for n, url in enumerate(urls)]
        >>> LinkCounts.find(trees).known == {crc32(b"a.example/news"): (4, 5)}
        True
        """
        links = {tree.key: pages_linked(tree, (line for _, line in tree.linked)) for tree in trees}
        often = max(3, OFTEN_LINKED * len(trees))
        inlinks = Counter(key for linked in links.values() for key in linked)
        below = _pages_below(links.keys() | inlinks.keys())
        many = {key: n for key, n in inlinks.items() if n >= often}
        hubs = {key: (many.get(key, 0), below[key]) for key in many.keys() | below.keys()}
        ranked = sorted(hubs, key=lambda key: (hubs[key], key), reverse=True)
        return cls({_hashed(key): hubs[key] for key in ranked[:MOST_HUBS]})

    def standing(self, tree: LayoutTree, lines: Iterable[Line]) -> Standing:
        """That of a page, known or new, by the links in some of its lines."""
        inlinks, below = self._of(tree.key)
        rare = sum(not self._of(key)[0] for key in pages_linked(tree, lines))
        return Standing(
            inlinks=math.log1p(inlinks),
            pages_below=math.log1p(below),
            rare_links=math.log1p(rare),
        )

    def _of(self, key: str) -> tuple[int, int]:
        return self.known.get(_hashed(key), (0, 0))


def pages_linked(tree: LayoutTree, lines: Iterable[Line]) -> set[str]:
    """The other pages of the site that links in some lines of a page lead to, by their keys.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.page.tree import build_tree
    >>> html = "<p>On <a href=/x>rain</a> and <a href=/y><img></a>"
    >>> tree = build_tree(parse(html), "https://a.example/")
    >>> sorted(pages_linked(tree, [line for _, line in tree.linked]))
    ['a.example/x', 'a.example/y']
    """
    hrefs = {href for line in lines if line.has_links for _, href in line.linked_texts}
    return {key for href in hrefs if (key := tree.target(href))}


def _hashed(key: str) -> int:
    return crc32(key.encode("utf-8", "replace"))


def _pages_below(keys: Iterable[str]) -> Counter[str]:
    """How many of these addresses go on from each.

    >>> _pages_below(["a.example/x", "a.example/x/1", "a.example/x/2"])["a.example/x"]
    2
    """
    below: Counter[str] = Counter()
    for key in keys:
        parts = key.split("/")
        below.update("/".join(parts[:n]) for n in range(2, len(parts)))
    return below
