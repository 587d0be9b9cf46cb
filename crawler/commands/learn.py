"""`scrapy learn SITE`: learn a site's layout patterns from its stored pages."""

from __future__ import annotations

import argparse
from collections import Counter

from crawler.command import SiteCommand, add_dates, chosen_dates, fail, is_terminal, print_json
from crawler.config import Config, SiteConfig
from crawler.exitcodes import EXIT_NOTHING, EXIT_OK
from crawler.locks import SiteLock


class Command(SiteCommand):
    """Pages and links in, the patterns table out."""

    examples = """\
  scrapy learn demo                       from all stored pages
  scrapy learn demo --since 2026-11-01    from the pages of this month
  scrapy learn demo --preset webstemmer   as Webstemmer 0.7.1 did
"""

    def short_desc(self) -> str:
        return "Learn a site's layout patterns from its stored pages"

    def long_desc(self) -> str:
        return (
            "Learns the layouts of a site's pages, without labels, and stores them in the "
            "patterns table under today's date. If they say what the stored ones say, nothing "
            "is written. On a terminal a summary is printed."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add_dates(parser)
        parser.add_argument(
            "--preset", choices=("default", "webstemmer"), help="learn with these choices"
        )
        parser.add_argument("--json", action="store_true", help="print the summary as JSON")

    def work(
        self, config: Config, site: SiteConfig, files: list[str], opts: argparse.Namespace
    ) -> int:
        from rich.console import Console

        from crawler.partitions import Storage
        from learner.job import TooFewPagesError, learn_site

        since, until = chosen_dates(opts)
        if opts.preset:
            learn = site.learn.model_copy(update={"preset": opts.preset})
            site = site.model_copy(update={"learn": learn})
        console = Console(stderr=True, quiet=not is_terminal())
        with SiteLock(config.state, site.name, "learn"), console.status("learning ..."):
            try:
                summary = learn_site(Storage(config.storage), site, since, until)
            except TooFewPagesError as problem:
                return fail(problem, EXIT_NOTHING)
        kinds = Counter(str(pattern.kind) for pattern in summary.patterns)
        if opts.json:
            print_json(
                [
                    {
                        "site": site.name,
                        "pages": summary.n_pages,
                        "patterns": len(summary.patterns),
                        "kinds": dict(sorted(kinds.items())),
                        "is_new": summary.is_new,
                        "path": summary.path,
                    }
                ]
            )
        if not len(summary.patterns):
            return fail(
                f"{site.name}: no layout is shared by enough of the {summary.n_pages} pages; "
                "crawl more pages of the same kind",
                EXIT_NOTHING,
            )
        counted = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
        state = "stored" if summary.is_new else "as before"
        console.print(f"{site.name}: {summary.n_pages} pages, patterns: {counted} ({state})")
        return EXIT_OK
