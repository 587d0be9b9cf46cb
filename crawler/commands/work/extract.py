"""`scrapy extract SITE`: apply the current patterns to stored pages or to files."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from crawler.command import SiteCommand, add_dates, chosen_dates, fail, is_terminal, print_json
from crawler.config.sites import Config, SiteConfig
from crawler.engine.everysite import SiteTask, add_all_options, fingerprint, work_on_all
from crawler.engine.tasks import Task
from crawler.storage.locks import SiteLock
from crawler.usage.exitcodes import EXIT_FAILED, EXIT_NOTHING, EXIT_OK

if TYPE_CHECKING:
    from crawler.storage.partitions import Storage
    from learner.patterns.pattern import PatternSet


class Command(SiteCommand):
    """Stored pages and patterns in, articles and outcomes out; of files, JSON."""

    arguments = "<site> [FILE ...] | --all [site ...]"
    takes_all = True
    all_takes_sites = True
    takes_files = True
    examples = """\
  scrapy extract demo                      all stored pages
  scrapy extract demo --date 2026-11-20    the pages of one UTC day
  scrapy extract demo --url http://127.0.0.1:8123/en/   one stored page
  scrapy extract demo saved.html           a file (- is stdin); prints its record as JSON
  scrapy extract --all                     days of all sites whose pages or patterns are new
"""

    is_noted = True

    def short_desc(self) -> str:
        return "Apply a site's current patterns to stored pages, or to files"

    def long_desc(self) -> str:
        return (
            "Stores each article once, in its newest version (table articles), and tells of each "
            "page what came of it and, if there is no article, why (table outcomes). What comes "
            "out as it is stored is left alone. Records of FILEs are printed, not stored."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add_dates(parser)
        parser.add_argument(
            "--url", action="append", default=[], metavar="URL", help="only this page (repeatable)"
        )
        parser.add_argument("--json", action="store_true", help="print the summary as JSON")
        parser.add_argument(
            "--format",
            choices=("json", "webstemmer"),
            default="json",
            help="of the records of FILEs: JSON, or text as Webstemmer prints it",
        )

        add_all_options(parser)

    def work_on_all(self, config: Config, opts: argparse.Namespace) -> int:
        from crawler.storage.partitions import Storage
        from extractor.batch.job import day_sources, finish_task
        from learner.patterns.pattern import code_version
        from learner.patterns.stored import current_patterns

        if opts.url:
            raise UsageError("--url is for one site, not for --all", print_help=False)
        since, until = chosen_dates(opts)
        now, storage = datetime.now(UTC), Storage(config.storage)

        def plan(site: SiteConfig) -> Iterator[SiteTask]:
            ids = _ids_that_read(current_patterns(storage, site.name))
            for day in storage.dates("pages", site.name):
                if (since and day < since) or (until and day > until):
                    continue
                sources = day_sources(storage, site.name, day)
                inputs = (sources, ids, site.extract, site.index_name, code_version())
                yield _day_task(storage, site, day, now, inputs)

        def finish(name: str, tasks: Iterable[SiteTask]) -> Task:
            days = tuple(each.day for each in tasks if each.day)
            arguments = (storage.root, config.site(name), days, now)
            return Task(name=name, call=finish_task, arguments=arguments)

        return work_on_all(config, "extract", plan, opts, finish)

    def work(
        self, config: Config, site: SiteConfig, files: list[str], opts: argparse.Namespace
    ) -> int:
        from crawler.storage.partitions import Storage
        from extractor.batch.job import NoPatternsError

        if opts.format != "json" and not files:
            raise UsageError("--format is of the records of FILEs; expected some", print_help=False)
        storage = Storage(config.storage)
        try:
            if files:
                return self._extract_files(storage, site, files, opts)
            with SiteLock(config.state, site.name, "extract"):
                return self._extract_stored(storage, site, opts)
        except NoPatternsError as problem:
            return fail(problem, EXIT_NOTHING)

    def _extract_files(
        self, storage: Storage, site: SiteConfig, files: list[str], opts: argparse.Namespace
    ) -> int:
        from crawler.reading.html import detect_charset
        from extractor.batch.job import needed_patterns
        from extractor.extraction import extract_article
        from extractor.records.articles import articles_to_rows
        from extractor.webstemmer.webstemmer_text import format_article
        from learner.page.pages import Page

        if opts.date or opts.since or opts.until or opts.url:
            raise UsageError("FILEs and stored pages (--date, --url) exclude each other")
        patterns = needed_patterns(storage, site)
        records = []
        for name in files:
            try:
                body = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
            except OSError as problem:
                return fail(f"{name}: not read: {problem.strerror}", EXIT_FAILED)
            url = "stdin:" if name == "-" else Path(name).absolute().as_uri()
            charset = detect_charset(body, default=site.default_charset).name
            page = Page(url=url, html=body, charset=charset)
            record = extract_article(page, patterns, site.extract)
            records.append(replace(record, body_sha256=sha256(body).hexdigest()))
        if opts.format == "webstemmer":
            names = {each.pattern_id: each.name for each in patterns}
            for name, record in zip(files, records, strict=True):
                sys.stdout.write(
                    format_article(record, name, names.get(record.pattern_id or "", ""))
                )
        else:
            print_json(articles_to_rows(records))
        return EXIT_OK

    def _extract_stored(self, storage: Storage, site: SiteConfig, opts: argparse.Namespace) -> int:
        from rich.console import Console
        from rich.progress import Progress

        from extractor.batch.job import extract_site

        since, until = chosen_dates(opts)
        console = Console(stderr=True, quiet=not is_terminal())
        with Progress(console=console, transient=True) as progress:
            task = progress.add_task("extracting", total=None)
            summary = extract_site(
                storage, site, since, until, opts.url, lambda n: progress.advance(task, n)
            )
        counts = summary.articles
        self.notes.facts = {"articles_new": counts.new, "articles_edited": counts.edited}
        if opts.json:
            print_json([summary.to_row()])
        if not summary.pages:
            days = storage.dates("pages", site.name)
            advice = (
                f"the days with pages are {days[0]} to {days[-1]}"
                if days
                else f"crawl first: `scrapy crawl {site.name}`"
            )
            return fail(f"{site.name}: no such page is stored; {advice}", EXIT_NOTHING)
        counted = ", ".join(f"{n} {status}" for status, n in sorted(summary.statuses.items()))
        articles = f"{counts.new} articles new, {counts.edited} edited"
        console.print(f"{site.name}: {articles}; pages: {counted}")
        return fail(summary.drift, EXIT_OK) if summary.drift else EXIT_OK


def _ids_that_read(patterns: PatternSet) -> list[str]:
    """The ids of the patterns that give articles, in order: others decide nothing."""
    return sorted(each.pattern_id for each in patterns if each.kind != "list")


def _stands(storage: Storage, site: str, day: date) -> object:
    """What stands for a day's outcomes, and whether articles were first seen on it."""
    from extractor.records.outcomes import TABLE

    return storage.stamps(TABLE, site, day, day), bool(storage.files("articles", site, day, day))


def _day_task(
    storage: Storage, site: SiteConfig, day: date, now: datetime, inputs: Sequence[object]
) -> SiteTask:
    from extractor.batch.day_parts import share_tasks
    from extractor.batch.job import extract_task

    made_of = fingerprint(inputs)
    return SiteTask(
        site=site.name,
        task=Task(
            name=f"{site.name} {day}",
            call=extract_task,
            arguments=(storage.root, site, day, now, made_of),
        ),
        inputs=inputs,
        output=partial(_stands, storage, site.name, day),
        day=day,
        split=lambda: share_tasks(storage.root, site, day, made_of),
    )
