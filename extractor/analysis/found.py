"""What was found on a page so far: of each field the first value that is any."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from extractor.analysis.analysis import Field
from extractor.analysis.xpaths import Xpaths
from learner.page.tree import LayoutTree, TreeBlock
from learner.page.words import word_letters


class Found:
    """Fields of one page by name, and where the page shows them."""

    def __init__(self, tree: LayoutTree, xpaths: Xpaths) -> None:
        self.tree = tree
        self.xpaths = xpaths
        self.fields: dict[str, Field] = {}

    def add(
        self, name: str, value: Any, source: str, probability: float, element: int | None = None
    ) -> None:
        """Note a value, unless it is none or there is one already; `element` of the layout tree
        shows it."""
        if value and name not in self.fields:
            xpath = self.xpaths.of_element(element)
            self.fields[name] = Field(
                value=value, source=source, probability=round(probability, 4), xpath=xpath
            )

    def value(self, name: str) -> Any:
        """That of a field; None if it is not known."""
        return self.fields[name].value if name in self.fields else None

    def block_of(self, text: str) -> TreeBlock | None:
        """The block that says exactly a text, its letters compared; else the first in which it
        stands as it is."""
        letters = word_letters(text)
        if not letters:
            return None
        if letters in self._by_letters:
            return self._by_letters[letters]
        return next((block for block in self.tree.blocks if text in block.text), None)

    @cached_property
    def _by_letters(self) -> dict[str, TreeBlock]:
        """The first block that says each text."""
        blocks: dict[str, TreeBlock] = {}
        for block in self.tree.blocks:
            blocks.setdefault(word_letters(block.text), block)
        return blocks
