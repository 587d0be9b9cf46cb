"""`scrapy articles SITE`: look at the newest article records."""

from __future__ import annotations

import argparse
import heapq
from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from crawler.command import SiteCommand, add_dates, chosen_dates, count, fail, print_json
from crawler.config.sites import Config, SiteConfig
from crawler.exitcodes import EXIT_NOTHING, EXIT_OK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crawler.storage.partitions import Storage

LONG_AGO = datetime.min.replace(tzinfo=UTC)
FIRST_WORDS = 60
"""Characters shown of a body."""


class Command(SiteCommand):
    """The articles table: by date of publication, newest first, then what has none."""

    examples = """\
  scrapy articles demo                       the newest records
  scrapy articles demo --status no_pattern   pages that no pattern fits
  scrapy articles demo --json --limit 1000   records as they are
"""

    def short_desc(self) -> str:
        return "Show the newest article records of a site"

    def long_desc(self) -> str:
        return (
            "Shows records by their date of publication, the newest first. Those without one "
            "(undated articles, and pages that are none) come after them, last fetched first."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add_dates(parser)
        parser.add_argument(
            "--limit", type=count, default=20, metavar="N", help="at most N records (default: 20)"
        )
        parser.add_argument(
            "--status", type=_status, help="only records of this status, such as ok"
        )
        parser.add_argument("--json", action="store_true", help="print as JSON")

    def work(
        self, config: Config, site: SiteConfig, files: list[str], opts: argparse.Namespace
    ) -> int:
        from crawler.storage.partitions import Storage

        statuses: Counter[str] = Counter()
        found = _rows(Storage(config.storage), site, opts, statuses)
        rows = heapq.nlargest(opts.limit, found, key=_newest)
        if statuses and not rows:
            return fail(
                f"{site.name}: expected records of status {opts.status}, got {_counted(statuses)}",
                EXIT_NOTHING,
            )
        if not rows:
            return fail(
                f"{site.name}: no such article record; `scrapy learn {site.name}`, then "
                f"`scrapy extract {site.name}` make them",
                EXIT_NOTHING,
            )
        if opts.json:
            print_json(rows)
        else:
            _table(f"articles of {site.name}: {_counted(statuses)}", rows)
        return EXIT_OK


def _status(name: str) -> str:
    """The argument of `--status`."""
    from extractor.articles import Status

    if name not in list(Status):
        raise argparse.ArgumentTypeError(f"expected one of {', '.join(Status)}, got {name!r}")
    return name


def _rows(
    storage: Storage, site: SiteConfig, opts: argparse.Namespace, statuses: Counter[str]
) -> Iterator[dict[str, Any]]:
    """The records asked for; `statuses` counts all of these days."""
    from extractor.articles import ARTICLE_SCHEMA

    since, until = chosen_dates(opts)
    for batch in storage.read("articles", site.name, since, until, ARTICLE_SCHEMA.names):
        for row in batch.to_pylist():
            statuses[row["status"]] += 1
            if opts.status is None or row["status"] == opts.status:
                yield row


def _newest(row: dict[str, Any]) -> tuple[datetime, datetime, str]:
    """Newest publication first; undated records last, by when they were fetched."""
    return (row["date_published"] or LONG_AGO, row["fetched_at"] or LONG_AGO, row["url_key"])


def _counted(statuses: Counter[str]) -> str:
    return ", ".join(f"{number} {status}" for status, number in statuses.most_common())


def _table(title: str, rows: list[dict[str, Any]]) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(title=title)
    table.add_column("title", overflow="fold")
    table.add_column("date", no_wrap=True)
    table.add_column("first words", overflow="fold")
    table.add_column("pattern", no_wrap=True)
    table.add_column("score", justify="right")
    table.add_column("status")
    for row in rows:
        score = row["match_score"]
        words = " ".join((row["body"] or row["reason"] or "").split())[:FIRST_WORDS]
        published = row["date_published"]
        table.add_row(
            escape(row["title"] or row["url"]),
            f"{published:%Y-%m-%d}" if published else "",
            escape(words),
            (row["pattern_id"] or "")[:8],
            "" if score is None else f"{score:.2f}",
            row["status"],
        )
    Console().print(table)
