"""Texts that open with their titles: those of pages that nothing names, or that `<title>` and the
path to the page call by another name than the heading above the text does.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from learner.bodies.container import Container
from learner.page.dates import find_dates
from learner.page.months import month_names
from learner.page.tree import HEADINGS, LayoutTree, TreeBlock
from learner.page.words import LINE_ENDS
from learner.site.cluster_page import ClusterPage
from learner.site.signatures import Signatures
from learner.titles.names import LONGEST_TITLE, agreement

OPENING_SHARE = 0.8
"""Least share of the pages that nothing names that must begin with a title if they are called by
it. Origin: guess."""

LEAST_OPENINGS = 3
"""... and so many. Origin: guess."""

LONGEST_OPENING = 120
"""Characters of a first line that may be a title. Origin: guess."""

HEADED_SHARE = 0.5
"""Least share of the pages of a cluster whose texts must open with a heading if they are called by
it, though something else repeats `<title>`: the path to the page ("Home > Albums > Field day").
Measured on 193 sites: three have clusters of such pages, 9 of whose 60 titles are exact with what
repeats `<title>`, and all with these headings."""

LEAST_HEADED = 3
"""... and so many. Origin: guess."""

HEADED_DIFFERENT = 0.9
"""Least share of these headings that must differ: "Introduction" is none. Origin: guess; where it
is not so they differ on .3 of the pages at most."""

HEADED_AGREEMENT = 0.3
"""Least mean agreement of these headings with what `<title>` says. Origin: the measurement above;
.39 and more on these sites, .03 where a manual's chapters begin with the names of sections."""

_LETTERS = re.compile(r"[^\W\d_]{2}")


@dataclass(frozen=True, slots=True)
class OpeningHeadings:
    """The headings that some pages are called by."""

    place: int
    """The signature of their place, without the names that they bear themselves."""
    blocks: Mapping[LayoutTree, TreeBlock]


def opening_headings(
    members: Sequence[ClusterPage], signatures: Signatures, container: Container
) -> OpeningHeadings | None:
    """The headings that the texts of a cluster open with, if its pages are called by them and not
    by what repeats `<title>` elsewhere.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.page.tree import build_tree
    >>> html = "<ol><li>{0}</ol><div><h1>The {0} in pictures</h1><p>A text.</p></div>"
    >>> titles = ("Field day", "Summer party", "Winter tour")
    >>> trees = [build_tree(parse(html.format(title))) for title in titles]
    >>> members = [ClusterPage(t, t.blocks[0], names=[n]) for t, n in zip(trees, titles)]
    >>> signatures = Signatures(trees)
    >>> container = Container(signatures.of[trees[0]][3], 1.0, dict.fromkeys(trees, 3))
    >>> found = opening_headings(members, signatures, container)
    >>> [heading.text for heading in found.blocks.values()][1:]
    ['The Summer party in pictures', 'The Winter tour in pictures']
    """
    called_so = [m.title is not None and m.tree.tags[m.title.element] in HEADINGS for m in members]
    least = max(LEAST_HEADED, HEADED_SHARE * len(members))
    if sum(called_so) > len(members) / 2 or len(members) < least:
        return None
    places: dict[int, dict[LayoutTree, TreeBlock]] = defaultdict(dict)
    alike: dict[int, list[float]] = defaultdict(list)
    for member in members:
        heading = _opening_heading(member, container)
        if heading is not None:
            place = signatures.unnamed(signatures.of[member.tree][heading.element])
            places[place][member.tree] = heading
            alike[place].append(agreement(heading.text, member.names))
    place = max(places, key=lambda place: (len(places[place]), -place), default=-1)
    headings = places.get(place, {})
    different = {heading.text for heading in headings.values()}
    if len(headings) < least or len(different) < HEADED_DIFFERENT * len(headings):
        return None
    is_said = sum(alike[place]) >= HEADED_AGREEMENT * len(headings)
    return OpeningHeadings(place, headings) if is_said else None


def _opening_heading(member: ClusterPage, container: Container) -> TreeBlock | None:
    """The heading that the text of a page opens with, if it stands behind what is taken for the
    title."""
    tree = member.tree
    inside = tree.inside(container.elements[tree])
    first = next((block for block in inside if block.text not in member.frame), None)
    if first is None or tree.tags[first.element] not in HEADINGS:
        return None
    is_behind = first.index >= member.first_after_title
    return first if is_behind and len(first.text) <= LONGEST_TITLE else None


def open_with_titles(bodies: Sequence[Sequence[TreeBlock]]) -> bool:
    """Whether the texts of pages that nothing names begin with their titles: with short lines, no
    two of which are the same.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.page.tree import build_tree
    >>> page = "<body><p><b>{}</b></p><p>And a text of some length.</p></body>"
    >>> trees = [build_tree(parse(page.format(title))) for title in ("Rain", "Sun", "Snow")]
    >>> open_with_titles([tree.blocks for tree in trees])
    True
    """
    openings = {body[0].text for body in bodies if len(body) > 1 and may_open(body[0])}
    return len(openings) >= max(LEAST_OPENINGS, OPENING_SHARE * len(bodies))


def may_open(block: TreeBlock) -> bool:
    """Whether the first block of a text may be its title by its looks: a short line with letters,
    no date and no sentence.

    >>> from learner.page.lines import Line
    >>> texts = "Rain", "It rains.", "3 May 2021"
    >>> [may_open(TreeBlock(0, 0, Line(text))) for text in texts]
    [True, False, False]
    """
    text = block.text
    if len(text) > LONGEST_OPENING or text.endswith(LINE_ENDS) or not _LETTERS.search(text):
        return False
    return not find_dates(text, month_names())
