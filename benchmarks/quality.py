"""The standard measure: `python -m benchmarks.quality [SITE.zip|FOLDER ...]`.

Each real site is learned from its train half and its test half extracted, through the functions
that the commands call (`learn_patterns`, `extract_article`); `score.py` compares the article
records with the gold. An article counts as given out when its record has status `ok`: the page
model is not asked where no pattern fits, but with several numbers of `--train-pages`. Anchor texts
come from the links among the pages learned from, links into a page (`#comments`) left out.

Without arguments all sites of `../shared/sites` are measured. Figures are means over sites, of
those that have what is measured; an article that is not given out counts as 0.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import TypeVar
from unittest.mock import patch

from benchmarks.material.corpus import (
    GoldPage,
    Halves,
    numbers,
    page_to_extract,
    pages_to_learn,
    read_halves,
    redraw,
    sample,
    sites_parser,
    sites_to_measure,
)
from benchmarks.material.gold import scorer
from benchmarks.measures.details import author_is_exact, date_is_exact
from benchmarks.measures.figures import report
from crawler.config.stages import ExtractConfig, LearnConfig
from crawler.engine.local import local_executor
from extractor.extraction import extract_article
from extractor.records.articles import ARTICLES, ArticleRecord
from learner.induction import few_pages
from learner.induction.steps import learn_patterns
from learner.page import hints

WORKERS = 2
"""Processes; so many cores the machines have that the goals were set for."""

PRELOADED = ["benchmarks.material.corpus", "benchmarks.measures.details", "extractor.extraction"]
"""What a worker process finds imported."""

GOOD_F1 = 0.95
"""F1 from which a body counts as right."""

Figures = dict[str, float]
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What is learned from."""

    train_pages: int = 0
    """Pages learned from, of each site; 0: all of its train half."""
    most_pages: int | None = None
    """`learn.most_pages`: the learner's own sample of them; None: as sites have it."""
    with_anchors: bool = True
    with_hints: bool = True
    with_guesses: bool = False
    """Whether the page model reads what no pattern fits; then guessed articles count, too."""
    with_model: bool = True
    """Whether the learner asks it for a second opinion where pages are few."""
    with_patterns: bool = True
    """False: nothing is learned, the page model alone is measured."""
    seed: int = 0
    """Draws the halves anew; 0: those of `score.py`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageResult:
    """One page of the test half: what came out of it against the gold."""

    page: GoldPage
    record: ArticleRecord
    precision: float
    """Of the body; 0 if no article came out, as are recall, F1 and the title's exactness."""
    recall: float
    f1: float
    title_exact: float
    date_exact: bool | None
    """None where the gold has no date."""
    author_exact: bool | None
    """None where the gold has no author."""

    @property
    def given_out(self) -> bool:
        """Whether the page came out as an article."""
        return self.record.status in ARTICLES

    @property
    def badness(self) -> float:
        """What went wrong, from 0 to 2: the loss of F1 plus that of the title."""
        if self.page.is_article:
            return (1 - self.f1) + (1 - self.title_exact)
        return 2.0 * self.given_out


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteResult:
    """All test pages of one site."""

    name: str
    pages: tuple[PageResult, ...]
    n_train: int
    n_patterns: int
    learn_seconds: float
    """CPU, parsing included."""
    extract_seconds: float
    """CPU for all pages of the test half."""

    def figures(self) -> Figures:
        """The site's figures by name; those that nothing could be measured for are left out."""
        articles = [each for each in self.pages if each.page.is_article]
        lists = [each for each in self.pages if not each.page.is_article]
        found: dict[str, list[float]] = {
            "body_p": [each.precision for each in articles],
            "body_r": [each.recall for each in articles],
            "body_f1": [each.f1 for each in articles],
            "share_f1_95": [each.f1 >= GOOD_F1 for each in articles],
            "title_exact": [each.title_exact for each in articles],
            "list_as_article": [each.given_out for each in lists],
            "unmatched": [not each.given_out for each in articles],
            "date_exact": [e.date_exact for e in articles if e.date_exact is not None],
            "author_exact": [e.author_exact for e in articles if e.author_exact is not None],
        }
        figures = {name: fmean(values) for name, values in found.items() if values}
        figures["learn_seconds"] = self.learn_seconds
        figures["extract_pages_per_second"] = len(self.pages) / max(self.extract_seconds, 1e-9)
        figures["articles"], figures["lists"] = len(articles), len(lists)
        return figures


def measure_site(source: Path, settings: Settings) -> SiteResult:
    """Learn one site's train half and extract its test half."""
    (result,) = measure_halves([redraw(read_halves(source), settings.seed)], settings)
    return result


def _says_nothing(written: str) -> bool:
    return False


def measure_halves(sites: Sequence[Halves], settings: Settings) -> list[SiteResult]:
    """Learn the train halves of some sites as if they were one, and extract their test halves."""
    chosen = [sample(halves.train, settings.train_pages) for halves in sites]
    pages = [page for half in chosen for page in pages_to_learn(half, settings.with_anchors)]
    results = []
    no_hints = patch.multiple(hints, names_author=_says_nothing, leads_to_author=_says_nothing)
    no_model = patch.object(few_pages, "FEW_PAGES", 0)
    with (
        nullcontext() if settings.with_hints else no_hints,
        nullcontext() if settings.with_model else no_model,
    ):
        start = time.process_time()
        patterns = learn_patterns(
            pages if settings.with_patterns else (), LearnConfig(most_pages=settings.most_pages)
        )
        learned, config = time.process_time(), ExtractConfig(guess=settings.with_guesses)
        for halves, half in zip(sites, chosen, strict=True):
            inputs = [page_to_extract(page) for page in halves.test]
            before = time.process_time()
            records = [extract_article(page, patterns, config) for page in inputs]
            after = time.process_time()
            judged = zip(halves.test, records, strict=True)
            results.append(
                SiteResult(
                    name=halves.name,
                    pages=tuple(judge_page(page, record, halves) for page, record in judged),
                    n_train=min(len(half), settings.most_pages or len(half)),
                    n_patterns=len(patterns),
                    learn_seconds=learned - start,
                    extract_seconds=after - before,
                )
            )
    return results


def judge_page(page: GoldPage, record: ArticleRecord, halves: Halves) -> PageResult:
    """One record against the gold."""
    precision = recall = f1 = title_exact = 0.0
    given_out = page.is_article and record.status in ARTICLES
    if given_out:
        language = halves.language
        precision, recall, f1 = scorer().body_scores(record.body or "", page.body, language)
        title_exact, _ = scorer().title_scores(record.title or "", page.title, language)
    day = page.date and (given_out and date_is_exact(record, page.date, halves.language))
    author = page.author and (given_out and author_is_exact(record.authors, page.author))
    return PageResult(
        page=page,
        record=record,
        precision=precision,
        recall=recall,
        f1=f1,
        title_exact=title_exact,
        date_exact=bool(day) if page.date else None,
        author_exact=bool(author) if page.author else None,
    )


def on_all_cores(function: Callable[[Path], T], sources: Sequence[Path]) -> Iterator[T]:
    """The function's results in the order of the sources; of several, in worker processes.

    The biggest sites start first, so that no core waits for one at the end.
    """
    if len(sources) == 1:
        yield function(sources[0])
        return
    with local_executor(min(WORKERS, len(sources)), PRELOADED) as pool:
        by_size = sorted(sources, key=lambda source: -source.stat().st_size)
        futures = {source: pool.submit(function, source) for source in by_size}
        for source in sources:
            yield futures[source].result()


def summarise(results: Sequence[SiteResult]) -> Figures:
    """Means over the sites that have the figure, and the F1 of the worst site."""
    per_site = [result.figures() for result in results]
    names = dict.fromkeys(name for figures in per_site for name in figures)
    means = {
        name: fmean(figures[name] for figures in per_site if name in figures)
        for name in names
        if name not in ("articles", "lists")
    }
    scored = [figures["body_f1"] for figures in per_site if "body_f1" in figures]
    return {**means, "worst_body_f1": min(scored, default=0.0), "sites": float(len(results))}


COLUMNS = (
    ("body_p", "P", ".3f"),
    ("body_r", "R", ".3f"),
    ("body_f1", "F1", ".3f"),
    ("share_f1_95", ">=.95", ".2f"),
    ("title_exact", "title", ".3f"),
    ("list_as_article", "lists", ".3f"),
    ("unmatched", "unm.", ".3f"),
    ("date_exact", "date", ".2f"),
    ("author_exact", "auth", ".2f"),
    ("learn_seconds", "learn s", ".1f"),
    ("extract_pages_per_second", "pages/s", ".0f"),
)


def table_head() -> str:
    """The names of the columns."""
    return f"{'site':20}" + "".join(f"{title:>8}" for _, title, _ in COLUMNS)


def table_line(name: str, figures: Figures) -> str:
    """One site's figures; `-` where there is nothing to measure."""
    cells = (format(figures[key], spec) if key in figures else "-" for key, _, spec in COLUMNS)
    return f"{name:20}" + "".join(f"{cell:>8}" for cell in cells)


def failures(result: SiteResult, most: int) -> Iterator[str]:
    """The worst pages of a site, one line each, worst first."""
    bad = sorted((each for each in result.pages if each.badness > 0.02), key=lambda e: -e.badness)
    for each in bad[:most]:
        record = each.record
        if not each.page.is_article:
            yield f"    list given out: {each.page.url} as {(record.title or '')[:60]!r}"
        elif not each.given_out:
            yield f"    not given out: {each.page.url}: {record.status} ({record.reason})"
        else:
            title = ""
            if not each.title_exact:
                title = f"; title {(record.title or '')[:60]!r}, expected {each.page.title[:60]!r}"
            scores = f"P {each.precision:.2f} R {each.recall:.2f} F1 {each.f1:.2f}"
            yield f"    {scores}: {each.page.url}{title}"


def write_json(file: Path, results: Sequence[SiteResult]) -> None:
    """The figures, and beside them those of each site."""
    content = {
        "figures": summarise(results),
        "per_site": {result.name: result.figures() for result in results},
    }
    file.write_text(json.dumps(content, indent=1) + "\n", "utf-8")


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line, read."""
    parser = sites_parser(
        "Learn and extract real sites; compare with the gold.",
        epilog="example: python -m benchmarks.quality ../shared/sites/keens.zip --failures 5",
    )
    parser.add_argument(
        "--train-pages",
        type=numbers,
        default=(0,),
        metavar="N[,N,...]",
        help="learn from N pages of the train half, evenly spread over its articles and lists; of "
        "several numbers: body F1 of patterns alone, the page model alone, and both, side by side",
    )
    parser.add_argument(
        "--most-pages",
        type=int,
        metavar="N",
        help="let the learner take a sample of N pages of the train half (`learn.most_pages`)",
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=0,
        metavar="N",
        help="draw the halves of each site by chance; 0, the default, takes those of score.py",
    )
    parser.add_argument(
        "--seeds",
        type=numbers,
        metavar="N,N,...",
        help="measure on each of these draws: means, the worst, what chance decides",
    )
    parser.add_argument("--no-anchors", action="store_true", help="learn without anchor texts")
    parser.add_argument(
        "--no-hints", action="store_true", help='learn without the words "author" and "by"'
    )
    parser.add_argument(
        "--failures", type=int, default=0, metavar="N", help="print each site's N worst pages"
    )
    return parser.parse_args(arguments)


def measure(sources: Sequence[Path], settings: Settings) -> Iterator[SiteResult]:
    """The result of each site, in the order of the sources."""
    return on_all_cores(partial(measure_site, settings=settings), sources)


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0; 2 if a site or the scorer is missing."""
    options = parse_arguments(arguments)
    settings = Settings(
        train_pages=options.train_pages[0],
        most_pages=options.most_pages,
        with_anchors=not options.no_anchors,
        with_hints=not options.no_hints,
        seed=options.seed,
    )
    if len(options.train_pages) > 1:
        return _measure_few(
            options, [replace(settings, train_pages=n) for n in options.train_pages]
        )
    if options.seeds:
        return _measure_draws(options, [replace(settings, seed=seed) for seed in options.seeds])
    results = []
    try:
        sources = sites_to_measure(options.sites)
        print(table_head())
        for result in measure(sources, settings):
            print(table_line(result.name, result.figures()), flush=True)
            for line in failures(result, options.failures):
                print(line)
            results.append(result)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    figures = summarise(results)
    print(table_line("mean", figures))
    print(f"worst site F1 {figures['worst_body_f1']:.3f}; {len(results)} sites")
    if options.json:
        write_json(options.json, results)
    return 0


def _measure_few(options: argparse.Namespace, settings: Sequence[Settings]) -> int:
    """Measure on few pages, with and without the page model; the exit code."""
    from benchmarks.measures import few

    found = []
    try:
        sources = sites_to_measure(options.sites)
        print(few.head(settings))
        for each in on_all_cores(partial(few.measure_few, settings=settings), sources):
            print(few.line(each.name, each.f1), flush=True)
            found.append(each)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    means = few.means_of(found)
    print(few.line("mean", means))
    report({f"{name}_f1_{n}": f1 for (name, n), f1 in means.items()}, options.json)
    return 0


def _measure_draws(options: argparse.Namespace, settings: Sequence[Settings]) -> int:
    """Measure on several draws of the halves; the exit code."""
    from benchmarks.measures import draws

    found = []
    try:
        sources = sites_to_measure(options.sites)
        print(draws.HEAD)
        for each in on_all_cores(partial(draws.measure_draws, settings=settings), sources):
            print(each.line(), flush=True)
            found.append(each)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    report(draws.figures_of(found), options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
