"""Which ideas of the learner change no answer: `python -m benchmarks.effects [SITE.zip ...]`.

One run over the sites in place of one for each idea (`benchmarks.ablation`): each is called beside
what takes its place (`benchmarks.ideas.comparing`). An idea whose answers are the same on all sites
buys nothing on them, and need not be measured. Constants, and functions that give no answer, are
left out.

`--seeds` draws the halves of each site anew: what a rare idea is for may be in the other half.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.ideas.comparing import compare_all, counts, may_be_compared
from benchmarks.ideas.listed import IDEAS
from benchmarks.ideas.switches import IdeaGone
from benchmarks.material.corpus import numbers, sites_parser, sites_to_measure
from benchmarks.quality import PRELOADED, WORKERS, Settings, measure_site
from crawler.engine.local import local_executor


def count_changes(source: Path, seed: int) -> Counter[str]:
    """Idea -> calls whose answer it changed while a site was learned and extracted."""
    counts.clear()
    measure_site(source, Settings(seed=seed))
    return Counter(counts)


@dataclass(slots=True)
class Effect:
    """What an idea has changed."""

    sites: set[str] = field(default_factory=set)
    changes: int = 0


def measure_effects(sources: Sequence[Path], seeds: Sequence[int]) -> dict[str, Effect]:
    """Of each idea that can be compared what it has changed on some sites."""
    effects = {idea.name: Effect() for idea in IDEAS if may_be_compared(idea)}
    with local_executor(WORKERS, PRELOADED, begin=compare_all) as pool:
        tasks = [
            (source.stem, pool.submit(count_changes, source, seed))
            for seed in seeds
            for source in sources
        ]
        for site, task in tasks:
            for name, changes in task.result().items():
                effects[name].sites.add(site)
                effects[name].changes += changes
    return effects


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0; 2 if a site, the scorer or an idea is missing."""
    parser = sites_parser(
        "Tell which ideas of the learner change no answer.",
        epilog="example: python -m benchmarks.effects --seeds 0,1,2",
    )
    parser.add_argument(
        "--seeds",
        type=numbers,
        default=[0],
        metavar="N,N,...",
        help="draws of the halves of each site; 0, the default, are those of score.py",
    )
    options = parser.parse_args(arguments)
    try:
        effects = measure_effects(sites_to_measure(options.sites), options.seeds)
    except (OSError, ValueError, IdeaGone) as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{'idea':36}{'sites':>8}{'changes':>10}")
    for name, effect in sorted(effects.items(), key=lambda each: len(each[1].sites)):
        print(f"{name:36}{len(effect.sites):>8}{effect.changes:>10}")
    if options.json:
        inert = sum(not effect.changes for effect in effects.values())
        figures = {"ideas": len(effects), "inert": inert}
        sites = {name: sorted(effect.sites) for name, effect in effects.items()}
        options.json.write_text(json.dumps({"figures": figures, "sites": sites}, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
