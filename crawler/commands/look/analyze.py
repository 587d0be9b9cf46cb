"""`webstem analyze URL | FILE | - ...`: what pages are and say, whether their sites are known or
not."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy.exceptions import UsageError

from crawler.command import ProjectCommand, fail, reported
from crawler.config.sites import Config, find_config, load_config
from crawler.usage.exitcodes import EXIT_FAILED, EXIT_OK

if TYPE_CHECKING:
    from extractor.analysis.analysis import Analysis

DEFAULT_WIDTH = 80
"""Cells of a line where no terminal tells its own."""


class Command(ProjectCommand):
    """Pages in, all that they say out; no project and no pattern is needed."""

    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    examples = """\
  webstem analyze https://blog.example.org/post saved.html
"""

    def syntax(self) -> str:
        return "<URL | FILE | -> ... [options]"

    def short_desc(self) -> str:
        return "Tell what single pages are and say, with sources and probabilities"

    def long_desc(self) -> str:
        return (
            "Reads pages by the patterns of their sites, if pipelines.yaml has the site and it is "
            "learned, by what they say for machines, and by the page model. A URL is fetched with "
            "the manners and guards of a crawl, those of its site if there is one: robots.txt is "
            "obeyed, private addresses are refused unless the site's private_hosts names them."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--json", action="store_true", help="print a line of JSON for each page"
        )
        parser.add_argument("--url", default="", help="where a page of a file or of - stands")
        parser.add_argument(
            "--render", action="store_true", help="let a browser draw pages first (extra `render`)"
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if not args:
            raise UsageError("expected a URL, a file, or - for stdin", print_help=False)
        self.exitcode = reported(lambda: self._analyze_all(args, opts))

    def _analyze_all(self, targets: list[str], opts: argparse.Namespace) -> int:
        from crawler.fetching.browser.launch import BrowserMissingError
        from crawler.fetching.one_page import FetchError

        path = find_config()
        config = load_config(path, leave_out=True) if path.exists() else None
        exit_code = EXIT_OK
        for target in targets:
            try:
                analysis = _analyze(target, opts.url, config, opts.render)
            except FetchError as problem:
                exit_code = fail(f"{target}: not fetched: {problem.reason}", EXIT_FAILED)
            except BrowserMissingError as problem:
                return fail(problem, EXIT_FAILED)
            except OSError as problem:
                exit_code = fail(f"{target}: not read: {problem.strerror}", EXIT_FAILED)
            else:
                _print(target, analysis, opts.json)
        return exit_code


def _analyze(target: str, url: str, config: Config | None, render: bool) -> Analysis:
    """The analysis of one page; FetchError or OSError if there is none."""
    from extractor.analysis.analyze import analyze
    from extractor.analysis.known import known_patterns, site_of
    from extractor.analysis.targets import is_address

    address = target if is_address(target) else url
    site = site_of(config, address) if config and address else None
    patterns = known_patterns(config, site) if config and site else None
    given = _given(target, is_address(target))
    return analyze(given, url=url, patterns=patterns, site=site, render=render)


def _given(target: str, is_address: bool) -> bytes | str | Path:
    """What stands behind an argument: none is HTML itself."""
    if target == "-":
        return sys.stdin.buffer.read()
    return target if is_address else Path(target)


def _print(target: str, analysis: Analysis, as_json: bool) -> None:
    from extractor.analysis.shown import shown_lines

    if as_json:
        print(json.dumps(analysis.as_dict(), ensure_ascii=False), flush=True)
    else:
        width = shutil.get_terminal_size((DEFAULT_WIDTH, 0)).columns
        print(*shown_lines(target, analysis, width), "", sep="\n", flush=True)
