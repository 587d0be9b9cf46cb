"""`scrapy night [SITE ...]`: what each site is due for, sites side by side."""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING

from crawler.command import EXIT_CODES, SitesCommand, fail, is_terminal, print_json
from crawler.config.sites import Config
from crawler.exitcodes import EXIT_OK

if TYPE_CHECKING:
    from extractor.night.site_night import SiteReport


class Command(SitesCommand):
    """Sites in; each is crawled, learned and extracted as far as it is due, and judged."""

    def short_desc(self) -> str:
        return "Do what each site is due for, sites side by side"

    def long_desc(self) -> str:
        return (
            "Crawls each site whose `every` is over, learns it where that is due or its layout "
            "changed, extracts again what new patterns match, merges small files of old days, and "
            "judges how the site is. A site that fails is tried again within the night, and holds "
            "no other. Run twice, the second does nothing."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="print a row for each site as JSON")
        parser.epilog = f"example: scrapy night; scrapy night demo my_blog. {EXIT_CODES}"

    def work(self, config: Config, opts: argparse.Namespace) -> int:
        from extractor.night import telling
        from extractor.night.night import Night

        began = time.monotonic()
        reports = Night(config, _show).run()
        lines = (
            *telling.troubles(reports),
            *telling.tell_others(config, reports),
            *telling.measure(config),
        )
        for line in lines:
            fail(line, EXIT_OK)
        summary = telling.summary(reports, time.monotonic() - began)
        if opts.json:
            print_json(map(telling.report_row, reports))
            fail(summary, EXIT_OK)
        else:
            print(summary)
        return telling.exit_code_of(reports)


def _show(report: SiteReport) -> None:
    from extractor.night.telling import progress_line

    if is_terminal():
        fail(progress_line(report), EXIT_OK)
