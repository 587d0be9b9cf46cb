"""The few elements by which a text is told: those that hold it, and those in them that are none of
it."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from itertools import accumulate

from learner.page.tree import LayoutTree, TreeBlock

LEAST_SHARE = 0.5
"""Share of the letters of an element that must be of the text where other text stands in lines of
the same element, so that no element holds the text alone. Origin: guess, the greater part."""


MOST_WRONG = 0.02
"""Letters beside the text, as a share of its own, that may stand in its box without an element of
their own, so that one box does in place of fifty. Origin: measured, see docs/decisions.md."""


@dataclass(frozen=True, slots=True)
class Extents:
    """Elements of a layout tree, in document order."""

    inside: tuple[int, ...]
    """They hold the text."""
    outside: tuple[int, ...] = ()
    """They stand in one of these, and hold none of it."""

    def __len__(self) -> int:
        return len(self.inside) + len(self.outside)


def extents_of(
    tree: LayoutTree, wanted: Sequence[TreeBlock], allowed: Sequence[TreeBlock] = ()
) -> Extents:
    """The fewest elements that tell which blocks are wanted; allowed ones may stand beside them.

    Either each element of the text, or the one around all of it with what else stands there.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.page.tree import build_tree
    >>> html = "<div><h1>T</h1><p>One</p><p>Two</p><ul><li>Share</ul><p>Three</p><p>Four</p></div>"
    >>> tree = build_tree(parse(html))
    >>> rest = [tree.blocks[n] for n in (1, 2, 4, 5)]
    >>> found = extents_of(tree, rest, tree.blocks[:1])
    >>> [[tree.tags[e] for e in each] for each in (found.inside, found.outside)]
    [['div'], ['li']]
    """
    if not wanted:
        return Extents(())
    fine = {block.index for block in (*wanted, *allowed)}
    parts = Extents(tuple(_with_mixed(tree, wanted, fine)))
    whole = _around(tree, wanted, fine)
    return whole if whole is not None and len(whole) < len(parts) else parts


def _around(tree: LayoutTree, wanted: Sequence[TreeBlock], fine: Set[int]) -> Extents | None:
    """The innermost element around all that is wanted, and the elements in it that hold nothing
    fine; None if much is left that these do not hold."""
    first, last = wanted[0], wanted[-1]
    holder = next(e for e in tree.ancestors(first.element) if tree.ends[e] > last.index)
    others = {block.index for block in tree.inside(holder)} - fine
    holes = _pure(tree, others, others)
    held = {index for e in holes for index in range(tree.starts[e], tree.ends[e])}
    wrong = sum(tree.blocks[index].weight for index in others - held)
    is_right = wrong <= MOST_WRONG * sum(block.weight for block in wanted)
    return Extents((holder,), tuple(holes)) if is_right else None


def _with_mixed(tree: LayoutTree, wanted: Sequence[TreeBlock], fine: Set[int]) -> list[int]:
    """The elements that hold nothing but what is fine; of a block beside whose lines others stand
    in the same element that, if most of it is fine."""
    found = _pure(tree, {block.index for block in wanted}, fine)
    held = {index for e in found for index in range(tree.starts[e], tree.ends[e])}
    left = {block.element for block in wanted if block.index not in held}
    mixed = {element for element in left if _is_mostly(tree, element, fine)}
    alone = [e for e in found if not mixed & {*tree.ancestors(e)}]
    outermost = [e for e in mixed if not mixed & {*tree.ancestors(tree.parents[e])}]
    return sorted([*alone, *outermost])


def _pure(tree: LayoutTree, ours: Set[int], fine: Set[int]) -> list[int]:
    """The fewest elements that hold our blocks and nothing but fine ones, each the innermost that
    holds as many."""
    n_ours = list(accumulate((block.index in ours for block in tree.blocks), initial=0))
    n_fine = list(accumulate((block.index in fine for block in tree.blocks), initial=0))
    found: list[int] = []
    covered = 0
    for e, (start, end) in enumerate(zip(tree.starts, tree.ends, strict=True)):
        is_pure = n_fine[end] - n_fine[start] == end - start
        if start >= covered and is_pure and n_ours[end] > n_ours[start]:
            found.append(_innermost(tree, e, n_ours))
            covered = end
    return found


def _innermost(tree: LayoutTree, element: int, n_ours: Sequence[int]) -> int:
    """The last element below that holds as many of our blocks."""
    wanted = n_ours[tree.ends[element]] - n_ours[tree.starts[element]]
    best = element
    for below in tree.descendants(element):
        if n_ours[tree.ends[below]] - n_ours[tree.starts[below]] == wanted:
            best = below
    return best


def _is_mostly(tree: LayoutTree, element: int, fine: Set[int]) -> bool:
    inside = tree.inside(element)
    weight = sum(block.weight for block in inside if block.index in fine)
    return weight >= LEAST_SHARE * sum(block.weight for block in inside)
