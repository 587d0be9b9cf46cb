"""Is it an article or a list? Evidence of one page, measured against the other pages of its site.

A list (home page, archive, category, tag) and an article can look alike, and what tells them apart
on one site does not on another: one site says `og:type` article on every page, another has long
texts on its lists. So every measure is compared with its mean over the site, and the evidence of a
page is averaged over the pages of its cluster (`learner.kinds.page_kinds`).
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields

from learner.kinds.weights import INTERCEPT, shipped_weights
from learner.page.tree import LayoutTree, TreeBlock
from learner.site.addresses import slug
from learner.site.link_counts import LinkCounts

CARD_BLOCKS = 8
"""Blocks up to which what holds one heading is a card: an empty link in it is one of the heading.
Origin: guess; a link on a picture above the text leads to the contents of a manual."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """What is measured on one page. Field names are also the names of the coefficients."""

    linked_headings: float
    """Share of its headings that link to another page of the site, 0 to 1."""
    longest_block: float
    """ln(1 + weight outside links of its longest block)."""
    declared_article: float
    """1 if `og:type` is article or `article:published_time` is given, else 0."""
    declared_list: float
    """1 if JSON-LD calls it a page of a collection, of search results or of a person, else 0."""
    depth: float
    """Segments of its path."""
    directory: float
    """1 if its address ends in a slash where two thirds are those of files: an index of these."""
    titles_of_others: float
    """ln(1 + blocks that are the title of another page)."""
    listed: float
    """ln(1 + pages on which a block that says this page's title links to it)."""
    linked_text: float
    """Share of its text's weight in blocks that link to other pages of the site, 0 to 1."""
    slug_length: float
    """ln(1 + characters of what the page is called in its address)."""
    inlinks: float
    """That of its standing (`learner.site.link_counts`), as are the next two."""
    pages_below: float
    rare_links: float


COEFFICIENTS = Measures(
    **{field.name: shipped_weights("pages")[field.name] for field in fields(Measures)}
)
"""Weight of each measure, once the site's mean is taken from it; positive speaks for a list."""


def measure_pages(
    trees: Sequence[LayoutTree],
    names: Sequence[Sequence[str]],
    frame: frozenset[str],
    link_counts: LinkCounts,
) -> list[Measures]:
    """The measures of each page of a site; `names` are what each is called, best first."""
    titles = {tree.key: called[0] for tree, called in zip(trees, names, strict=True) if called}
    others = {title for title in titles.values() if len(title) >= 4}
    n_files = sum("." in tree.address.rpartition("/")[2] for tree in trees)
    has_files = 3 * n_files >= 2 * len(trees)
    own_blocks = [[b for b in tree.blocks if b.text not in frame] for tree in trees]
    listed: Counter[str] = Counter()
    for tree, blocks in zip(trees, own_blocks, strict=True):
        listed.update(listed_pages(tree, blocks, titles))
    measures = []
    for tree, called, blocks in zip(trees, names, own_blocks, strict=True):
        standing = link_counts.standing(tree, (line for _, line in tree.linked))
        told = {b.text for b in blocks if b.text in others and b.text not in called}
        measures.append(
            Measures(
                linked_headings=_linked_headings(tree, blocks),
                longest_block=_longest(blocks),
                declared_article=float(tree.metadata.type == "article"),
                declared_list=float(tree.metadata.is_list),
                depth=float(sum(1 for part in tree.key.split("/")[1:] if part)),
                directory=float(has_files and tree.address.endswith("/")),
                titles_of_others=math.log1p(len(told)),
                listed=math.log1p(listed[tree.key]),
                linked_text=linked_share(tree, blocks),
                slug_length=math.log1p(len(slug(tree.key))),
                inlinks=standing.inlinks,
                pages_below=standing.pages_below,
                rare_links=standing.rare_links,
            )
        )
    return measures


def listed_pages(
    tree: LayoutTree, blocks: Iterable[TreeBlock], titles: Mapping[str, str]
) -> set[str]:
    """The other pages of the site, by their keys, whose titles are blocks that link to them.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.page.tree import build_tree
    >>> tree = build_tree(parse("<p><a href=/x>Rain</a><p><a href=/y>on</a>"), "https://a.example/")
    >>> listed_pages(tree, tree.blocks, {"a.example/x": "Rain", "a.example/y": "Sun"})
    {'a.example/x'}
    """
    linked = ((tree.target(block.href), block.text) for block in blocks)
    return {key for key, text in linked if key and titles.get(key) == text}


def list_evidence(measures: Sequence[Measures]) -> list[float]:
    """For each page of a site how much speaks for a list (above 0) or an article (below 0).

    >>> page = Measures(**{field.name: 0.0 for field in fields(Measures)})
    >>> list_evidence([page, page])  # they are like their mean, and most pages are articles
    [-0.61, -0.61]
    """
    evidence = [shipped_weights("pages")[INTERCEPT]] * len(measures)
    for field in fields(Measures):
        values = [getattr(m, field.name) for m in measures]
        mean = sum(values) / max(1, len(values))
        coefficient = getattr(COEFFICIENTS, field.name)
        evidence = [e + coefficient * (v - mean) for e, v in zip(evidence, values, strict=True)]
    return evidence


def linked_share(tree: LayoutTree, body: Sequence[TreeBlock]) -> float:
    """Share of a text's weight in blocks that are links to other pages of the site, 0 to 1.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.page.tree import build_tree
    >>> html = "<body><p>three</p><p><a href=/x>words</a></p></body>"
    >>> tree = build_tree(parse(html), "https://a.example/")
    >>> linked_share(tree, tree.blocks)
    0.5
    """
    return _share(linked_blocks(tree, body), body)


def linked_blocks(tree: LayoutTree, body: Sequence[TreeBlock]) -> list[TreeBlock]:
    """The blocks of a text that are links to other pages of the site."""
    return [block for block in body if tree.target(block.href)]


def _share(linked: Sequence[TreeBlock], body: Sequence[TreeBlock]) -> float:
    if not linked:
        return 0.0
    return sum(block.weight for block in linked) / max(1, sum(block.weight for block in body))


def _longest(blocks: Sequence[TreeBlock]) -> float:
    return math.log1p(max((block.unlinked_weight for block in blocks), default=0))


def _linked_headings(tree: LayoutTree, blocks: Sequence[TreeBlock]) -> float:
    headings = _headings(tree, blocks)
    return len(_linked(tree, headings)) / len(headings) if headings else 0.0


def _headings(tree: LayoutTree, blocks: Sequence[TreeBlock]) -> list[TreeBlock]:
    """Each heading among some blocks by one of its own: the first that links to another page of
    the site, or else the first of all (a date may stand in a box of its own inside)."""
    found: dict[int, TreeBlock] = {}
    for block in blocks:
        element = tree.heading(block)
        if element is None:
            continue
        first = found.setdefault(element, block)
        if first is not block and not tree.target(first.href) and tree.target(block.href):
            found[element] = block
    return list(found.values())


def _linked(tree: LayoutTree, headings: Sequence[TreeBlock]) -> list[TreeBlock]:
    """Those of the headings that link to another page of the site, or the card around them does."""
    places = [heading.index for heading in headings]
    return [
        heading
        for heading in headings
        if tree.target(heading.href)
        or any(tree.target(tree.overlays.get(e)) for e in _card(tree, heading, places))
    ]


def _card(tree: LayoutTree, heading: TreeBlock, headings: Sequence[int]) -> Iterator[int]:
    """A heading and what is around it without other headings (given by their blocks) and small."""
    for element in tree.ancestors(heading.element):
        start, end = tree.starts[element], tree.ends[element]
        alone = bisect_left(headings, end) - bisect_left(headings, start) == 1
        if element != heading.element and (not alone or end - start > CARD_BLOCKS):
            return
        yield element
