"""`scrapy crawl SITE`: fetch what is new on a site."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from scrapy.commands import BaseRunSpiderCommand
from scrapy.exceptions import UsageError

from crawler.command import (
    ProjectCommand,
    RunNotes,
    count,
    fail,
    is_terminal,
    open_url_database,
    reported,
    split_arguments,
    tell_wrong_sites,
)
from crawler.config.sites import SiteConfig, find_config, load_config
from crawler.engine.side_by_side import Crew, sites_at_once
from crawler.engine.steps import LOGS, Steps
from crawler.frontier.scope import OTHER_HOST
from crawler.spiders.items import FAILED_PAGES, FAILED_STARTS, LEFT_PAGES, LOST_BEFORE
from crawler.spiders.left_out import told
from crawler.storage.locks import SiteLock
from crawler.storage.partitions import Storage
from crawler.storage.runs import ENDED, LeftOutAddresses, most_frequent, ranked, read_runs
from crawler.usage.exitcodes import EXIT_CONFIG, EXIT_FAILED, EXIT_NOTHING, EXIT_OK

MANY_FAILURES = 6
"""Pages that must have failed for a night to fail of which some came, or that is one of feeds
alone: dead links are asked for again and again. Origin: drift judges a night by as many."""

RECENTLY = timedelta(days=90)
"""Runs of so many days tell whether a site has grown since it was learned."""

MEANT = (OTHER_HOST, "outside the directories of the start URLs", "denied by rule")
"""Why addresses are left out that whoever wrote the entry has seen to."""

SHOWN_REASONS = 3
"""Reasons that are told of a crawl that brought nothing, the most frequent ones."""


class Command(ProjectCommand, BaseRunSpiderCommand):
    """Scrapy's crawl, with exit codes that a scheduler can act on."""

    requires_project = True

    examples = """\
  scrapy crawl demo -L INFO
"""

    def syntax(self) -> str:
        return "<site> [site ...] | --all [options]"

    def short_desc(self) -> str:
        return "Crawl a site of pipelines.yaml: new and changed pages into the tables"

    def long_desc(self) -> str:
        return (
            "Crawls a site, or several side by side. A crawl that was interrupted is taken up "
            "where it stopped; after a finished one, a new run fetches new pages and asks whether "
            "known ones changed. Current patterns are applied to the new pages; a site that was "
            "never learned, or has grown since, is learned at the end."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--run-id", metavar="NAME", help="name of a new run (default: the time in UTC)"
        )
        parser.add_argument(
            "--max-pages", type=count, metavar="N", help="fetch at most N URLs in this run"
        )
        parser.add_argument("--all", action="store_true", help="all sites, side by side")
        parser.add_argument(
            "--no-learn",
            action="store_true",
            help="do not learn a site that is new, or has grown",
        )

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        if opts.output or opts.overwrite_output:
            raise UsageError(
                "-o, -O: a crawl writes tables of Parquet, no file of items; "
                "for articles as JSON use `scrapy articles SITE --json`",
                print_help=False,
            )
        super().process_options(args, opts)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if opts.all or len(args) > 1:
            if opts.run_id:
                raise UsageError("--run-id is for one site", print_help=False)
            self.exitcode = reported(lambda: _crawl_many(args, opts))
            return
        name, _ = split_arguments(args, takes_files=False)
        self.notes = RunNotes("crawl")
        self.exitcode = self.notes.end(reported(lambda: self._until_ended(name, opts)))
        if self.exitcode == EXIT_OK and not opts.no_learn:
            self.exitcode = reported(lambda: _learn_if_new(name))

    def _until_ended(self, name: str, opts: argparse.Namespace) -> int:
        """Crawl; a signal that comes before Scrapy takes them ends the crawl from outside, too."""
        try:
            return self._crawl_site(name, opts)
        except KeyboardInterrupt:
            self.notes.facts["finding"] = ENDED
            raise

    def _crawl_site(self, name: str, opts: argparse.Namespace) -> int:
        from crawler.fetching.cookies import CookiesFileError, read_cookies

        assert self.crawler_process is not None
        try:
            spider: Any = self.crawler_process.spider_loader.load(name)
            self.notes.begin(spider.config, name)
            if spider.site.cookies_file:
                read_cookies(spider.site.cookies_file)
        except CookiesFileError as problem:
            return fail(problem, EXIT_CONFIG)
        with SiteLock(spider.config.state, name, "crawl"):
            # What would keep every page from being stored is told before one is asked for.
            with open_url_database(spider.config.state, name) as database:
                if opts.run_id and database.is_finished(opts.run_id):
                    expected = "--run-id: expected the name of a new run"
                    raise UsageError(f"{expected}, got {opts.run_id!r}", print_help=False)
            Storage(spider.config.storage).dates("pages", name)
            return self._crawl(spider, opts)

    def _crawl(self, spider: Any, opts: argparse.Namespace) -> int:
        process = self.crawler_process
        assert process is not None
        crawler = process.create_crawler(spider)
        if opts.run_id:
            opts.spargs["run_id"] = opts.run_id
        if opts.max_pages:
            opts.spargs["max_pages"] = opts.max_pages
        process.crawl(crawler, **opts.spargs)
        process.start()
        assert crawler.stats is not None
        stats = crawler.stats.get_stats()
        self.notes.run_id = stats.get("run/id", self.notes.run_id)
        self.notes.facts = run_facts(stats)
        if failure := stats.get("storage/failed"):
            return fail(f"{spider.name}: the crawl broke off: {failure}", EXIT_FAILED)
        if not stats.get("run/finished"):
            reason = stats.get("finish_reason", "no start")
            if reason in ("shutdown", "no start"):
                self.notes.facts["finding"] = ENDED
            where = "at its end, the log says why" if reason == "finished" else reason
            return fail(
                f"{spider.name}: the crawl broke off ({where}); run the same command to go on",
                EXIT_FAILED,
            )
        if stats.get("articles/failed"):
            return fail(
                f"{spider.name}: the pages are stored, but not their articles; "
                f"run `scrapy extract {spider.name}`",
                EXIT_FAILED,
            )
        if nothing := nothing_came(stats, spider.site):
            return fail(f"{spider.name}: not one page could be fetched{nothing}", EXIT_FAILED)
        if is_unread(stats, spider.site):
            return fail(
                f"{spider.name}: no feed or sitemap could be read; the log says why", EXIT_FAILED
            )
        if left := stats.get(LEFT_PAGES):
            return fail(
                f"{spider.name}: {left} pages were not fetched, for their host asked to wait again "
                "and again; the next run asks for them",
                EXIT_FAILED,
            )
        if nothing := nothing_found(stats, spider.site):
            return fail(f"{spider.name}: {nothing}", EXIT_FAILED)
        if lost := outage(stats):
            return fail(f"{spider.name}: {lost}", EXIT_FAILED)
        if is_terminal() and (waiting := left_over(stats, spider.site.depth)):
            fail(f"{spider.name}: {waiting}", EXIT_OK)
        return EXIT_OK


def _learn_if_new(name: str) -> int:
    """Learn a site that never was, or has grown since, and extract what was crawled;
    the exit code."""
    from extractor.night.due import has_grown

    config = load_config(find_config(), leave_out=True)
    storage, site = Storage(config.storage), config.site(name)
    if site.learn_every == "never" or not storage.dates("pages", name):
        return EXIT_OK
    since = datetime.now(UTC).date() - RECENTLY
    if storage.dates("patterns", name) and not has_grown(read_runs(storage, name, since)):
        return EXIT_OK
    for command in ("learn", "extract"):
        # By processes of their own: each has its row in `runs`, and its memory.
        arguments = [sys.executable, "-m", "crawler.console", command, name]
        code = subprocess.run(arguments, check=False).returncode
        if code not in (EXIT_OK, EXIT_NOTHING):
            return code
        if code == EXIT_NOTHING and not site.gives_guesses:
            break  # what was crawled is stored; why it teaches nothing was told
    return EXIT_OK


def _crawl_many(names: list[str], opts: argparse.Namespace) -> int:
    """Crawl sites side by side, each by a process of its own; the first exit code that is not 0.

    Each site that did not end well is told with the last line that its crawl printed.
    """
    config = load_config(find_config(), leave_out=True)
    if opts.all and names:
        raise UsageError("expected --all or the names of sites", print_help=False)
    chosen = config.of_sites(names) if names else config
    steps = Steps(Path(config.state, LOGS), 60 * config.night.stage_minutes)
    options = [f"--set={each}" for each in opts.set]
    if opts.no_learn:
        options.append("--no-learn")
    if opts.max_pages:
        options.append(f"--max-pages={opts.max_pages}")
    if opts.loglevel:
        options.append(f"--loglevel={opts.loglevel}")
    codes: dict[str, int] = {}

    def crawl(site: SiteConfig) -> None:
        done = steps.run(site.name, "crawl", site.name, *options)
        codes[site.name] = done.exit_code
        if done.exit_code:
            fail(done.said or f"{site.name}: ended with {done.exit_code}", done.exit_code)
        elif is_terminal():
            fail(f"{site.name}: done in {done.seconds:.0f} s", EXIT_OK)

    with Crew(config.night.at_once or sites_at_once(), crawl) as crew:
        try:
            for site in chosen.sites:
                crew.add(site)
            while not crew.is_idle:
                crew.look()
        finally:
            steps.stop()
    wrong = EXIT_OK if names else tell_wrong_sites(config)
    return next((codes[site.name] for site in chosen.sites if codes[site.name]), wrong)


def failed_pages(stats: Mapping[str, Any]) -> dict[str, int]:
    """How many pages failed, by reason."""
    return {
        name.removeprefix(FAILED_PAGES): count
        for name, count in stats.items()
        if name.startswith(FAILED_PAGES)
    }


def run_facts(stats: Mapping[str, Any]) -> dict[str, Any]:
    """What the row of a crawl tells of it."""
    failed = failed_pages(stats)
    return {
        "requests": stats.get("downloader/request_count", 0),
        "pages_new": stats.get("pages/new", 0),
        "pages_changed": stats.get("pages/changed", 0),
        "pages_unchanged": stats.get("pages/unchanged", 0),
        "pages_failed": sum(failed.values()),
        "failures": most_frequent(failed),
        "start_pages_failed": stats.get(FAILED_STARTS, 0),
        "articles_new": stats.get("articles/new"),
        "articles_edited": stats.get("articles/edited"),
        "links_beyond_depth": stats.get("links/beyond_depth"),
        "links_waiting": stats.get("links/waiting"),
        "left_out": left_out_addresses(stats),
        "pages_rendered": stats.get("rendering/pages"),
        "rendering": stats.get("rendering/finding"),
    }


def left_out_addresses(stats: Mapping[str, Any]) -> tuple[LeftOutAddresses, ...]:
    """What the run came upon and did not ask for, the most frequent reason first."""
    counts, examples = stats.get("links/left_out", {}), stats.get("links/left_out_first", {})
    return tuple(
        LeftOutAddresses(reason=reason, addresses=count, example=examples[reason])
        for reason, count in ranked(counts)
    )


def pages_that_came(stats: Mapping[str, Any]) -> int:
    """New pages and unchanged ones of a run, also those that it stored before it was killed."""
    return sum(stats.get(f"pages/{kind}", 0) for kind in ("recovered", "stored", "unchanged"))


def left_over(stats: Mapping[str, Any], depth: int) -> str:
    """What is known of a site and was not fetched; empty if all was.

    >>> left_over({"links/waiting": 1200, "links/beyond_depth": 115}, 2)
    '1200 pages wait for the next crawl; 115 lie beyond `depth`, 2'
    """
    parts = []
    if waiting := stats.get("links/waiting"):
        parts.append(f"{waiting} pages wait for the next crawl")
    if beyond := stats.get("links/beyond_depth"):
        parts.append(f"{beyond} lie beyond `depth`, {depth}")
    for each in left_out_addresses(stats):
        if each.reason not in MEANT:
            said = f"{each.addresses} addresses were left out as {each.reason}"
            parts.append(f"{said}, such as {each.example}")
    return "; ".join(parts)


def outage(stats: Mapping[str, Any]) -> str | None:
    """What is to be said of a run that lost more pages than came, or comes after such a one before
    these are due again, for the server or the network failed; None of any other.

    >>> outage({"pages/stored": 7, "retry/max_reached": 6}) is None
    True
    """
    came = pages_that_came(stats)
    lost = stats.get("retry/max_reached", 0) + stats.get(LOST_BEFORE, 0)
    if lost < MANY_FAILURES or lost <= came:
        return None
    return (
        f"{lost} pages were given up after errors of the server or the network, {came} came; "
        "later crawls ask for them again"
    )


def is_unread(stats: Mapping[str, Any], site: SiteConfig) -> bool:
    """True if not one feed or sitemap of a site of nothing else could be read: then known pages
    may come, but none that is new."""
    return not site.start_urls and not stats.get("sources/read")


def nothing_found(stats: Mapping[str, Any], site: SiteConfig) -> str | None:
    """What is to be said of a run that knows of no page to fetch; None if it knows one.

    Of a site of feeds and sitemaps what they name now counts, of others what was ever found.
    """
    reasons = told(stats.get("links/left_out", {}), SHOWN_REASONS)
    if site.start_urls:
        if not site.depth or stats.get("links/known", True):
            return None
        return (
            f"no page was found but the start URLs: {reasons or 'they link to none'}; check "
            "`start_urls` and `rules`, or say `depth: 0`"
        )
    if stats.get("sources/own") or stats.get("sources/led_home"):
        return None
    named = stats.get("sources/named", 0)
    if not named:
        return "its feeds and sitemaps name no address; the log says which"
    if failed := failed_pages(stats):
        reasons = told(failed, SHOWN_REASONS)
    return (
        f"of {named} addresses that its feeds and sitemaps name none is the site's: {reasons}; "
        "check `feeds`, `sitemaps` and `rules`"
    )


def nothing_came(stats: Mapping[str, Any], site: SiteConfig) -> str | None:
    """Why a run that ended brought nothing at all; None if it did, or if that is no fault.

    A night of a feed may bring no page: it has no new entry, or one that is gone. The start URLs
    of a site are asked for by every run.
    """
    if pages_that_came(stats):
        return None
    failed = stats.get("pages/errors", 0) + stats.get("robotstxt/unreachable", 0)
    if not site.start_urls and stats.get("sources/read") and failed < MANY_FAILURES:
        return None
    if stats.get("robotstxt/unreachable"):
        return ", for robots.txt could not; the log says why, the next run asks again"
    reasons = most_frequent(failed_pages(stats))
    if reasons and reasons[0].reason != "robots.txt":
        told = ", ".join(f"{each.reason} ({each.pages})" for each in reasons[:SHOWN_REASONS])
        return f": {told}; `scrapy urldb {site.name}` shows where"
    if reasons:
        return f"; the site's robots.txt forbids it, `scrapy urldb {site.name}` shows which"
    if stats.get("sources/asked") and not stats.get("sources/read"):
        return ", for no feed or sitemap could be read; the log says why"
    return None
