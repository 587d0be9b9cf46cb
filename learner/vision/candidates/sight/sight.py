"""The choice of a candidate by the picture of a page: eyes, and trees over what they see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from learner.ensembles.trees import Trees
from learner.vision.candidates.sight.eyes import Eyes
from learner.vision.candidates.sight.maps import told_of
from learner.vision.candidates.sight.strips import CELL, WIDTH, Strip
from learner.vision.snapshots.arrays import Floats


@dataclass(frozen=True, slots=True)
class Sight:
    """Scores the candidates of a page by its picture and their boxes, and nothing else."""

    eyes: Eyes
    trees: Trees

    def scores(self, strip: Strip, boxes: Floats, window: float) -> Floats:
        """(n,) How much speaks for each box against the others of its page. The page is looked at
        once, however many there are. `boxes` (n, 4) are left, top, width and height in pixels,
        `window` is the width of the picture in the same pixels."""
        maps = self.eyes.maps(strip)
        return self.trees.scores(told_of(maps, boxes, cell_pixels(window)))[:, 0]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What it is stored as."""
        parts = {"eyes": self.eyes.arrays(), "seen": self.trees.arrays()}
        return {
            f"{part}.{name}": each for part, found in parts.items() for name, each in found.items()
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Sight:
        """What `arrays` gave; KeyError or ValueError if it is something else."""
        parts: dict[str, dict[str, NDArray[Any]]] = {"eyes": {}, "seen": {}}
        for name, each in arrays.items():
            part, _, rest = name.partition(".")
            if part in parts:
                parts[part][rest] = each
        return cls(Eyes.from_arrays(parts["eyes"]), Trees.from_arrays(parts["seen"]))


def cell_pixels(window: float) -> float:
    """Pixels of the page that a cell of a map is wide and high."""
    return window / WIDTH * CELL
