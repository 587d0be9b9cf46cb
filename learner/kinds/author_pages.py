"""The pages of authors: where the bylines of a site lead to, if what they wrote is listed there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

from learner.bylines.fields import pieces_of
from learner.bylines.rule import AuthorRule, DateRule
from learner.page.tree import LayoutTree, TreeBlock
from learner.site.addresses import folder

LEAST_BYLINES = 3
"""Pages whose bylines lead into a folder, if it is one of authors. Origin: guess."""

OWN_BYLINES = 0.1
"""Share of its pages that may have such a byline themselves. Origin: guess; where authors and
articles lie in one folder all articles have."""

LISTING_SHARE = 0.3
"""Least share of its pages that lead to a folder of articles with such bylines. Origin: measured,
see docs/decisions.md."""


def find_profiles(
    trees: Sequence[LayoutTree],
    frame: Collection[str],
    signed: Iterable[tuple[LayoutTree, DateRule, AuthorRule]],
) -> list[LayoutTree]:
    """The pages of a family in folders of authors, given its frame, and its articles with what is
    known of their bylines."""
    bylines: dict[str, set[LayoutTree]] = defaultdict(set)
    for tree, dates, authors in signed:
        for key in _author_links(tree, dates, authors):
            bylines[folder(key)].add(tree)
    found: list[LayoutTree] = []
    for place, articles in bylines.items():
        inside = [tree for tree in trees if folder(tree.key) == place]
        own = sum(tree in articles for tree in inside)
        if len(articles) < LEAST_BYLINES or own > OWN_BYLINES * len(inside):
            continue
        homes = {folder(tree.key) for tree in articles} - {place}
        listing = sum(_leads_to(tree, homes, frame) for tree in inside)
        if listing >= LISTING_SHARE * len(inside):
            found += inside
    return found


def _author_links(tree: LayoutTree, dates: DateRule, authors: AuthorRule) -> Iterator[str]:
    """The pages of the site that the names in a page's byline lead to."""
    if not authors.places:
        return
    date = dates.read(tree)
    names, block = authors.read_among(tree, tree.blocks, date.block if date else None, dates)
    if block is None:
        return
    for piece in pieces_of(block):
        key = tree.target(piece.href)
        if key is not None and " ".join(piece.text.split()) in names:
            yield key


def _leads_to(tree: LayoutTree, folders: Collection[str], frame: Collection[str]) -> bool:
    """Whether a page leads into some folders, beyond the frame of its site."""
    blocks = (block for block in tree.blocks if block.line.has_links and block.text not in frame)
    return any(folder(key) in folders for block in blocks for key in _targets(tree, block))


def _targets(tree: LayoutTree, block: TreeBlock) -> Iterator[str]:
    for href in {block.href, *(piece.href for piece in block.pieces)}:
        key = tree.target(href)
        if key is not None:
            yield key
