"""`scrapy articles SITE`: look at the newest article records."""

from __future__ import annotations

import argparse
import heapq
import shutil
import sys
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import UsageError

from crawler.command import SiteCommand, add_dates, chosen_dates, count, fail, print_json
from crawler.config.sites import Config, SiteConfig
from crawler.usage.exitcodes import EXIT_FAILED, EXIT_NOTHING, EXIT_OK

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from crawler.storage.partitions import Storage

Dates = tuple[date | None, date | None]

LONG_AGO = datetime.min.replace(tzinfo=UTC)


class Command(SiteCommand):
    """The articles table: by date of publication, newest first, then what has none."""

    examples = """\
  scrapy articles demo                       the newest articles
  scrapy articles demo --versions            those that were edited, each with its earlier texts
  scrapy articles demo --status guessed      those that the page model read, for no pattern fits
  scrapy articles demo --status no_pattern   pages that no pattern fits, and look like no article
  scrapy articles demo --show 3              the third of them, with its text
  scrapy articles demo --json --limit 1000   records as they are
"""

    def short_desc(self) -> str:
        return "Show the newest articles of a site"

    def long_desc(self) -> str:
        return (
            "Shows each article once, as it reads now, by its date of publication, the newest "
            "first; undated ones come after them, last fetched first. --date and the like choose "
            "by the day on which an article was first seen, or a page was fetched."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add_dates(parser)
        parser.add_argument(
            "--limit", type=count, default=20, metavar="N", help="at most N records (default: 20)"
        )
        parser.add_argument(
            "--status",
            type=status_argument,
            help="articles that a pattern read (ok) or that are guessed, or pages that are none, "
            "such as list",
        )
        parser.add_argument(
            "--versions", action="store_true", help="all texts of the articles that were edited"
        )
        parser.add_argument(
            "--show", type=count, metavar="N", help="print the N-th of them with all it says"
        )
        parser.add_argument("--json", action="store_true", help="print as JSON")

    def work(
        self, config: Config, site: SiteConfig, files: list[str], opts: argparse.Namespace
    ) -> int:
        from crawler.storage.partitions import Storage
        from extractor.records.articles import ARTICLES

        if opts.versions and opts.status:
            raise UsageError("--versions are of articles whatever their status: no --status")
        tables = _Tables(Storage(config.storage), site.name, chosen_dates(opts))
        is_of_pages = opts.status is not None and opts.status not in ARTICLES
        table = "outcomes" if is_of_pages else "article_versions" if opts.versions else "articles"
        most = max(opts.limit, opts.show or 0)
        rows = heapq.nlargest(most, _rows(tables, table, opts), _newest)
        done = self._show(site.name, table, rows, _counted(tables), opts)
        for problem in tables.problems:
            fail(problem, EXIT_FAILED)
        return EXIT_FAILED if tables.problems else done

    def _show(
        self,
        site: str,
        table: str,
        rows: list[dict[str, Any]],
        counted: Counter[str],
        opts: argparse.Namespace,
    ) -> int:
        """Print the records; the exit code."""
        from extractor.report.article_lines import plain_lines, terminal_lines

        if rows and opts.json:
            print_json(rows)
            return EXIT_OK
        if not rows:
            return fail(f"{site}: {_nothing(opts, site, counted)}", EXIT_NOTHING)
        if opts.show:
            return _show_one(site, rows, opts.show)
        if sys.stdout.isatty():
            print(f"{table.replace('_', ' ')} of {site}; pages: {_told(counted)}")
            print(*terminal_lines(rows, shutil.get_terminal_size().columns), sep="\n")
        else:
            print(*plain_lines(site, rows), sep="\n")
        return EXIT_OK


def _show_one(site: str, rows: list[dict[str, Any]], number: int) -> int:
    """Print one record whole; the exit code."""
    from extractor.report.article_lines import whole_record

    if number > len(rows):
        return fail(f"{site}: --show: expected a number up to {len(rows)}", EXIT_NOTHING)
    print(*whole_record(rows[number - 1]), sep="\n")
    return EXIT_OK


def status_argument(name: str) -> str:
    """The argument of `--status`: what came of a page."""
    from extractor.records.articles import Status

    if name not in list(Status):
        raise argparse.ArgumentTypeError(f"expected one of {', '.join(Status)}, got {name!r}")
    return name


def _nothing(opts: argparse.Namespace, site: str, counted: Counter[str]) -> str:
    """Why there is nothing to show."""
    if counted and opts.versions:
        return "no article was edited on these days"
    if counted:
        return f"expected pages of status {opts.status or 'ok'}, got {_told(counted)}"
    return f"no such article; `scrapy learn {site}`, then `scrapy extract {site}` make them"


@dataclass
class _Tables:
    """The tables of a site and some days; a day that cannot be read keeps none of the others."""

    storage: Storage
    site: str
    dates: Dates
    problems: list[str] = field(default_factory=list)
    """The files that could not be read, and what to do about them."""

    def rows(
        self, table: str, columns: Sequence[str], wanted: Sequence[tuple[str, str, Any]] = ()
    ) -> Iterator[dict[str, Any]]:
        """The rows, by day."""
        from crawler.storage.parquet import StorageError

        since, until = self.dates
        for day in self.storage.dates(table, self.site):
            if (since is None or day >= since) and (until is None or day <= until):
                try:
                    for batch in self.storage.read(table, self.site, day, day, columns, wanted):
                        yield from batch.to_pylist()
                except StorageError as problem:
                    self.problems.append(str(problem))


def _rows(tables: _Tables, table: str, opts: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """The records asked for."""
    from extractor.records.articles import ARTICLE_SCHEMA
    from extractor.records.outcomes import OUTCOME_SCHEMA

    schema = OUTCOME_SCHEMA if table == "outcomes" else ARTICLE_SCHEMA
    wanted = [("status", "==", opts.status)] if opts.status else []
    return tables.rows(table, schema.names, wanted)


def _counted(tables: _Tables) -> Counter[str]:
    """How many pages of these days came out how, each as it did last."""
    rows = tables.rows("outcomes", ("url_key", "status"))
    return Counter({row["url_key"]: row["status"] for row in rows}.values())


def _newest(row: dict[str, Any]) -> tuple[datetime, datetime, str]:
    """Newest publication first; undated records last, by when they were fetched."""
    published, fetched = row["date_published"] or LONG_AGO, row["fetched_at"] or LONG_AGO
    return (published, fetched, row["url_key"])


def _told(statuses: Counter[str]) -> str:
    return ", ".join(f"{number} {status}" for status, number in statuses.most_common())
