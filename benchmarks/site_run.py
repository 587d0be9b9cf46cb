"""The whole pipeline on real sites: `python -m benchmarks.site_run ../shared/sites/keens.zip ...`.

Each site is served on loopback under its own host name, then the commands a user types run in a
project folder of their own: crawl, learn, extract. Their Parquet is read back with DuckDB and
compared with what links lead to (`benchmarks.material.reachability`) and with the gold: every
reachable page has to be stored exactly once, and articles are scored by `score.py`.

Learning and scoring are done on the same pages here, as in daily use; `benchmarks.quality` is the
measure with separate halves. Exit code 1 if a page is missing or stored twice, 2 if a command
failed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean

import duckdb

from benchmarks.material.gold import scorer
from benchmarks.material.reachability import page_key, reachable_pages, seeds_for
from benchmarks.serving import ArchivedSite, ServedSite, serve

REPOSITORY = Path(__file__).resolve().parents[1]
DEPTH = 50
"""Links to follow: more than any of the archived sites is deep."""
SHOWN = 10
"""Examples printed of each kind of fault."""


class CommandFailed(RuntimeError):
    """A command of the pipeline ended with another exit code than 0."""

    def __init__(self, command: Sequence[str], run: subprocess.CompletedProcess[str]) -> None:
        self.exit_code = run.returncode
        tail = "\n".join((run.stdout + run.stderr).splitlines()[-25:])
        super().__init__(f"{' '.join(command)}: expected exit code 0, got {run.returncode}\n{tail}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """How the stored pages compare with the reachable ones; URLs, sorted."""

    reachable: int
    stored: int
    missed: tuple[str, ...]
    twice: tuple[str, ...]
    unexpected: tuple[str, ...]
    """Stored pages to which no link leads, such as those of feeds and sitemaps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """Means over the gold pages that were crawled; an unmatched article counts 0."""

    articles: int
    lists: int
    body_p: float
    body_r: float
    body_f1: float
    title_exact: float
    list_as_article: float
    """Share of list pages that came out as articles."""
    unmatched: float
    """Share of articles that did not come out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteRun:
    """Everything measured on one site; seconds are wall-clock and include Python's start."""

    site: str
    stored: Stored
    scores: Scores
    crawl_seconds: float
    learn_seconds: float
    extract_seconds: float

    def figures(self) -> dict[str, float]:
        """The numbers of this run by name."""
        return {
            **asdict(self.scores),
            "pages_reachable": self.stored.reachable,
            "pages_missed": len(self.stored.missed),
            "pages_twice": len(self.stored.twice),
            "crawl_seconds": self.crawl_seconds,
            "learn_seconds": self.learn_seconds,
            "extract_seconds": self.extract_seconds,
        }


class Project:
    """A Scrapy project folder with one site in its pipelines.yaml."""

    def __init__(self, folder: Path, served: ServedSite, name: str) -> None:
        self.folder, self.name = folder, name
        self._environment = {
            **os.environ,
            **served.environment(),
            "PYTHONPATH": str(REPOSITORY),
            "WEBSTEM_CONFIG": str(folder / "pipelines.yaml"),
        }
        (folder / "scrapy.cfg").write_text("[settings]\ndefault = crawler.settings\n")
        settings = pipelines_yaml(served.site, name)
        # JSON is YAML: nothing to quote by hand.
        (folder / "pipelines.yaml").write_text(json.dumps(settings, indent=1))

    def run(self, command: str) -> float:
        """Run `scrapy COMMAND SITE` as a user does; seconds it took, or CommandFailed."""
        line = [sys.executable, "-m", "scrapy", command, self.name]
        start = time.monotonic()
        run = subprocess.run(
            line, cwd=self.folder, env=self._environment, capture_output=True, text=True
        )
        (self.folder / f"{command}.log").write_text(run.stdout + run.stderr)
        if run.returncode:
            raise CommandFailed(line[2:], run)
        return time.monotonic() - start

    def table(self, name: str) -> str:
        """The DuckDB expression that reads a table of the project."""
        return f"read_parquet('{self.folder}/data/{name}/**/*.parquet', hive_partitioning=true)"


def pipelines_yaml(site: ArchivedSite, name: str) -> dict[str, object]:
    """The configuration of a crawl of everything that links lead to, in no hurry for politeness."""
    root = f"^https?://(www\\.)?{site.host.removeprefix('www.')}(:\\d+)?{site.folder}"
    return {
        "storage": "data",
        "sites": [
            {
                "name": name,
                "start_urls": list(seeds_for(site)),
                "rules": [{"allow": root}],
                "depth": DEPTH,
                "max_pages": None,
                "find_feeds": False,
                "find_sitemaps": False,
                "learn_every": "never",
                "delay_seconds": 0.0,
                "max_delay_seconds": 0.01,
                "concurrency": 8,
                "index_name": site.index_name,
                "private_hosts": [site.host, "127.0.0.1"],
            }
        ],
    }


def run_site(source: Path, folder: Path) -> SiteRun:
    """Crawl, learn and extract one archived site in ``folder``, and measure the result."""
    site = ArchivedSite(source)
    name = source.stem.lower()
    with serve(site) as served:
        project = Project(folder, served, name)
        crawl_seconds = project.run("crawl")
        learn_seconds = project.run("learn")
        extract_seconds = project.run("extract")
    return SiteRun(
        site=name,
        stored=compare_stored(site, project),
        scores=score_articles(site, project),
        crawl_seconds=crawl_seconds,
        learn_seconds=learn_seconds,
        extract_seconds=extract_seconds,
    )


def compare_stored(site: ArchivedSite, project: Project) -> Stored:
    """Stored html pages against the pages that links lead to."""
    rows = (
        duckdb.connect()
        .execute(
            f"select final_url from {project.table('pages')} "
            "where status = 200 and html is not null and error is null "
            "and content_type like 'text/html%'"
        )
        .fetchall()
    )
    urls = {page_key(url): url for (url,) in rows}
    counts = Counter(page_key(url) for (url,) in rows)
    reachable = reachable_pages(site, seeds_for(site))
    return Stored(
        reachable=len(reachable),
        stored=len(rows),
        missed=_sorted(url for key, url in reachable.items() if key not in counts),
        twice=_sorted(urls[key] for key, count in counts.items() if count > 1),
        unexpected=_sorted(url for key, url in urls.items() if key not in reachable),
    )


def _sorted(urls: Iterator[str]) -> tuple[str, ...]:
    return tuple(sorted(urls))


def score_articles(site: ArchivedSite, project: Project) -> Scores:
    """Articles, and what came of other pages, against the gold of the pages that were crawled."""
    articles, outcomes = project.table("articles"), project.table("outcomes")
    rows = (
        duckdb.connect()
        .execute(
            f"select unnest(list_prepend(url, other_urls)), 'ok', title, body from {articles} "
            f"union all select url, status, null, null from (from {outcomes} "
            "qualify row_number() over (partition by url_key order by fetched_at desc) = 1) "
            "where status <> 'ok'"
        )
        .fetchall()
    )
    gold = {page["path"].removeprefix("pages/"): page for page in site.gold}
    language = scorer().load_site(str(site.source)).lang
    results = {}
    for url, status, title, body in rows:
        file = site.file_name(url)
        if file in gold and gold[file]["kind"] in ("article", "list"):
            results[file] = _row(gold[file], status, title, body, language)
    summary = scorer().summarise(list(results.values()))
    return Scores(
        articles=int(summary["n_article"]),
        lists=int(summary["n_list"]),
        body_p=summary["body_p"],
        body_r=summary["body_r"],
        body_f1=summary["body_f1"],
        title_exact=summary["title_exact"],
        list_as_article=summary["false_match_list"],
        unmatched=1 - summary["matched_article"],
    )


def _row(
    gold: dict[str, str], status: str, title: str | None, body: str | None, language: str
) -> dict[str, object]:
    """One page as `score.py` wants it."""
    is_article = gold["kind"] == "article"
    return {
        "kind": gold["kind"],
        "matched": status == "ok",
        "body": scorer().body_scores(body or "", gold["body"], language) if is_article else None,
        "title": scorer().title_scores(title or "", gold["title"], language)
        if is_article
        else None,
    }


def report(run: SiteRun) -> str:
    """The run as lines of text."""
    stored, scores = run.stored, run.scores
    lines = [
        f"{run.site}: {stored.reachable} pages reachable, {stored.stored} stored, "
        f"{len(stored.missed)} missed, {len(stored.twice)} stored twice, "
        f"{len(stored.unexpected)} beyond the links",
        f"  body P {scores.body_p:.3f} R {scores.body_r:.3f} F1 {scores.body_f1:.3f}, "
        f"title exact {scores.title_exact:.3f} ({scores.articles} articles, "
        f"{scores.unmatched:.1%} unmatched), lists as articles {scores.list_as_article:.1%} "
        f"({scores.lists} lists)",
        f"  crawl {run.crawl_seconds:.1f} s, learn {run.learn_seconds:.1f} s, "
        f"extract {run.extract_seconds:.1f} s",
    ]
    for label, urls in (("missed", stored.missed), ("stored twice", stored.twice)):
        lines += [f"  {label}: {url}" for url in urls[:SHOWN]]
    return "\n".join(lines)


def means(runs: Sequence[SiteRun]) -> dict[str, float]:
    """Mean of each figure over the sites; pages and faults are summed."""
    summed = ("articles", "lists", "pages_reachable", "pages_missed", "pages_twice")
    figures = [run.figures() for run in runs]
    return {
        name: float(sum(f[name] for f in figures))
        if name in summed
        else fmean(f[name] for f in figures)
        for name in figures[0]
    } | {"sites": float(len(runs))}


def main() -> int:
    parser = argparse.ArgumentParser(description="Crawl, learn and extract real sites.")
    parser.add_argument("sites", type=Path, nargs="+", help="zip or folder of an archived site")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--keep", type=Path, help="run in this folder and leave it there")
    arguments = parser.parse_args()
    runs = []
    for source in arguments.sites:
        try:
            runs.append(_run_kept(source, arguments.keep))
        except (CommandFailed, OSError) as error:
            print(f"{source}: {error}", file=sys.stderr)
            return 2
        print(report(runs[-1]), flush=True)
    if arguments.json:
        per_site = {run.site: run.figures() for run in runs}
        content = {"figures": means(runs), "per_site": per_site}
        arguments.json.write_text(json.dumps(content, indent=1))
    return int(any(run.stored.missed or run.stored.twice for run in runs))


def _run_kept(source: Path, keep: Path | None) -> SiteRun:
    if keep is None:
        with tempfile.TemporaryDirectory(prefix="webstem-site-run-") as folder:
            return run_site(source, Path(folder))
    kept = keep / source.stem
    kept.mkdir(parents=True)
    return run_site(source, kept)


if __name__ == "__main__":
    raise SystemExit(main())
