"""Which ideas of the learner can go together: `python -m benchmarks.ablation --greedy`.

The idea that is worth least is switched off, the others are measured again without it, and so on,
until each that is left buys something: of no group of sites (`benchmarks.material.corpus.grouped`)
may the mean of a figure fall by more than `MOST_LOSS` below that with all ideas on. As an idea is
seldom worth more when others go, only the one that was worth least when it was last measured is
measured again; if it is still the least, it goes (lazy greedy selection, Minoux 1978).
"""

from __future__ import annotations

import heapq
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

Figures = dict[str, float]
"""Figure -> mean over the sites that have it."""

Groups = Mapping[str, Figures]
"""Group of sites -> its figures."""

MOST_LOSS = 0.001
"""By which a figure of a group may fall in all. Origin: guess; a third of what the gate bears."""


@dataclass(frozen=True, slots=True, order=True)
class Worth:
    """What an idea buys, ideas that buy less first."""

    total: float
    """Losses of all figures in all groups, added up."""
    most: float
    """The greatest of them."""
    where: str
    """Group and figure of that one."""


def worth(before: Groups, after: Groups, losses: Callable[[Figures, Figures], Figures]) -> Worth:
    """What is lost from `before` to `after`.

    >>> def fall(one, other):
    ...     return {name: one[name] - other[name] for name in one}
    >>> worth({"news": {"f1": 0.9, "title": 0.5}}, {"news": {"f1": 0.7, "title": 0.6}}, fall)
    Worth(total=0.1, most=0.2, where='news f1')
    """
    lost = {
        f"{group} {figure}": round(loss, 6)
        for group, figures in before.items()
        for figure, loss in losses(figures, after[group]).items()
    }
    where = max(lost, key=lambda name: lost[name])
    return Worth(total=round(sum(lost.values()), 6), most=lost[where], where=where)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One idea, judged."""

    idea: str
    worth: Worth
    """With all that went before it off."""
    goes: bool


def select(ideas: Iterable[str], measure: Callable[[Sequence[str]], Worth]) -> Iterator[Step]:
    """The ideas from the least valuable on, each as soon as it is judged.

    `measure` gives what is lost, beside all ideas on, if some are off. An idea that loses too much
    beside those that have gone stays, and is not asked again.

    >>> cost = {"stamps": 0.0, "affixes": 0.02, "comments": 0.3}
    >>> def lost(off):
    ...     total = sum(cost[idea] for idea in off)
    ...     return Worth(total, total, "news f1")
    >>> [(step.idea, step.goes) for step in select(cost, lost)]
    [('stamps', True), ('affixes', False), ('comments', False)]
    """
    gone: list[str] = []
    queue = [(measure([idea]), 0, idea) for idea in ideas]
    heapq.heapify(queue)
    while queue:
        known, n_gone, idea = heapq.heappop(queue)
        if n_gone != len(gone):
            known = measure([*gone, idea])
            heapq.heappush(queue, (known, len(gone), idea))
            continue
        goes = known.most <= MOST_LOSS
        yield Step(idea=idea, worth=known, goes=goes)
        if goes:
            gone.append(idea)


class Notebook:
    """Measurements kept in a file, so that a run that was ended goes on where it was."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        text = path.read_text("utf-8") if path and path.exists() else "{}"
        self._known: dict[str, Groups] = json.loads(text)

    def get(self, off: Sequence[str], measure: Callable[[Sequence[str]], Groups]) -> Groups:
        """The figures without some ideas, measured if they are not known."""
        key = json.dumps(sorted(off))
        if key not in self._known:
            self._known[key] = measure(off)
            if self._path:
                self._path.write_text(json.dumps(self._known, indent=1) + "\n", "utf-8")
        return self._known[key]
