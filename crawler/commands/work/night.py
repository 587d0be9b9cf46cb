"""`scrapy night [SITE ...]`: what each site is due for, sites side by side."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from rich.console import Console

from crawler.command import SitesCommand, fail, is_terminal, print_json
from crawler.config.sites import Config
from crawler.usage.exitcodes import EXIT_NOTHING, EXIT_OK

if TYPE_CHECKING:
    from extractor.night.site_night import SiteReport


class Command(SitesCommand):
    """Sites in; each is crawled, learned and extracted as far as it is due, and judged."""

    examples = """\
  scrapy night                 all sites
  scrapy night demo my_blog    these two
"""

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

    def work(self, config: Config, opts: argparse.Namespace) -> int:
        from extractor.night import telling
        from extractor.night.night import Night

        if not config.sites and not config.wrong_sites:
            return fail("pipelines.yaml has no site", EXIT_NOTHING)
        began = datetime.now(UTC)
        with progress(len(config.sites)) as show:
            reports = Night(config, show).run()
        lines = (
            *telling.troubles(reports),
            *telling.mark_copies(config),
            *telling.tell_others(config, reports),
            *telling.measure(config),
        )
        for line in lines:
            fail(line, EXIT_OK)
        summary = telling.summary(reports, len(config.wrong_sites), began)
        if opts.json:
            print_json(map(telling.report_row, reports))
            fail(summary, EXIT_OK)
        elif is_terminal() or config.wrong_sites or telling.has_news(reports):
            print(summary, *telling.relearned(reports), sep="\n")
        return telling.exit_code_of(reports)


@contextmanager
def progress(n_sites: int) -> Iterator[Callable[[SiteReport], None]]:
    """On a terminal: a line for each site that is done, and how many are."""
    from extractor.night.telling import progress_line

    console = Console(stderr=True)
    done: set[str] = set()
    if not is_terminal():
        yield lambda report: None
        return
    with console.status(f"0 of {n_sites} sites done") as status:

        def show(report: SiteReport) -> None:
            done.add(report.site)
            console.print(progress_line(report), markup=False, highlight=False)
            status.update(f"{len(done)} of {n_sites} sites done")

        yield show
