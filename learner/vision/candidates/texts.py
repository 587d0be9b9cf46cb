"""The texts that a page shows, and what each of them is like."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from learner.dom.characters import (
    DIGIT,
    LETTER,
    N_CLASSES,
    UNPARTED_LETTER,
    UPPER,
    count_characters,
    letters_of,
)
from learner.vision.snapshots.arrays import Bools, Floats, Ints
from learner.vision.snapshots.nodes import ELEMENT, TEXT
from learner.vision.snapshots.snapshot import Snapshot

LANDMARKS = ("nav", "header", "footer", "aside", "form")
"""Elements that hold what stands beside a text."""

LEAST_LINES = 2
"""Lines from which on a block is running text. Origin: guess; menus and captions have one."""

LEAST_ALIKE = 3
"""Siblings from which on what looks alike is a list of comments or teasers. Origin: guess."""

LEAST_NODES = 6
"""Nodes of each of them. Origin: guess; a paragraph has fewer."""


class PageTexts:
    """The `m` visible texts of a page, in document order."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.page = snapshot
        shown = np.flatnonzero((snapshot.node_type == TEXT) & snapshot.is_visible).tolist()
        drawn = [(node, text) for node in shown if (text := snapshot.drawn_text(node)).strip()]
        self.nodes: Ints = np.array([node for node, _ in drawn], np.int32)
        self.strings = [text for _, text in drawn]

    @cached_property
    def characters(self) -> Floats:
        """(m, N_CLASSES) How many characters of each class each text has."""
        if not self.strings:
            return np.zeros((0, N_CLASSES), np.float32)
        return count_characters(self.strings)[0]

    @cached_property
    def letters(self) -> Floats:
        """(m,) Letters and digits of each text."""
        found: Floats = self.characters[:, [LETTER, UPPER, DIGIT, UNPARTED_LETTER]].sum(axis=1)
        return found

    @cached_property
    def is_linked(self) -> Bools:
        """(m,) Whether a text is what one clicks at."""
        return self.inside("a", "button", "option", "label")[self.nodes]

    @cached_property
    def in_landmarks(self) -> Bools:
        """(m,) Whether a text stands in one of `LANDMARKS`."""
        return self.inside(*LANDMARKS)[self.nodes]

    @cached_property
    def is_running(self) -> Bools:
        """(m,) Whether a text is of a block of several lines that is not made of links."""
        block = self.page.block_level[self.nodes]
        total, linked = np.zeros((2, len(self.page)))
        np.add.at(total, block, self.letters)
        np.add.at(linked, block, self.letters * self.is_linked)
        found: Bools = (self._has_lines & (linked < total / 2))[block]
        return found

    @cached_property
    def _has_lines(self) -> Bools:
        """(nodes,) Whether the text boxes of a block are some lines high."""
        page = self.page
        owner, (_, top, _, height) = page.block_level[page.text_node], page.text_box.T
        lowest, line = np.full((2, len(page)), np.inf)
        highest = np.zeros(len(page))
        np.minimum.at(lowest, owner, top)
        np.maximum.at(highest, owner, top + height)
        np.minimum.at(line, owner, height)
        found: Bools = highest - lowest >= LEAST_LINES * line
        return found

    @cached_property
    def is_main_font(self) -> Bools:
        """(m,) Whether a text is as large as most running text of the page."""
        known, places = np.unique(self._font_sizes, return_inverse=True)
        if not len(known):
            return np.zeros(0, bool)
        found: Bools = places == np.bincount(places, self.letters * self.is_running).argmax()
        return found

    @cached_property
    def is_repeated(self) -> Bools:
        """(m,) Whether a text stands in one of several siblings with the same tag and the same
        classes, as comments and teasers do."""
        page = self.page
        n_below = page.end - np.arange(len(page))
        elements = (page.node_type == ELEMENT) & page.has_box & (n_below >= LEAST_NODES)
        alike: dict[tuple[int, str, str], list[int]] = {}
        for node in np.flatnonzero(elements).tolist():
            classes = page.attributes(node).get("class", "")
            alike.setdefault((int(page.parent[node]), page.tags[node], classes), []).append(node)
        repeated = [node for same in alike.values() if len(same) >= LEAST_ALIKE for node in same]
        return self._below(repeated)[self.nodes]

    @cached_property
    def title(self) -> int | None:
        """The node of the largest text that the title element says, too; None if none is."""
        said = letters_of(self.page.title)
        sizes = self._font_sizes.tolist()
        found = [
            (size, -node)
            for text, size, node in zip(self.strings, sizes, self.nodes.tolist(), strict=True)
            if len(own := letters_of(text)) > 1 and own in said
        ]
        return -max(found)[1] if found else None

    @cached_property
    def _font_sizes(self) -> Floats:
        return np.nan_to_num(self.page.pixels("font-size"))[self.nodes]

    def inside(self, *names: str) -> Bools:
        """(nodes,) Whether a node is an element of one of these names, or below one."""
        return self._below(np.flatnonzero(self.page.is_tag(*names)).tolist())

    def _below(self, nodes: Iterable[int]) -> Bools:
        """(nodes,) Whether a node is one of these, or below one."""
        chosen = np.fromiter(nodes, np.int64)
        steps: NDArray[np.int64] = np.zeros(len(self.page) + 1, np.int64)
        np.add.at(steps, chosen, 1)
        np.add.at(steps, self.page.end[chosen], -1)
        found: Bools = steps[:-1].cumsum() > 0
        return found
