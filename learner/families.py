"""Families: the pages of a site that stand in one frame, whatever their kind.

A site may be several: a blog, a manual and a shop, each with its own templates and habits. What
tells a list from an article in one of them is compared with the mean of its own pages
(`learner.kinds`). Families that lead to each other outside their frames are one: lists in a frame
of their own lead to the articles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from learner.kinds import frame_texts
from learner.skeletons import Matrix, average_linkage
from learner.tree import LayoutTree

FAMILY_SIMILARITY = 0.15
"""Average linkage joins pages of one frame down to this similarity, inclusive. Measured on 35
sites: 32 are one family, three have layouts or lists in another frame; of 35 pairs of them learned
as one site two are mixed, blogs of one theme."""

LEADING_SHARE = 0.25
"""Families are one if at least this share of the pages of one lead to pages of the other outside
the frame. Measured on 35 sites: .57 of the archives of one that has them in another frame, .04
between two generations of layout. With fewer pages known fewer links lead to them."""

LEAST_FAMILY = 8
"""Pages of a family; smaller ones belong to the site as a whole. Origin: guess."""


def find_families(trees: Sequence[LayoutTree]) -> list[list[int]]:
    """The families of a site's pages, as indices in order, the largest first; small ones go with
    the largest.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.tree import build_tree
    >>> html = 8 * ["<body><div class=blog><p>Text"] + 9 * ["<body><ul id=shop><li>Text"]
    >>> trees = [build_tree(parse(page), f"https://a.example/{n}") for n, page in enumerate(html)]
    >>> [len(family) for family in find_families(trees)]
    [9, 8]
    """
    if len(trees) < 2 * LEAST_FAMILY:
        return [list(range(len(trees)))]
    similarities = _frame_similarities([tree.skeleton() for tree in trees])
    families = average_linkage(similarities, FAMILY_SIMILARITY)
    large = [family for family in families if len(family) >= LEAST_FAMILY] or families[:1]
    frame = frame_texts(trees)
    while pair := _leading(trees, large, frame):
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
    rows: Matrix = np.zeros((len(skeletons), len(columns)), np.float32)
    for row, skeleton in enumerate(skeletons):
        rows[row, [columns[feature] for feature in skeleton if feature in columns]] = 1
    shared: Matrix = rows @ rows.T
    sizes = np.array([len(skeleton) for skeleton in skeletons], np.float32)
    union: Matrix = np.maximum(sizes[:, None] + sizes[None, :] - shared, 1)
    similarities: Matrix = shared / union
    return similarities


def _leading(
    trees: Sequence[LayoutTree], families: Sequence[Sequence[int]], frame: frozenset[str]
) -> tuple[int, int] | None:
    """Two families of which one leads to the other; None if there are none."""
    if len(families) < 2:
        return None
    family_of = {trees[page].key: n for n, family in enumerate(families) for page in family}
    for n, family in enumerate(families):
        leading: Counter[int] = Counter()
        for page in family:
            leading.update({family_of[k] for k in _targets(trees[page], frame) if k in family_of})
        for to in range(len(families)):
            if to != n and leading[to] >= LEADING_SHARE * len(family):
                return n, to
    return None


def _targets(tree: LayoutTree, frame: frozenset[str]) -> set[str]:
    """The other pages of the site to which a page leads outside of the frame."""
    blocks = [block for block in tree.blocks if block.line.has_links and block.text not in frame]
    hrefs = {block.href for block in blocks} | {p.href for block in blocks for p in block.pieces}
    return {key for href in hrefs if (key := tree.target(href))}
