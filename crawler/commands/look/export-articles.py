"""`scrapy export-articles --by date`: the articles of all sites in few large files."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from scrapy.exceptions import UsageError

from crawler.command import SiteCommand, add_dates, chosen_dates, fail, is_terminal, print_json
from crawler.config.sites import Config, SiteConfig
from crawler.exitcodes import EXIT_FAILED, EXIT_NOTHING, EXIT_OK


class Command(SiteCommand):
    """The articles table, a small file for each site and day, in; files of 64-256 MB a date out."""

    takes_all = True
    arguments = "--by date --out FOLDER"
    examples = """\
  scrapy export-articles --by date --out analytics                       all days
  scrapy export-articles --by date --out analytics --date 2026-11-20     one UTC day again
"""

    def short_desc(self) -> str:
        return "Write the articles of all sites into few large files"

    def long_desc(self) -> str:
        return (
            "Writes FOLDER/date=<day>/articles-<n>.parquet with the articles of all sites, sorted "
            "by site and url_key. A day that is exported again is replaced."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add_dates(parser)
        parser.add_argument("--by", choices=("date",), help="what makes a folder")
        parser.add_argument("--out", type=Path, metavar="FOLDER", help="where the files go")
        parser.add_argument("--json", action="store_true", help="print the summary as JSON")
        parser.set_defaults(all=True)

    def work(
        self, config: Config, site: SiteConfig, files: list[str], opts: argparse.Namespace
    ) -> int:
        raise AssertionError("all sites always")

    def work_on_all(self, config: Config, opts: argparse.Namespace) -> int:
        from rich.console import Console

        from crawler.exchange.analytics import export_day, export_days
        from crawler.storage.parquet import StorageError
        from crawler.storage.partitions import Storage

        if not opts.by or not opts.out:
            raise UsageError("expected --by date and --out FOLDER", print_help=False)
        storage = Storage(config.storage)
        if storage.holds(opts.out):
            raise UsageError(
                f"--out: expected a folder outside of the tables in {config.storage}, "
                f"got {str(opts.out)!r}: their readers would see each article twice",
                print_help=False,
            )
        rows: list[dict[str, Any]] = []
        for day in export_days(storage, *chosen_dates(opts)):
            try:
                rows.append({"date": day, "articles": export_day(storage, day, opts.out)})
            except StorageError as problem:  # the other days can be read
                rows.append({"date": day, "articles": 0, "failed": str(problem)})
        if opts.json:
            print_json(rows)
        if not rows:
            return fail("no articles are stored for these days", EXIT_NOTHING)
        failed = [row for row in rows if "failed" in row]
        for row in failed:
            fail(f"{row['date']}: {row['failed']}", EXIT_FAILED)
        total = sum(row["articles"] for row in rows)
        n_days = len(rows) - len(failed)
        Console(stderr=True, quiet=not is_terminal()).print(f"{total} articles, {n_days} days")
        return EXIT_FAILED if failed else EXIT_OK
