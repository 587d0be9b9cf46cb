"""Families: the pages of a site that stand in one frame, whatever their kind.

A site may be several: a blog, a manual and a shop, each with its own templates and habits. What
tells a list from an article in one of them is compared with the mean of its own pages
(`learner.kinds.measures`). Families that lead to each other outside their frames are one: lists in
a frame of their own lead to the articles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import permutations

import numpy as np

from learner.page.tree import LayoutTree
from learner.site.page_features import Matrix, average_linkage, feature_rows, jaccard

FRAME_SHARE = 0.3
"""A text that stands on at least this share of the site's pages (and on three) belongs to the
frame, not to what the page says. Origin: guess."""

FAMILY_SIMILARITY = 0.15
"""Average linkage joins pages of one frame down to this similarity, inclusive. Origin: measured,
see docs/decisions.md."""

LEADING_SHARE = 0.25
"""Families are one if at least this share of the pages of one lead to pages of the other outside
the frame. Origin: measured, see docs/decisions.md."""

LEAST_FAMILY = 8
"""Pages of a family; smaller ones belong to the site as a whole. Origin: guess."""


def frame_texts(trees: Sequence[LayoutTree]) -> frozenset[str]:
    """The texts of the site's frame: header, menu, footer.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.page.tree import build_tree
    >>> pages = [f"<body><p>Menu</p><p>Text {n}</p></body>" for n in range(3)]
    >>> frame_texts([build_tree(parse(page)) for page in pages])
    frozenset({'Menu'})
    """
    counts: Counter[str] = Counter()
    for tree in trees:
        counts.update({block.text for block in tree.blocks})
    least = max(3, FRAME_SHARE * len(trees))
    return frozenset(text for text, count in counts.items() if count >= least)


def find_families(trees: Sequence[LayoutTree]) -> list[list[int]]:
    """The families of a site's pages, as indices in order, the largest first; small ones go with
    the largest.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.page.tree import build_tree
    >>> html = 8 * ["<body><div class=blog><p>Text"] + 9 * ["<body><ul id=shop><li>Text"]
    >>> trees = [build_tree(parse(page), f"https://a.example/{n}") for n, page in enumerate(html)]
    >>> [len(family) for family in find_families(trees)]
    [9, 8]
    """
    if len(trees) < 2 * LEAST_FAMILY:
        return [list(range(len(trees)))]
    similarities = _frame_similarities([tree.skeleton for tree in trees])
    families = average_linkage(similarities, FAMILY_SIMILARITY)
    large = [family for family in families if len(family) >= LEAST_FAMILY] or families[:1]
    links = _links(trees) if len(large) > 1 else []
    while pair := _leading(links, large):
        one, other = sorted(pair)
        large[one] += large.pop(other)
    largest = max(large, key=len)
    largest += [page for family in families if len(family) < LEAST_FAMILY for page in family]
    return sorted(map(sorted, large), key=lambda family: (-len(family), family))


def _frame_similarities(skeletons: Sequence[set[int]]) -> Matrix:
    """Jaccard similarity of each pair of pages: what stands on all pages counts too."""
    frequency = Counter(feature for skeleton in skeletons for feature in skeleton)
    shareable = sorted(feature for feature, count in frequency.items() if count > 1)
    columns = {feature: column for column, feature in enumerate(shareable)}
    rows = feature_rows(skeletons, columns)
    sizes = np.array([len(skeleton) for skeleton in skeletons], np.float32)
    return jaccard(rows @ rows.T, sizes)


def _leading(links: Sequence[set[int]], families: Sequence[Sequence[int]]) -> list[int]:
    """Two families of which one leads to the other; empty if there are none."""
    for n, to in permutations(range(len(families)), 2):
        leading = sum(not links[page].isdisjoint(families[to]) for page in families[n])
        if leading >= LEADING_SHARE * len(families[n]):
            return [n, to]
    return []


def _links(trees: Sequence[LayoutTree]) -> list[set[int]]:
    """For each page the others to which it leads outside of the frame."""
    frame = frame_texts(trees)
    numbers = {tree.key: number for number, tree in enumerate(trees)}
    links = []
    for tree in trees:
        blocks = [b for b in tree.blocks if b.line.has_links and b.text not in frame]
        hrefs = {b.href for b in blocks} | {piece.href for b in blocks for piece in b.pieces}
        links.append({numbers[key] for href in hrefs if (key := tree.target(href)) in numbers})
    return links
