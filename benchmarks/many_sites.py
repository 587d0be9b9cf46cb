"""A night of many sites: `python -m benchmarks.many_sites [SITES] [--json FILE]`.

Each site is the demo site under a name of its own, its pages reworded
(`benchmarks.material.multiply`), and stands in Parquet as a crawl leaves it. Then `scrapy learn
--all` and `scrapy extract --all` run as they would at night, as processes of their own; their time
and summaries are reported. A second run of both must find nothing left to do.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.material.crawled import write_crawled
from benchmarks.material.multiply import multiplied
from benchmarks.measures.figures import report
from crawler.storage.partitions import Storage
from crawler.usage.exitcodes import EXIT_OK
from examples.site import build_site
from learner.page.pages import Page

SITES = 1_000
PAGES = 40
"""Pages of a site: enough to learn the demo site's four layouts from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What one command over all sites cost, and what it said."""

    wall_seconds: float
    rows: Sequence[dict[str, Any]]
    """The summaries of its tasks."""

    @property
    def failed(self) -> int:
        """Tasks that failed."""
        return sum(1 for row in self.rows if row["failed"])


def site_pages(number: int, n_pages: int) -> list[Page]:
    """The pages of one site: those of the demo site, in words of its own."""
    demo = build_site(1, "")
    made = [*demo.pages("article"), *demo.pages("list")]
    host = f"http://site-{number}.example"
    pages = [Page(url=host + each.path, html=each.body) for each in made]
    # What a copy says depends on its address, and so on the site.
    copies = islice(multiplied(pages, 2 * len(pages)), len(pages), None)
    every = max(1, len(pages) // n_pages)
    return list(copies)[::every][:n_pages]


def write_project(folder: Path, n_sites: int, n_pages: int) -> int:
    """A project folder with so many crawled sites; the pages written."""
    storage, written = Storage(str(folder / "data")), 0
    lines = ["storage: data", "sites:"]
    for number in range(n_sites):
        pages = site_pages(number, n_pages)
        write_crawled(storage, f"site-{number}", pages)
        written += len(pages)
        lines += [f"  - name: site-{number}", f"    start_urls: [http://site-{number}.example/]"]
    (folder / "pipelines.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "scrapy.cfg").write_text("[settings]\ndefault = crawler.settings\n", encoding="utf-8")
    return written


def run(folder: Path, work: str) -> Command:
    """`scrapy WORK --all` in a project folder; RuntimeError with its words if it fails."""
    start = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "scrapy", work, "--all", "--json"],
        cwd=folder,
        env={**os.environ, "WEBSTEM_CONFIG": str(folder / "pipelines.yaml")},
        capture_output=True,
        text=True,
        check=False,
    )
    wall = time.monotonic() - start
    if done.returncode != EXIT_OK:
        raise RuntimeError(f"scrapy {work} --all: exit code {done.returncode}: {done.stderr}")
    return Command(wall_seconds=wall, rows=json.loads(done.stdout))


def many_sites(n_sites: int, n_pages: int) -> dict[str, float]:
    """The figures of one night, and of the next one on which nothing is new."""
    with TemporaryDirectory(prefix="webstem-many-sites-") as root:
        folder = Path(root)
        written = write_project(folder, n_sites, n_pages)
        learned, extracted = run(folder, "learn"), run(folder, "extract")
        idle = [run(folder, work) for work in ("learn", "extract")]
    statuses: Counter[str] = Counter()
    for row in extracted.rows:
        statuses.update(row.get("statuses", {}))
    return {
        "sites": n_sites,
        "pages": written,
        "cores": os.cpu_count() or 1,
        "learn_wall_seconds": learned.wall_seconds,
        "extract_wall_seconds": extracted.wall_seconds,
        "articles": statuses["ok"],
        "failed": learned.failed + extracted.failed,
        "idle_wall_seconds": sum(command.wall_seconds for command in idle),
        "idle_tasks": sum(len(command.rows) for command in idle),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.many_sites", description=__doc__)
    parser.add_argument("sites", nargs="?", type=int, default=SITES, help="default: %(default)s")
    parser.add_argument("--pages", type=int, default=PAGES, help="of a site; default: %(default)s")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there")
    options = parser.parse_args(arguments)
    figures = many_sites(options.sites, options.pages)
    report(figures, options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
