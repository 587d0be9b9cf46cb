"""Which elements of a page show its title, text, date, authors or product: by the pattern of its
site if one fits, else by the page model and the model of products."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

from lxml import etree

from crawler.reading.html import parse_html
from crawler.reading.links import base_url
from extractor.analysis.objects import Said, read_objects
from extractor.analysis.product import find_product as find_said_product
from extractor.analysis.xpaths import Xpaths
from extractor.batch.labelling.extents import extents_of
from extractor.fields.authors import find_authors, without_bylines
from extractor.fields.dates import find_publication
from learner.dom.reading import Reading, read_tree, tree_of
from learner.page.tree import TreeBlock
from learner.page.words import clean_text, word_letters
from learner.patterns.matching import Match, match_page
from learner.patterns.pattern import DEFAULT_PRESET, PatternSet
from learner.vision.products.scorer import FIELDS, find_product

MOST_BESIDE = 160
"""Characters that an element may say beside a title, a date or names. Origin: that of bylines
(`learner.dom.candidates.authors`)."""

_OF_HEAD = ("title", "base", "meta", "link")

OF_PRODUCTS = {"name": "name", "price": "price", "picture": "image"}
"""Field of a product -> its label."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedElement:
    """An element of the page, and what it is thought to show."""

    label: str
    element: etree._Element
    value: str | None = None
    """Of a title what it says; of a date its day in ISO 8601; of authors their names, one a
    line."""


@dataclass(frozen=True, slots=True)
class Proposals:
    """What is thought of one page."""

    page_type: str
    """A type of the page model."""
    elements: tuple[ProposedElement, ...] = ()


class DrawnTree(Protocol):
    """A page's elements, and what a browser tells of them
    (`learner.vision.element_tree.ElementTree`)."""

    root: etree._Element

    def is_seen(self, element: etree._Element) -> bool:
        """Whether a reader sees something of it."""

    def is_struck(self, element: etree._Element) -> bool:
        """Whether a line goes through its text."""


def propose(
    page: DrawnTree, url: str, patterns: PatternSet, document: bytes | None = None
) -> Proposals:
    """What a page shows, and where. Its tree is changed: what it hides loses its tag.
    `document` is its HTML with what it says for machines.

    A list has no proposals; a page that says for machines that it is about a product, or that the
    page model takes for one, has name, price and picture, though a pattern may read its text; all
    others title, text, date and authors, as far as elements show them.
    """
    objects = read_objects(page.root if document is None else parse_html(document))
    return _Proposer(page, url).proposals(patterns, objects)


class _Proposer:
    def __init__(self, page: DrawnTree, url: str) -> None:
        self._page, self._root = page, page.root
        root, self._base = page.root, base_url(page.root, url)
        self._xpaths = Xpaths(root)  # before hidden elements lose their tags
        self._tree = tree_of(root, url)
        self._xpaths.read(self._tree)
        self._found: list[ProposedElement] = []

    def proposals(self, patterns: PatternSet, objects: Sequence[Said]) -> Proposals:
        tree = self._tree
        if not tree.blocks:
            return Proposals("other")
        titles = tree.metadata.title, tree.metadata.social_title
        if find_said_product(objects, titles, is_alone=False):
            self._product()
            return Proposals("product", tuple(self._found))
        match = match_page(tree, patterns) if _has_rules(patterns) else None
        if match and match.is_list:
            return Proposals("list")
        reading = read_tree(tree)
        page_type = reading.type
        if page_type == "product":
            self._product()
        elif match and match.body:
            page_type = "article"
            self._by_pattern(match)
        elif not reading.is_listing:
            self._by_model(reading)
        return Proposals(page_type, tuple(self._found))

    def _by_pattern(self, match: Match) -> None:
        tree = self._tree
        published = find_publication(tree, match)
        shown = published.block if published else None
        authors, named = find_authors(tree, match, shown)
        self._add("title", match.title_block, match.title or "", match.title)
        if published and shown:
            self._add("date", shown, published.raw, published.moment.date().isoformat())
        if authors and named:
            self._add("author", named, ", ".join(authors), "\n".join(authors))
        body = without_bylines(tree, match.body, (shown, named))
        self._body(body, (match.title_block, shown, named))

    def _by_model(self, reading: Reading) -> None:
        blocks: list[TreeBlock | None] = []
        if reading.title:
            title = reading.title.value
            blocks.append(self._add_saying("title", title, title))
        if reading.published:
            day = reading.published.isoformat()
            blocks.append(self._add_saying("date", reading.published_raw, day))
        for author in reading.authors:
            blocks.append(self._add_saying("author", author.value, author.value))
        self._body(reading.body, blocks)

    def _product(self) -> None:
        leave_unseen(self._page)
        found = find_product(self._root, self._base)
        for field in FIELDS:
            each = getattr(found, field)
            if each is not None:
                element = each.candidate.element
                shown = self._around_picture(element) if field == "picture" else element
                self._found.append(ProposedElement(label=OF_PRODUCTS[field], element=shown))

    def _around_picture(self, image: etree._Element) -> etree._Element:
        """The picture, or while it is not loaded the box that waits for it alone."""
        element = image
        while not self._page.is_seen(element):
            parent = element.getparent()
            if parent is None or len(list(islice(parent.iter("img"), 2))) > 1:
                return image
            element = parent
        return element

    def _add_saying(self, label: str, text: str, value: str | None = None) -> TreeBlock | None:
        """Propose the block that says a text with the least beside it, of those that are seen, and
        a heading before others; the block."""
        letters, tree = word_letters(text), self._tree
        rated = [
            (len(word_letters(block.text)), tree.heading(block) is None, block.index)
            for block in tree.blocks
            if letters and letters in word_letters(block.text) and self._sees(block)
        ]
        block = tree.blocks[min(rated)[2]] if rated else None
        self._add(label, block, text, value)
        return block

    def _sees(self, block: TreeBlock) -> bool:
        element = self._xpaths.element(block.element)
        return element is not None and self._page.is_seen(element)

    def _add(
        self, label: str, block: TreeBlock | None, text: str, value: str | None = None
    ) -> None:
        """Propose the innermost element around a text of a block; nothing without a block, and none
        that says much else."""
        element = self._xpaths.element(block.element) if block else None
        if element is None:
            return
        inner = element if label == "title" else innermost_saying(element, text)
        if len(said_by(inner)) <= len(text) + MOST_BESIDE:
            self._found.append(ProposedElement(label=label, element=inner, value=value))

    def _body(self, body: Sequence[TreeBlock], beside: Sequence[TreeBlock | None]) -> None:
        """Propose the elements that hold the text, and what in them is none of it."""
        others = [block for block in beside if block is not None]
        extents = extents_of(self._tree, body, others)
        for label, elements in (("body", extents.inside), ("boilerplate", extents.outside)):
            for index in elements:
                element = self._xpaths.element(index)
                if element is not None:
                    self._found.append(ProposedElement(label=label, element=element))


def _has_rules(patterns: PatternSet) -> bool:
    return len(patterns) > 0 and all(each.preset == DEFAULT_PRESET for each in patterns)


def innermost_saying(element: etree._Element, text: str) -> etree._Element:
    """The innermost element, itself or below, that says all of a text.

    >>> root = etree.fromstring("<p>By <a><b>Ann Lee</b></a>, <i>3 May</i></p>")
    >>> innermost_saying(root, "Ann Lee").tag, innermost_saying(root, "Lee, 3").tag
    ('b', 'p')
    """
    while text:
        inner = (each for each in element if isinstance(each.tag, str) and _says(each, text))
        found = next(inner, None)
        if found is None:
            break
        element = found
    return element


def _says(element: etree._Element, text: str) -> bool:
    return text in said_by(element)


def said_by(element: etree._Element) -> str:
    """The text of an element, on one line."""
    return clean_text("".join(map(str, element.itertext())))


def leave_unseen(page: DrawnTree) -> None:
    """Turn what has nothing that is seen, and no picture that may still come, into `template`
    elements, whose content is none of the page; and what is struck out, as old prices are."""
    kept: set[etree._Element] = set()
    for element in page.root.iter("*"):
        if element.tag in ("img", "head") or page.is_seen(element):
            kept.update((element, *element.iterancestors()))
    for element in list(page.root.iter("*")):
        is_none = element not in kept or page.is_struck(element)
        if is_none and element.getparent() in kept and element.tag not in _OF_HEAD:
            element.tag = "template"
