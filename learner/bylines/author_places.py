"""The place of an author: where a page names him, and how his names are read there.

Which places are learned is told in `learner.bylines.authors`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import islice

from learner.bylines.fields import (
    MOST_WORDS,
    WORD_SIGN,
    contains,
    cut_fields,
    is_name,
    is_prose,
    lead_above,
    pieces_of,
    split_names,
)
from learner.page.calendars.shown import byline_text
from learner.page.locators import Locator
from learner.page.said.names import part_names
from learner.page.tree import LayoutTree, TreeBlock

LISTS = frozenset({"ul", "ol", "dl"})
"""Tags of lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorPlace:
    """Where a page names its author."""

    locator: Locator
    """The block-level element."""
    lead: str = ""
    """The fixed word before the name."""
    label: str = ""
    """The inline element around it."""
    fixed: tuple[str, ...] = ()
    """Words that stand there on nearly all pages and are part of no name."""
    name: str = ""
    """The name itself, if it is the same on all pages; it need only stand there."""
    dated: bool = False
    """Whether it stands in the block of the date, where the element holds the text, too."""
    several: bool = False
    """Whether the elements at this place after the first, in the same list, name authors too."""
    joints: tuple[str, ...] = ()
    """The words between two names: `and`."""
    titled: bool = False
    """Whether what follows the first name says what he is: `Ann Lee, Chief Critic`."""

    def read(
        self,
        tree: LayoutTree,
        near: Iterable[TreeBlock],
        dates_of: Callable[[TreeBlock], list[str]],
    ) -> tuple[list[str], TreeBlock] | None:
        """The names there and the block that has them, if any; `near` are the blocks that may be a
        byline, `dates_of` gives the texts of the dates in one."""
        here = set(self.locator.find(tree))
        for block in near:
            if block.element not in here:
                continue
            if self.name:
                if contains(byline_text(block), self.name):
                    return [self.name], block
                continue
            names = self._names_in(tree, block, dates_of, (self.lead,))
            if names and self.several:
                names += self._names_beside(tree, block, here, dates_of)
            if names:
                parts = [part for name in names for part in split_names(name, self.joints)]
                language = tree.metadata.language
                return [each for part in parts for each in _joined(part, language)], block
        return None

    def _names_in(
        self,
        tree: LayoutTree,
        block: TreeBlock,
        dates_of: Callable[[TreeBlock], list[str]],
        leads: Sequence[str],
    ) -> list[str]:
        """The names in a block, before which one of these words stands."""
        above = word_above(tree, block)
        fields = cut_fields(pieces_of(block), frozenset(self.fixed), dates_of(block), above)
        told = self.label.endswith("@author")
        fields = [f for f in fields if f.lead in leads and is_name(f.text, MOST_WORDS * 3, told)]
        names = [each.text for each in fields if each.label == self.label]
        names = names[:1] if self.titled else names
        if not names and len(fields) == 1 and WORD_SIGN.search(self.lead):
            # "By Ann" where others are linked; prose has such a word again and again.
            names = [each.text for each in fields if not is_prose(each.text)]
        return names

    def _names_beside(
        self,
        tree: LayoutTree,
        first: TreeBlock,
        here: set[int],
        dates_of: Callable[[TreeBlock], list[str]],
    ) -> list[str]:
        """The names in the elements after the first one, if each names one. The word before the
        first need not stand before them; what the author above them is called may."""
        items = list(_items_after(tree, first.element, here))
        named = [self._names_of_item(tree, item, dates_of) for item in items]
        return [name for names in named for name in names] if all(named) else []

    def _names_of_item(
        self, tree: LayoutTree, item: int, dates_of: Callable[[TreeBlock], list[str]]
    ) -> list[str]:
        block = next((b for b in tree.inside(item) if b.element == item), None)
        if block is None:
            return []
        return self._names_in(tree, block, dates_of, (self.lead, "", word_above(tree, block)))


def _joined(name: str, language: str) -> list[str]:
    """The names that the word of a language joins; a comma in a link joins none."""
    return [name] if "," in name else part_names(name, language)


def _items_after(tree: LayoutTree, first: int, here: Set[int]) -> Iterator[int]:
    """Of the elements at a place those after the first that are items of the same list."""
    parent = _parent_of_item(tree, first)
    for element in sorted(here):
        if element > first and _parent_of_item(tree, element) == parent:
            yield element


def _parent_of_item(tree: LayoutTree, element: int) -> int:
    """The list that an element is an item of, itself or in a box of its own; or else the first of
    what is around it that has more text."""
    # Counted, not copied: a page may have ten thousand items.
    n_blocks = tree.ends[element] - tree.starts[element]
    for each in islice(tree.ancestors(element), 1, None):
        if tree.tags[each] in LISTS or tree.ends[each] - tree.starts[each] > n_blocks:
            return each
    return 0


def word_above(tree: LayoutTree, block: TreeBlock) -> str:
    """The word above a block that leads to an author; of an item that above its list."""
    parent = _parent_of_item(tree, block.element)
    first = tree.blocks[tree.starts[parent]] if tree.tags[parent] in LISTS else block
    return lead_above(tree, first)
