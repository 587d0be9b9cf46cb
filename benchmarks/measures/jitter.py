"""The learner with its numbers moved at random: `python -m benchmarks.robustness --jitter DRAWS`.

What was measured on some sites should not hang on the third digit of a constant. In each draw
every number that is set by hand in the learner (`benchmarks.house.constants`) is made a quarter
smaller or a third greater, by chance; shares of one half or more move by their distance from 1, so
that they stay shares. Numbers that are computed from others while a module is loaded stay.
"""

from __future__ import annotations

import importlib
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.house import constants, module_name, parse, stage_files
from benchmarks.ideas.switches import replace_everywhere
from benchmarks.ideas.without import fresh_processes
from benchmarks.material.corpus import grouped
from benchmarks.quality import Figures, Settings, SiteResult, measure_site, summarise
from examples.settings import ROOMS

FACTORS = (0.75, 1.33)

MOVED_ROOMS = (*ROOMS, "bylines")
"""The rooms of the learner whose numbers are moved: those of the default preset."""

Number = int | float


def moved(value: Number, factor: float) -> Number:
    """A number times a factor, a whole one rounded and no smaller than 1 in size.

    >>> moved(40, 0.75), moved(0.2, 1.33), round(moved(0.9, 0.75), 3), moved(1, 0.75)
    (30, 0.266, 0.925, 1)
    """
    if isinstance(value, int):
        return round(value * factor) or value
    if 0.5 <= value < 1:
        return 1 - (1 - value) * factor
    return value * factor


def move_constants(seed: int) -> int:
    """Move all numbers of the learner in this process for good; how many there were."""
    chance = random.Random(seed)
    n_moved = 0
    for path in stage_files("learner"):
        if _room(path) not in MOVED_ROOMS:
            continue
        module = importlib.import_module(module_name(path))
        for name, _ in constants(parse(path)):
            value = vars(module)[name]
            numbers = value if isinstance(value, tuple) else (value,)
            changed = tuple(moved(number, chance.choice(FACTORS)) for number in numbers)
            replace_everywhere(module, name, changed if isinstance(value, tuple) else changed[0])
            n_moved += 1
    return n_moved


def _room(path: Path) -> str:
    return [*module_name(path).split("."), ""][1]


def measure_moved(source: Path, seed: int) -> SiteResult:
    """One site with all numbers moved (seed 0: as they are); call it in a fresh process."""
    if seed:
        move_constants(seed)
    return measure_site(source, Settings())


def measure_draws(sources: Sequence[Path], draws: int) -> Iterator[tuple[int, str, Figures]]:
    """Draw, group of sites and its figures: first as it is (0), then with numbers moved."""
    with fresh_processes() as pool:
        tasks = {
            seed: {source.stem: pool.submit(measure_moved, source, seed) for source in sources}
            for seed in range(draws + 1)
        }
        for seed, futures in tasks.items():
            for group, members in grouped(sources).items():
                results = [futures[name].result() for name in members]
                yield seed, group, summarise(results)
