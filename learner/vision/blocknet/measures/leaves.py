"""What is to be seen of each leaf block, as arrays: its letters, its type, its place."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from learner.dom.characters import DIGIT, LETTER, UNPARTED_LETTER, UPPER, count_characters
from learner.vision.blocknet.areas import OTHER_LINK_AREA, OWN_LINK_AREA
from learner.vision.blocknet.cutting import Cut
from learner.vision.snapshots.nodes import TEXT

UNPARTED_WEIGHT = 3
"""Letters of an alphabet that one of a script without blanks tells as much as. Origin: guess."""

BOLD = 600
"""Font weight from which on letters are bold. Origin: CSS Fonts 4, semi-bold."""

Floats = NDArray[np.float32]


class Leaves:
    """The leaf blocks of a page, in document order; a row each."""

    def __init__(self, cut: Cut) -> None:
        n = cut.n_leaves
        self.cut, self.page = cut, cut.page
        self.texts = cut.texts
        self.box: Floats = cut.box[:n]
        """(n, 4) Left, top, right and bottom."""
        self.counts, self.ends = count_characters([text or " " for text in self.texts])
        counts = self.counts
        letters = counts[:, LETTER] + counts[:, UPPER] + counts[:, DIGIT]
        self.weight: Floats = letters + UNPARTED_WEIGHT * counts[:, UNPARTED_LETTER]
        """(n,) Letters, those of scripts without blanks counted for what they tell."""
        area = cut.sums(cut.areas)[:n]
        self.area: Floats = area.astype(np.float32)
        """(n, 6) Square pixels by what they count as."""
        self.mix: Floats = (area / np.maximum(area.sum(axis=1), 1)[:, None]).astype(np.float32)
        """(n, 6) The shares of what a block shows, gaps left out."""
        self.linked: Floats = self.mix[:, OWN_LINK_AREA] + self.mix[:, OTHER_LINK_AREA]
        """(n,) The share of links, from 0 to 1."""

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def _drawn(self) -> Floats:
        """(a,) How much the type of an atom counts: its letters; a little for pictures."""
        page, atom = self.page, self.cut.atom
        lengths = [len(page.drawn_text(node)) for node in atom.tolist()]
        is_text = page.node_type[atom] == TEXT
        return np.where(is_text, np.maximum(lengths, 1), 1e-3).astype(np.float32)

    def _mean(self, of_nodes: NDArray[np.generic]) -> Floats:
        """(n,) The mean of a number of nodes over the letters of each leaf."""
        values = np.nan_to_num(of_nodes[self.cut.atom].astype(np.float32))
        sums = self.cut.sums(np.stack([values * self._drawn, self._drawn], axis=1))[: len(self)]
        found: Floats = (sums[:, 0] / np.maximum(sums[:, 1], 1e-6)).astype(np.float32)
        return found

    @cached_property
    def font(self) -> Floats:
        """(n,) Pixels of the letters, in the mean."""
        return np.maximum(self._mean(self.page.pixels("font-size")), 1)

    @cached_property
    def bold(self) -> Floats:
        """(n,) The share of bold letters."""
        return self._mean(self.page.pixels("font-weight") >= BOLD)

    @cached_property
    def colour(self) -> Floats:
        """(n, 3) Red, green and blue of the letters, from 0 to 1."""
        rgba = self.page.rgba("color")
        return np.stack([self._mean(rgba[:, part]) for part in range(3)], axis=1)

    @cached_property
    def centred(self) -> Floats:
        """(n,) The share of centred letters."""
        align = np.array(self.page.style("text-align"), dtype=object)
        return self._mean(np.isin(align, ("center", "-webkit-center")))

    @cached_property
    def lines(self) -> Floats:
        """(n,) Lines, as the height of the block gives them."""
        return np.maximum(np.round(self.height / (1.2 * self.font)), 1)

    @cached_property
    def width(self) -> Floats:
        """(n,) Pixels."""
        return self.box[:, 2] - self.box[:, 0]

    @cached_property
    def height(self) -> Floats:
        """(n,) Pixels."""
        return self.box[:, 3] - self.box[:, 1]

    @cached_property
    def text_font(self) -> float:
        """Pixels of the letters that most of the page's text has."""
        return float(weighted_median(self.font, self.weight))

    @cached_property
    def text_colour(self) -> Floats:
        """(3,) The colour that most of the page's text has."""
        middle = [weighted_median(self.colour[:, part], self.weight) for part in range(3)]
        return np.array(middle, dtype=np.float32)

    @cached_property
    def tint(self) -> Floats:
        """(n,) How far the colour of the letters is from that of most text, 0 to 1.8."""
        found: Floats = np.sqrt(((self.colour - self.text_colour) ** 2).sum(axis=1))
        return found


def weighted_median(values: NDArray[np.float32], weights: NDArray[np.float32]) -> float:
    """The value that half of the weight does not exceed; 0 of none.

    >>> weighted_median(np.array([3.0, 1.0, 2.0]), np.array([1.0, 1.0, 5.0]))
    2.0
    """
    if not len(values):
        return 0.0
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order].astype(np.float64))
    return float(values[order][np.searchsorted(reached, reached[-1] / 2)])
