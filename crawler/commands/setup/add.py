"""`webstem add URL`: a new site, looked at, written into pipelines.yaml, crawled and learned."""

from __future__ import annotations

import argparse
import subprocess
import sys
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import urlsplit

from pydantic import TypeAdapter, ValidationError
from scrapy.exceptions import UsageError

from crawler.command import (
    ProjectCommand,
    count,
    fail,
    open_url_database,
    reported,
)
from crawler.commands.setup.init import make_project
from crawler.config.sites import Config, SiteConfig, find_config, load_config
from crawler.config.values import HttpUrl, SiteName
from crawler.usage.exitcodes import EXIT_FAILED, EXIT_NOTHING, EXIT_OK

if TYPE_CHECKING:
    from crawler.doctor.look import Looked

MOST_TRIALS = 3
"""Crawls for a beginning: another one as long as none gave an article. Origin: guess."""

TRIAL_PAGES = 100
"""URLs that the first crawl asks for. Origin: guess; ten articles of a layout teach it."""


class Command(ProjectCommand):
    """A URL in; an entry, patterns and the first articles out."""

    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    examples = """\
  webstem add https://blog.example.org/
"""

    def syntax(self) -> str:
        return "<url> [options]"

    def short_desc(self) -> str:
        return "Add a site by its URL: look at it, write its entry, crawl and learn"

    def long_desc(self) -> str:
        return (
            "Looks at the home page, robots.txt, feeds and sitemaps, writes an entry with its "
            "reasons into pipelines.yaml (all else in it stays as it is; a new project is made if "
            "there is none), crawls a part of the site, learns it and shows the articles. A site "
            "that cannot be had is told, and nothing is written."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--pages", type=count, default=TRIAL_PAGES, metavar="N",
            help=f"crawl at most N URLs for a beginning (default: {TRIAL_PAGES})",
        )  # fmt: skip
        parser.add_argument("--name", metavar="NAME", help="of the site (default: its host)")
        parser.add_argument("--no-crawl", action="store_true", help="only write the entry")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if len(args) != 1:
            raise UsageError(f"expected one URL, got {args!r}", print_help=False)
        url = _checked(HttpUrl, args[0] if "://" in args[0] else f"https://{args[0]}", "URL")
        if opts.name is not None:
            _checked(SiteName, opts.name, "--name")
        self.exitcode = reported(lambda: self._add(url, opts))

    def _add(self, url: str, opts: argparse.Namespace) -> int:
        from crawler.config.entries import NoPlaceError, add_entry
        from crawler.doctor.answers import advice_on
        from crawler.doctor.proposal import propose_entry, propose_name, remarks
        from crawler.fetching.robots import UNREACHABLE

        path = find_config()
        if not path.exists():
            make_project(path.parent)
        config = load_config(path, leave_out=True)
        looked = self._look(url)
        if looked.problem:
            advice = advice_on(looked.problem.removeprefix(UNREACHABLE))
            said = filter(None, (looked.problem, advice))
            return fail(f"{url}: {'; '.join(said)}", EXIT_FAILED)
        known = next((site for site in config.sites if looked.url in site.start_urls), None)
        if known:
            return fail(f"{path}: has {looked.url} already, as {known.name}", EXIT_FAILED)
        print(*remarks(looked), sep="\n")
        if looked.is_shell:
            print("its home page has next to no text: scripts may draw it; see `render: auto`")
        taken = {site.name for site in config.sites}
        if opts.name in taken:
            return fail(f"{path}: has a site called {opts.name!r} already", EXIT_FAILED)
        name = opts.name or propose_name(looked.url, taken)
        entry = propose_entry(looked, name)
        try:
            add_entry(path, entry)
        except NoPlaceError as problem:
            shown = "\n".join(entry)
            return fail(f"{path}: {problem}; write this into it by hand:\n{shown}", EXIT_FAILED)
        print(f"\n{path} has a new entry, {name}", flush=True)
        return EXIT_OK if opts.no_crawl else _try_out(load_config(path, leave_out=True), name, opts)

    def _look(self, url: str) -> Looked:
        from crawler.doctor.look import make_look_spider
        from crawler.doctor.proposal import is_private
        from crawler.spiders.manners import run_alone

        private = (urlsplit(url).hostname or "",) if is_private(url) else ()
        site = SiteConfig(name="look", start_urls=(url,), private_hosts=private, delay_seconds=0.0)
        spider = make_look_spider(site)
        assert self.settings is not None
        run_alone(spider, self.settings)
        return spider.looked


def _try_out(config: Config, name: str, opts: argparse.Namespace) -> int:
    """Crawl a part of the site, which learns it, and show what came; the exit code."""
    from crawler.config.entries import extend_entry
    from crawler.doctor.redundant import redundant_names, rule_lines
    from crawler.storage.partitions import Storage

    site = config.site(name)
    print(
        f"crawling at most {opts.pages} pages of it, one every {site.delay_seconds:g} s", flush=True
    )
    storage, waiting = Storage(config.storage), 0
    for _ in range(MOST_TRIALS):
        if code := _run("crawl", name, f"--max-pages={opts.pages}"):
            return code
        with open_url_database(config.state, name) as database:
            waiting = database.pending_count()
        if storage.dates("articles", name) or not waiting:
            break
    if not storage.dates("articles", name):
        advice = f"crawl more of it (`webstem crawl {name}`), or see `webstem urldb {name}`"
        return fail(f"{name}: no article came out of these pages; {advice}", EXIT_NOTHING)
    code = _run("articles", name, "--status", "ok", "--limit", "10")
    if names := redundant_names(storage, name):
        extend_entry(find_config(), name, rule_lines(names))
        print(f"?{'=, ?'.join(names)}= changes nothing: a rule of the entry leaves it out now")
    if waiting:
        minutes = waiting * site.delay_seconds / 60
        print(
            f"{waiting} pages wait; at this pace they take {minutes:.0f} min: "
            f"`webstem crawl {name}` goes on, and so does each `webstem night`"
        )
    return code


def _run(*arguments: str) -> int:
    """A command, as a process of its own that prints as if typed."""
    command = [sys.executable, "-m", "crawler.console", *arguments]
    return subprocess.run(command, check=False).returncode


def _checked(kind: Any, value: str, what: str) -> str:
    """A value that pipelines.yaml would take; UsageError if it would not."""
    try:
        return str(TypeAdapter(kind).validate_python(value))
    except ValidationError as problem:
        expected = problem.errors()[0]["msg"].removeprefix("Value error, ")
        raise UsageError(f"{what}: expected {expected}, got {value!r}", print_help=False) from None
