"""Matching by the default preset: which pattern a page fits, and where its title and text are."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial

from learner.bodies.trimming import text_blocks
from learner.bylines.byline import Byline
from learner.kinds.kind import Kind
from learner.kinds.kind_features import Witnesses, page_features
from learner.kinds.measures import LONG_TEXT, body_evidence, standing_evidence
from learner.page.locators import Fit, Locator
from learner.page.tree import HEADINGS, LayoutTree, TreeBlock, page_of_link
from learner.page.words import word_letters
from learner.patterns.pattern import Pattern, PatternSet, Role
from learner.site.cluster_page import Member, running
from learner.site.link_counts import Hubs, Standing
from learner.titles.headings import may_open
from learner.titles.names import (
    LONGEST_TITLE,
    Affixes,
    n_title_lines,
    says_same,
    without_day,
    without_section,
)

LIST_SHARE = 0.2
"""Least share of what speaks for lists, by weight, that a page must have to be called one if it
fits no article pattern: what has nothing of the site's speaks for nothing. Measured on 35 sites:
865 of 870 such lists have more; noise and a page of two lines have .16 at most."""


LEAST_TEXT = 0.1
"""Least share of the text in the container of one pattern that the container of another must hold,
where both fit. Origin: guess; of 64 sites one has such pages, in tables without names: body F1 .99
instead of .80."""


@dataclass(frozen=True)
class CompiledPattern:
    """A pattern made ready to match."""

    pattern: Pattern

    @cached_property
    def pattern_id(self) -> str:
        """The pattern's own, which is worked out anew at each look."""
        return self.pattern.pattern_id

    @cached_property
    def title(self) -> Locator | None:
        """The place of the title; None if only `<title>` tells it."""
        index = self.pattern.title
        return None if index is None else Locator.parse(self.pattern.sections[index].path)

    @cached_property
    def main(self) -> Locator:
        """The place of the main container."""
        return Locator.parse(self.pattern.sections[self.pattern.main or 0].path)

    @cached_property
    def trimmed(self) -> list[Locator]:
        """The places that are left out of it."""
        left_out = (Role.BOILERPLATE, Role.SUB)
        return [Locator.parse(s.path) for s in self.pattern.sections if s.role in left_out]

    @cached_property
    def apart(self) -> list[Locator]:
        """The places of what stands beside the main container, known by more names than it."""
        return [Locator.parse(path) for path in self.pattern.param("apart", ())]

    @cached_property
    def leads(self) -> list[Locator]:
        """The places of what opens the text above the main container."""
        return [Locator.parse(path) for path in self.pattern.param("leads", ())]

    @cached_property
    def above(self) -> frozenset[str]:
        """The texts at the place of the title that are none, mostly the site's frame."""
        return frozenset(self.pattern.param("above", ()))

    @cached_property
    def titles_are_own(self) -> bool:
        """Whether no title of the pages that taught it leads to another page."""
        return bool(self.pattern.param("titles_are_own", False))

    @cached_property
    def titles_are_alone(self) -> bool:
        """Whether nothing else stands at the place of the title on the pages that taught it."""
        return bool(self.pattern.param("titles_are_alone", True))

    @cached_property
    def titles_are_dated(self) -> bool:
        """Whether the titles of the pages that taught it bear the day before them."""
        return bool(self.pattern.param("titles_are_dated", False))

    @cached_property
    def titles_behind_sections(self) -> bool:
        """Whether `<title>`, which alone names the pages that taught it, has a section before the
        name."""
        return bool(self.pattern.param("titles_behind_sections", False))

    @cached_property
    def titles_open_texts(self) -> bool:
        """Whether the pages that taught it are called by the headings that their texts open with,
        whatever `<title>` says."""
        return bool(self.pattern.param("titles_open_texts", False))

    @cached_property
    def is_alone(self) -> bool:
        """Whether nothing else stands at the place of the main container on the pages that taught
        it."""
        return bool(self.pattern.param("container_is_alone", False))

    @cached_property
    def nameless(self) -> frozenset[str]:
        """The `<title>`s that name no page, if the text begins with its title then."""
        return frozenset(self.pattern.param("nameless", ()))

    @cached_property
    def recurring(self) -> frozenset[str]:
        return frozenset(self.pattern.param("recurring", ()))

    @cached_property
    def refrains(self) -> frozenset[str]:
        return frozenset(self.pattern.param("refrains", ()))

    @cached_property
    def byline(self) -> Byline:
        """Where dates and authors stand."""
        return Byline.from_param(self.pattern.param("byline", {}))

    @cached_property
    def affixes(self) -> Affixes:
        param = self.pattern.param
        return Affixes(frozenset(param("prefixes", ())), frozenset(param("suffixes", ())))

    @cached_property
    def witnesses(self) -> Witnesses:
        weights = self.pattern.param("witnesses", {})
        return Witnesses({int(f): w for f, w in weights.items()}, self.pattern.param("bias", -1.0))

    @cached_property
    def hubs(self) -> Hubs:
        """Those of the site."""
        return Hubs.from_param(self.pattern.param("hubs", {}))

    @cached_property
    def usual_standing(self) -> Standing | None:
        """That of the pages that taught it; None if they did not tell."""
        standing = self.pattern.param("standing", None)
        return standing and Standing(**standing)

    def standing_evidence(self, tree: LayoutTree, body: Sequence[TreeBlock]) -> float:
        """How much the standing of a page with this text speaks for a list."""
        if self.usual_standing is None:
            return 0.0
        standing = self.hubs.standing(tree, (block.line for block in body))
        return standing_evidence(standing, self.usual_standing)

    @cached_property
    def specificity(self) -> int:
        """How many names the places of title and container ask for."""
        steps = (*(self.title.steps if self.title else ()), *self.main.steps)
        return sum(len(names) for _, names in steps)


@dataclass(frozen=True, slots=True)
class Match:
    """A pattern that fits a page."""

    compiled: CompiledPattern
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
    """How much the page's frame speaks for a list (above 0) or an article (below 0)."""

    @property
    def is_list(self) -> bool:
        return self.of_others or self.evidence > 0

    @property
    def score(self) -> float:
        """How much the page is like an article of its site, 0 to 1."""
        return 0.0 if self.of_others else round(1 / (1 + math.exp(self.evidence)), 4)

    def find_body(self, tree: LayoutTree) -> list[TreeBlock]:
        """The blocks of the main content, of a match that has not got them yet. What is left out is
        never a long text and all there is: a note of the release whose every line has been said
        before, or a text in a box that holds something else on other pages."""
        c, begins = self.compiled, tree.starts[self.containers[0]]
        leads = [place.find(tree) for place in c.leads]
        alone = [found[0] for found in leads if len(found) == 1]
        opening = sorted(element for element in alone if tree.ends[element] <= begins)
        title = self.title_block.index if self.title_block else 0
        broken = range(title + 1, title + self.n_title_lines)
        inside = [
            block
            for element in (*opening, *self.containers)
            for block in tree.inside(element)
            if block.index not in broken
        ]
        member = Member(tree, self.title_block)
        body = text_blocks(member, inside, c.trimmed, c.recurring, c.refrains, self.fit)
        return body or _long_text(member, inside, c, self.fit)


def _long_text(
    member: Member, inside: Sequence[TreeBlock], compiled: CompiledPattern, fit: Fit
) -> list[TreeBlock]:
    """The main content with the texts that recur, or else with the places that are left out, if one
    of its blocks is long; empty if none is."""
    c = compiled
    for trimmed, recurring in ((c.trimmed, frozenset[str]()), ([], c.recurring)):
        body = text_blocks(member, inside, trimmed, recurring, c.refrains, fit)
        if any(block.unlinked_weight >= LONG_TEXT for block in body):
            return body
    return []


@dataclass(frozen=True, slots=True)
class CompiledPatterns:
    """The patterns of a site made ready to match."""

    articles: tuple[CompiledPattern, ...]
    witnesses: Witnesses | None
    """What tells the site's lists from its articles, which all of its patterns know."""


@lru_cache(maxsize=64)
def compile_patterns(patterns: PatternSet) -> CompiledPatterns:
    """The patterns made ready; remembered, for every page of a site asks for the same."""
    compiled = [CompiledPattern(pattern) for pattern in patterns]
    articles = tuple(each for each in compiled if each.pattern.kind is Kind.ARTICLE)
    return CompiledPatterns(articles, compiled[0].witnesses if compiled else None)


def match_page(tree: LayoutTree, patterns: PatternSet) -> Match | None:
    """The article pattern that fits the page best; None if the page has the places of none."""
    best = next(filter(None, (_Search(tree, fit).best(patterns) for fit in Fit)), None)
    if best is None:
        return None
    if best.title_block is None and (says := _block_that_says(tree, best)):
        best = replace(best, title=says.text, title_block=says)
    best = _with_first_line(replace(best, body=tuple(best.find_body(tree))))
    frame = best.compiled.witnesses.testify(page_features(tree))
    standing = best.compiled.standing_evidence(tree, best.body)
    return replace(best, evidence=frame + body_evidence(tree, best.body) + standing)


def is_like_lists(tree: LayoutTree, patterns: PatternSet) -> bool:
    """Whether the frame of a page that no article pattern fits is that of the site's lists."""
    witnesses = compile_patterns(patterns).witnesses
    if witnesses is None:
        return False
    features = page_features(tree)
    return witnesses.testify(features) > 0 and witnesses.list_share(features) >= LIST_SHARE


class _Search:
    """Which patterns fit one page. What is found at a place is remembered, for a site's patterns
    share most of theirs."""

    def __init__(self, tree: LayoutTree, fit: Fit) -> None:
        self._tree = tree
        self._fit = fit
        self._elements: dict[Locator, list[int]] = {}
        self._titles: dict[tuple[Locator, frozenset[str]], TreeBlock | None] = {}
        self._names: dict[Affixes, str] = {}

    def best(self, patterns: PatternSet) -> Match | None:
        """The article pattern that fits best; None if the page has the places of none."""
        found = list(self._matches(patterns))
        if len(found) < 2:
            return next(iter(found), None)
        found = self._with_text(found)
        found = [m for m in found if not any(self._refines(other, m) for other in found)]
        has_name = not any(self._name(m.compiled.affixes) in m.compiled.nameless for m in found)
        return max(found, key=partial(self.fitness, has_name=has_name))

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
        mine, theirs = one.compiled.title, other.compiled.title
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
        return running(block.unlinked_weight for block in self._tree.blocks)

    def _matches(self, patterns: PatternSet) -> Iterator[Match]:
        for compiled in compile_patterns(patterns).articles:
            block = self._title_block(compiled.title, compiled.above) if compiled.title else None
            if block is None and compiled.title:
                continue
            found = self._containers(compiled)
            if self._fit is Fit.MOVED and not self._is_sure(compiled, block, found):
                continue
            if found:
                title, n_lines = self._title(compiled, block)
                containers = tuple(_main_content(self._tree, found))
                several = self._has_several(compiled, found)
                of_others = several or self._is_of_another(compiled, block)
                yield Match(
                    compiled, title, block, containers,
                    n_title_lines=n_lines, fit=self._fit, of_others=of_others,
                )  # fmt: skip

    def _title(self, compiled: CompiledPattern, block: TreeBlock | None) -> tuple[str | None, int]:
        """What the page is called, given the block at the place of its title, and how many blocks
        say so."""
        name = self._name(compiled.affixes) or None
        if name and compiled.titles_behind_sections:
            name = without_section(name)
        n_lines = n_title_lines(self._tree, block, name) if block and name else 1
        title = _title_text(self._tree, block, name) if block and n_lines == 1 else name
        return without_day(title) if title and compiled.titles_are_dated else title, n_lines

    def _has_several(self, compiled: CompiledPattern, containers: Sequence[int]) -> bool:
        """Whether there are several containers, and one on an article; or several titles, too."""
        if len(containers) < 2:
            return False
        # Side by side they are the sections of one text; found loosely they may be anything.
        apart = {self._tree.parents[e] for e in containers if self._tree.n_with_text([e])}
        if compiled.is_alone and self._fit is Fit.EXACT and len(apart) > 1:
            return True
        if compiled.title is None or not compiled.titles_are_alone:
            return False
        return self._tree.n_with_text(self._find(compiled.title)) > 1

    def _is_of_another(self, compiled: CompiledPattern, title: TreeBlock | None) -> bool:
        """Whether the title is that of another page: a tag with one post shows it whole."""
        if title is None or not compiled.titles_are_own:
            return False
        tree = self._tree
        target = tree.target(title.href)
        return target is not None and target != page_of_link(tree.url, tree.metadata.canonical)

    def _is_sure(
        self, compiled: CompiledPattern, title: TreeBlock | None, found: Sequence[int]
    ) -> bool:
        """Whether a container that stands elsewhere is the only one, and the title, too, is what
        the page is called: lists have many like them."""
        if title is None or compiled.title is None or len(found) != 1:
            return False
        one_title = len(self._find(compiled.title)) == 1
        return one_title and says_same(title.text, self._name(compiled.affixes))

    def fitness(self, match: Match, has_name: bool) -> tuple[int, int, int]:
        """How well a pattern fits: whether its title is what the page is called (if `<title>` names
        the page at all, or the pattern says that headings do), how many pages taught it, and how
        many names it asks for."""
        compiled = match.compiled
        block = match.title_block
        if block and self._is_called(compiled, block):
            agrees = 2
        elif block is None or not has_name or self._tree.tags[block.element] in HEADINGS:
            agrees = 1
        else:
            agrees = 0
        return agrees, compiled.pattern.n_pages, compiled.specificity

    def _is_called(self, compiled: CompiledPattern, block: TreeBlock) -> bool:
        """Whether the block at the place of a pattern's title is what the page is called."""
        if compiled.titles_open_texts:
            return self._tree.heading(block) is not None
        return says_same(block.text, self._name(compiled.affixes))

    def _find(self, place: Locator) -> list[int]:
        if place not in self._elements:
            self._elements[place] = place.find(self._tree, self._fit)
        return self._elements[place]

    def _containers(self, compiled: CompiledPattern) -> list[int]:
        # Found loosely, `div.text.head` would be `div.text`, too.
        fit = Fit.EXACT if self._fit is Fit.LOOSE else self._fit
        apart = {e for place in compiled.apart for e in place.find(self._tree, fit)}
        return [e for e in self._find(compiled.main) if e not in apart]

    def _title_block(self, place: Locator, above: frozenset[str]) -> TreeBlock | None:
        if (place, above) not in self._titles:
            own = [b for e in self._find(place) for b in self._tree.inside(e) if b.element == e]
            may_be = [block for block in own if block.text not in above]
            # What is too long for a title is one only if nothing else stands there.
            short = (block for block in may_be if len(block.text) <= LONGEST_TITLE)
            self._titles[place, above] = next(short, may_be[0] if may_be else None)
        return self._titles[place, above]

    def _name(self, affixes: Affixes) -> str:
        """What the page is called, without what the site adds."""
        if affixes not in self._names:
            self._names[affixes] = affixes.strip(self._tree.metadata.title)
        return self._names[affixes]


def _title_text(tree: LayoutTree, block: TreeBlock, name: str | None) -> str:
    """The text of the title's block; without what stands before what the page is called, if that
    is signs only ("● Rain") or links to the pages above it: "Wiki / Tips / Rain"."""
    if name and block.text.endswith(name) and block.text != name:
        others = word_letters(block.text[: -len(name)])
        above = (piece.text for piece in block.pieces if tree.target(piece.href))
        if not others or others == word_letters("".join(above)):
            return name
    return block.text


def _block_that_says(tree: LayoutTree, match: Match) -> TreeBlock | None:
    """The block of the container that repeats a title known from `<title>` only, be it in other
    capitals."""
    if not match.title:
        return None
    inside, called = tree.inside(match.containers[0]), match.title.casefold()
    short = (block for block in inside if len(block.text) <= LONGEST_TITLE)
    return next((block for block in short if block.text.casefold() == called), None)


def _with_first_line(match: Match) -> Match:
    """The match as it is, or called by the first line of its text where nothing else names it."""
    body, nameless = match.body, match.compiled.nameless
    is_named = match.title is not None and match.title not in nameless
    if not nameless or is_named or len(body) < 2 or not may_open(body[0]):
        return match
    return replace(match, title=body[0].text, title_block=body[0], body=body[1:])


def _main_content(tree: LayoutTree, found: Sequence[int]) -> Iterator[int]:
    """Of the elements at the place of the main container the first of those that bear the fewest
    class names, for it asks for so many, and those that continue it: siblings with the same class
    names (sections that only ids tell apart)."""
    first = min(found, key=lambda element: len(_classes(tree, element)))
    parent, classes = tree.parents[first], _classes(tree, first)
    for element in found:
        if tree.parents[element] == parent and _classes(tree, element) == classes:
            yield element


def _classes(tree: LayoutTree, element: int) -> list[str]:
    return [name for name in tree.tokens[element] if name.startswith(".")]
