"""One page that nobody has learned in, its text, title, date, authors and type out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import TypeVar

import numpy as np
from lxml import etree

from crawler.reading.html import parse_html
from learner.dom.candidates.authors import AuthorCandidate, author_candidates, author_features
from learner.dom.candidates.coauthors import with_coauthors
from learner.dom.candidates.dates import DateCandidate, date_candidates, date_features
from learner.dom.candidates.titles import TitleCandidate, title_candidates, title_features
from learner.dom.characters import letters_of
from learner.dom.choosing import LIKELY, is_said_once, least_probability, without_repeated
from learner.dom.context import context_features
from learner.dom.features import PageBlocks, block_features
from learner.dom.model import TYPES, DomModel, shipped_model
from learner.dom.page_features import page_features, page_words
from learner.ensembles.trees import Floats, sigmoid
from learner.page.pages import Page
from learner.page.tree import LayoutTree, TreeBlock, build_tree
from learner.page.words import TEXT_WEIGHT

T = TypeVar("T")

LEAST_TITLE = 0.1
"""Least probability of a title; below it a page is called by nothing. Origin: guess."""

LEAST_DATE = 0.2
"""... of a date. Origin: measured, see docs/decisions.md."""

LEAST_AUTHOR, LEAST_OTHER = 0.1, 0.6
"""... of an author, and of each beside the likeliest. Origin: guess."""

ARTICLE_ODDS = 2.5
"""How many times as likely as any other type an article must be. Origin: measured, see
docs/decisions.md."""

LISTINGS = ("list", "collection")
"""The types of page that have no text of their own: they show what stands on others."""

BYLINE_LETTERS = 80
"""Letters up to which a block with date or author is left out of the text; a longer one is a
sentence. Origin: that of learned patterns (`extractor.fields.authors`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Guess:
    """A value, and how likely it is right."""

    value: str
    probability: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What one page says by itself."""

    tree: LayoutTree
    """The page's blocks; none if it has no text."""
    probabilities: tuple[float, ...] = ()
    """For each block that it is main text, as far as they are looked at
    (`learner.dom.features.MOST_BLOCKS`)."""
    body: tuple[TreeBlock, ...] = ()
    """The blocks of the text, in their order."""
    text: str = ""
    """What they say, a line each; empty if the page has none."""
    text_probability: float = 0.0
    """The share of the text, by letters, that is expected to be right."""
    title: Guess | None = None
    """None if nothing says what the page is called."""
    published: date | None = None
    """The day of publication, as the page has it."""
    moment: datetime | None = None
    """The same with the clock, aware UTC; midnight if the page does not say it for machines."""
    published_raw: str = ""
    """The text that was read for it."""
    published_probability: float = 0.0
    authors: tuple[Guess, ...] = ()
    types: Mapping[str, float]
    """Probability of each of `learner.dom.model.TYPES`; they sum to 1."""

    @property
    def type(self) -> str:
        """The most likely type; an article only if that is `ARTICLE_ODDS` as likely as any other,
        for a list that is given out as one is worse than an article that is not."""
        others = {name: p for name, p in self.types.items() if name != "article"}
        other = max(others, key=others.__getitem__)
        is_article = self.types["article"] >= ARTICLE_ODDS * others[other]
        return "article" if is_article else other

    @property
    def is_listing(self) -> bool:
        """Whether its type is one of `LISTINGS`."""
        return self.type in LISTINGS


def read_page(page: Page, model: DomModel | None = None) -> Reading:
    """What a page says by itself, with probabilities: no pattern of its site is needed.

    `model` is the shipped one if none is given. The same page and model give the same reading. A
    page without text has an empty one of type `other`. Raises what parsing raises, nothing else.
    """
    return read_tree(page_tree(page), model)


def read_tree(
    tree: LayoutTree, model: DomModel | None = None, evidence: Floats | None = None
) -> Reading:
    """The same of a page whose layout tree is built already. `evidence` is added to the log odds
    that each of its blocks is main text: what else is known of them."""
    if not tree.blocks:
        return Reading(tree=tree, title=_said_title(tree), types=_NOTHING)
    return _Reader(tree, model or shipped_model(), evidence).reading()


def read_types(tree: LayoutTree, model: DomModel | None = None) -> Mapping[str, float]:
    """The probability of each type of page alone, for less than half of what a reading costs."""
    if not tree.blocks:
        return _NOTHING
    model = model or shipped_model()
    return dict(zip(TYPES, _First(tree, model).types.tolist(), strict=True))


def _said_title(tree: LayoutTree) -> Guess | None:
    """What a page without text calls itself for machines."""
    said = tree.metadata.social_title or tree.metadata.title
    return Guess(value=said, probability=LIKELY) if said else None


_NOTHING = {name: float(name == "other") for name in TYPES}


def page_tree(page: Page) -> LayoutTree:
    """The layout tree of a page (`tree_of`)."""
    return tree_of(parse_html(page.html, page.charset), page.url)


def tree_of(root: etree._Element, url: str) -> LayoutTree:
    """The layout tree of a parsed page. Where it says nothing, for scripts would draw it, what it
    keeps for readers without scripts is its text."""
    tree = build_tree(root, url)
    if _says_much(tree):
        return tree
    return build_tree(_with_unscripted(root), url)


def _says_much(tree: LayoutTree) -> bool:
    weight = 0
    for block in tree.blocks:
        weight += block.weight
        if weight >= TEXT_WEIGHT:
            return True
    return False


def _with_unscripted(root: etree._Element) -> etree._Element:
    for element in list(root.iter("noscript")):
        element.tag = "div"
    return root


def type_row(blocks: PageBlocks, main: Floats, word_scores: Floats) -> tuple[list[str], Floats]:
    """Names and values of all that tells the type of a page."""
    names, values = page_features(blocks, main)
    return [*names, *(f"words_{name}" for name in TYPES)], np.append(values, word_scores)


def weighed(probabilities: Floats, evidence: Floats) -> Floats:
    """Probabilities after something was added to their log odds.

    >>> weighed(np.array([0.5, 0.8], np.float32), np.array([0, -np.log(4)], np.float32)).tolist()
    [0.5, 0.5]
    """
    sure = np.clip(probabilities, _ALMOST, 1 - _ALMOST)
    return sigmoid(np.log(sure / (1 - sure)) + evidence)


_ALMOST = 1e-6


class _First:
    """What the first stages say of a page: its blocks each by itself, then its type."""

    def __init__(self, tree: LayoutTree, model: DomModel) -> None:
        self.page = page = PageBlocks(tree, model.evidence)
        _, self.own = block_features(page)
        self.main = model.probability("blocks", self.own)
        _, row = type_row(page, self.main, model.words.of(page_words(tree)))
        self.types = model.types(row[None])[0]


class _Reader:
    """Takes the steps for one page."""

    def __init__(self, tree: LayoutTree, model: DomModel, evidence: Floats | None = None) -> None:
        self._tree, self._model = tree, model
        first = _First(tree, model)
        self._page, self._types, self._first = first.page, first.types, first.main
        _, around = context_features(self._page, first.main, first.types)
        self._main = model.probability("context", np.hstack([first.own, around]))
        if evidence is not None:
            self._main = weighed(self._main, evidence[: len(self._main)])

    def reading(self) -> Reading:
        """All that the page says."""
        page, tree = self._page, self._tree
        title = self._title()
        published = self._published()
        dated = frozenset(published[0].blocks if published else ())
        authors = self._authors(dated)
        body = self._body(title[0] if title else None, published, authors)
        letters = page.weight[[block.index for block in body]]
        sure = self._main[[block.index for block in body]]
        right = float((letters * sure).sum() / max(float(letters.sum()), 1e-6)) if body else 0.0
        day = published[0] if published else None
        return Reading(
            tree=tree,
            probabilities=tuple(self._main.tolist()),
            body=tuple(body),
            text=tree.written(body),
            text_probability=right,
            title=Guess(value=title[0].text, probability=title[1]) if title else None,
            published=day.day if day else None,
            moment=_moment(day) if day else None,
            published_raw=day.raw if day else "",
            published_probability=published[1] if published else 0.0,
            authors=tuple(Guess(value=each.name, probability=p) for each, p in authors),
            types=dict(zip(TYPES, self._types.tolist(), strict=True)),
        )

    def _title(self) -> tuple[TitleCandidate, float] | None:
        return self._best("title", title_candidates(self._page), title_features, LEAST_TITLE)

    def _published(self) -> tuple[DateCandidate, float] | None:
        return self._best("date", date_candidates(self._page), date_features, LEAST_DATE)

    def _best(
        self,
        ensemble: str,
        candidates: Sequence[T],
        features: Callable[[PageBlocks, Floats, Floats, Sequence[T]], Floats],
        least: float,
    ) -> tuple[T, float] | None:
        if not candidates:
            return None
        rows = features(self._page, self._first, self._types, candidates)
        found = self._model.probability(ensemble, rows)
        best = int(found.argmax())
        return (candidates[best], float(found[best])) if found[best] >= least else None

    def _authors(self, dated: frozenset[int]) -> list[tuple[AuthorCandidate, float]]:
        candidates = author_candidates(self._page, self._first)
        if not candidates:
            return []
        rows = author_features(self._page, self._first, self._types, candidates, dated)
        found = self._model.probability("author", rows)
        return with_coauthors(self._page.tree, chosen_authors(candidates, found))

    def _body(
        self,
        title: TitleCandidate | None,
        published: tuple[DateCandidate, float] | None,
        authors: Sequence[tuple[AuthorCandidate, float]],
    ) -> list[TreeBlock]:
        """The text without its title and bylines, unless it is nothing else."""
        page, blocks = self._page, self._tree.blocks
        least = least_probability(self._main, np.maximum(page.weight, 1), self._types)
        taken = np.flatnonzero(self._main >= least).tolist()
        left_out = self._tree.gutters | set(title.blocks if title else ())
        bylines = {*(published[0].blocks if published else ())}
        bylines |= {block for each, _ in authors for block in each.blocks}
        left_out |= {index for index in bylines if page.unlinked[index] <= BYLINE_LETTERS}
        text = [index for index in taken if index not in left_out] or taken
        if is_said_once(self._types):
            said = without_repeated([page.texts[index] for index in text], page.weight[text])
            text = [text[place] for place in said]
        return [blocks[index] for index in text]


def chosen_authors(
    candidates: Sequence[AuthorCandidate], found: Floats
) -> list[tuple[AuthorCandidate, float]]:
    """Those that are likely enough, in their order; of two that say the same the likelier."""
    chosen: list[tuple[int, float]] = []
    said: list[str] = []
    for index in np.argsort(-found, kind="stable").tolist():
        name = letters_of(candidates[index].name)
        if found[index] < (LEAST_OTHER if chosen else LEAST_AUTHOR):
            break
        if name and not any(name in other or other in name for other in said):
            chosen.append((index, float(found[index])))
            said.append(name)
    chosen.sort(key=lambda each: (candidates[each[0]].blocks[:1] or [-1], each[0]))
    return [(candidates[index], probability) for index, probability in chosen]


def _moment(found: DateCandidate) -> datetime:
    return found.moment or datetime.combine(found.day, time(), UTC)
