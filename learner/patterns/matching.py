"""Which pattern a page fits, and where its title and text are."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate

from learner.bodies.rule import main_content
from learner.page.extent import Extent
from learner.page.locators import Fit, FoundPlaces, Locator
from learner.page.tree import HEADINGS, LayoutTree, TreeBlock
from learner.page.wording import Wording
from learner.page.words import text_digest
from learner.patterns.pattern import Pattern, PatternSet
from learner.patterns.rules import Rules
from learner.site.affixes import Affixes
from learner.site.kind_features import page_features
from learner.site.model import SiteModel
from learner.titles.names import LONGEST_TITLE, says_same

LIST_SHARE = 0.2
"""Least share of what speaks for lists, by weight, that a page must have to be called one if it
fits no article pattern: what has nothing of the site's speaks for nothing. Origin: measured, see
docs/decisions.md."""

LEAST_TEXT = 0.1
"""Least share of the text in the container of one pattern that the container of another must hold,
where both fit. Origin: guess, see docs/decisions.md."""


@dataclass(frozen=True, slots=True)
class Match:
    """A pattern that fits a page, and what it reads there."""

    pattern: Pattern
    title: str | None
    """What the page is called."""
    title_block: TreeBlock | None
    """Where it says so; None if only `<title>` does."""
    containers: tuple[int, ...]
    """The main container, and the elements beside it in which its content goes on."""
    body: tuple[TreeBlock, ...] = ()
    """The blocks of the main content."""
    n_title_lines: int = 1
    """How many blocks the title is broken into."""
    fit: Fit = Fit.EXACT
    """How its places were found."""
    of_others: bool = False
    """Whether the page shows articles of other pages: it has several titles and several containers,
    or its title leads to another page as that of no article does."""
    evidence: float = 0.0
    """How much the page speaks for a list (above 0) or an article (below 0)."""

    @property
    def rules(self) -> Rules:
        """The pattern's: one without fits no page here."""
        assert self.pattern.rules is not None
        return self.pattern.rules

    @property
    def is_list(self) -> bool:
        return self.of_others or self.evidence > 0

    @property
    def score(self) -> float:
        """How much the page is like an article of its site, 0 to 1."""
        return 0.0 if self.of_others else round(1 / (1 + math.exp(self.evidence)), 4)

    @property
    def digest(self) -> str:
        """What it reads (`text_digest`): how an answer that says that no page is there is known
        (`learner.kinds.soft_errors`)."""
        return text_digest(self.title, "\n".join(block.text for block in self.body))

    def extent(self, tree: LayoutTree) -> Extent:
        """Where the text begins and ends."""
        return Extent.of(tree, self.containers[0], self.body)


def match_page(tree: LayoutTree, patterns: PatternSet) -> Match | None:
    """The article pattern that fits the page best; None if the page has the places of none."""
    searches = (_Search(tree, patterns.site, fit) for fit in Fit)
    best = next(filter(None, (search.best(patterns) for search in searches)), None)
    if best is None:
        return None
    if best.title_block is None and (says := _block_that_says(tree, best)):
        best = replace(best, title=says.text, title_block=says)
    page = Wording(tree, best.title_block)
    body = best.rules.body.read(page, best.containers, best.n_title_lines, best.fit)
    best = replace(best, body=tuple(body))
    inside = [block for element in best.containers for block in tree.inside(element)]
    kind = best.rules.kind
    return replace(best, evidence=kind.evidence(tree, inside, best.body, patterns.site))


def is_like_lists(tree: LayoutTree, patterns: PatternSet) -> bool:
    """Whether the frame of a page that no article pattern fits is that of the site's lists."""
    if not len(patterns):
        return False
    features, told = page_features(tree), patterns.site.kind_features
    return told.testify(features) > 0 and told.list_share(features) >= LIST_SHARE


class _Search:
    """Which patterns fit one page."""

    def __init__(self, tree: LayoutTree, site: SiteModel, fit: Fit) -> None:
        self._tree = tree
        self._site = site
        self._fit = fit
        self._places = FoundPlaces(tree, fit)
        self._titles: dict[tuple[Locator | None, frozenset[str]], TreeBlock | None] = {}
        self._names: dict[Affixes, str] = {}

    def best(self, patterns: PatternSet) -> Match | None:
        """The article pattern that fits best; None if the page has the places of none."""
        found = list(self._matches(patterns))
        if len(found) < 2:
            return next(iter(found), None)
        found = self._with_text(found)
        found = [m for m in found if not any(self._refines(other, m) for other in found)]
        return max(found, key=self.fitness)

    def _with_text(self, matches: Sequence[Match]) -> list[Match]:
        """Without those whose containers hold next to nothing of what those of others hold."""
        if len({match.containers for match in matches}) == 1:
            return list(matches)
        weights = [sum(map(self._weight, match.containers)) for match in matches]
        least = LEAST_TEXT * max(weights)
        return [m for m, weight in zip(matches, weights, strict=True) if weight >= least]

    def _refines(self, one: Match, other: Match) -> bool:
        """Whether a match tells more of a page than another: it asks for more names at the place of
        the title, and its container is a part of the other's. The other was learned from pages of a
        template without these boxes."""
        if self._fit is not Fit.EXACT:  # the names need not be there
            return False
        mine, theirs = one.rules.title.place, other.rules.title.place
        if mine is None or theirs is None or mine == theirs or not theirs.covers(mine):
            return False
        inner, outer = one.containers[0], other.containers[0]
        return inner != outer and outer in self._tree.ancestors(inner)

    def _weight(self, element: int) -> int:
        """Word characters outside links inside an element."""
        return self._weights[self._tree.ends[element]] - self._weights[self._tree.starts[element]]

    @cached_property
    def _weights(self) -> list[int]:
        """Those of the first 0, 1, 2 ... blocks of the page."""
        return list(accumulate((b.unlinked_weight for b in self._tree.blocks), initial=0))

    def _matches(self, patterns: PatternSet) -> Iterator[Match]:
        for pattern in patterns.articles:
            rules = pattern.rules
            assert rules is not None
            block = self._title_block(rules)
            if block is None and rules.title.place:
                continue
            found = rules.body.containers(self._places)
            if self._fit is Fit.MOVED and not self._is_sure(rules, block, found):
                continue
            if found:
                title, n_lines = rules.title.read(self._tree, block, self._name(rules))
                several = self._has_several(rules, found)
                of_others = several or rules.title.is_of_another(self._tree, block)
                yield Match(
                    pattern, title, block, tuple(main_content(self._tree, found)),
                    n_title_lines=n_lines, fit=self._fit, of_others=of_others,
                )  # fmt: skip

    def _title_block(self, rules: Rules) -> TreeBlock | None:
        key = rules.title.place, rules.title.above
        if key not in self._titles:
            self._titles[key] = rules.title.find(self._places)
        return self._titles[key]

    def _has_several(self, rules: Rules, containers: Sequence[int]) -> bool:
        """Whether there are several containers, and one on an article; or several titles, too."""
        if len(containers) < 2:
            return False
        # Side by side they are the sections of one text; found loosely they may be anything.
        apart = {self._tree.parents[e] for e in containers if self._tree.n_with_text([e])}
        if rules.body.is_alone and self._fit is Fit.EXACT and len(apart) > 1:
            return True
        if rules.title.place is None or not rules.title.is_alone:
            return False
        return self._tree.n_with_text(self._places.at(rules.title.place)) > 1

    def _is_sure(self, rules: Rules, title: TreeBlock | None, found: Sequence[int]) -> bool:
        """Whether a container that stands elsewhere is the only one, and the title, too, is what
        the page is called: lists have many like them."""
        if title is None or rules.title.place is None or len(found) != 1:
            return False
        one_title = len(self._places.at(rules.title.place)) == 1
        return one_title and says_same(title.text, self._name(rules))

    def fitness(self, match: Match) -> tuple[int, int, int]:
        """How well a pattern fits: whether its title is what the page is called (or the pattern
        says that headings are), how many pages taught it, and how many names it asks for."""
        rules, block = match.rules, match.title_block
        if block and rules.title.says_name(self._tree, block, self._name(rules)):
            agrees = 2
        elif block is None or self._tree.tags[block.element] in HEADINGS:
            agrees = 1
        else:
            agrees = 0
        return agrees, match.pattern.n_pages, rules.specificity

    def _name(self, rules: Rules) -> str:
        """What the page is called, without what the site adds."""
        affixes = self._site.families[rules.family].affixes
        if affixes not in self._names:
            self._names[affixes] = affixes.strip(self._tree.metadata.title)
        return self._names[affixes]


def _block_that_says(tree: LayoutTree, match: Match) -> TreeBlock | None:
    """The block of the container that repeats a title known from `<title>` only, be it in other
    capitals."""
    if not match.title:
        return None
    inside, called = tree.inside(match.containers[0]), match.title.casefold()
    short = (block for block in inside if len(block.text) <= LONGEST_TITLE)
    return next((block for block in short if block.text.casefold() == called), None)
