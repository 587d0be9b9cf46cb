"""Learning the rules of a cluster's bylines: dates first, then the authors beside them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from learner.bodies.asides import aside_blocks
from learner.bylines.authors import find_author_places
from learner.bylines.dates import learn_dates, machine_dates, search_dates
from learner.bylines.fields import pieces_of
from learner.bylines.rule import AuthorRule, DateRule, byline_blocks
from learner.page.tree import LayoutTree, TreeBlock
from learner.site.cluster_page import ClusterPage
from learner.site.recurrence import find_template_facts
from learner.site.sampling import evenly_spaced
from learner.site.signatures import Signatures

BYLINE_PAGES = 40
"""Pages of a cluster that bylines are learned from, evenly spread. Origin: measured, see
docs/decisions.md."""


def learn_bylines(
    pages: Sequence[ClusterPage],
    signatures: Signatures,
    asides: frozenset[int],
    body_of: Callable[[ClusterPage], Sequence[TreeBlock]],
) -> tuple[DateRule, AuthorRule]:
    """Where the pages of a cluster show dates and authors; `body_of` gives the text of one."""
    template_dates = find_template_facts([machine_dates(page.tree) for page in pages])
    chosen = evenly_spaced(pages, BYLINE_PAGES)
    for page in chosen:
        page.body = body_of(page)
        search_dates(page, aside_blocks(page.tree, page.places, asides))
    dates = learn_dates(chosen, signatures, template_dates)
    for page in chosen:
        _note_byline(page)
    present = {page.places[block.element] for page in chosen for block in page.byline}
    authors = find_author_places(chosen, {place: signatures.locator(place) for place in present})
    rule = AuthorRule(places=tuple(authors))
    for page in chosen:
        shown = page.date.block if page.date else None
        page.authors, _ = rule.read_among(page.tree, page.byline, shown, dates)
    return dates, rule


def _note_byline(page: ClusterPage) -> None:
    """Note on a page whose date is known the blocks that may name its author."""
    shown, tree = page.date, page.tree
    written = {i: [reading.raw for reading in readings] for i, readings in page.shown.items()}
    if shown and shown.n_blocks > 1:
        parts = tree.blocks[shown.block.index :][: shown.n_blocks]
        written |= {block.index: [block.text] for block in parts}
    blocks = byline_blocks(tree, page.title, shown.block if shown else None, page.extent)
    page.written_dates = written
    page.byline = [block for block in blocks if block.index in page.searched]
    page.pieces = {block.index: pieces_of(block) for block in page.byline}


def are_bylines(
    trees: Sequence[LayoutTree], bodies: Sequence[Sequence[TreeBlock]], dates: DateRule
) -> bool:
    """Whether what was found as the texts of some pages is one short block with a date, on most of
    them: all that is left of lists of whole posts.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.page.tree import build_tree
    >>> tree = build_tree(parse("<p>Posted on May 1, 2001 in News</p><p>It rains.</p>"))
    >>> [are_bylines([tree], [body], DateRule()) for body in (tree.blocks[:1], tree.blocks)]
    [True, False]
    """
    alone = sum(
        len(body) == 1 and any(dates.in_block(tree, body[0]))
        for tree, body in zip(trees, bodies, strict=True)
    )
    return 2 * alone > len(trees)
