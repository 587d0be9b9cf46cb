"""What a crawl costs: its speed beside a bare Scrapy spider's, its memory, and reading it back.

All crawls are of a generated site (`benchmarks.bigsite`), by the commands that a user types, each a
process of its own; the server is another. Pauses are off on both sides: they are manners, not cost.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.bigsite import HOST, BigSite, ServedBigSite, serve

REPOSITORY = Path(__file__).resolve().parents[1]
SITE = "big"
CONCURRENCY = 16
"""Requests at once: Scrapy's default in all, here to the one host too."""

SPEED_PAGES = 3000
TRIES = 3
LEARN_PAGES = 300
"""Pages crawled and learned first, so that there are patterns to apply."""

MANNERS = {
    "ROBOTSTXT_OBEY": True,
    "AUTOTHROTTLE_ENABLED": False,
    "DOWNLOAD_DELAY": 0,
    "CONCURRENT_REQUESTS": CONCURRENCY,
    "CONCURRENT_REQUESTS_PER_DOMAIN": CONCURRENCY,
    "LOG_LEVEL": "WARNING",
}
"""Settings of both crawls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What a process took, with the processes that it started."""

    wall_seconds: float
    cpu_seconds: float


class CommandFailed(RuntimeError):
    """A command ended with another exit code than 0."""


class Project:
    """A project folder with one site in its pipelines.yaml."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder = folder
        values = {
            "name": SITE,
            "start_urls": [url],
            "private_hosts": [HOST],
            "delay_seconds": 0.0,
            "concurrency": CONCURRENCY,
            "depth": 100,
        }
        (folder / "scrapy.cfg").write_text("[settings]\ndefault = crawler.settings\n")
        # JSON is YAML.
        (folder / "pipelines.yaml").write_text(json.dumps({"sites": [values]}))

    def command(self, *arguments: str) -> subprocess.Popen[bytes]:
        """`scrapy ARGUMENTS`, started here."""
        return _scrapy(self.folder, *arguments)

    def crawl(self) -> subprocess.Popen[bytes]:
        """`scrapy crawl`, started."""
        return self.command("crawl", SITE, *_options())

    def learn(self, n_pages: int) -> None:
        """Crawl some pages, learn them, and forget all but the patterns."""
        _end(self.command("crawl", SITE, *_options(), "-s", f"CLOSESPIDER_PAGECOUNT={n_pages}"), 1)
        _end(self.command("learn", SITE))
        self.clear()

    def clear(self) -> None:
        """Forget all but the patterns."""
        for name in (".state", "pages", "links", "articles"):
            shutil.rmtree(self.folder / "data" / name, ignore_errors=True)

    def table(self, name: str) -> str:
        """A table, for a query of DuckDB."""
        return f"read_parquet('{self.folder}/data/{name}/**/*.parquet', hive_partitioning = true)"


def _options() -> Iterator[str]:
    for name, value in MANNERS.items():
        yield from ("-s", f"{name}={value}")


def _scrapy(folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    environment.pop("WEBSTEM_CONFIG", None)
    line = [sys.executable, "-m", "scrapy", *arguments]
    return subprocess.Popen(line, cwd=folder, env=environment)


def _end(process: subprocess.Popen[bytes], expected: int = 0) -> Cost:
    """Wait for a process that was started just now; what it took."""
    start = time.perf_counter()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != expected:
        raise CommandFailed(
            f"{process.args!r}: expected exit code {expected}, got {process.returncode}; "
            "its own words are above"
        )
    return Cost(wall_seconds=wall, cpu_seconds=usage.ru_utime + usage.ru_stime)


# Speed


def speed_figures(n_pages: int = SPEED_PAGES, tries: int = TRIES) -> dict[str, float]:
    """Pages a second of our crawl, patterns applied, and of a bare spider, in turn."""
    ours: list[Cost] = []
    bare: list[Cost] = []
    with serve(BigSite(n_pages)) as served, TemporaryDirectory() as folder:
        project = Project(Path(folder), served.url)
        project.learn(min(LEARN_PAGES, n_pages))
        for _ in range(tries):
            bare.append(_counted(served, n_pages, lambda: _bare(served)))
            project.clear()
            ours.append(_counted(served, n_pages, lambda: _end(project.crawl())))
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
    spider = str(REPOSITORY / "benchmarks" / "bare_spider.py")
    with TemporaryDirectory() as folder:
        return _end(
            _scrapy(Path(folder), "runspider", spider, "-a", f"url={served.url}", *_options())
        )
