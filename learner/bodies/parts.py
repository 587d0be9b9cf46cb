"""Parts of texts in boxes of their own: the ingredients of a recipe, what comes behind an
advertisement."""

from __future__ import annotations

from collections import Counter

from learner.page.tree import HEADINGS
from learner.page.words import LONG_TEXT
from learner.site.cluster_page import ClusterPage, on_several_titles

OPENING_SHARE = 0.8
"""Least share of the boxes at one place that must open with the same text, and that must stand
below the text. Origin: guess."""

_LABELS = frozenset({"dt", "th"})
"""Elements of what is said below, or beside: the same on many pages, as "Cost"."""

Boxes = list[tuple[ClusterPage, int]]
"""Pages, each with its box at a place."""

_Step = tuple[str, tuple[str, ...]]
"""Tag and names of an element."""


def paragraphs_of(page: ClusterPage) -> int:
    """The place where most of the text of a page stands."""
    weights: Counter[int] = Counter()
    for block in page.body:
        weights[page.places[block.element]] += block.unlinked_weight
    return max(weights, key=lambda place: (weights[place], -place))


def are_parts(boxes: Boxes) -> bool:
    """Whether the boxes are parts of the texts that have the same heading on all pages, as the
    ingredients of a recipe: below the heading each says, in several lines or in a long one, what no
    other page does but for its labels, at no time, in no link and in elements without names, as
    authors write."""
    said = [(page, block) for page, box in boxes for block in page.tree.inside(box)[1:]]
    stamped = [(page, page.wording.stamp(block)) for page, block in said]
    repeated = on_several_titles(stamped)
    own = sum(
        block.unlinked_weight
        for (page, block), (_, stamp) in zip(said, stamped, strict=True)
        if stamp not in repeated and not page.tree.tokens[block.element]
    )
    several = sum(_says_much(page, box) for page, box in boxes)
    are_timed = any(page.sums.is_timed(b) for page, b in said)
    if are_timed or several < OPENING_SHARE * len(boxes):
        return False
    labels = sum(
        block.weight
        for (page, block), (_, stamp) in zip(said, stamped, strict=True)
        if stamp in repeated and page.tree.tags[block.element] in _LABELS
    )
    return own >= OPENING_SHARE * (sum(block.weight for _, block in said) - labels)


def _says_much(page: ClusterPage, box: int) -> bool:
    """Whether a box has several lines below its heading, or one that is a long text."""
    first, *others = page.tree.inside(box)
    if len(others) != 1:
        return len(others) > 1
    is_headed = page.tree.tags[first.element] in HEADINGS
    return is_headed and others[0].weight == others[0].unlinked_weight >= LONG_TEXT


def go_on(boxes: Boxes) -> bool:
    """Whether the boxes are built as those beside them that hold most of the text, whose names but
    the outermost they share: a text that an advertisement parts."""
    n_alike = sum(_is_built_as_text(page, box) for page, box in boxes)
    return n_alike >= OPENING_SHARE * len(boxes)


def _is_built_as_text(page: ClusterPage, box: int) -> bool:
    tree, paragraphs = page.tree, paragraphs_of(page)
    inside = tree.inside(box)
    longest = max(inside, key=lambda block: block.unlinked_weight)
    steps = _steps(page, longest.element, box)
    if not any(names for _, names in steps):
        return False
    texts = (block.element for block in page.body if page.places[block.element] == paragraphs)
    for element in dict.fromkeys(texts):
        above = element
        while above >= 0 and tree.parents[above] != tree.parents[box]:
            above = tree.parents[above]
        if above not in (-1, box) and tree.tags[above] == tree.tags[box]:
            return _steps(page, element, above) == steps
    return False


def _steps(page: ClusterPage, element: int, top: int) -> list[_Step]:
    """The elements from one up to another above it, without that."""
    tree, found = page.tree, []
    while element != top:
        found.append((tree.tags[element], tuple(tree.tokens[element])))
        element = tree.parents[element]
    return found
