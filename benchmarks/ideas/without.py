"""Sites measured with some ideas of the learner switched off, each in a process of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from benchmarks.ideas.listed import find_idea
from benchmarks.ideas.switches import switch_off
from benchmarks.quality import PRELOADED, WORKERS, Figures, Settings, SiteResult, measure_site
from crawler.engine.local import local_executor

SHOWN = (
    "body_f1", "worst_body_f1", "title_exact", "list_as_article", "unmatched", "date_exact",
    "author_exact",
)  # fmt: skip
"""The figures whose losses are shown."""

LESS_IS_BETTER = frozenset({"list_as_article", "unmatched"})


def losses(all_on: Figures, without: Figures) -> Figures:
    """How much worse each figure is without the idea; below 0: better."""
    return {
        name: without[name] - all_on[name]
        if name in LESS_IS_BETTER
        else all_on[name] - without[name]
        for name in SHOWN
        if name in without and name in all_on
    }


def measure_without(source: Path, names: Sequence[str], settings: Settings) -> SiteResult:
    """One site with some ideas switched off; call it in a fresh process."""
    for idea in map(find_idea, names):
        if not idea.with_anchors:
            settings = replace(settings, with_anchors=False)
        if idea.target:
            switch_off(idea)
    return measure_site(source, settings)


@contextmanager
def fresh_processes() -> Iterator[ProcessPoolExecutor]:
    """A pool whose processes serve one task each, so that nothing of an idea is left for the next;
    each begins as a copy of one that has imported everything."""
    with local_executor(WORKERS, [*PRELOADED, __name__], tasks_each=1) as pool:
        yield pool
