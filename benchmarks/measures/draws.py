"""The standard measure over several draws of the halves: what chance decides shows there.

`python -m benchmarks.quality --seeds 0,1,2,3,4`. Of each site the mean over the draws and the worst
of them; a *flip* is a site whose body F1 or share of lists given out differs by more than `FLIP`
between two draws. Groups are told by `group` in `site.json`, or else whether a site is a blog or a
newspaper. Shares of lists are given as a mean over sites, of which those with few lists count as
one, and over all pages.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from benchmarks.material.corpus import group_of
from benchmarks.quality import Figures, Settings, measure_site

FLIP = 0.2
"""Difference between two draws from which on chance has decided."""

FEW_LISTS = 10
"""Lists of a site below which it is pooled with others."""

MEANS = ("body_f1", "title_exact", "list_as_article", "unmatched", "author_exact", "date_exact")


@dataclass(frozen=True, slots=True, kw_only=True)
class Draws:
    """One site on several draws of its halves."""

    site: str
    group: str
    figures: tuple[Figures, ...]
    """Those of each draw."""

    def values(self, name: str) -> list[float]:
        """A figure on the draws that have it."""
        return [each[name] for each in self.figures if name in each]

    def spread(self, name: str) -> float:
        """By how much a figure differs between the draws."""
        values = self.values(name)
        return max(values) - min(values) if values else 0.0

    @property
    def flips(self) -> bool:
        """Whether chance decides."""
        return max(self.spread("body_f1"), self.spread("list_as_article")) > FLIP

    def line(self) -> str:
        """Its figures for people."""
        f1, lists = self.values("body_f1"), self.values("list_as_article")
        cells = [
            f"{_mean(f1)} {min(f1, default=0):6.3f}",
            _mean(self.values("title_exact")),
            f"{_mean(lists)} {max(lists, default=0):6.3f}",
            f"{_mean(self.values('unmatched'))} {max(self.values('unmatched'), default=0):6.3f}",
        ]
        return f"{self.site:20}{'  '.join(cells)}{'  flips' if self.flips else ''}"


HEAD = f"{'site':20}{'F1':>6} {'worst':>6}  {'title':>6}  {'lists':>6} {'worst':>6}  " + (
    f"{'unm.':>6} {'worst':>6}"
)


def measure_draws(source: Path, settings: Sequence[Settings]) -> Draws:
    """One site on the draws that the settings name."""
    results = [measure_site(source, each) for each in settings]
    return Draws(
        site=results[0].name,
        group=group_of(source),
        figures=tuple(each.figures() for each in results),
    )


def figures_of(sites: Sequence[Draws]) -> Figures:
    """The figures of each group, and how many sites flip."""
    groups: defaultdict[str, list[Draws]] = defaultdict(list)
    for site in sites:
        groups[site.group].append(site)
    figures = {"flips": float(sum(site.flips for site in sites)), "sites": float(len(sites))}
    for group, members in sorted(groups.items()):
        for name, value in _of_group(members):
            figures[f"{group}_{name}"] = value
    return figures


def _of_group(sites: Sequence[Draws]) -> Iterator[tuple[str, float]]:
    draws = [each for site in sites for each in site.figures]
    for name in MEANS:
        values = [fmean(site.values(name)) for site in sites if site.values(name)]
        if name == "list_as_article":
            values = list(_list_shares(sites))
        if values:
            yield name, fmean(values)
    yield (
        "worst_body_f1",
        min((each["body_f1"] for each in draws if "body_f1" in each), default=0.0),
    )
    n_lists = sum(each["lists"] for each in draws)
    given_out = sum(each["lists"] * each.get("list_as_article", 0.0) for each in draws)
    yield "list_pages_as_articles", given_out / max(1.0, n_lists)


def _list_shares(sites: Sequence[Draws]) -> Iterator[float]:
    """The share of lists given out of each site with enough of them, then of the others at once."""
    few: list[Mapping[str, float]] = []
    for site in sites:
        with_lists = [each for each in site.figures if each["lists"]]
        if with_lists and min(each["lists"] for each in with_lists) >= FEW_LISTS:
            yield _share(with_lists)
        else:
            few += with_lists
    if few:
        yield _share(few)


def _share(figures: Iterable[Mapping[str, float]]) -> float:
    pairs = [(each["lists"], each["lists"] * each["list_as_article"]) for each in figures]
    return sum(given for _, given in pairs) / sum(lists for lists, _ in pairs)


def _mean(values: Sequence[float]) -> str:
    return f"{fmean(values):6.3f}" if values else f"{'-':>6}"
