"""How learning and crawling grow with a site: `python -m benchmarks.scale [--json FILE]`.

A real site is multiplied (`benchmarks.material.multiply`) into Parquet, page by page, and learned
from there as `scrapy learn` does, each size in a process of its own, which tells its CPU time and
its largest memory. The bare parse of all pages is taken off, whether or not learning had to parse
them.

The memory of a crawl, and what is read of its tables to find a page, are measured on a generated
site (`benchmarks.measures.crawling`), which needs no real one.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import resource
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.material.corpus import default_sites, middle_site, pages_to_learn, read_halves
from benchmarks.material.crawled import write_crawled
from benchmarks.material.multiply import multiplied
from benchmarks.measures.crawling import MEMORY_PAGES, memory_figures
from benchmarks.measures.figures import report
from crawler.config.sites import SiteConfig
from crawler.engine.local import end_with_parent
from crawler.reading.html import parse_html
from crawler.storage.partitions import Storage
from learner.induction.job import learn_site

SIZES = (1_000, 10_000, 50_000)
PART_PAGES = 500
"""Pages of a part file, as a crawl writes them by bytes."""

PARSED_PAGES = 1_000
"""Pages that the bare parse is timed on."""


def write_pages(source: Path, n_pages: int, root: str) -> float:
    """Write a site of so many pages; CPU seconds that the bare parse of all of them takes."""
    halves = read_halves(source)
    pages = multiplied(pages_to_learn([*halves.train, *halves.test]), n_pages)
    storage = Storage(root)
    seconds, parsed = 0.0, 0
    while part := list(islice(pages, PART_PAGES)):
        write_crawled(storage, "site", part)
        if parsed < PARSED_PAGES:
            start = time.process_time()
            for page in part:
                parse_html(page.html, "utf-8")
            seconds += time.process_time() - start
            parsed += len(part)
    return seconds * n_pages / parsed


def learn(root: str) -> tuple[float, float, int]:
    """CPU seconds and MB of memory that learning the site takes, and how many patterns it has."""
    site = SiteConfig(name="site", start_urls=("http://site.example/",))
    start = time.process_time()
    summary = learn_site(Storage(root), site)
    seconds = time.process_time() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return seconds, memory, len(summary.patterns)


def measure(source: Path, n_pages: int) -> dict[str, float]:
    """The figures of one size."""
    context = multiprocessing.get_context("spawn")
    with TemporaryDirectory() as root:
        with ProcessPoolExecutor(1, context, end_with_parent) as writer:
            parse = writer.submit(write_pages, source, n_pages, root).result()
        with ProcessPoolExecutor(1, context, end_with_parent) as learner:
            seconds, memory, n_patterns = learner.submit(learn, root).result()
    print(f"{n_pages:7} pages: {seconds:7.1f} s, parse {parse:6.1f} s, {memory:6.0f} MB, "
          f"{n_patterns} patterns", flush=True)  # fmt: skip
    return {"seconds": seconds, "parse": parse, "rss_mb": memory, "patterns": n_patterns}


def figures_of(measured: dict[int, dict[str, float]]) -> dict[str, float]:
    """The figures by name."""
    figures = {}
    for size, values in measured.items():
        label = f"learn{size // 1000}k"
        figures[f"{label}_seconds"] = values["seconds"]
        figures[f"{label}_seconds_beyond_parse"] = max(0.0, values["seconds"] - values["parse"])
        figures[f"{label}_rss_mb"] = values["rss_mb"]
    sizes = sorted(measured)
    if len(sizes) > 1:
        growth = measured[sizes[-1]]["seconds"] / measured[sizes[0]]["seconds"]
        figures["learn_exponent"] = math.log(growth) / math.log(sizes[-1] / sizes[0])
    return figures


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there")
    parser.add_argument("--only", choices=("learn", "crawl"), help="a part of them")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="pages to learn")
    parser.add_argument("--crawl-pages", type=int, default=MEMORY_PAGES, help="pages to crawl")
    options = parser.parse_args(arguments)
    sources = default_sites()
    figures: dict[str, float] = {}
    if options.only != "crawl" and not sources:
        print("benchmarks.scale: no sites in ../shared/sites, no learning", file=sys.stderr)
    elif options.only != "crawl":
        source = middle_site(sources)
        print(f"learning {source.stem}, multiplied")
        figures |= figures_of({size: measure(source, size) for size in options.sizes})
    if options.only != "learn":
        figures |= memory_figures(options.crawl_pages)
    report(figures, options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
