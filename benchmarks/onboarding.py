"""From a URL to articles: `python -m benchmarks.onboarding [SITE.zip|FOLDER ...]`.

Each site is served under its own host name. In an empty folder `webstem add` gets its base URL and
nothing else, and `webstem crawl` goes on until no page waits. No entry is edited; only the pauses
between requests are switched off for all sites, beforehand.

- `found`: share of the articles that links, feeds or a sitemap lead to that were fetched;
- `worst_found`: the same on the site where it is least;
- `wrong_kind`: share of the fetched pages with gold that are articles and did not come out as such,
  or are lists and did;
- `requests_per_article`: requests for each article that came out;
- `failed`: sites on which a command failed.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any

import duckdb

from benchmarks.material.corpus import sites_parser, sites_to_measure
from benchmarks.material.reachability import PageKey, is_of, page_key, reachable_pages
from benchmarks.measures.figures import report
from benchmarks.serving import ArchivedSite, ServedSite, serve

REPOSITORY = Path(__file__).resolve().parents[1]
NO_PAUSES = "defaults: {delay_seconds: 0.0, max_delay_seconds: 0.01, concurrency: 8}\nsites: []\n"
MOST_CRAWLS = 5
"""Crawls after the first, each of 2,000 pages at most."""
TIMEOUT_SECONDS = 900

_SOURCE = re.compile(r"(sitemap|feed|rss|atom|index)[^/]*(\.xml|/index\.xml|/)?")
_URL = re.compile(rb"https?://[^\s<\"']+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Onboarded:
    """What came of one site."""

    name: str
    reachable: int
    """Articles that something leads to."""
    fetched: int
    """Those of them that were fetched."""
    with_gold: int
    """Fetched pages that the gold tells the kind of."""
    wrong: int
    """Those that came out as another kind."""
    articles: int
    requests: int
    problem: str = ""
    """What a command said that failed."""

    @property
    def found(self) -> float:
        """Share of the reachable articles that were fetched."""
        return self.fetched / self.reachable if self.reachable else 1.0


def onboard(source: Path, folder: Path) -> Onboarded:
    """Add one archived site by its URL, crawl it to its end, and compare with the gold."""
    site, name = ArchivedSite(source), source.stem.lower()
    (folder / "pipelines.yaml").write_text(NO_PAUSES, encoding="utf-8")
    with serve(site) as served:
        problem = _add_and_crawl(start_page(site), folder, served, name)
        requests = served.requests.total()
    statuses = dict(_statuses(folder))
    kinds = {page_key(page["url"]): page["kind"] for page in site.gold}
    led_to = {*reachable_pages(site, (start_page(site),)), *_named_by_files(site), *statuses}
    articles = {key for key, kind in kinds.items() if kind == "article"}
    fetched = {key: status == "ok" for key, status in statuses.items() if key in kinds}
    return Onboarded(
        name=name,
        reachable=len(articles & led_to),
        fetched=len(articles & fetched.keys()),
        with_gold=len(fetched),
        wrong=sum((key in articles) is not is_ok for key, is_ok in fetched.items()),
        articles=sum(status == "ok" for status in statuses.values()),
        requests=requests,
        problem=problem,
    )


def _named_by_files(site: ArchivedSite) -> set[PageKey]:
    """The pages that feeds and sitemaps of the archive's top folder name, read apart from the
    crawler."""
    files = [body for name, body in site.files.items() if _SOURCE.fullmatch(name)]
    urls = [url.decode("utf-8", "replace") for body in files for url in _URL.findall(body)]
    return {page_key(url) for url in urls if is_of(site, url)}


def start_page(site: ArchivedSite) -> str:
    """The URL that a user would type: the base URL, or the first list page if that is missing."""
    lists = (page["url"] for page in site.gold if page["kind"] == "list")
    for url in (site.base_url, *lists):
        answer = site.answer(url)
        if answer.status == HTTPStatus.OK and answer.content_type == "text/html":
            return url
    raise ValueError(f"{site.source}: expected a page to begin with, got none")


def _add_and_crawl(url: str, folder: Path, served: ServedSite, name: str) -> str:
    """What the command that failed said last; empty if none did."""
    commands = [("add", url, "--name", name), *[("crawl", name)] * MOST_CRAWLS]
    for number, command in enumerate(commands):
        done = subprocess.run(
            [sys.executable, "-m", "crawler.console", *command],
            cwd=folder,
            env={**os.environ, **served.environment(), "PYTHONPATH": str(REPOSITORY)},
            capture_output=True,
            text=True,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
        if done.returncode and not (number and "not one page" in done.stderr):
            said = (done.stderr or done.stdout).strip().splitlines()
            return said[-1] if said else f"exit code {done.returncode}"
        if number and not _waiting(folder):
            break
    return ""


def _waiting(folder: Path) -> int:
    """Pages that wait to be crawled, by the last crawl's own row."""
    query = "select links_waiting from {} where command = 'crawl' order by started_at"
    return int(_rows(folder, "runs", query)[-1][0] or 0)


def _statuses(folder: Path) -> Iterator[tuple[tuple[str, object], str]]:
    """What became of each page, as it came out last."""
    if (folder / "data" / "outcomes").exists():
        for url, status in _rows(
            folder, "outcomes", "select url, status from {} order by fetched_at"
        ):
            yield page_key(url), status


def _rows(folder: Path, table: str, query: str) -> list[tuple[Any, ...]]:
    files = f"read_parquet('{folder}/data/{table}/**/*.parquet')"
    return duckdb.connect().execute(query.format(files)).fetchall()


def summarise(found: Sequence[Onboarded]) -> dict[str, float]:
    """The figures of all sites."""
    with_gold = sum(each.with_gold for each in found)
    articles = sum(each.articles for each in found)
    return {
        "sites": len(found),
        "found": fmean(each.found for each in found),
        "worst_found": min(each.found for each in found),
        "wrong_kind": sum(each.wrong for each in found) / max(1, with_gold),
        "requests_per_article": sum(each.requests for each in found) / max(1, articles),
        "failed": sum(bool(each.problem) for each in found),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0; 2 if a site is missing."""
    options = sites_parser("Measure what `webstem add URL` finds of sites.").parse_args(arguments)
    found = []
    try:
        for source in sites_to_measure(options.sites):
            with TemporaryDirectory(prefix="webstem-onboarding-") as folder:
                each = onboard(source, Path(folder))
            found.append(each)
            print(
                f"{each.name:16} found {each.fetched} of {each.reachable} ({each.found:.2f}), "
                f"{each.wrong} of {each.with_gold} of the wrong kind, {each.articles} articles, "
                f"{each.requests} requests  {each.problem}",
                flush=True,
            )
    except (OSError, ValueError) as problem:
        print(problem, file=sys.stderr)
        return 2
    report(summarise(found), options.json)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
