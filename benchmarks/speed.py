"""What a page costs: `python -m benchmarks.speed [--json FILE]`.

CPU seconds of this process, ratios taken in one run on the same pages: of each real site a few
pages of the test half, with the patterns of its train half. Each time is the least of several
tries, for other work on the machine only ever adds. Before each try all is forgotten, so that no
page finds what an earlier try has left; before an extraction 20 pages of the train half are
extracted: what a site writes alike on every page is read once, as in a job.
"""

from __future__ import annotations

import argparse
import gc
import math
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import lxml.html

from benchmarks.material.corpus import (
    GoldPage,
    default_sites,
    middle_site,
    page_to_extract,
    pages_to_learn,
    read_halves,
)
from benchmarks.material.crawled import write_crawled
from benchmarks.material.multiply import multiplied
from benchmarks.measures.crawling import speed_figures
from benchmarks.measures.figures import report
from crawler.config.sites import SiteConfig
from crawler.config.stages import LearnConfig
from crawler.reading.html import detect_charset, parse_html
from crawler.storage.partitions import Storage
from extractor.extraction import extract_article
from learner.induction.job import learn_site
from learner.induction.steps import learn_patterns
from learner.kinds.kind import Kind
from learner.page.lines import LINES
from learner.page.markup import TAGS
from learner.page.pages import Page
from learner.patterns.pattern import Pattern, PatternSet

PAGES_PER_SITE = 6
PAGES_BEFORE = 20
TRIES = 5
LARGE_CACHE = 1000
"""Entries of a cache from which on it holds what pages say."""
WEBSTEMMER = LearnConfig(preset="webstemmer")
"""The formulas of the original; 1,000 pages take it some minutes."""


@dataclass(frozen=True, slots=True)
class SitePages:
    """Some pages of one site and the patterns that apply to them."""

    name: str
    pages: Sequence[Page]
    before: Sequence[Page]
    """Others, which a job would have extracted before."""
    patterns: PatternSet


def best_seconds(call: Callable[[], object], tries: int = TRIES) -> float:
    """CPU seconds of a call, the least of some tries."""
    best = math.inf
    for _ in range(tries):
        start = time.process_time()
        call()
        best = min(best, time.process_time() - start)
    return best


def total_seconds(pages: Iterable[Page], call: Callable[[Page], object], tries: int) -> float:
    """CPU seconds of a call over all pages."""
    return sum(best_seconds(partial(call, page), tries) for page in pages)


def extraction_seconds(
    pages: Sequence[Page], before: Sequence[Page], patterns: PatternSet
) -> tuple[float, float]:
    """CPU seconds to parse and to extract these pages, one after the other, after others of their
    site that are not counted."""
    parse, extract = ([math.inf] * len(pages) for _ in range(2))
    for _ in range(TRIES):
        forget_pages()
        for page in before:
            extract_article(page, patterns)
        for n, page in enumerate(pages):
            parse[n] = min(parse[n], best_seconds(partial(_bare_parse, page), 1))
        for n, page in enumerate(pages):
            spent = best_seconds(partial(extract_article, page, patterns), 1)
            extract[n] = min(extract[n], spent)
    return sum(parse), sum(extract)


def forget_pages() -> None:
    """Empty the caches of what pages say; tables of the program (names of months) stay."""
    LINES.clear()
    TAGS.clear()
    learner = [module for name, module in sys.modules.items() if name.startswith("learner.")]
    functions = [each for module in learner for each in vars(module).values()]
    for each in (each for each in functions if hasattr(each, "cache_clear")):
        if (each.cache_parameters()["maxsize"] or 0) >= LARGE_CACHE:
            each.cache_clear()


def _bare_parse(page: Page) -> object:
    return lxml.html.document_fromstring(page.html)


def read_sites(sources: Sequence[Path]) -> list[SitePages]:
    """Pages to extract, their charset known as after a crawl."""
    sites = []
    for source in sources:
        halves = read_halves(source)
        step = max(1, len(halves.test) // PAGES_PER_SITE)
        patterns = learn_patterns(pages_to_learn(halves.train))
        pages = _as_crawled(halves.test[::step][:PAGES_PER_SITE])
        before = _as_crawled(halves.train[:PAGES_BEFORE])
        sites.append(SitePages(halves.name, pages, before, patterns))
    return sites


def _as_crawled(gold: Sequence[GoldPage]) -> list[Page]:
    pages = map(page_to_extract, gold)
    return [replace(page, charset=detect_charset(page.html).name) for page in pages]


def extraction_figures(sites: Sequence[SitePages]) -> dict[str, float]:
    """Extraction against the bare parse, trafilatura, and itself with 200 patterns."""
    parse = extract = many = other = one = 0.0
    extra = [each for site in sites for each in site.patterns if each.kind is Kind.ARTICLE]
    for site in sites:
        mine = PatternSet(p for p in site.patterns if p.kind is Kind.ARTICLE)
        single = PatternSet(list(mine)[:1])
        crowd = PatternSet([*single, *_others(extra, mine)])
        parsed, extracted = extraction_seconds(site.pages, site.before, site.patterns)
        parse, extract = parse + parsed, extract + extracted
        alike = [page for page in site.pages if _same_pattern(page, single, crowd)]
        one += extraction_seconds(alike, site.before, single)[1]
        many += extraction_seconds(alike, site.before, crowd)[1]
        other += total_seconds(site.pages, _trafilatura(), 1)
    n_pages = sum(len(site.pages) for site in sites)
    return {
        "extract_vs_parse": extract / parse,
        "extract_vs_trafilatura": other / extract,
        "match200_vs_1": many / one,
        "extract_ms": 1000 * extract / n_pages,
        "parse_ms": 1000 * parse / n_pages,
    }


def _same_pattern(page: Page, single: PatternSet, crowd: PatternSet) -> bool:
    """Whether the crowd leaves the page to the pattern that it fits alone: only then is it the cost
    of matching that differs, not that of what foreign patterns take for its text."""
    alone, among = extract_article(page, single), extract_article(page, crowd)
    return alone.pattern_id is not None and alone.pattern_id == among.pattern_id


def _others(patterns: Sequence[Pattern], own: PatternSet) -> list[Pattern]:
    """199 patterns of other sites, again and again under other params if there are fewer."""
    known = {each.pattern_id for each in own}
    others = [each for each in patterns if each.pattern_id not in known]
    return [replace(others[n % len(others)], name=str(n)) for n in range(199)] if others else []


def _trafilatura() -> Callable[[Page], object]:
    import trafilatura

    return lambda page: trafilatura.extract(page.html)


def learning_figures(source: Path) -> dict[str, float]:
    """Learning 200 pages from Parquet, beyond the parse of all of them, though it takes a sample;
    and 1,000 against the preset webstemmer."""
    halves = read_halves(source)
    real = pages_to_learn([*halves.train, *halves.test])
    pages = list(multiplied(real, 1000))
    original = _seconds_afresh(lambda: learn_patterns(pages, WEBSTEMMER), 1)
    return {
        "learn200_seconds_beyond_parse": _from_parquet(pages[:200]),
        "learn1000_vs_webstemmer": original / _seconds_afresh(lambda: learn_patterns(pages), TRIES),
    }


def _seconds_afresh(learn: Callable[[], object], tries: int) -> float:
    """CPU seconds of a process that has seen none of the pages, the least of some tries."""
    best = math.inf
    for _ in range(tries):
        forget_pages()
        best = min(best, best_seconds(learn, 1))
    return best


def _from_parquet(pages: Sequence[Page]) -> float:
    site = SiteConfig(name="site", start_urls=("http://site.example/",))
    with TemporaryDirectory() as root:
        storage = Storage(root)
        write_crawled(storage, "site", pages)
        # Nothing is written from the second time on, as on most nights.
        learn = _seconds_afresh(lambda: learn_site(storage, site), TRIES)
    return learn - total_seconds(pages, lambda p: parse_html(p.html, "utf-8"), 2)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speed", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there")
    parser.add_argument("--only", choices=("extract", "learn", "crawl"), help="a part of them")
    options = parser.parse_args(arguments)
    sources = default_sites()
    parts = {options.only} if options.only else {"extract", "learn", "crawl"}
    if not sources and parts != {"crawl"}:
        print("benchmarks.speed: no sites in ../shared/sites, only the crawl", file=sys.stderr)
        parts &= {"crawl"}
    figures: dict[str, float] = {}
    if "extract" in parts:
        sites = read_sites(sources)
        gc.collect()
        gc.freeze()
        figures |= extraction_figures(sites)
        gc.unfreeze()
    if "learn" in parts:
        figures |= learning_figures(middle_site(sources))
    if "crawl" in parts:
        figures |= speed_figures()
    report(figures, options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
