"""`scrapy report`: how many of each site's pages gave an article, and what fell lately."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy.exceptions import UsageError

from crawler.command import EXIT_CODES, ProjectCommand, fail, print_json, reported, tell_wrong_sites
from crawler.config.sites import find_config, load_config
from crawler.exitcodes import EXIT_NOTHING, EXIT_OK

if TYPE_CHECKING:
    from extractor.figures.drift import Drift
    from extractor.figures.yields import SiteYield, Yield


class Command(ProjectCommand):
    """The tables in, one line per site out, and one for each that drifted."""

    requires_project = True
    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return "[site ...] [options]"

    def short_desc(self) -> str:
        return "Show how many pages of each site gave an article"

    def long_desc(self) -> str:
        return (
            "Of each site, the pages obtained and those that gave an article with title and body: "
            "in the last run that obtained any, and in all. Below, what fell on a site's last day."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="print the rows as JSON")
        parser.epilog = f"example: scrapy report demo --json. {EXIT_CODES}"

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        unknown = [each for each in args if each.startswith("-")]
        if unknown:
            raise UsageError(f"unknown option {unknown[0]!r}", print_help=False)
        self.exitcode = reported(lambda: self._report(args, opts))

    def _report(self, args: list[str], opts: argparse.Namespace) -> int:
        from crawler.storage.partitions import Storage
        from extractor.figures.drift import latest_drift
        from extractor.figures.yields import site_yield

        config = load_config(find_config(), leave_out=True)
        names = [config.site(name).name for name in args] or [s.name for s in config.sites]
        storage = Storage(config.storage)
        yields = [site_yield(storage, name) for name in names]
        drifts = [latest_drift(storage, name) for name in names]
        if opts.json:
            print_json(map(_row, yields, drifts))
        else:
            _print_table(yields)
            for drift in filter(None, drifts):
                print(drift)
        if not any(each.total.obtained for each in yields):
            advice = "crawl first: `scrapy crawl SITE`"
            return fail(f"no page is stored of {', '.join(names)}; {advice}", EXIT_NOTHING)
        return EXIT_OK if args else tell_wrong_sites(config)


def _row(found: SiteYield, drift: Drift | None) -> dict[str, Any]:
    return {
        "site": found.site,
        "last_run": found.last_run,
        "last_time": found.last_time,
        "last_obtained": found.last.obtained,
        "last_extracted": found.last.extracted,
        "total_obtained": found.total.obtained,
        "total_extracted": found.total.extracted,
        "drift": asdict(drift) if drift else None,
    }


def _print_table(yields: list[SiteYield]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("site", "last run", "extracted/obtained", "in all")
    for each in yields:
        time = f"{each.last_time:%Y-%m-%d %H:%M}" if each.last_time else "-"
        table.add_row(each.site, time, _ratio(each.last), _ratio(each.total))
    Console().print(table)


def _ratio(found: Yield) -> str:
    share = "" if found.share is None else f" ({found.share:.0%})"
    return f"{found.extracted}/{found.obtained}{share}"
