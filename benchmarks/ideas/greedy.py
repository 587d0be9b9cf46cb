"""Which ideas of the learner can go together: `python -m benchmarks.ablation --greedy`.

The idea that is worth least is switched off, the others are measured again without it, and so on,
until each that is left buys something: of no group of sites (`benchmarks.material.corpus.grouped`),
on the usual halves or on those drawn by chance, may the mean of a figure fall by more than
`MOST_LOSS` below that with all ideas on, and no figure of one site on one draw by more than
`MOST_SITE_LOSS`. As an idea is seldom worth more when others go, only the one that was worth least
when it was last measured is measured again; if it is still the least, it goes (lazy greedy
selection, Minoux 1978). One that loses too much by itself stays, and is not asked again.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

Figures = dict[str, float]

MOST_LOSS = 0.001
"""By which a figure of a group may fall in all. Origin: guess; a third of what the gate bears."""

MOST_SITE_LOSS = 0.02
"""By which a figure of one site may fall on one draw of its halves. Origin: guess; two pages of a
hundred."""


@dataclass(frozen=True, slots=True, order=True)
class Draw:
    """One site on one draw of its halves; the usual halves first, then small sites."""

    by_chance: bool
    size: int
    """Bytes of its file."""
    seed: int
    source: Path
    groups: tuple[str, ...]

    @property
    def kinds(self) -> list[str]:
        """The groups and halves in whose figures it counts."""
        halves = "chance" if self.by_chance else "usual"
        return [f"{group}, {halves} halves" for group in self.groups]


@dataclass(frozen=True, slots=True, order=True)
class Worth:
    """What ideas buy together, those that buy less first."""

    total: float
    """Losses of all figures in all groups, added up."""
    most: float
    """The greatest of them; if one site alone loses too much, what that loses."""
    where: str
    """Group, halves and figure of that one."""
    bearable: bool = True
    """Whether they may go."""


def is_too_much(lost: Figures) -> bool:
    """Whether one site loses more on one draw than it may."""
    return max(lost.values(), default=0.0) > MOST_SITE_LOSS


def worth(lost: Mapping[Draw, Figures]) -> Worth:
    """What sites lose on some draws, above 0 if they get worse.

    >>> from pathlib import Path
    >>> one, other = (Draw(False, 1, 0, Path(name), ("news",)) for name in "ab")
    >>> worth({one: {"body_f1": 0.003}, other: {"body_f1": -0.002}})
    Worth(total=0.0005, most=0.0005, where='news, usual halves: body_f1', bearable=True)
    >>> worth({one: {"body_f1": 0.03}, other: {"body_f1": -0.04}})
    Worth(total=-0.005, most=0.03, where='news, usual halves: body_f1 of one site', bearable=False)
    """
    by_group: defaultdict[str, list[float]] = defaultdict(list)
    for draw, figures in lost.items():
        for kind in draw.kinds:
            for figure, loss in figures.items():
                by_group[f"{kind}: {figure}"].append(loss)
    means = {where: round(fmean(found), 6) for where, found in by_group.items()}
    total = round(sum(means.values()), 6)
    worst = {where: round(max(found), 6) for where, found in by_group.items()}
    where = max(worst, key=lambda name: worst[name], default="")
    if where and is_too_much(worst):
        return Worth(total, worst[where], f"{where} of one site", bearable=False)
    where = max(means, key=lambda name: means[name], default="")
    most = means.get(where, 0.0)
    return Worth(total, most, where if most > 0 else "", bearable=most <= MOST_LOSS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One idea, judged."""

    idea: str
    worth: Worth
    """With all that went before it off; of one that loses too much by itself, alone."""
    goes: bool


def select(ideas: Iterable[str], measure: Callable[[Sequence[str]], Worth]) -> Iterator[Step]:
    """First the ideas that cannot go, then the others from the least valuable on, each as soon as
    it is judged. `measure` gives what is lost, beside all ideas on, if some are off.

    >>> cost = {"stamps": 0.0, "comments": 0.3, "affixes": 0.0006, "asides": 0.0005}
    >>> def lost(off):
    ...     total = sum(cost[idea] for idea in off)
    ...     return Worth(total, total, "news", bearable=total <= 0.001)
    >>> [(step.idea, step.goes) for step in select(cost, lost)]
    [('comments', False), ('stamps', True), ('asides', True), ('affixes', False)]
    """
    gone: list[str] = []
    queue = []
    for idea in ideas:
        alone = measure([idea])
        if alone.bearable:
            queue.append((alone, 0, idea))
        else:
            yield Step(idea=idea, worth=alone, goes=False)
    heapq.heapify(queue)
    while queue:
        known, n_gone, idea = heapq.heappop(queue)
        if n_gone != len(gone):
            heapq.heappush(queue, (measure([*gone, idea]), len(gone), idea))
            continue
        yield Step(idea=idea, worth=known, goes=known.bearable)
        if known.bearable:
            gone.append(idea)
