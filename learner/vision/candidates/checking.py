"""How often what is chosen on a page is right."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from learner.vision.candidates.lessons import Example
from learner.vision.snapshots.arrays import Floats

Score = Callable[[Example], Floats]
"""Scores of the candidates of a page: the best is chosen."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What was chosen on one page; of several with the best score the worst."""

    is_right: bool
    likeness: float
    """F1 of its text."""


def choices(pages: Iterable[Example], score: Score) -> list[Choice]:
    """What is chosen on each page among all its candidates. Ties count against who scores: all that
    have the best score must be right."""
    found = []
    for page in pages:
        scores = score(page)
        best = scores == scores.max()
        found.append(Choice(bool(page.right[best].all()), float(page.likeness[best].min())))
    return found


def top1(found: Sequence[Choice]) -> float:
    """Share of the pages on which the choice is right."""
    return fmean(each.is_right for each in found)


def text_f1(found: Sequence[Choice]) -> float:
    """Mean F1 of the texts that were chosen."""
    return fmean(each.likeness for each in found)
