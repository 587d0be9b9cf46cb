"""`scrapy import SITE FILE ...`: pages, anchor texts and patterns from other programs' files.

Scrapy takes a command's name from its file; that this one can only be imported by its name as a
string harms nobody.
"""

from __future__ import annotations

import argparse
import os
import re
from pathlib import Path

from scrapy.exceptions import UsageError

from crawler.command import SiteCommand, fail, is_terminal, open_url_database, print_json
from crawler.config.sites import Config, SiteConfig
from crawler.storage.locks import SiteLock
from crawler.usage.exitcodes import EXIT_FAILED, EXIT_NOTHING, EXIT_OK


class Command(SiteCommand):
    """Files in, the pages, links and patterns tables out."""

    arguments = "<site> [FILE | FOLDER | - ...]"
    takes_files = True
    examples = """\
  scrapy import demo demo.200501010000.zip   a crawl of Webstemmer, with its linkinfo
  scrapy import demo crawl.warc.gz           the HTML responses of a WARC file
  scrapy import demo example.com/            a folder, such as a mirror of wget
  find 200501010000 -type f | scrapy import demo -     the files of a list (or FILE.list)
  scrapy import demo --pat demo.pat          patterns of Webstemmer; they become the current ones
"""

    def short_desc(self) -> str:
        return "Import pages (Webstemmer zip, WARC, HTML files) or Webstemmer patterns"

    def long_desc(self) -> str:
        return (
            "Stores the pages under the dates they were fetched on; an import can be repeated. "
            "Pages outside the site's rules are passed over. Nothing in a file is ever evaluated."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--pat", metavar="FILE", help="patterns in Webstemmer's format")
        parser.add_argument(
            "--linkinfo",
            default="linkinfo",
            metavar="NAME",
            help="the anchor texts in a Webstemmer zip; empty: take them from the pages",
        )
        parser.add_argument("--json", action="store_true", help="print the summary as JSON")

    def work(
        self, config: Config, site: SiteConfig, files: list[str], opts: argparse.Namespace
    ) -> int:
        if bool(files) == bool(opts.pat):
            raise UsageError("expected FILEs, or --pat FILE", print_help=False)
        with SiteLock(config.state, site.name, "import"):
            if opts.pat:
                return self._import_patterns(config, site, opts)
            return self._import_pages(config, site, files, opts)

    def _import_pages(
        self, config: Config, site: SiteConfig, files: list[str], opts: argparse.Namespace
    ) -> int:
        from rich.console import Console

        from crawler.exchange.archives import ArchiveError, read_archive
        from crawler.exchange.importing import import_pages
        from crawler.storage.partitions import Storage

        rows = []
        console = Console(stderr=True, quiet=not is_terminal())
        for name in files:
            run_id = f"import-{_stem(name)}"
            try:
                with (
                    console.status(f"importing {name} ..."),
                    open_url_database(config.state, site.name) as database,
                ):
                    found = read_archive(name, site, opts.linkinfo)
                    storage = Storage(config.storage)
                    summary = import_pages(storage, database, site, found, run_id)
            except ArchiveError as problem:
                return fail(problem, EXIT_FAILED)
            console.print(
                f"{name}: {summary.pages} pages and {summary.links} links stored, "
                f"{summary.known} known, {summary.passed_over.total()} passed over"
            )
            for reason, example in summary.examples.items():
                console.print(f"  {summary.passed_over[reason]} times, {example}", markup=False)
            rows.append(
                {
                    "site": site.name,
                    "file": name,
                    "run_id": run_id,
                    "pages": summary.pages,
                    "known": summary.known,
                    "links": summary.links,
                    "passed_over": dict(sorted(summary.passed_over.items())),
                }
            )
        if opts.json:
            print_json(rows)
        if not any(row["pages"] or row["known"] for row in rows):
            return fail(f"{site.name}: no page of the site in {', '.join(files)}", EXIT_NOTHING)
        return EXIT_OK

    def _import_patterns(self, config: Config, site: SiteConfig, opts: argparse.Namespace) -> int:
        from crawler.storage.partitions import Storage
        from learner.induction.job import store_patterns
        from learner.webstemmer.pat_file import PatFileError, read_pat

        try:
            with Path(opts.pat).open("rb") as file:
                patterns = read_pat(file, opts.pat)
        except PatFileError as problem:
            return fail(problem, EXIT_FAILED)
        except OSError as problem:
            return fail(f"{opts.pat}: not read: {problem.strerror}", EXIT_FAILED)
        if not len(patterns):
            return fail(f"{opts.pat}: no pattern in it", EXIT_NOTHING)
        n_pages = sum(pattern.n_pages for pattern in patterns)
        summary = store_patterns(Storage(config.storage), site.name, patterns, n_pages, ())
        if opts.json:
            row = {"site": site.name, "patterns": len(patterns), "path": summary.path}
            print_json([row])
        return EXIT_OK


def _stem(name: str) -> str:
    """What names the run of an import, so that a repeated one is known again."""
    stem = "stdin" if name == "-" else os.path.basename(os.path.realpath(name))
    return re.sub(r"[^\w.-]+", "-", stem)
