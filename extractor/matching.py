"""Matching by the default preset: which pattern a page fits, and where its title and text are."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from learner.bylines import Byline
from learner.headlines import Affixes, says_same
from learner.kinds import body_evidence
from learner.locators import Locator
from learner.patterns import Kind, Pattern, PatternSet, Role
from learner.tree import HEADINGS, LayoutTree, TreeBlock
from learner.trimming import text_blocks
from learner.witnesses import Witnesses


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
    def recurring(self) -> frozenset[str]:
        return frozenset(self.pattern.param("recurring", ()))

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
    container: int
    """The element of the main content."""
    body: tuple[TreeBlock, ...] = ()
    """The blocks of the main content."""
    loose: bool = False
    """Whether some names that the pattern asks for are missing."""
    evidence: float = 0.0
    """How much the page's frame speaks for a list (above 0) or an article (below 0)."""

    @property
    def is_list(self) -> bool:
        return self.evidence > 0

    @property
    def score(self) -> float:
        """How much the page's frame is that of an article, 0 to 1."""
        return round(1 / (1 + math.exp(self.evidence)), 4)

    def find_body(self, tree: LayoutTree) -> list[TreeBlock]:
        """The blocks of the main content, of a match that has not got them yet."""
        c = self.compiled
        return text_blocks(
            tree, self.container, self.title_block, c.trimmed, c.recurring, self.loose
        )


@lru_cache(maxsize=64)
def compile_patterns(patterns: PatternSet) -> tuple[CompiledPattern, ...]:
    return tuple(CompiledPattern(pattern) for pattern in patterns)


def match_page(tree: LayoutTree, patterns: PatternSet) -> Match | None:
    """The article pattern that fits the page best; None if the page has the places of none."""
    found = list(_fitting(tree, patterns, loose=False))
    if not found:
        found = list(_fitting(tree, patterns, loose=True))
    if not found:
        return None
    best = max(found, key=lambda match: _fitness(tree, match))
    if best.title_block is None:
        best = replace(best, title_block=_block_that_says(tree, best))
    body = tuple(best.find_body(tree))
    frame = best.compiled.witnesses.testify(tree.skeleton())
    return replace(best, body=body, evidence=frame + body_evidence(tree, body))


def is_like_lists(tree: LayoutTree, patterns: PatternSet) -> bool:
    """Whether the frame of a page that no article pattern fits is that of the site's lists."""
    for compiled in compile_patterns(patterns):
        return compiled.witnesses.testify(tree.skeleton()) > 0
    return False


def _fitting(tree: LayoutTree, patterns: PatternSet, loose: bool) -> Iterator[Match]:
    for compiled in compile_patterns(patterns):
        if compiled.pattern.kind is not Kind.ARTICLE:
            continue
        block = None
        if compiled.title:
            block = _title_block(tree, compiled.title, loose)
            if block is None:
                continue
        containers = compiled.main.find(tree, loose)
        if containers:
            title = block.text if block else compiled.affixes.strip(tree.metadata.title) or None
            yield Match(compiled, title, block, containers[0], loose=loose)


def _title_block(tree: LayoutTree, locator: Locator, loose: bool) -> TreeBlock | None:
    for element in locator.find(tree, loose):
        for block in tree.inside(element):
            if block.element == element:
                return block
    return None


def _block_that_says(tree: LayoutTree, match: Match) -> TreeBlock | None:
    """The block of the container that repeats a title known from `<title>` only."""
    return next((b for b in tree.inside(match.container) if b.text == match.title), None)


def _fitness(tree: LayoutTree, match: Match) -> tuple[int, int, int]:
    """How well a pattern fits: whether its title is what the page is called, how many pages taught
    it, and how many names it asks for."""
    compiled = match.compiled
    called = compiled.affixes.strip(tree.metadata.title)
    block = match.title_block
    if block and says_same(block.text, called):
        agrees = 2
    elif block is None or tree.tags[block.element] in HEADINGS:
        agrees = 1
    else:
        agrees = 0
    return agrees, compiled.pattern.n_pages, compiled.specificity
