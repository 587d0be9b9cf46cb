"""Leads: what opens a text above its main container, in a box of its own.

Newspapers print the first paragraph larger, between the title and the text. Where dates, tags and
pictures stand there too, the balance (`learner.bodies.container`) is better without them, and
without the lead. It is prose, differs from page to page, bears no date, and is not said again in
the text. What stands in one box with the title describes the page and is none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice

from learner.bodies.container import Container
from learner.bodies.excerpts import is_excerpt
from learner.page.locators import Locator
from learner.site.cluster_page import ClusterPage, on_several_titles, standing_once
from learner.site.sampling import evenly_spaced
from learner.site.signatures import Signatures

LEAD_PAGES = 60
"""Pages of a cluster that leads are looked for on, evenly spread. Origin: guess, as many as for
comments."""

LEAD_WEIGHT = 40
"""Weight outside links of a lead, at least. Origin: measured, see docs/decisions.md."""

PROSE_SHARE = 0.8
"""Share of its weight outside links. Origin: guess."""

MOST_BLOCKS = 3
"""Blocks of a lead. Origin: guess; a box of facts has more."""

LEAST_LEADS = 3
"""Pages that must have a lead at its place ... Origin: guess."""

LEAD_SHARE = 0.1
"""... and share of all pages, ... Origin: guess."""

OWN_SHARE = 0.5
"""... and of those with something there: leads of a line are too short to be told. Origin: guess;
with .8 a site with many leads stays at .974."""

MOST_BOXES = 20
"""Boxes of a page that are looked at. Origin: guess; a hostile page may have ten thousand."""


def find_leads(
    members: Sequence[ClusterPage],
    signatures: Signatures,
    container: Container,
    asides: frozenset[int],
) -> list[Locator]:
    """The places of the leads of some pages.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.page.tree import build_tree
    >>> html = "<h1>{0}</h1><p class=lead>What is to be known of {0}{1}</p><div>The text: {0}</div>"
    >>> pages = [html.format(word, " this year" * 3) for word in ("rain", "wind", "snow")]
    >>> members = [ClusterPage(tree, tree.blocks[0]) for tree in map(build_tree, map(parse, pages))]
    >>> signatures = Signatures([member.tree for member in members])
    >>> text = Container(0, 1.0, {member.tree: 3 for member in members})
    >>> [str(place) for place in find_leads(members, signatures, text, frozenset())]
    ['body/p.lead']
    """
    said: dict[int, list[tuple[ClusterPage, str]]] = defaultdict(list)
    looked_at = evenly_spaced(members, LEAD_PAGES)
    for member in looked_at:
        places, main = signatures.of[member.tree], container.elements[member.tree]
        for element in islice(_boxes(member, places, main), MOST_BOXES):
            said[places[element]].append((member, _lead(member, element, main)))
    return [
        signatures.locator(place)
        for place, found in said.items()
        if place not in asides and signatures.named(place) and _are_leads(found, len(looked_at))
    ]


def _boxes(member: ClusterPage, places: Sequence[int], container: int) -> Iterator[int]:
    """The elements with text that stand once on the page, after the title, before the container,
    and beside it or what it stands in."""
    tree, around = member.tree, set(member.tree.ancestors(container))
    if member.title is None:
        return
    for element in standing_once(places):
        start, end = tree.starts[element], tree.ends[element]
        is_between = member.title.index < start < end <= tree.starts[container]
        if is_between and tree.parents[element] in around:
            yield element


def _lead(member: ClusterPage, element: int, container: int) -> str:
    """The text of a box; empty if it is no lead."""
    tree, dated = member.tree, member.sums.timed
    blocks = tree.inside(element)
    own = sum(block.unlinked_weight for block in blocks)
    is_prose = own >= max(LEAD_WEIGHT, PROSE_SHARE * sum(block.weight for block in blocks))
    is_dated = dated[tree.ends[element]] > dated[tree.starts[element]]
    if not is_prose or is_dated or len(blocks) > MOST_BLOCKS:
        return ""
    if is_excerpt(blocks[0], tree.inside(container)):
        return ""
    return " ".join(block.text for block in blocks)


def _are_leads(said: Sequence[tuple[ClusterPage, str]], n_pages: int) -> bool:
    """Whether enough of what boxes at one place say are leads, each of its own page."""
    repeated = on_several_titles(said)
    n_leads = sum(bool(text) and text not in repeated for _, text in said)
    return n_leads >= max(LEAST_LEADS, LEAD_SHARE * n_pages, OWN_SHARE * len(said))
