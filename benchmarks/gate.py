"""The quality gate: `python -m benchmarks.gate` fails where quality fell below its floors.

`floors.json` holds the least value of each figure (the greatest, where less is better) for each
site, for the mean of each group of sites (`benchmarks.material.corpus.grouped`) on the usual halves
and on two others drawn by chance, and for that of the first sites without names of elements; and
the fingerprint of the sites it was measured on. A floor lies the margin below what was measured, so
that another platform or library version does not miss it.

- `--update` raises the floors that can be raised, and adds missing ones. It lowers none.
- `--lower --reason "..."` sets missed floors anew; CHANGELOG.md has to give the same reason.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.material.corpus import by_name, default_sites, grouped
from benchmarks.material.gold import SITES
from benchmarks.quality import (
    Figures,
    Settings,
    SiteResult,
    measure_site,
    on_all_cores,
    summarise,
    table_head,
    table_line,
)
from benchmarks.robustness import measure_variant

FLOORS = Path(__file__).with_name("floors.json")
CHANGELOG = Path(__file__).resolve().parents[1] / "CHANGELOG.md"

MARGINS: Mapping[str, tuple[float, float]] = {
    "body_f1": (0.01, 0.002),
    "share_f1_95": (0.03, 0.005),
    "title_exact": (0.03, 0.005),
    "date_exact": (0.03, 0.005),
    "author_exact": (0.03, 0.005),
    "list_as_article": (0.03, 0.005),
    "unmatched": (0.03, 0.005),
}
"""Figure -> noise margin of one site and of the mean. Origin: guess; two pages of a site whose test
half has 70, and what a minor release of libxml2 changed in the mean."""

CEILINGS = frozenset({"list_as_article", "unmatched"})
"""Figures of which less is better."""

USUAL = "usual halves"

SEEDS = (1, 2)
"""Halves drawn by chance beside the usual ones: what fits those alone shows on these."""

NAMELESS = "without names"
"""The first sites without the names of their elements (`benchmarks.robustness`): what a rule loses
on boxes without a name does not show on sites that name theirs."""

Floors = dict[str, Figures]
"""Of sites or of means over them, by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Missed:
    """One floor that was not reached."""

    site: str
    figure: str
    floor: float
    got: float | None
    """None if the figure was not measured at all."""

    def __str__(self) -> str:
        bound = "at most" if self.figure in CEILINGS else "at least"
        got = "no such figure" if self.got is None else f"{self.got:.4f}"
        return f"{self.site}: {self.figure}: expected {bound} {self.floor:.4f}, got {got}"


class CorpusChanged(ValueError):
    """The floors were measured on other sites."""

    def __init__(self, expected: str, got: str) -> None:
        super().__init__(
            f"{FLOORS}: expected the sites with fingerprint {expected!r}, got {got!r}; floors of "
            "other sites say nothing: set them anew with --lower --reason"
        )


def fingerprint(sources: Sequence[Path]) -> str:
    """SHA-256 over the names and contents of the sites' zips."""
    total = hashlib.sha256()
    for source in sorted(sources, key=lambda each: each.name):
        content = hashlib.sha256(source.read_bytes()).hexdigest()
        total.update(f"{source.name} {content}\n".encode())
    return total.hexdigest()


def missed_floors(floors: Floors, measured: Floors) -> Iterator[Missed]:
    """Every floor that the measured figures do not reach."""
    for site, own in floors.items():
        for figure, floor in own.items():
            got = measured.get(site, {}).get(figure)
            if got is None or _is_worse(figure, got, floor):
                yield Missed(site=site, figure=figure, floor=floor, got=got)


def is_mean(name: str) -> bool:
    """Whether floors are those of a mean, whose names are in two parts, and not of a site.

    >>> is_mean("news, usual halves"), is_mean("keens")
    (True, False)
    """
    return " " in name


def _is_worse(figure: str, value: float, floor: float) -> bool:
    return value > floor + 1e-9 if figure in CEILINGS else value < floor - 1e-9


def floors_below(measured: Floors) -> Floors:
    """Floors the margin below the measured figures."""
    return {
        site: {name: _floor(site, name, own[name]) for name in MARGINS if name in own}
        for site, own in measured.items()
    }


def _floor(site: str, figure: str, value: float) -> float:
    margin = MARGINS[figure][is_mean(site)]
    loose = value + margin if figure in CEILINGS else value - margin
    return round(min(1.0, max(0.0, loose)), 4)


def raised(floors: Floors, measured: Floors, lower: bool = False) -> Floors:
    """The floors, raised to the margin below the measured figures wherever that is better.

    With `lower`, missed floors are set to it too, and those of sites that are gone dropped.
    """
    missed = {(each.site, each.figure) for each in missed_floors(floors, measured)}
    possible = floors_below(measured)
    kept: Floors = {} if lower else {site: dict(own) for site, own in floors.items()}
    for site, own in possible.items():
        for figure, new in own.items():
            old = floors.get(site, {}).get(figure)
            better = old is None or _is_worse(figure, old, new)
            again = lower and (site, figure) in missed
            chosen = new if old is None or better or again else old
            kept.setdefault(site, {})[figure] = chosen
    return kept


def read_floors(sources: Sequence[Path], other_sites: bool = False) -> Floors:
    """The stored floors, empty if there are none; CorpusChanged if they are of other sites, unless
    `other_sites` says that they shall be set anew."""
    if not FLOORS.exists():
        return {}
    content = json.loads(FLOORS.read_text("utf-8"))
    own = fingerprint(sources)
    if content["corpus"] != own:
        if not other_sites:
            raise CorpusChanged(content["corpus"], own)
        return {}
    floors: Floors = {**content["means"], **content["sites"]}
    return floors


def write_floors(floors: Floors, sources: Sequence[Path]) -> None:
    """Store the floors with the fingerprint of the sites."""
    means = {name: own for name, own in floors.items() if is_mean(name)}
    sites = {name: own for name, own in sorted(floors.items()) if not is_mean(name)}
    content = {"corpus": fingerprint(sources), "means": means, "sites": sites}
    FLOORS.write_text(json.dumps(content, indent=1) + "\n", "utf-8")


def measure_all(sources: Sequence[Path]) -> Floors:
    """The figures of each site, printed as they come, and of the means."""
    groups = grouped(sources)
    nameless = groups.get("first") or [source.stem for source in sources]
    results: dict[str, list[SiteResult]] = defaultdict(list)
    print(table_head())
    for measured in on_all_cores(partial(measure_halves_of, nameless=nameless), sources):
        for halves, result in measured.items():
            results[halves].append(result)
        usual = measured[USUAL]
        print(table_line(usual.name, usual.figures()), flush=True)
    without_names = results.pop(NAMELESS)
    means: Floors = {}
    for halves, found in results.items():
        means |= means_by_group(groups, found, halves)
    means[NAMELESS] = summarise(without_names)
    for name, figures in means.items():
        print(table_line(name, figures))
    return means | {result.name: result.figures() for result in results[USUAL]}


def measure_halves_of(source: Path, nameless: Collection[str]) -> dict[str, SiteResult]:
    """One site on its usual halves, on those drawn and, if it is one of the `nameless`, without
    names; all in one process, which reads each of its shown dates once."""
    measured = {USUAL: measure_site(source, Settings())}
    for seed in SEEDS:
        measured[f"seed {seed}"] = measure_site(source, Settings(seed=seed))
    if source.stem in nameless:
        measured[NAMELESS] = measure_variant(source, NAMELESS)
    return measured


def means_by_group(
    groups: Mapping[str, Collection[str]], results: Sequence[SiteResult], halves: str
) -> dict[str, Figures]:
    """The means of each group of sites, given the results of all on some halves."""
    return {
        f"{group}, {halves}": summarise([result for result in results if result.name in members])
        for group, members in groups.items()
    }


def changelog_gives(reason: str) -> bool:
    """Whether CHANGELOG.md gives the reason, however its lines are broken."""
    return bool(reason.strip()) and " ".join(reason.split()) in " ".join(
        CHANGELOG.read_text("utf-8").split()
    )


def check(sources: Sequence[Path], options: argparse.Namespace) -> int:
    """Measure, compare and, where asked to, store new floors."""
    floors = read_floors(sources, other_sites=options.lower)
    if not floors and not options.update and not options.lower:
        print(f"{FLOORS}: expected floors, found none; set them with --update", file=sys.stderr)
        return 2
    measured = measure_all(sources)
    missed = list(missed_floors(floors, measured))
    print(*missed, sep="\n", end="\n" * bool(missed))
    if options.update or options.lower:
        write_floors(raised(floors, measured, options.lower), sources)
        print(f"wrote {FLOORS}")
    if missed and not options.lower:
        print(f"{len(missed)} floors missed", file=sys.stderr)
        return 1
    print(f"{sum(map(len, floors.values()))} floors held" if floors else "first floors set")
    return 0


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line, read."""
    parser = argparse.ArgumentParser(description="Fail where quality fell below its floors.")
    parser.add_argument("--update", action="store_true", help="raise floors that can be raised")
    parser.add_argument("--lower", action="store_true", help="set missed floors anew")
    parser.add_argument("--reason", default="", help="why a floor falls; CHANGELOG.md has it too")
    options = parser.parse_args(arguments)
    if options.lower and not changelog_gives(options.reason):
        parser.error(
            f"--lower: expected a --reason that stands in {CHANGELOG.name}, got "
            f"{options.reason!r}; write there why quality falls"
        )
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0 if all floors hold or there are no sites, 1 if one is missed, 2 without floors
    or with those of other sites."""
    options = parse_arguments(arguments)
    sources = list(by_name(default_sites()).values())
    if not sources:
        print(f"gate: skipped, no sites in {SITES}")
        return 0
    try:
        return check(sources, options)
    except CorpusChanged as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
