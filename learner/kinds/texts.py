"""What a text says of the kind of its page: an article is text, a list is links to others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean, median

from learner.kinds.measures import (
    _headings,
    _linked,
    _linked_headings,
    _longest,
    _share,
    linked_blocks,
    linked_share,
)
from learner.page.tree import LayoutTree, TreeBlock
from learner.page.words import LONG_TEXT, TEXT_WEIGHT
from learner.site.cluster_page import ClusterPage

MANY_LINKS = 0.15
"""Share of the text in links to other pages of the site above which it speaks for a list. Links
that are a part of their line count too: a member of a class stands beside its signature. Origin:
measured, see docs/decisions.md."""

LINK_EVIDENCE = 4.0
"""How much each part of that share counts. Origin: measured, see docs/decisions.md."""

FEW_LINKS = 20
"""Blocks that are links to other pages of the site ... Origin: measured, see docs/decisions.md."""

SMALL_SHARE = 0.06
"""... and share of the text in them, below both of which a long text speaks for an article. Origin:
measured, see docs/decisions.md."""

TEXT_EVIDENCE = 1.0
"""How much that counts. Origin: measured, see docs/decisions.md."""

LINK_PAGES = 0.5
"""Mean share of the text in such links from which on a pattern is one of lists, whatever the rest
of the site is like. Origin: guess, see docs/decisions.md."""

LEAST_PART = 0.05
"""Share of what the pages say beyond the frame of their site below which the text of a pattern, if
it is short too, is none: the entries of lists stand on other lists too, so that nothing varies but
the heading. Origin: measured, see docs/decisions.md."""

LEAST_LIKENESS = 2.25
"""What is found on the pages of a site is articles if the mean likeness of the texts (`likeness`)
is at least this. Origin: measured, see docs/decisions.md."""

HEADING_LIKENESS = 4.0
"""What linked headings take from the likeness. Origin: measured, see docs/decisions.md."""


def likeness(tree: LayoutTree, body: Sequence[TreeBlock]) -> float:
    """How much a text is like an article, whatever the rest of the site is: a long block, headings
    that lead nowhere else; or a long block above all that do, which belong to boxes in the text.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.page.tree import build_tree
    >>> tree = build_tree(parse("<h2><a href=/x>Rain</a></h2><p>Rain it is</p>"), "https://a.example/")
    >>> likeness(tree, tree.blocks) == math.log1p(8) - HEADING_LIKENESS
    True
    """
    declared = tree.metadata.type == "article"
    above = _longest(_above_linked(tree, body))
    if above >= math.log1p(LONG_TEXT):
        return above + declared
    return _longest(body) - HEADING_LIKENESS * _linked_headings(tree, body) + declared


def are_articles(found: Sequence[tuple[int, float]]) -> bool:
    """Whether the texts that were found on the pages of a site are articles: a site of lists alone
    has none, though some of its lists are more like articles than the others. Given for each
    pattern how many pages taught it, and the likeness of their texts.

    >>> are_articles([(10, 5.0), (1, 0.0)]), are_articles([(10, 2.0)]), are_articles([])
    (True, False, True)
    """
    n_pages = sum(pages for pages, _ in found)
    mean = sum(pages * alike for pages, alike in found) / max(1, n_pages)
    return not found or mean >= LEAST_LIKENESS


def are_lists(
    members: Sequence[ClusterPage], bodies: Sequence[Sequence[TreeBlock]], frame: frozenset[str]
) -> bool:
    """Whether the texts of some pages are links, or short and next to nothing of what the pages
    say."""
    pairs = list(zip(members, bodies, strict=True))
    if fmean(linked_share(member.tree, body) for member, body in pairs) >= LINK_PAGES:
        return True
    if median(sum(block.unlinked_weight for block in body) for body in bodies) >= TEXT_WEIGHT:
        return False
    return median(_part(member, body, frame) for member, body in pairs) < LEAST_PART


def _part(member: ClusterPage, body: Sequence[TreeBlock], frame: frozenset[str]) -> float:
    """The text's share, by weight, of what a page says beyond the frame and its title."""
    blocks = (block for block in member.tree.blocks if block is not member.title)
    said = sum(block.weight for block in blocks if block.text not in frame)
    return sum(block.weight for block in body) / max(1, said)


def share_in_links(tree: LayoutTree, body: Sequence[TreeBlock]) -> float:
    """Share of a text's weight in links to other pages of the site, 0 to 1; those inside lines
    count, too.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.page.tree import build_tree
    >>> tree = build_tree(parse("<body><p>from <a href=/x>here</a> on"), "https://a.example/")
    >>> share_in_links(tree, tree.blocks), linked_share(tree, tree.blocks)
    (0.4, 0.0)
    """
    weight = sum(block.weight for block in body)
    return sum(map(tree.linked_weight, body)) / max(1, weight)


def body_evidence(tree: LayoutTree, body: Sequence[TreeBlock]) -> float:
    """What the text itself adds to the evidence: an article is text, a list is links to the site's
    other pages.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.page.tree import build_tree
    >>> html = "<p>three</p><p><a href=/x>words</a></p>"
    >>> tree = build_tree(parse(html), "https://a.example/")
    >>> body_evidence(tree, tree.blocks) == LINK_EVIDENCE * (0.5 - MANY_LINKS)
    True
    """
    is_long = any(b.unlinked_weight >= LONG_TEXT for b in body if len(b.text) >= LONG_TEXT)
    linked = [block for block in body if block.line.has_links]
    in_links = sum(map(tree.linked_weight, linked))
    if not in_links:  # as most texts: there is nothing to weigh
        return -TEXT_EVIDENCE * is_long
    links = linked_blocks(tree, linked)
    is_text = is_long and len(links) < FEW_LINKS and _share(links, body) < SMALL_SHARE
    return LINK_EVIDENCE * _beyond_many(in_links, body) - TEXT_EVIDENCE * is_text


def _beyond_many(in_links: int, body: Sequence[TreeBlock]) -> float:
    """By how much the share of a text in links is more than `MANY_LINKS`; of most texts the first
    blocks tell that it is less."""
    weight = 0
    for block in body:
        weight += block.weight
        if in_links <= MANY_LINKS * weight:
            return 0.0
    return in_links / weight - MANY_LINKS


def _above_linked(tree: LayoutTree, body: Sequence[TreeBlock]) -> Sequence[TreeBlock]:
    """What of a text stands above the first heading that links to another page."""
    linked = _linked(tree, _headings(tree, body))
    return [block for block in body if block.index < linked[0].index] if linked else body
