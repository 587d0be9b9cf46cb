"""What a crawl costs: its speed beside a bare Scrapy spider's, its memory, and reading it back.

All crawls are of a generated site (`benchmarks.material.bigsite`), by the commands that a user
types, each a process of its own; the server is another. Pauses are off on both sides: they are
manners, not cost.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.material.bigsite import HOST, BigSite, ServedBigSite, serve
from benchmarks.measures.lookups import add_neighbours, lookup_figures
from crawler.storage.partitions import Storage

REPOSITORY = Path(__file__).resolve().parents[2]
SITE = "big"
CONCURRENCY = 16
"""Requests at once: Scrapy's default in all, here to the one host too."""

SPEED_PAGES = 2000
TRIES = 3
LEARN_PAGES = 300
"""Pages crawled and learned first, so that there are patterns to apply."""

MEMORY_PAGES = 50_000
EARLY_PART = 10
"""Memory is compared with that after one in so many of the pages."""

SAMPLE_SECONDS = 0.25
LOOKUPS = 10
"""Pages that are looked up by their URL."""

MANNERS = {
    "ROBOTSTXT_OBEY": True,
    "AUTOTHROTTLE_ENABLED": False,
    "DOWNLOAD_DELAY": 0,
    "CONCURRENT_REQUESTS": CONCURRENCY,
    "CONCURRENT_REQUESTS_PER_DOMAIN": CONCURRENCY,
    "LOG_LEVEL": "WARNING",
}
"""Settings of both crawls."""

_MEMORY = re.compile(r"^Vm(RSS|HWM):\s+(\d+) kB$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What a process took, with the processes that it started."""

    wall_seconds: float
    cpu_seconds: float
    peak_mb: float
    """Memory of the largest of them."""


class CommandFailed(RuntimeError):
    """A command ended with another exit code than 0."""


class Project:
    """A project folder with one site in its pipelines.yaml."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder = folder
        self._url = url
        (folder / "scrapy.cfg").write_text("[settings]\ndefault = crawler.settings\n")
        self._configure(max_pages=None)

    def _configure(self, max_pages: int | None) -> None:
        values = {
            "name": SITE,
            "start_urls": [self._url],
            "private_hosts": [HOST],
            "delay_seconds": 0.0,
            "concurrency": CONCURRENCY,
            "depth": 100,
            "max_pages": max_pages,
            "find_feeds": False,
            "find_sitemaps": False,
            "learn_every": "never",
        }
        # JSON is YAML.
        (self.folder / "pipelines.yaml").write_text(json.dumps({"sites": [values]}))

    def command(self, *arguments: str) -> subprocess.Popen[bytes]:
        """`scrapy ARGUMENTS`, started here."""
        return _scrapy(self.folder, *arguments)

    def crawl(self) -> subprocess.Popen[bytes]:
        """`scrapy crawl`, started."""
        return self.command("crawl", SITE, *_options())

    def learn(self, n_pages: int) -> None:
        """Crawl some pages, learn them, and forget all but the patterns."""
        self._configure(max_pages=n_pages)
        _end(self.crawl())
        _end(self.command("learn", SITE))
        self.clear()
        self._configure(max_pages=None)

    def clear(self) -> None:
        """Forget all but the patterns."""
        for name in (".state", "pages", "links", "articles"):
            shutil.rmtree(self.folder / "data" / name, ignore_errors=True)


def _options() -> Iterator[str]:
    for name, value in MANNERS.items():
        yield from ("-s", f"{name}={value}")


def _scrapy(folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    # Loopback is no matter for a proxy, and the project for no other configuration.
    unwanted = {name for name in os.environ if name.lower().endswith("_proxy")} | {"WEBSTEM_CONFIG"}
    inherited = {name: value for name, value in os.environ.items() if name not in unwanted}
    environment = {**inherited, "PYTHONPATH": str(REPOSITORY)}
    line = [sys.executable, "-m", "scrapy", *arguments]
    return subprocess.Popen(line, cwd=folder, env=environment)


def _end(process: subprocess.Popen[bytes]) -> Cost:
    """Wait for a process that was started just now; what it took. CommandFailed if it failed."""
    start = time.perf_counter()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise CommandFailed(
            f"{process.args!r}: expected exit code 0, got {process.returncode}; "
            "its own words are above"
        )
    return Cost(
        wall_seconds=wall,
        cpu_seconds=usage.ru_utime + usage.ru_stime,
        peak_mb=usage.ru_maxrss / 1024,
    )


# Speed


def speed_figures(n_pages: int = SPEED_PAGES, tries: int = TRIES) -> dict[str, float]:
    """Pages a second of our crawl, patterns applied, and of a bare spider, in turn."""
    ours: list[Cost] = []
    bare: list[Cost] = []
    with serve(BigSite(n_pages)) as served, TemporaryDirectory() as folder:
        project = Project(Path(folder), served.url)
        project.learn(LEARN_PAGES)
        for _ in range(tries):
            bare.append(_counted(served, lambda: _bare(served)))
            project.clear()
            ours.append(_counted(served, lambda: _end(project.crawl())))
    wall = min(cost.wall_seconds for cost in ours)
    bare_wall = min(cost.wall_seconds for cost in bare)
    return {
        "crawl_vs_bare": bare_wall / wall,
        "crawl_pages_per_second": n_pages / wall,
        "bare_pages_per_second": n_pages / bare_wall,
        "crawl_cpu_ms": 1000 * min(cost.cpu_seconds for cost in ours) / n_pages,
        "bare_cpu_ms": 1000 * min(cost.cpu_seconds for cost in bare) / n_pages,
    }


def _bare(served: ServedBigSite) -> Cost:
    spider = str(Path(__file__).with_name("bare_spider.py"))
    with TemporaryDirectory() as folder:
        return _end(
            _scrapy(Path(folder), "runspider", spider, "-a", f"url={served.url}", *_options())
        )


def _counted(served: ServedBigSite, crawl: Callable[[], Cost]) -> Cost:
    """The cost of a crawl that fetched every page of the site, once."""
    before = served.n_served
    cost = crawl()
    fetched = served.n_served - before
    # Two spellings of the home page are one request too many in the bare crawl.
    if not 0 <= fetched - served.site.n_pages <= 1:
        raise RuntimeError(f"crawl: expected {served.site.n_pages} pages served, got {fetched}")
    return cost


# Memory


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """The memory of the crawl's process at a moment."""

    n_pages: int
    rss_mb: float
    peak_mb: float
    """Its largest so far."""


def memory_figures(n_pages: int = MEMORY_PAGES) -> dict[str, float]:
    """Memory of a crawl when all pages are there and when a tenth was, and what reading its tables
    back costs."""
    with serve(BigSite(n_pages)) as served, TemporaryDirectory() as folder:
        project = Project(Path(folder), served.url)
        project.learn(LEARN_PAGES)
        start, before = time.perf_counter(), served.n_served
        process = project.crawl()
        samples = list(_samples(process, served, before))
        largest_mb = _end(process).peak_mb
        figures = {"crawl_seconds": time.perf_counter() - start}
        figures |= rss_figures(samples, n_pages // EARLY_PART, n_pages)
        figures["crawl_largest_process_mb"] = largest_mb
        return figures | lookup_figures_of(project, served)


def lookup_figures_of(project: Project, served: ServedBigSite) -> dict[str, float]:
    """What is read of the pages table for the run's day, and for a few pages of it."""
    pages = project.folder / "data" / "pages"
    days = Storage(str(project.folder / "data")).dates("pages", SITE)
    step = max(1, served.site.n_pages // LOOKUPS)
    paths = [served.site.path(number) for number in range(0, served.site.n_pages, step)]
    add_neighbours(pages, SITE)
    keys = [served.url.rstrip("/") + path for path in paths]
    return lookup_figures(pages, SITE, days[-1], keys)


def _samples(
    process: subprocess.Popen[bytes], served: ServedBigSite, before: int
) -> Iterator[Sample]:
    """Samples of a process until it ends; Linux only."""
    while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        status = Path(f"/proc/{process.pid}/status").read_text()
        memory = {name: int(kb) / 1024 for name, kb in _MEMORY.findall(status)}
        if len(memory) == 2:
            yield Sample(
                n_pages=served.n_served - before, rss_mb=memory["RSS"], peak_mb=memory["HWM"]
            )
        time.sleep(SAMPLE_SECONDS)


def rss_figures(samples: Sequence[Sample], early: int, late: int) -> dict[str, float]:
    """Memory in the last fifth before `early` pages and in as many pages before `late`.

    What comes after the last page, the merging, counts for the peak only.

    >>> samples = [Sample(n_pages=n, rss_mb=100 + n, peak_mb=200) for n in range(0, 101, 5)]
    >>> rss_figures(samples, 50, 100)["crawl_rss_growth"]
    1.345
    """
    first, last = (_rss_before(samples, moment, early // 5) for moment in (early, late))
    return {
        "crawl_rss_mb": last,
        "crawl_rss_early_mb": first,
        "crawl_rss_peak_mb": max(sample.peak_mb for sample in samples),
        "crawl_rss_growth": round(last / first, 3),
    }


def _rss_before(samples: Sequence[Sample], moment: int, window: int) -> float:
    """The median over `window` pages up to the first sample that has `moment` pages or more."""
    end = next(index for index, sample in enumerate(samples) if sample.n_pages >= moment)
    before = samples[: end + 1]
    return statistics.median(each.rss_mb for each in before if each.n_pages >= moment - window)
