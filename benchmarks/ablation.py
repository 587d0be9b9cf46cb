"""What each idea of the learner is worth: `python -m benchmarks.ablation [SITE.zip ...]`.

Each idea (`benchmarks.ideas.listed`) is switched off by itself, by replacing the function or
constant that holds it inside a worker process, and the sites are learned and extracted again
(`benchmarks.quality`). What gets worse is what the idea is worth: the table shows the loss of each
figure, so above 0 the idea earns something and below 0 it costs. An idea whose line is 0 throughout
earns nothing on these sites.

`--greedy` switches off as many together as nobody misses (`benchmarks.ideas.greedy`).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks.ideas.bench import Bench, Notebook, draws_of
from benchmarks.ideas.greedy import Step, Worth, select
from benchmarks.ideas.listed import IDEAS, find_idea
from benchmarks.ideas.switches import IdeaGone
from benchmarks.ideas.without import SHOWN, fresh_processes, losses, measure_without
from benchmarks.material.corpus import numbers, sites_parser, sites_to_measure
from benchmarks.quality import Figures, Settings, summarise

ALL_ON = "all ideas on"


def measure_ideas(
    sources: Sequence[Path], names: Sequence[str], settings: Settings
) -> Iterator[tuple[str, Figures]]:
    """The figures with all ideas on, then without each of these, as they come."""
    with fresh_processes() as pool:
        tasks = {
            name: [pool.submit(measure_without, source, off, settings) for source in sources]
            for name, off in ((ALL_ON, ()), *((name, (name,)) for name in names))
        }
        for name, futures in tasks.items():
            yield name, summarise([future.result() for future in futures])


def select_greedily(
    sources: Sequence[Path],
    names: Sequence[str],
    settings: Settings,
    seeds: Sequence[int],
    notes: Path | None,
) -> tuple[list[Step], Worth]:
    """Which of the ideas can go together, printed as it is found; what all that go are worth,
    measured on all draws."""
    steps = []
    with fresh_processes() as pool:
        bench = Bench(pool, draws_of(sources, seeds), settings, Notebook(notes))
        for step in select(bench.by_reach(names), bench.worth):
            print(("goes  " if step.goes else "stays ") + step_line(step.idea, step.worth))
            sys.stdout.flush()
            steps.append(step)
        gone = [step.idea for step in steps if step.goes]
        together = bench.check(gone)
    print(f"{len(gone)} of {len(steps)} ideas go")
    print(("      " if together.bearable else "lost: ") + step_line("together", together))
    return steps, together


def step_line(name: str, lost: Worth) -> str:
    """One line of the table: lines, losses of all figures, the greatest and where it is."""
    lines = find_idea(name).lines if name in {idea.name for idea in IDEAS} else 0
    return f"{name:36}{lines or '':>6}{lost.total:>+10.4f}{lost.most:>+10.4f}  {lost.where}"


def table_line(name: str, figures: Figures, spec: str = "+.4f") -> str:
    """One line of the table."""
    # Rounded first, and 0 added: what is -0.00001 shall not show as a loss of -0.
    shown = {key: round(value, 4) + 0.0 for key, value in figures.items()}
    cells = (format(shown[key], spec) if key in shown else "-" for key in SHOWN)
    return f"{name:32}" + "".join(f"{cell:>16}" for cell in cells)


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line, read."""
    parser = sites_parser(
        "Switch each idea of the learner off and measure what is lost.",
        epilog="example: python -m benchmarks.ablation --only 'comments found' 'og:title'",
    )
    parser.add_argument("--only", nargs="+", metavar="IDEA", help="only these ideas")
    parser.add_argument(
        "--train-pages", type=int, default=0, metavar="N", help="learn from N pages; default: all"
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="draw the halves of each site by chance"
    )
    parser.add_argument(
        "--greedy", action="store_true", help="switch off as many together as nobody misses"
    )
    parser.add_argument(
        "--seeds",
        type=numbers,
        default=[0, 1, 2],
        metavar="N,N,...",
        help="with --greedy: draws of the halves; 0 are the usual ones; default: 0,1,2",
    )
    parser.add_argument(
        "--notes",
        type=Path,
        metavar="FILE",
        help="with --greedy: keep what was measured, and go on from there",
    )
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0; 2 if a site, the scorer or an idea is missing."""
    options = parse_arguments(arguments)
    all_on: Figures = {}
    lost: dict[str, Figures] = {}
    try:
        names = [find_idea(name).name for name in options.only or [idea.name for idea in IDEAS]]
        sources = sites_to_measure(options.sites)
        settings = Settings(train_pages=options.train_pages, seed=options.seed)
        if options.greedy:
            free = [name for name in names if not find_idea(name).is_fitted]
            found = select_greedily(sources, free, settings, options.seeds, options.notes)
            write_steps(*found, options.json)
            return 0
        print(f"{'loss without':32}" + "".join(f"{name:>16}" for name in SHOWN))
        for name, figures in measure_ideas(sources, names, settings):
            if name == ALL_ON:
                all_on = figures
                print(table_line(ALL_ON, figures, ".4f"), flush=True)
            else:
                lost[name] = losses(all_on, figures)
                print(table_line(name, lost[name]), flush=True)
    except (OSError, ValueError, IdeaGone) as error:
        print(error, file=sys.stderr)
        return 2
    if options.json:
        flat = {f"{name}: {figure}": v for name, own in lost.items() for figure, v in own.items()}
        content = {"figures": flat, ALL_ON: all_on, "losses": lost}
        options.json.write_text(json.dumps(content, indent=1) + "\n", "utf-8")
    return 0


def write_steps(steps: Sequence[Step], together: Worth, path: Path | None) -> None:
    """How many ideas go, and what each was worth when it was judged."""
    if path:
        figures = {"ideas": len(steps), "gone": sum(step.goes for step in steps)}
        content = {
            "figures": figures | {"lost": together.total, "most_lost": together.most},
            "together": asdict(together),
            "steps": [asdict(step) for step in steps],
        }
        path.write_text(json.dumps(content, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    sys.exit(main())
