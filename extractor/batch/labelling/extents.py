"""The elements that hold a text and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from learner.page.tree import LayoutTree, TreeBlock

LEAST_SHARE = 0.5
"""Share of the letters of an element that must be of the text where other text stands in lines of
the same element, so that no element holds the text alone. Origin: guess, the greater part."""


def covering(
    tree: LayoutTree, wanted: Sequence[TreeBlock], allowed: Sequence[TreeBlock] = ()
) -> list[int]:
    """The fewest elements that hold only wanted blocks and, beside them, allowed ones, each the
    innermost that holds so much of the text; in document order. A block beside whose lines others
    stand in the same element is covered by that, if most of it is wanted.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.page.tree import build_tree
    >>> html = "<div><h1>T</h1><p>One</p><p>Two</p></div><div><p>Three</p><p>More</p></div>"
    >>> tree = build_tree(parse(html))
    >>> [tree.tags[e] for e in covering(tree, tree.blocks[1:4], tree.blocks[:1])]
    ['div', 'p']
    """
    ours = {block.index for block in wanted}
    fine = ours | {block.index for block in allowed}
    n_ours = _sums([block.index in ours for block in tree.blocks])
    n_fine = _sums([block.index in fine for block in tree.blocks])
    found: list[int] = []
    covered = 0
    for e, (start, end) in enumerate(zip(tree.starts, tree.ends, strict=True)):
        is_pure = n_fine[end] - n_fine[start] == end - start
        if start >= covered and is_pure and n_ours[end] > n_ours[start]:
            found.append(_innermost(tree, e, n_ours))
            covered = end
    held = {index for e in found for index in range(tree.starts[e], tree.ends[e])}
    left = [block for block in wanted if block.index not in held]
    mixed = {block.element for block in left if _is_mostly(tree, block.element, fine)}
    inner = [e for e in found if not mixed & {*tree.ancestors(e)}]
    return sorted([*inner, *_outermost(tree, mixed)])


def _innermost(tree: LayoutTree, element: int, n_ours: Sequence[int]) -> int:
    """The last element below that holds as many of our blocks."""
    end = tree.ends[element]
    wanted = n_ours[end] - n_ours[tree.starts[element]]
    best = element
    for below in tree.descendants(element):
        start, end = tree.starts[below], tree.ends[below]
        if n_ours[end] - n_ours[start] == wanted:
            best = below
    return best


def _sums(flags: Sequence[bool]) -> list[int]:
    return list(accumulate(flags, initial=0))


def _is_mostly(tree: LayoutTree, element: int, fine: set[int]) -> bool:
    inside = tree.inside(element)
    weight = sum(block.weight for block in inside if block.index in fine)
    return weight >= LEAST_SHARE * sum(block.weight for block in inside)


def _outermost(tree: LayoutTree, elements: set[int]) -> list[int]:
    return [e for e in elements if not elements & {*tree.ancestors(tree.parents[e])}]
