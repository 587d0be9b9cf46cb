"""Anthologies: pages that show the whole texts of several others, as archives and home pages do.

An article may stand whole on the home page, in its month and in its category; each of these holds
others beside it, while it holds none, or but one: itself under another address.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from learner.page.tree import LayoutTree

TEXT_WEIGHT = 20
"""Weight outside links from which on a block counts as text. Origin: guess."""

HELD_SHARE = 0.5
"""Share of a page's text, by weight, that another must show to hold it. Comments are shown in one
place only. Origin: measured, see docs/decisions.md."""

WHOLE_SHARE = 0.9
"""Share of its own text that a page may have in common with what it holds; with more it is the same
page under another address. Origin: guess."""

LEAST_HELD = 2
"""Pages that an anthology holds. Origin: measured, see docs/decisions.md."""

ANTHOLOGY_EVIDENCE = 3.2
"""How much that speaks for a list: as much as what pages declare (`learner.kinds.measures`). It is
not measured against the mean of the site, for a list that holds but one of the pages that were
learned may hold more. Origin: measured, see docs/decisions.md."""

ENTRY_EVIDENCE = 1.6
"""How much it speaks for an article to be held by an anthology in its cluster, and to be none.
Origin: measured, see docs/decisions.md."""

MOST_HOLDERS = 20
"""Pages up to which what stands on them is a text, and no formula of the site's. Origin: guess: an
article stands in its month, its category, its tags."""

MOST_BLOCKS = 1000
"""Blocks of a page that are compared. Origin: guess; a hostile page may have a hundred thousand."""


def anthology_evidence(
    trees: Sequence[LayoutTree], frame: frozenset[str], clusters: Iterable[Collection[int]]
) -> list[float]:
    """For each page of a site what this adds to how much speaks for a list: above 0 for an
    anthology, below 0 for what one holds that one template filled with it, else 0."""
    held = find_held(trees, frame)
    anthologies = {page for page, others in enumerate(held) if len(others) >= LEAST_HELD}
    evidence = [ANTHOLOGY_EVIDENCE * (page in anthologies) for page in range(len(trees))]
    for cluster in clusters:
        entries = {other for page in anthologies.intersection(cluster) for other in held[page]}
        for page in entries.intersection(cluster) - anthologies:
            evidence[page] = -ENTRY_EVIDENCE
    return evidence


def find_held(trees: Sequence[LayoutTree], frame: frozenset[str]) -> list[list[int]]:
    """For each page of a site the others that it holds, of which no two share a text, the smallest
    first. The texts of the site's frame are none.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.page.tree import build_tree
    >>> rain, snow = "<p>It rains in the south of it</p>", "<p>It snows in the north of it</p>"
    >>> pages = [f"<body>{html}</body>" for html in (rain, snow, rain + snow, snow)]
    >>> find_held([build_tree(parse(page)) for page in pages], frozenset())
    [[], [], [0, 1], []]
    """
    texts = [dict(_texts(tree, frame)) for tree in trees]
    weights = [sum(said.values()) for said in texts]
    holders: defaultdict[str, list[int]] = defaultdict(list)
    for page, said in enumerate(texts):
        for text in said:
            holders[text].append(page)
    found = []
    for page, said in enumerate(texts):
        shared: defaultdict[int, set[str]] = defaultdict(set)
        for text in said:
            if len(holders[text]) <= MOST_HOLDERS:
                for other in holders[text]:
                    shared[other].add(text)
        held = {}
        for other, common in shared.items():
            weight = sum(said[text] for text in common)
            if HELD_SHARE * weights[other] <= weight < WHOLE_SHARE * weights[page]:
                held[other] = common
        found.append(_disjoint(held))
    return found


def _texts(tree: LayoutTree, frame: frozenset[str]) -> Iterator[tuple[str, int]]:
    """What a page says beside the frame, and its weight."""
    for block in islice(tree.blocks, MOST_BLOCKS):
        if block.unlinked_weight >= TEXT_WEIGHT and block.text not in frame:
            yield block.text, block.weight


def _disjoint(sets: Mapping[int, set[str]]) -> list[int]:
    """Those of some sets, smallest first, that have nothing in common with those before them."""
    found, met = [], set[str]()
    for key, each in sorted(sets.items(), key=lambda item: (len(item[1]), item[0])):
        if met.isdisjoint(each):
            found.append(key)
            met |= each
    return found
