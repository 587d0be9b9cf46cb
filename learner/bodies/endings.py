"""Closings: what stands below the texts of many pages and is none of the author's.

Who the author is, under which terms a text may be used, what readers say of it: the words differ
from page to page, so they do not recur, and no link gives them away. But such a line or box closes
many of the texts, and its beginning or its end is the same; or one of a few authors is introduced
again and again. They are peeled off from below, one after the other.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from learner.bodies.container import Container
from learner.bodies.parts import OPENING_SHARE, Boxes, are_parts, go_on, paragraphs_of
from learner.bodies.rule import BodyRule
from learner.bodies.trimming import Trimmed
from learner.page.locators import Locator
from learner.page.tree import HEADINGS, TreeBlock
from learner.page.wording import forms
from learner.page.words import TEXT_WEIGHT
from learner.site.cluster_page import ClusterPage, on_several_titles
from learner.site.sampling import evenly_spaced
from learner.site.signatures import Signatures

MOST_TEXTS = 40
"""Pages of a cluster whose texts are looked at. Origin: guess."""

MOST_ROUNDS = 8
"""Closings one below the other that are looked for. Origin: guess; four are a lot."""

CLOSING_SHARE = 0.3
"""Least share of the pages that a line or box must close. Origin: guess, see docs/decisions.md."""

LEAST_PAGES = 3
"""... and so many. Origin: guess."""

REPEATED_SHARE = 0.5
"""... or share of what they say, by weight, that must stand on several pages. Origin: guess; some
authors write but once."""

PROSE_WEIGHT = 40
"""Weight outside links from which on a block counts for that: labels repeat anywhere. Origin:
measured, see docs/decisions.md."""

LARGEST_SHARE = 0.5
"""Share of all text up to which the boxes may be none: what holds more is the text itself, below a
summary. Origin: measured, see docs/decisions.md."""

NOTES_SHARE = 0.5
"""Share of the texts that refer to the box from which on it holds their notes. Origin: guess."""


@dataclass(frozen=True)
class Closings:
    """What closes the texts of a cluster's pages."""

    boxes: tuple[Trimmed, ...] = ()
    forms: frozenset[str] = frozenset()
    """What the lines have in common (`learner.page.wording.forms`)."""


def find_closings(
    members: Sequence[ClusterPage],
    signatures: Signatures,
    container: Container,
    rule: BodyRule,
) -> Closings:
    """The boxes and the forms of lines that close the texts of many pages, given what the rule
    leaves out of the container anyway.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.page.tree import build_tree
    >>> html = "<body><p>A long text about {}.</p><p class=note>Editor: {}</p></body>"
    >>> pages = [html.format(word, word) for word in ("rain", "wind", "snow")]
    >>> members = [ClusterPage(build_tree(parse(page)), None) for page in pages]
    >>> signatures = Signatures([member.tree for member in members])
    >>> body = Container(0, 1.0, {member.tree: 0 for member in members})
    >>> find_closings(members, signatures, body, BodyRule(container=signatures.locator(0))).forms
    frozenset({'Editor: {text}'})
    """
    looked_at = evenly_spaced(members, MOST_TEXTS)
    for page in looked_at:
        page.places, page.container = signatures.of[page.tree], container.elements[page.tree]
    boxes: list[Trimmed] = []
    lines: frozenset[str] = frozenset()
    for _ in range(MOST_ROUNDS):
        places = (*rule.left_out, *(box.locator for box in boxes))
        known = replace(rule, left_out=places, recurring=rule.recurring | lines)
        for page in looked_at:
            page.body = known.blocks(page.wording, page.tree.inside(page.container))
        texts = [page for page in looked_at if page.body]
        boxes_here = [signatures.locator(place) for place in _boxes(texts, signatures)]
        found_boxes = [Trimmed(each, "closing") for each in boxes_here if _stands_once(each, texts)]
        found_lines = _lines(texts)
        if not found_boxes and not found_lines:
            break
        boxes += found_boxes
        lines |= found_lines
    return Closings(tuple(boxes), lines)


def _closing(page: ClusterPage) -> list[TreeBlock]:
    """The last block of a text, and all below it that is left out already."""
    return page.tree.blocks[page.body[-1].index : page.tree.ends[page.container]]


def _closing_stamps(page: ClusterPage) -> set[str]:
    """What the lines say there that stand not where the paragraphs do."""
    paragraphs = paragraphs_of(page)
    apart = (block for block in _closing(page) if page.places[block.element] != paragraphs)
    return {page.wording.stamp(block) for block in apart}


def _boxes_of(page: ClusterPage) -> Iterator[int]:
    """The elements there that stand once on the page and beside what the text begins in."""
    tree = page.tree
    long = (block for block in page.body if block.unlinked_weight >= TEXT_WEIGHT)
    around = set(tree.ancestors(next(long, page.body[0]).element))
    found = set()
    for element in {block.element for block in _closing(page)} - around:
        while tree.parents[element] not in around:
            element = tree.parents[element]
        found.add(element)
    yield from sorted(found & page.alone)


def _openings(page: ClusterPage, box: int) -> set[str]:
    """What a box begins with, and what stands above it, if that is a heading or stands once: a line
    that many texts end in is none."""
    tree, start = page.tree, page.tree.starts[box]
    above = [
        block
        for block in tree.blocks[max(0, start - 1) : start]
        if tree.tags[block.element] in HEADINGS or block.element in page.alone
    ]
    return set(page.wording.stamps([*above, tree.blocks[start]]))


def _refers_to(page: ClusterPage, box: int) -> bool:
    """Whether sentences above a box lead into the page: to its notes."""
    above = (block for block in page.body if block.index < page.tree.starts[box])
    sentences = (b for b in above if b.line.has_links and b.unlinked_weight >= TEXT_WEIGHT)
    links = (href for block in sentences for _, href in block.line.linked_texts)
    return any(map(page.tree.leads_into_page, links))


def _lines(texts: Sequence[ClusterPage]) -> frozenset[str]:
    """The forms of the last blocks in which many of the texts close, each in words of its own."""
    pages: Counter[str] = Counter()
    stamps: dict[str, set[str]] = defaultdict(set)
    last: set[str] = set()
    for page in texts:
        last.update(forms(page.wording.stamp(page.body[-1])))
        formed = [(form, stamp) for stamp in _closing_stamps(page) for form in forms(stamp)]
        pages.update({form for form, _ in formed})
        for form, stamp in formed:
            stamps[form].add(stamp)
    least = CLOSING_SHARE * len(texts)
    return frozenset(
        form for form in last if pages[form] >= least and len(stamps[form]) >= LEAST_PAGES
    )


def _boxes(texts: Sequence[ClusterPage], signatures: Signatures) -> Iterator[int]:
    """The places of the boxes with a name that close many of the texts and are none of them."""
    closed: dict[int, Boxes] = defaultdict(list)
    last: set[int] = set()
    for page in texts:
        for box in _boxes_of(page):
            place = page.places[box]
            closed[place].append((page, box))
            if page.body[-1] in page.tree.inside(box):
                last.add(place)
    least = max(LEAST_PAGES, CLOSING_SHARE * len(texts))
    for place in sorted(last):
        n_pages = sum(place in page.places for page in texts)
        is_closing = len(closed[place]) >= max(least, OPENING_SHARE * n_pages)
        if is_closing and signatures.named(place) and _are_apart(closed[place]):
            yield place


def _stands_once(place: Locator, texts: Sequence[ClusterPage]) -> bool:
    """Whether nothing else is found there: a box with fewer names than the text beside it is not
    told from it."""
    return all(len(place.find(page.tree)) <= 1 for page in texts)


def _are_apart(boxes: Boxes) -> bool:
    """Whether the boxes at a place are something else than the texts above them."""
    if not _repeat(boxes) and (not _open_alike(boxes) or are_parts(boxes) or go_on(boxes)):
        return False
    inside = sum(block.unlinked_weight for page, box in boxes for block in page.tree.inside(box))
    in_all = sum(block.unlinked_weight for page, _ in boxes for block in page.body)
    n_notes = sum(_refers_to(page, box) for page, box in boxes)
    return inside <= LARGEST_SHARE * in_all and n_notes < NOTES_SHARE * len(boxes)


def _open_alike(boxes: Boxes) -> bool:
    openings = [_openings(page, box) for page, box in boxes]
    pages = Counter(opening for found in openings for opening in found)
    frequent = {opening for opening, count in pages.items() if count >= CLOSING_SHARE * len(boxes)}
    n_alike = sum(not frequent.isdisjoint(found) for found in openings)
    return n_alike >= OPENING_SHARE * len(boxes)


def _repeat(boxes: Boxes) -> bool:
    """Whether most of the prose in the boxes stands on pages of several titles."""
    prose = [
        (page, block)
        for page, box in boxes
        for block in page.tree.inside(box)
        if block.unlinked_weight >= PROSE_WEIGHT
    ]
    stamped = [(page, page.wording.stamp(block)) for page, block in prose]
    repeated = on_several_titles(stamped)
    weight = sum(
        block.weight
        for (_, block), (_, stamp) in zip(prose, stamped, strict=True)
        if stamp in repeated
    )
    return weight > REPEATED_SHARE * sum(block.weight for _, block in prose)
