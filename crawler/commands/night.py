"""`scrapy night [SITE ...]`: what each site is due for, sites side by side."""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING, Any, ClassVar

from crawler.command import (
    EXIT_CODES,
    ProjectCommand,
    fail,
    is_terminal,
    print_json,
    refuse_options,
    reported,
    tell_wrong_sites,
)
from crawler.config.sites import find_config, load_config
from crawler.exitcodes import EXIT_OK

if TYPE_CHECKING:
    from extractor.night.site_night import SiteReport


class Command(ProjectCommand):
    """Sites in; each is crawled, learned and extracted as far as it is due, and judged."""

    requires_project = True
    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return "[site ...] [options]"

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

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        refuse_options(args)
        self.exitcode = reported(lambda: self._night(args, opts))

    def _night(self, args: list[str], opts: argparse.Namespace) -> int:
        from extractor.night import telling
        from extractor.night.night import Night

        config = load_config(find_config(), leave_out=True)
        began = time.monotonic()
        reports = Night(config.of_sites(args) if args else config, _show).run()
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
        wrong = EXIT_OK if args else tell_wrong_sites(config)
        return telling.exit_code_of(reports) or wrong


def _show(report: SiteReport) -> None:
    from extractor.night.telling import progress_line

    if is_terminal():
        fail(progress_line(report), EXIT_OK)
