"""`scrapy articles SITE`: look at the newest article records."""

from __future__ import annotations

import argparse
import heapq
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from crawler.command import SiteCommand, add_dates, chosen_dates, fail, print_json
from crawler.config import Config, SiteConfig
from crawler.exitcodes import EXIT_NOTHING, EXIT_OK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crawler.partitions import Storage

LONG_AGO = datetime.min.replace(tzinfo=UTC)
FIRST_WORDS = 60
"""Characters shown of a body."""


class Command(SiteCommand):
    """The articles table, newest first."""

    examples = """\
  scrapy articles demo                       the newest records
  scrapy articles demo --status no_pattern   pages that no pattern fits
  scrapy articles demo --json --limit 1000   records as they are
"""

    def short_desc(self) -> str:
        return "Show the newest article records of a site"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add_dates(parser)
        parser.add_argument("--limit", type=int, default=20, metavar="N", help="at most N records")
        parser.add_argument("--status", help="only records of this status, such as ok")
        parser.add_argument("--json", action="store_true", help="print as JSON")

    def work(
        self, config: Config, site: SiteConfig, files: list[str], opts: argparse.Namespace
    ) -> int:
        from crawler.partitions import Storage

        rows = heapq.nlargest(opts.limit, _rows(Storage(config.storage), site, opts), key=_newest)
        if not rows:
            return fail(
                f"{site.name}: no such article record; `scrapy learn {site.name}`, then "
                f"`scrapy extract {site.name}` make them",
                EXIT_NOTHING,
            )
        if opts.json:
            print_json(rows)
        else:
            _table(site.name, rows)
        return EXIT_OK


def _rows(storage: Storage, site: SiteConfig, opts: argparse.Namespace) -> Iterator[dict[str, Any]]:
    from extractor.articles import ARTICLE_SCHEMA

    since, until = chosen_dates(opts)
    for batch in storage.read("articles", site.name, since, until, ARTICLE_SCHEMA.names):
        for row in batch.to_pylist():
            if opts.status is None or row["status"] == opts.status:
                yield row


def _newest(row: dict[str, Any]) -> tuple[datetime, datetime, str]:
    """Newest publication first; undated records by when they were fetched."""
    fetched_at = row["fetched_at"] or LONG_AGO
    return (row["date_published"] or fetched_at, fetched_at, row["url_key"])


def _table(site: str, rows: list[dict[str, Any]]) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(title=f"articles of {site}")
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
