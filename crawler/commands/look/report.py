"""`scrapy report [SITE ...]`: how all sites are, the worst first."""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path

from crawler.command import SitesCommand, fail, print_json
from crawler.config.sites import Config
from crawler.usage.exitcodes import EXIT_FAILED, EXIT_ILL, EXIT_NOTHING, EXIT_OK


class Command(SitesCommand):
    """The tables in, a line for each site out."""

    examples = """\
  scrapy report --bad              only those that are not well
  scrapy report --html report      as pages for a browser
"""

    def short_desc(self) -> str:
        return "Show how each site is, the worst first"

    def long_desc(self) -> str:
        return (
            "Of each site its state (ok, watch, ill, dead), the last crawl, the new articles of "
            "the last two weeks as a chart and of 30 days as a number, the share of the pages that "
            "should be articles and are, and the last day with a new one. Below, what is wrong "
            "with those that are not well, since when, and what to do."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--bad", action="store_true", help="only sites that are not well")
        parser.add_argument(
            "--check", action="store_true", help="exit code 6 if a site is ill or dead"
        )
        parser.add_argument("--json", action="store_true", help="print the rows as JSON")
        parser.add_argument(
            "--html", metavar="FOLDER", type=Path, help="write pages for a browser, and print where"
        )

    def work(self, config: Config, opts: argparse.Namespace) -> int:
        from crawler.storage.partitions import Storage
        from extractor.health.words import many
        from extractor.report.overview import overviews
        from extractor.report.table import plain_lines, print_table

        storage, now = Storage(config.storage), datetime.now(UTC)
        is_table = sys.stdout.isatty() and not opts.html and not opts.json
        sites = overviews(storage, config, now)
        shown = [each for each in sites if each.health.trouble] if opts.bad else sites
        if opts.html:
            from extractor.report.html import write_html

            index, shown = write_html(opts.html, storage, shown, now)
            print(index)
        elif opts.json:
            print_json(each.to_row() for each in shown)
        elif is_table:
            print_table(shown)
        else:
            print(*plain_lines(shown), sep="\n", end="\n" if shown else "")
        if not sites:
            return fail("pipelines.yaml has no site", EXIT_NOTHING)
        unreadable = [each.health for each in shown if each.is_unreadable]
        if unreadable:
            for health in unreadable if not is_table else ():  # under a table they are told
                fail(health, EXIT_FAILED)
            return fail(f"{many(len(unreadable), 'site')} could not be read", EXIT_FAILED)
        is_ill = any(each.health.is_bad for each in sites)
        return EXIT_ILL if opts.check and is_ill else EXIT_OK
