"""The learned rule of a layout's text: which element holds it, and what in that is none of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from learner.bodies.excerpts import is_excerpt
from learner.page.locators import Fit, FoundPlaces, Locator
from learner.page.tree import HEADINGS, LayoutTree, TreeBlock
from learner.page.wording import Wording, is_title
from learner.page.words import LONG_TEXT


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyRule:
    """Where the text of a layout's pages stands."""

    container: Locator
    """The element that holds it."""
    is_alone: bool = False
    """Whether nothing else stands at its place on the pages that taught it."""
    apart: tuple[Locator, ...] = ()
    """What stands beside it, known by more names than it."""
    left_out: tuple[Locator, ...] = ()
    """What in it is none of the text."""
    recurring: frozenset[str] = frozenset()
    """Texts, as stamps, and forms of texts that are cut where the text begins and ends."""
    refrains: frozenset[str] = frozenset()
    """Sentences of the site, cut wherever they stand."""

    def containers(self, places: FoundPlaces) -> list[int]:
        """The elements of a page at the place of the container."""
        # Found loosely, `div.text.head` would be `div.text`, too.
        fit = Fit.EXACT if places.fit is Fit.LOOSE else places.fit
        apart = {e for place in self.apart for e in place.find(places.tree, fit)}
        return [e for e in places.at(self.container) if e not in apart]

    def read(
        self, page: Wording, containers: Sequence[int], n_title_lines: int = 1, fit: Fit = Fit.EXACT
    ) -> list[TreeBlock]:
        """The text of a page, given its containers and how many blocks its title is broken into.
        What is left out is never a long text and all there is: a note of the release whose every
        line has been said before, or a text in a box that holds something else on other pages."""
        inside = list(self._inside(page, containers, n_title_lines))
        return self.blocks(page, inside, fit) or self._long_text(page, inside, fit)

    def _inside(
        self, page: Wording, containers: Sequence[int], n_title_lines: int
    ) -> Iterator[TreeBlock]:
        """The blocks of the containers without the title's other lines."""
        title = page.title.index if page.title else 0
        broken = range(title + 1, title + n_title_lines)
        for element in containers:
            yield from (b for b in page.tree.inside(element) if b.index not in broken)

    def _long_text(self, page: Wording, inside: Sequence[TreeBlock], fit: Fit) -> list[TreeBlock]:
        """The text with what recurs, or else with the places that are left out, if one of its
        blocks is long; empty if none is."""
        for rule in (replace(self, recurring=frozenset()), replace(self, left_out=())):
            body = rule.blocks(page, inside, fit)
            if any(block.unlinked_weight >= LONG_TEXT for block in body):
                return body
        return []

    def blocks(
        self, page: Wording, inside: Iterable[TreeBlock], fit: Fit = Fit.EXACT
    ) -> list[TreeBlock]:
        """The text of a page: the blocks `inside` its container without what is left out.

        Recurring texts go where they stand before or after all other text, those of a form that
        recurs after it, the title once more, numbered or not, before it; between, or as the heading
        of what follows, they are what the author repeats (the headings of a manual). Refrains go
        wherever they stand; so does the beginning of the text if it is printed twice.

        >>> from lxml.html import document_fromstring as parse
        >>> from learner.page.tree import build_tree
        >>> html = "<body><p>Ad</p><h2>Name</h2><p>One</p><p>Ad</p><p>Two</p><p>Ad</p></body>"
        >>> tree, body = build_tree(parse(html)), Locator.parse("body")
        >>> rule = BodyRule(container=body, recurring=frozenset({"Ad", "Name"}))
        >>> [block.text for block in rule.blocks(Wording(tree, None), tree.blocks)]
        ['Name', 'One', 'Ad', 'Two']
        """
        tree = page.tree
        left_out = set(tree.gutters)
        for locator in self.left_out:
            for element in locator.find(tree, fit):
                left_out.update(range(tree.starts[element], tree.ends[element]))
        left_out.update(heading_to_title(page))
        kept = [b for b in inside if b.index not in left_out]
        blocks = [b for b in kept if not self.refrains or page.phrase(b) not in self.refrains]
        first, end = 0, len(blocks)
        while end and page.recurs(blocks[end - 1], self.recurring):
            end -= 1
        while first < end and page.stamp(blocks[first]) in self.recurring:
            first += 1
        while 0 < first < end and _may_head(page, blocks[first - 1]):
            first -= 1
        if first < end and tree.tags[blocks[first].element] in HEADINGS:
            first += is_title(page.stamp(blocks[first]))
        if first < end and is_excerpt(blocks[first], blocks[first + 1 : end]):
            first += 1
        return blocks[first:end]


def main_content(tree: LayoutTree, found: Sequence[int]) -> Iterator[int]:
    """Of the elements at the place of the container the first of those that bear the fewest class
    names, for it asks for so many, and those that continue it: siblings with the same class names
    (sections that only ids tell apart)."""
    first = min(found, key=lambda element: len(_classes(tree, element)))
    parent, classes = tree.parents[first], _classes(tree, first)
    for element in found:
        if tree.parents[element] == parent and _classes(tree, element) == classes:
            yield element


def _classes(tree: LayoutTree, element: int) -> list[str]:
    return [name for name in tree.tokens[element] if name.startswith(".")]


def _may_head(page: Wording, block: TreeBlock) -> bool:
    """Whether a block may be the heading of what follows: above the title it is the site's."""
    is_above = page.title is not None and block.index < page.title.index
    return page.tree.tags[block.element] in HEADINGS and not is_above


def heading_to_title(page: Wording) -> range:
    """The indices of the title's block and of those above it in its heading: the site's name."""
    tree, title = page.tree, page.title
    if title is None:
        return range(0)
    is_heading = tree.tags[title.element] in HEADINGS
    return range(tree.starts[title.element] if is_heading else title.index, title.index + 1)
