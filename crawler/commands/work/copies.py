"""`scrapy copies`: which articles say what others said first."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from crawler.command import SitesCommand, fail, is_terminal, print_json
from crawler.config.sites import Config
from crawler.usage.exitcodes import EXIT_LOCKED, EXIT_NOTHING, EXIT_OK


class Command(SitesCommand):
    """New articles of all sites, or of those named, are compared with all."""

    examples = """\
  scrapy copies
"""

    def short_desc(self) -> str:
        return "Tell which articles say nearly what others said first"

    def long_desc(self) -> str:
        return (
            "Compares the texts of new articles with those of all sites and writes the address of "
            "the first into `same_as`: an agency's text is found once where `same_as is null`. "
            "`scrapy night` does it when there are several sites."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="print the counts as JSON")

    def work(self, config: Config, opts: argparse.Namespace) -> int:
        from extractor.versions.copies.job import find_copies

        if config.copies == "none":
            return fail("copies is `none` in pipelines.yaml", EXIT_NOTHING)
        counts = find_copies(config)
        if opts.json:
            print_json([asdict(counts)])
        for site in counts.locked:
            fail(f"{site}: in use by another run; the next run tells its copies", EXIT_LOCKED)
        if is_terminal():
            fail(f"{counts.compared} texts compared; near copies now: {counts.copies}", EXIT_OK)
        return EXIT_LOCKED if counts.locked else EXIT_OK
