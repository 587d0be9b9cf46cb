"""What ideas buy together, with as little measured as must be.

Most ideas change something on a few sites alone. With all ideas on each is compared with what would
take its place (`benchmarks.ideas.comparing`); on the draws where its answers are the same, and on
those where the site's figures were the same without it alone, it counts as if it were not there.
What this cannot see is an effect that shows only when another idea is gone: `Bench.check` measures
all at once on all draws.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from benchmarks.ideas.comparing import compare_all, counts, may_be_compared
from benchmarks.ideas.greedy import Draw, Worth, is_too_much, worth
from benchmarks.ideas.listed import IDEAS
from benchmarks.ideas.without import SHOWN, losses, measure_without
from benchmarks.material.corpus import grouped
from benchmarks.quality import WORKERS, Figures, Settings

AHEAD = WORKERS + 1
"""Measurements that are asked for before the first of them is looked at."""

Off = tuple[str, ...]
"""Names of the ideas that are switched off, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One draw without some ideas."""

    figures: Figures
    effective: tuple[str, ...] = ()
    """With all ideas on: those that changed an answer, of those that can be compared."""


def measure_draw(source: Path, off: Off, settings: Settings) -> Measured:
    """One site without some ideas; call it in a fresh process."""
    if not off:
        compare_all()
    counts.clear()
    figures = measure_without(source, off, settings).figures()
    shown = {name: figures[name] for name in SHOWN if name in figures}
    return Measured(figures=shown, effective=tuple(sorted(counts)))


def draws_of(sources: Sequence[Path], seeds: Iterable[int]) -> list[Draw]:
    """Each site on each draw of its halves, in the order in which they are measured."""
    groups = grouped(sources)
    groups_of = {
        source: tuple(group for group, members in groups.items() if source.stem in members)
        for source in sources
    }
    return sorted(
        Draw(bool(seed), source.stat().st_size, seed, source, groups_of[source])
        for seed in seeds
        for source in sources
    )


class Notebook:
    """Measurements kept in a file, a line each, so that a run that was ended goes on where it was.
    They hold for the code that they were made with."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._known: dict[tuple[Off, str, int], Measured] = {}
        if path and path.exists():
            for line in path.read_text("utf-8").splitlines():
                row = json.loads(line)
                key = tuple(row.pop("off")), row.pop("site"), row.pop("seed")
                row["effective"] = tuple(row["effective"])
                self._known[key] = Measured(**row)

    def get(self, off: Off, draw: Draw) -> Measured | None:
        """What was measured; None if nothing was."""
        return self._known.get((off, draw.source.stem, draw.seed))

    def add(self, off: Off, draw: Draw, measured: Measured) -> None:
        """Keep it."""
        self._known[off, draw.source.stem, draw.seed] = measured
        if self._path:
            row = {"off": off, "site": draw.source.stem, "seed": draw.seed, **asdict(measured)}
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")


class Bench:
    """Measures draws in a pool of fresh processes, none twice."""

    def __init__(
        self,
        pool: ProcessPoolExecutor,
        draws: Sequence[Draw],
        settings: Settings,
        notebook: Notebook,
    ) -> None:
        self._pool = pool
        self._settings = settings
        self._notebook = notebook
        self._comparable = {idea.name for idea in IDEAS if may_be_compared(idea)}
        self._all_on = dict(self._measured([(draw, ()) for draw in draws]))

    def by_reach(self, ideas: Iterable[str]) -> list[str]:
        """The ideas, those first that have an effect on few draws: they are soon measured."""
        return sorted(
            ideas, key=lambda idea: sum(self._has_effect(idea, draw) for draw in self._all_on)
        )

    def worth(self, off: Sequence[str]) -> Worth:
        """What some ideas buy together; as soon as it is known that it is too much, what was known
        till then."""
        lost = {draw: self._lost(draw, all_on) for draw, all_on in self._all_on.items()}
        effective = [
            (draw, tuple(sorted(idea for idea in off if self._has_effect(idea, draw))))
            for draw in self._all_on
        ]
        tasks = [(draw, ideas) for draw, ideas in effective if ideas]
        n_usual = sum(not draw.by_chance for draw, _ in tasks)
        for number, (draw, measured) in enumerate(self._measured(tasks), 1):
            lost[draw] = self._lost(draw, measured)
            if is_too_much(lost[draw]) or (number == n_usual and not worth(lost).bearable):
                break
        return worth(lost)

    def check(self, off: Sequence[str]) -> Worth:
        """What some ideas buy together, measured on all draws."""
        every = tuple(sorted(off))
        measured = self._measured([(draw, every) for draw in self._all_on])
        return worth({draw: self._lost(draw, found) for draw, found in measured})

    def _lost(self, draw: Draw, measured: Measured) -> Figures:
        return losses(self._all_on[draw].figures, measured.figures)

    def _has_effect(self, idea: str, draw: Draw) -> bool:
        all_on = self._all_on[draw]
        if idea in self._comparable and idea not in all_on.effective:
            return False
        alone = self._notebook.get((idea,), draw)
        return alone is None or alone.figures != all_on.figures

    def _measured(self, tasks: Iterable[tuple[Draw, Off]]) -> Iterator[tuple[Draw, Measured]]:
        """The draws without some ideas, in order; a few are begun ahead."""
        begun: deque[tuple[Draw, Off, Measured | Future[Measured]]] = deque()
        for draw, off in tasks:
            begun.append((draw, off, self._notebook.get(off, draw) or self._begin(draw, off)))
            if sum(isinstance(each, Future) for _, _, each in begun) >= AHEAD:
                yield self._ended(*begun.popleft())
        while begun:
            yield self._ended(*begun.popleft())

    def _begin(self, draw: Draw, off: Off) -> Future[Measured]:
        settings = replace(self._settings, seed=draw.seed)
        return self._pool.submit(measure_draw, draw.source, off, settings)

    def _ended(
        self, draw: Draw, off: Off, found: Measured | Future[Measured]
    ) -> tuple[Draw, Measured]:
        if isinstance(found, Future):
            found = found.result()
            self._notebook.add(off, draw, found)
        return draw, found
