"""What stands below each element of a page, summed up.

All sums are differences of running sums in document order: a page costs one pass, however deep its
elements are nested.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from learner.dom.characters import DIGIT, ENDING, PAUSE
from learner.vision.candidates.texts import LANDMARKS, PageTexts
from learner.vision.snapshots.arrays import Ints

TOTALS = (
    "letters", "linked", "running", "main_font", "in_landmarks", "repeated", "digits", "endings",
    "pauses", "blocks", "text_area", "picture_area", "controls", "headings", "paragraphs", "links",
    "items", "times", "landmarks", "articles", "title",
)  # fmt: skip
"""What is summed up: letters, by what they are like; signs; blocks with text; areas of text boxes
and pictures in square pixels; elements; and whether the title is there."""

_ELEMENTS = {
    "controls": ("input", "select", "textarea", "button"),
    "headings": ("h1", "h2", "h3", "h4", "h5", "h6"),
    "paragraphs": ("p",),
    "links": ("a",),
    "items": ("li",),
    "times": ("time",),
    "landmarks": LANDMARKS,
    "articles": ("article",),
}
"""Totals that count visible elements -> their names."""

_PICTURES = ("img", "svg", "video", "canvas", "iframe")

Table = NDArray[np.float64]


class Totals:
    """The totals of one page; tables have a column for each of `TOTALS`."""

    def __init__(self, texts: PageTexts) -> None:
        self._texts, self._page = texts, texts.page

    def below(self, nodes: Ints) -> Table:
        """(n, len(TOTALS)) Of the subtree of each node."""
        found: Table = self._before[self._page.end[nodes]] - self._before[nodes]
        return found

    def before(self, nodes: Ints) -> Table:
        """(n, len(TOTALS)) Of all that stands before each node."""
        found: Table = self._before[nodes]
        return found

    @property
    def of_page(self) -> Table:
        """(len(TOTALS),) Of the whole page."""
        found: Table = self._before[-1]
        return found

    @cached_property
    def _before(self) -> Table:
        table = np.zeros((len(self._page) + 1, len(TOTALS)))
        np.cumsum(self._own, axis=0, out=table[1:])
        return table

    @cached_property
    def _own(self) -> Table:
        """(nodes, len(TOTALS)) What each node adds."""
        page, texts = self._page, self._texts
        table = np.zeros((len(page), len(TOTALS)))
        column = {name: table[:, number] for number, name in enumerate(TOTALS)}
        running = texts.letters * texts.is_running
        for name, values in (
            ("letters", texts.letters),
            ("linked", texts.letters * texts.is_linked),
            ("running", running),
            ("main_font", running * texts.is_main_font),
            ("in_landmarks", texts.letters * texts.in_landmarks),
            ("repeated", running * texts.is_repeated),
            ("digits", texts.characters[:, DIGIT]),
            ("endings", texts.characters[:, ENDING]),
            ("pauses", texts.characters[:, PAUSE]),
        ):
            column[name][texts.nodes] = values
        column["blocks"][page.block_level[texts.nodes]] = 1
        np.add.at(column["text_area"], page.text_node, page.text_box[:, 2:].prod(axis=1))
        pictures = page.is_visible & page.is_tag(*_PICTURES)
        column["picture_area"][pictures] = page.area[pictures]
        for name, tags in _ELEMENTS.items():
            column[name][page.is_visible & page.is_tag(*tags)] = 1
        if texts.title is not None:
            column["title"][texts.title] = 1
        return table
