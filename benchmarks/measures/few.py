"""Learned from few pages: patterns alone, the page model alone, and both, side by side.

`python -m benchmarks.quality --train-pages 1,2,3,5`. *Patterns* are learned without the second
opinion of the page model, and what they do not give out counts as 0; the *model* reads each page by
itself; *both* is what a user gets: patterns as far as they are believed, guesses elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean

from benchmarks.material.corpus import read_halves, redraw
from benchmarks.quality import Settings, measure_halves

WAYS = {
    "patterns": {"with_model": False},
    "model": {"with_patterns": False, "with_guesses": True},
    "both": {"with_guesses": True},
}
"""How the pages are read, and the settings of that."""

Few = Mapping[tuple[str, int], float]
"""(way, pages learned from) -> body F1."""


@dataclass(frozen=True, slots=True)
class FewPages:
    """One site."""

    name: str
    f1: Few


def measure_few(source: Path, settings: Sequence[Settings]) -> FewPages:
    """Read the test half of a site in each way."""
    halves = redraw(read_halves(source), settings[0].seed)
    found: dict[tuple[str, int], float] = {}
    for each in settings:
        for way, choices in WAYS.items():
            known = found.get((way, settings[0].train_pages))
            if way == "model" and known is not None:  # it learns nothing
                found[way, each.train_pages] = known
                continue
            (result,) = measure_halves([halves], replace(each, **choices))
            found[way, each.train_pages] = result.figures().get("body_f1", 0.0)
    return FewPages(halves.name, found)


def means_of(sites: Sequence[FewPages]) -> Few:
    """The means over the sites."""
    return {key: fmean(site.f1[key] for site in sites) for key in sites[0].f1}


def head(settings: Sequence[Settings]) -> str:
    """The names of the columns: the number of pages stands behind each way."""
    cells = (f"{way} {each.train_pages}" for each in settings for way in WAYS)
    return f"{'site':20}" + "".join(f"{cell:>12}" for cell in cells)


def line(name: str, f1: Few) -> str:
    """The figures of a site."""
    return f"{name:20}" + "".join(f"{value:12.3f}" for value in f1.values())
