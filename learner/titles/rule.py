"""The learned rule of a layout's titles: where a page says what it is called, and how."""

from __future__ import annotations

from dataclasses import dataclass

from learner.page.locators import FoundPlaces, Locator
from learner.page.page_keys import page_of_link
from learner.page.tree import LayoutTree, TreeBlock
from learner.page.words import clean_text, word_letters
from learner.titles.names import (
    LONGEST_TITLE,
    n_title_lines,
    says_same,
    without_day,
)

_PARTING = (":", "：", "|", "｜")
"""Signs behind what stands before a title, the section mostly."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TitleRule:
    """Where the pages of a layout say what they are called. What `<title>` calls a page (`name`) is
    always given without what the site adds to it."""

    place: Locator | None
    """The element of the title; None if only `<title>` tells it."""
    above: frozenset[str] = frozenset()
    """The texts at that place that are none, mostly the site's frame."""
    is_own: bool = False
    """Whether no title of the pages that taught it leads to another page."""
    is_alone: bool = True
    """Whether nothing else stands at its place on these pages."""
    is_dated: bool = False
    """Whether their titles bear a day or a clock before them."""
    is_part: bool = False
    """Whether `<title>` names them by some of the inline parts of the block alone: beside these
    stands a kicker, or a button."""
    opens_text: bool = False
    """Whether they are called by the headings that their texts open with, whatever `<title>`
    says."""

    def find(self, places: FoundPlaces) -> TreeBlock | None:
        """The block of a page at the place of the title; None if it has none there."""
        if self.place is None:
            return None
        tree = places.tree
        own = [b for e in places.at(self.place) for b in tree.inside(e) if b.element == e]
        may_be = [block for block in own if block.text not in self.above]
        # What is too long for a title is one only if nothing else stands there.
        short = (block for block in may_be if len(block.text) <= LONGEST_TITLE)
        return next(short, may_be[0] if may_be else None)

    def read(self, tree: LayoutTree, block: TreeBlock | None, name: str) -> tuple[str | None, int]:
        """What a page is called, given the block at the place of its title, and how many blocks
        say so."""
        called = name or None
        n_lines = n_title_lines(tree, block, called) if block and called else 1
        title = self._text(tree, block, called) if block and n_lines == 1 else called
        return without_day(title) if title and self.is_dated else title, n_lines

    def _text(self, tree: LayoutTree, block: TreeBlock, name: str | None) -> str:
        """The text of the title's block; without what stands before what the page is called, if
        that is signs only ("● Rain") or links to the pages above it: "Wiki / Tips / Rain"."""
        if name and block.text.endswith(name) and block.text != name:
            others = word_letters(block.text[: -len(name)])
            above = (piece.text for piece in block.pieces if tree.target(piece.href))
            if not others or others == word_letters("".join(above)):
                return name
        if name and self.is_part:
            return title_part(block, name) or block.text
        return block.text

    def is_of_another(self, tree: LayoutTree, block: TreeBlock | None) -> bool:
        """Whether the title is that of another page: a tag with one post shows it whole."""
        if block is None or not self.is_own:
            return False
        target = tree.target(block.href)
        return target is not None and target != page_of_link(tree.url, tree.metadata.canonical)

    def says_name(self, tree: LayoutTree, block: TreeBlock, name: str) -> bool:
        """Whether the block at the place of the title is what the page is called."""
        if self.opens_text:
            return tree.heading(block) is not None
        return says_same(block.text, name)


def title_part(block: TreeBlock, name: str) -> str | None:
    """What the page is called, if the inline parts at one end of its title's block say just that,
    or what stands behind a colon or line in it.

    >>> from learner.page.lines import Line
    >>> block = TreeBlock(0, 0, Line("<b>News</b> Rain <i>again</i>"))
    >>> title_part(block, "Rain again"), title_part(block, "again"), title_part(block, "Snow")
    ('Rain again', 'again', None)
    >>> title_part(TreeBlock(0, 0, Line("News: Rain")), "Rain")
    'Rain'
    """
    before = block.text.removesuffix(name)
    if len(before) < len(block.text) and before.rstrip().endswith(_PARTING):
        return name
    texts = [clean_text(piece.text) for piece in block.pieces]
    ends = (texts[:n] for n in range(1, len(texts))), (texts[n:] for n in range(1, len(texts)))
    said = ("".join(word_letters(text) for text in part) for end in ends for part in end)
    wanted = word_letters(name)
    return name if wanted and wanted in said else None
