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
        self,
        name: str,
        value: Any,
        source: str,
        probability: float,
        element: int | None = None,
        xpath: str | None = None,
    ) -> None:
        """Note a value, unless it is none or there is one already. It stands at `xpath`, or else in
        this element of the layout tree."""
        if value and name not in self.fields:
            xpath = xpath or self.xpaths.of_element(element)
            self.fields[name] = Field(
                value=value, source=source, probability=round(probability, 4), xpath=xpath
            )

    def value(self, name: str) -> Any:
        """That of a field; None if it is not known."""
        return self.fields[name].value if name in self.fields else None

    def block_of(self, text: str) -> TreeBlock | None:
        """The block that says a text and nothing else, or the first in which it stands."""
        if not word_letters(text):
            return None
        inside = (block for block in self.tree.blocks if text in block.text)
        return self.block_saying(text) or next(inside, None)

    def block_saying(self, text: str) -> TreeBlock | None:
        """The first block that says a text and nothing else, letters and digits compared."""
        return self._by_letters.get(word_letters(text)) if text else None

    @cached_property
    def _by_letters(self) -> dict[str, TreeBlock]:
        """The first block that says each text."""
        blocks: dict[str, TreeBlock] = {}
        for block in self.tree.blocks:
            blocks.setdefault(word_letters(block.text), block)
        return blocks
