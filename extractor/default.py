"""The default preset's match: which pattern a page fits, and its title and main content."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from learner.headlines import Affixes
from learner.locators import Locator
from learner.patterns import Kind, Pattern, PatternSet, Role
from learner.tree import LayoutTree, TreeBlock
from learner.trimming import text_blocks
from learner.witnesses import Witnesses


@dataclass(frozen=True)
class CompiledPattern:
    """A pattern made ready to match."""

    pattern: Pattern

    @cached_property
    def title(self) -> Locator:
        return Locator.parse(self.pattern.sections[0].path)

    @cached_property
    def main(self) -> Locator:
        return Locator.parse(self.pattern.sections[1].path)

    @cached_property
    def trimmed(self) -> list[Locator]:
        return [Locator.parse(section.path) for section in self.pattern.sections[2:]]

    @cached_property
    def recurring(self) -> frozenset[str]:
        return frozenset(self.pattern.param("recurring", ()))

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
        return sum(len(names) for _, names in (*self.title.steps, *self.main.steps))


@dataclass(frozen=True, slots=True)
class Match:
    """A pattern that fits a page."""

    compiled: CompiledPattern
    title: TreeBlock
    container: int

    def body(self, tree: LayoutTree) -> list[TreeBlock]:
        c = self.compiled
        return text_blocks(tree, self.container, self.title, c.trimmed, c.recurring)


@lru_cache(maxsize=64)
def compile_patterns(patterns: PatternSet) -> tuple[CompiledPattern, ...]:
    return tuple(CompiledPattern(pattern) for pattern in patterns)


def fitting(tree: LayoutTree, patterns: PatternSet) -> Iterator[Match]:
    """The article patterns whose title and container the page has."""
    for compiled in compile_patterns(patterns):
        if compiled.pattern.kind is not Kind.ARTICLE:
            continue
        title = _title(tree, compiled.title)
        if title is None:
            continue
        containers = compiled.main.find(tree)
        if containers:
            yield Match(compiled, title, containers[0])


def _title(tree: LayoutTree, locator: Locator) -> TreeBlock | None:
    for element in locator.find(tree):
        for block in tree.inside(element):
            if block.element == element:
                return block
    return None


def match_default(tree: LayoutTree, patterns: PatternSet) -> tuple[Match | None, float]:
    """The best fitting article pattern and the witnesses' evidence for a list."""
    found = list(fitting(tree, patterns))
    if not found:
        return None, 0.0
    best = max(found, key=lambda m: (m.compiled.specificity, m.compiled.pattern.n_pages))
    return best, best.compiled.witnesses.testify(tree.skeleton())
