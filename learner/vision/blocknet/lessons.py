"""What a model of blocks learns from: drawn pages, their leaves labelled by what a person says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from learner.dom.characters import letters_of
from learner.dom.repeats.taken import label_blocks
from learner.dom.teaching.training import LEAST_COVERED
from learner.dom.teaching.word_fits import Standing
from learner.ensembles.trees import Floats
from learner.vision.blocknet.cutting import Cut, cut
from learner.vision.blocknet.measures.leaves import Leaves
from learner.vision.blocknet.measures.standing import Standings
from learner.vision.blocknet.measures.titles import title_features
from learner.vision.snapshots.snapshot import Snapshot

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")

Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockLesson:
    """A rendered page, and what a person says of it."""

    site: str
    """Whose pages stand together: folds never part a site."""
    page: Snapshot
    title: str
    """Empty if unknown."""
    body: str


class Studied:
    """A lesson with its leaves labelled; done once, however often it is learned from."""

    def __init__(self, lesson: BlockLesson) -> None:
        self.site = lesson.site
        self.cut: Cut = cut(lesson.page)
        self.leaves = Leaves(self.cut)
        self.has_letters: Bools = self.leaves.weight > 0
        self.is_content: Bools = label_blocks(self.leaves.texts, lesson.body)
        letters = [letters_of(text) for text in self.leaves.texts]
        said = sum(len(each) for each, is_in in zip(letters, self.is_content, strict=True) if is_in)
        self.covered = said / max(len(letters_of(lesson.body)), 1)
        """The share of the gold text that is drawn on the page."""
        name = letters_of(lesson.title)
        self.is_name: Bools = np.array([bool(each) and each == name for each in letters], bool)
        """Which leaves say the title of the article, and nothing else."""
        self.is_title: Bools = (_in_heading(self.cut) | self.is_name) & self.has_letters
        self.title_rows: Floats = title_features(self.leaves)[1]
        self.standings = _standings(lesson.site, self)

    @property
    def teaches(self) -> bool:
        """Whether the gold text is on the page; else it was not drawn."""
        return self.covered >= LEAST_COVERED


def _in_heading(of: Cut) -> Bools:
    page = of.page
    first = of.atom[of.low[: of.n_leaves]].tolist()
    return np.array(
        [any(page.tags[node] in HEADINGS for node in page.ancestors(atom)) for atom in first], bool
    )


def _standings(site: str, studied: Studied) -> list[Standing]:
    """The leaves of one page, which weighs 1, by the names that they stand in."""
    weights = np.sqrt(studied.leaves.weight)
    weights /= max(float(weights.sum()), 1e-9)
    held: dict[frozenset[str], list[float]] = {}
    words = Standings(studied.cut).words()[: len(studied.leaves)]
    for own, is_content, weight in zip(words, studied.is_content, weights.tolist(), strict=True):
        sums = held.setdefault(own, [0.0, 0.0])
        sums[0] += weight * bool(is_content)
        sums[1] += weight
    return [Standing(site, own, main, weight) for own, (main, weight) in held.items()]


def study(lessons: Sequence[BlockLesson]) -> list[Studied]:
    """The lessons whose pages show anything."""
    return [each for each in map(Studied, lessons) if len(each.leaves)]
