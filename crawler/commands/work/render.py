"""`scrapy render SITE|URL ...|FILE ...`: pages as a browser draws them, into tables or files."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import urlsplit

from scrapy.exceptions import UsageError

from crawler.command import (
    ProjectCommand,
    add_dates,
    chosen_dates,
    count,
    fail,
    is_terminal,
    reported,
)
from crawler.config.sites import Config, SiteConfig, find_config, load_config
from crawler.storage.locks import SiteLock
from crawler.storage.partitions import Storage
from crawler.usage.exitcodes import EXIT_FAILED, EXIT_NOTHING, EXIT_OK

if TYPE_CHECKING:
    from crawler.fetching.browser.drawing import Outcome
    from crawler.spiders.rendered_pages import DrawnPage, DrawnRows

WEB = ("http://", "https://")


class Command(ProjectCommand):
    """Pages in, snapshots and pictures out."""

    requires_project = False
    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    examples = """\
  scrapy render demo --pages 100
  scrapy render saved/*.html --to drawn
"""

    def syntax(self) -> str:
        return "<site> | <URL> ... | <FILE> ... [options]"

    def short_desc(self) -> str:
        return "Draw pages in a browser: their boxes, styles and pictures, into the tables"

    def long_desc(self) -> str:
        return (
            "Draws the stored pages of a site that are not drawn yet, with the style sheets, "
            "scripts and pictures that they name, by the site's pauses and guards; or addresses, "
            "or files with what lies beside them. Needs the extra `render` and Chromium. Rows go "
            "to the tables snapshots and screenshots; what is of no site goes to files, with --to."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add_dates(parser)
        parser.add_argument(
            "--pages", type=count, metavar="N", help="draw at most N pages, the newest first"
        )
        parser.add_argument(
            "--offline", action="store_true", help="ask for nothing: pages lack their style sheets"
        )
        parser.add_argument(
            "--to", type=Path, metavar="FOLDER",
            help="write dom.json and screenshot.jpeg of each page, a folder each",
        )  # fmt: skip

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        self.exitcode = reported(lambda: self._render(args, opts))

    def _render(self, args: list[str], opts: argparse.Namespace) -> int:
        from crawler.fetching.browser.launch import BrowserMissingError, start_problem

        if not args:
            raise UsageError("expected a site, addresses or files")
        if problem := start_problem():
            return fail(problem, EXIT_FAILED)
        try:
            if all(each.startswith(WEB) for each in args):
                return self._render_addresses(args, opts)
            if all(Path(each).is_file() for each in args):
                return _render_files(list(map(Path, args)), opts)
            if len(args) > 1:
                expected = "expected one site, or addresses alone, or files that there are"
                raise UsageError(f"{expected}, got {args!r}", print_help=False)
            return self._render_site(args[0], opts)
        except BrowserMissingError as problem:
            return fail(problem, EXIT_FAILED)

    def _render_site(self, name: str, opts: argparse.Namespace) -> int:
        from crawler.exchange.rendered_files import write_stored_pages
        from crawler.spiders.rendered_pages import DrawnRows, pages_to_draw

        config = load_config(find_config(), leave_out=True)
        site, storage = config.site(name), Storage(config.storage)
        since, until = chosen_dates(opts)
        with SiteLock(config.state, site.name, "render"):
            sink = Sink(DrawnRows(storage, site.name))
            pages = pages_to_draw(storage, site.name, since, until, opts.pages)
            self._draw(site, sink, pages, (), offline=opts.offline)
        n_written = 0
        if opts.to:
            n_written = write_stored_pages(storage, site.name, opts.to, since, until)
        if not sink.n_drawn and not sink.n_failed and not n_written:
            advice = f"`scrapy crawl {name}` stores some"
            return fail(f"{name}: no page of these days is to be drawn; {advice}", EXIT_NOTHING)
        return sink.end()

    def _render_addresses(self, urls: list[str], opts: argparse.Namespace) -> int:
        from crawler.spiders.rendered_pages import DrawnRows

        if opts.offline:
            raise UsageError("--offline is for a site; files are drawn so anyway", print_help=False)
        config, site = _site_of(urls)
        if config is None and opts.to is None:
            expected = "expected --to FOLDER: the addresses are of no one site of pipelines.yaml"
            raise UsageError(expected, print_help=False)
        rows = DrawnRows(Storage(config.storage), site.name) if config else None
        sink = Sink(rows, opts.to)
        for url, problem in self._draw(site, sink, (), urls, offline=False).items():
            sink.fail(f"{url}: {problem}")
        return sink.end()

    def _draw(
        self,
        site: SiteConfig,
        sink: Sink,
        pages: Iterable[DrawnPage],
        urls: Iterable[str],
        *,
        offline: bool,
    ) -> dict[str, str]:
        """Draw pages and addresses; the addresses that gave none, with the reason."""
        from crawler.spiders.manners import run_alone
        from crawler.spiders.render_spider import make_render_spider
        from crawler.spiders.rendered_pages import draw_offline

        if offline:
            draw_offline(pages, sink)
            sink.flush()
            return {}
        spider = make_render_spider(
            site, f"{datetime.now(UTC):%Y%m%dT%H%M%S%fZ}", sink, pages, urls
        )
        assert self.settings is not None
        run_alone(spider, self.settings)
        sink.flush()
        if spider.broken:
            raise spider.broken[0]
        return spider.failed


class Sink:
    """Where drawn pages go: rows of the tables, files, or both."""

    def __init__(self, rows: DrawnRows | None = None, folder: Path | None = None) -> None:
        self._rows = rows
        self._folder = folder
        self.n_drawn = 0
        self.n_failed = 0

    def __call__(self, page: DrawnPage, outcome: Outcome) -> None:
        """Keep what came of a page."""
        from crawler.fetching.browser.drawing import Rendered

        if self._rows and isinstance(outcome, Rendered):
            self._rows.add(page, outcome)
        self.take(page.url, outcome)

    def take(self, url: str, outcome: Outcome) -> None:
        """Count what came of an address, and write its files."""
        from crawler.exchange.rendered_files import write_page
        from crawler.fetching.browser.tab import RenderingError

        if isinstance(outcome, RenderingError):
            self.fail(outcome)
            return
        self.n_drawn += 1
        if self._folder:
            write_page(self._folder, url, outcome.snapshot, outcome.picture)

    def fail(self, problem: object) -> None:
        """Tell of a page that was not drawn."""
        self.n_failed += 1
        fail(problem, EXIT_FAILED)

    def flush(self) -> None:
        """Write the rows that are left."""
        if self._rows:
            self._rows.flush()

    def end(self) -> int:
        """The exit code, told on a terminal."""
        if is_terminal():
            fail(f"{self.n_drawn} pages drawn, {self.n_failed} not", EXIT_OK)
        return EXIT_OK if self.n_drawn or not self.n_failed else EXIT_FAILED


def _render_files(files: list[Path], opts: argparse.Namespace) -> int:
    """Draw files with what lies beside and below them; the exit code."""
    from crawler.fetching.browser.answers import address_of_file, folder_answers
    from crawler.fetching.browser.drawing import render_all

    if opts.to is None:
        raise UsageError("expected --to FOLDER: files are of no site", print_help=False)
    sink = Sink(folder=opts.to)
    for file in files:
        folder = file.resolve().parent
        for outcome in render_all([address_of_file(file)], folder_answers(folder)):
            sink.take(file.resolve().as_uri(), outcome)
    return sink.end()


def _site_of(urls: list[str]) -> tuple[Config | None, SiteConfig]:
    """The site of pipelines.yaml that all addresses are of, with its configuration; else None, and
    one that is made for them."""
    from crawler.doctor.proposal import is_private
    from crawler.frontier.scope import Scope

    if find_config().exists():
        config = load_config(find_config(), leave_out=True)
        for site in config.sites:
            if all(map(Scope.of_site(site).is_own, urls)):
                return config, site
    hosts = {urlsplit(url).hostname or "" for url in urls if is_private(url)}
    return None, SiteConfig(name="render", start_urls=tuple(urls), private_hosts=tuple(hosts))
