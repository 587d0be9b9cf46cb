"""`scrapy learn SITE`: learn a site's layout patterns from its stored pages."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial

from crawler.command import SiteCommand, add_dates, chosen_dates, fail, is_terminal, print_json
from crawler.config.sites import Config, SiteConfig
from crawler.engine.everysite import SiteTask, add_all_options, work_on_all
from crawler.engine.tasks import Task
from crawler.storage.locks import SiteLock
from crawler.usage.exitcodes import EXIT_NOTHING, EXIT_OK


class Command(SiteCommand):
    """Pages and links in, the patterns table out."""

    takes_all = True
    all_takes_sites = True
    arguments = "<site> | --all [site ...]"
    examples = """\
  scrapy learn demo                       from all stored pages
  scrapy learn demo --since 2026-11-01    from the pages of this month
  scrapy learn demo --preset webstemmer   as Webstemmer 0.7.1 did
  scrapy learn --all                      all sites whose pages are not those of the last time
  scrapy learn --all demo my_blog         these sites, if so
"""

    is_noted = True

    def short_desc(self) -> str:
        return "Learn a site's layout patterns from its stored pages"

    def long_desc(self) -> str:
        return (
            "Learns the layouts of a site's pages, without labels, and stores them in the "
            "patterns table under today's date. If they say what the stored ones say, nothing "
            "is written. On a terminal a summary is printed."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add_dates(parser)
        parser.add_argument(
            "--preset", choices=("default", "webstemmer"), help="learn with these choices"
        )
        parser.add_argument("--json", action="store_true", help="print the summary as JSON")
        add_all_options(parser)

    def work_on_all(self, config: Config, opts: argparse.Namespace) -> int:
        from crawler.storage.partitions import Storage
        from learner.induction.job import learn_task
        from learner.patterns.pattern import code_version

        since, until = chosen_dates(opts)
        now, storage = datetime.now(UTC), Storage(config.storage)

        def plan(site: SiteConfig) -> Iterator[SiteTask]:
            site = _with_preset(site, opts.preset)
            tables = ("pages", "links")
            sources = [storage.rows_numbers(t, site.name, since, until) for t in tables]
            task = Task(
                name=site.name,
                call=learn_task,
                arguments=(config.storage, site, since, until, now),
            )
            inputs = (sources, site.learn, site.index_name, since, until, code_version())
            output = partial(storage.stamps, "patterns", site.name)
            yield SiteTask(site=site.name, task=task, inputs=inputs, output=output)

        return work_on_all(config, "learn", plan, opts)

    def work(
        self, config: Config, site: SiteConfig, files: list[str], opts: argparse.Namespace
    ) -> int:
        from rich.console import Console

        from crawler.storage.partitions import Storage
        from learner.induction.job import TooFewPagesError, learn_site

        since, until = chosen_dates(opts)
        site = _with_preset(site, opts.preset)
        console = Console(stderr=True, quiet=not is_terminal())
        with SiteLock(config.state, site.name, "learn"), console.status("learning ..."):
            try:
                summary = learn_site(Storage(config.storage), site, since, until)
            except TooFewPagesError as problem:
                return fail(problem, EXIT_NOTHING)
        cause = summary.finding and str(summary.finding.cause)
        self.notes.facts = {"patterns": len(summary.patterns), "finding": cause}
        kinds = Counter(str(pattern.kind) for pattern in summary.patterns)
        if opts.json:
            print_json([summary.to_row()])
        if summary.refused:
            return fail(f"{site.name}: the patterns of before stay: {summary.refused}", EXIT_OK)
        if not len(summary.patterns):
            return fail(f"{site.name}: {summary.finding}", EXIT_NOTHING)
        counted = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
        state = "stored" if summary.is_new else "as before"
        if summary.kept:
            state += f"; {summary.kept} of before go on"
        console.print(f"{site.name}: {summary.n_pages} pages, patterns: {counted} ({state})")
        return fail(f"{site.name}: {summary.finding}", EXIT_OK) if summary.finding else EXIT_OK


def _with_preset(site: SiteConfig, preset: str | None) -> SiteConfig:
    if not preset:
        return site
    return site.model_copy(update={"learn": site.learn.model_copy(update={"preset": preset})})
