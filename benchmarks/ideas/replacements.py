"""What takes the place of a function or constant when the idea that it holds is switched off."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from benchmarks.ideas.switches import Change
from learner.page.extent import Extent
from learner.page.tree import HEADINGS, LayoutTree
from learner.site.page_features import Skeletons
from learner.titles.names import says_same


def constant(value: Any) -> Change:
    """Another value."""
    return lambda _: value


def answer(value: Any) -> Change:
    """A function that always gives the same."""
    return lambda _: lambda *arguments, **named: value


def without_reason(reason: str) -> Change:
    """A trimming that never finds this reason."""

    def change(original: Callable[..., str | None]) -> Callable[..., str | None]:
        def reason_of(*arguments: Any) -> str | None:
            found = original(*arguments)
            return None if found == reason else found

        return reason_of

    return change


def without_coefficient(name: str) -> Change:
    """Coefficients of which one is 0."""
    return lambda coefficients: replace(coefficients, **{name: 0.0})


def own_evidence(_: Any) -> Callable[..., Any]:
    """Each page judged by itself."""
    return lambda evidence, skeletons, places: list(evidence)


def first_title(_: Any) -> Callable[..., list[str]]:
    """Pages called by `<title>` and anchor texts only."""

    def names(tree: LayoutTree, affixes: Any, anchor_texts: Sequence[str]) -> list[str]:
        called = [affixes.strip(tree.metadata.title), *anchor_texts]
        return [name for name in dict.fromkeys(called) if name]

    return names


def own_text_evidence(_: Any) -> Callable[..., float]:
    """Clusters by what their pages are by themselves."""
    return lambda measures, trees: float(measures.evidence)


def equal_weights(original: Callable[..., None]) -> Callable[..., None]:
    """Skeletons whose features all count the same."""

    def init(self: Skeletons, *arguments: Any) -> None:
        original(self, *arguments)
        self.weights = self.weights * 0 + 1

    return init


def own_cluster(_: Any) -> Callable[..., list[list[int]]]:
    """Every page a cluster of its own."""
    return lambda self, *arguments: [[page] for page in range(len(self.rows))]


def first_container(_: Any) -> Callable[..., list[int]]:
    """The first element at the place of the main container, whatever continues it."""
    return lambda tree, found: [found[0]]


def unchanged_text(_: Any) -> Callable[..., str]:
    """Texts with the page's own facts in them."""
    return lambda self, line: line.text


def linked_text(_: Any) -> Callable[..., str]:
    """Texts with the words of their links in them."""
    return lambda self, leads: self.text


def own_place(_: Any) -> Callable[..., int]:
    """Rows that a template tells apart are of different kinds."""
    return lambda self, signature: signature


def innermost(_: Any) -> Callable[..., Any]:
    """The deepest of equal containers."""
    return lambda container, signatures: container


def bare_heading(_: Any) -> Callable[..., int | None]:
    """Only what stands in a heading itself."""
    return lambda tree, block: block.element if tree.tags[block.element] in HEADINGS else None


def answer_text(_: Any) -> Callable[..., Any]:
    """The text as it was found."""
    return lambda tree, top, body: body


def own_parent(_: Any) -> Callable[..., int]:
    """Items are those that stand in one element."""
    return lambda tree, element: tree.parents[element]


def to_container_end(_: Any) -> Callable[..., Extent]:
    """Bylines at the end of the container only, whatever follows the text in it."""
    return lambda tree, container, body: Extent(
        tree.starts[container], tree.ends[container], tree.ends[container]
    )


def without_frame(original: Callable[..., bool]) -> Callable[..., bool]:
    """Titles only where they are the first block of their place."""
    return lambda block, names, frame, threshold: original(block, names, frozenset(), threshold)


def whole_title(_: Any) -> Callable[..., str]:
    """Titles with the signs and the links to the pages above on them."""
    return lambda self, tree, block, name: block.text


def says_title(_: Any) -> Callable[..., bool]:
    """Only what `<title>` says is what the page is called."""
    return lambda self, tree, block, name: says_same(block.text, name)


def any_name(_: Any) -> Callable[..., list[str]]:
    """Names that no block of the page repeats among them."""
    return lambda tree, names, frame, threshold: names


def unchanged_title(_: Any) -> Callable[..., str]:
    """Titles with the site's affixes on them."""
    return lambda self, title: title
