"""`scrapy compact SITE`: merge the small files of old days."""

from __future__ import annotations

import argparse
import re
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from crawler.command import SiteCommand, fail, is_terminal, print_json
from crawler.config.sites import Config, SiteConfig
from crawler.storage.locks import SiteLock
from crawler.storage.merging import OLD_DAYS, PART_TABLES
from crawler.usage.exitcodes import EXIT_FAILED, EXIT_OK

if TYPE_CHECKING:
    from crawler.storage.partitions import Storage


class Command(SiteCommand):
    """Many part files a day in, one or few large sorted ones out; no row is lost or seen twice."""

    examples = """\
  scrapy compact demo --older-than 30d   days that ended at least 30 days ago
  scrapy compact demo --older-than 0d    all days
"""

    def short_desc(self) -> str:
        return "Merge the small files of a site's old days"

    def long_desc(self) -> str:
        return (
            "Merges the part files of pages and links of each old day into few large ones, sorted, "
            "so that readers open fewer files and find a page by its statistics. Readers see each "
            "row exactly once at every moment. Object stores keep their parts."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--older-than",
            type=_days,
            default=OLD_DAYS,
            metavar="DAYS",
            help="such as 30d (default)",
        )
        parser.add_argument("--json", action="store_true", help="print the summary as JSON")

    def work(
        self, config: Config, site: SiteConfig, files: list[str], opts: argparse.Namespace
    ) -> int:
        from rich.console import Console

        from crawler.storage.partitions import Storage

        storage = Storage(config.storage)
        last = datetime.now(UTC).date() - timedelta(days=opts.older_than)
        rows: list[dict[str, Any]] = []
        with SiteLock(config.state, site.name, "compact"):
            for table in PART_TABLES:
                old = (day for day in storage.dates(table, site.name) if day <= last)
                rows += [_merged(storage, table, site.name, day) for day in old]
        if opts.json:
            print_json(rows)
        failed = [row["failed"] for row in rows if "failed" in row]
        for problem in failed:
            fail(problem, EXIT_FAILED)
        before, after = (sum(row[name] for row in rows) for name in ("before", "after"))
        Console(stderr=True, quiet=not is_terminal()).print(
            f"{site.name}: {before} files of {len(rows)} partitions, now {after}"
        )
        return EXIT_FAILED if failed else EXIT_OK


def _merged(storage: Storage, table: str, site: str, day: date) -> dict[str, Any]:
    """Merge one partition; how many files it had and has, and why they are not merged if so."""
    from crawler.storage.parquet import StorageError

    row = {"table": table, "date": day, "before": len(storage.files(table, site, day, day))}
    try:
        storage.merge_parts(table, site, day)
    except StorageError as problem:  # the other days can be read
        row["failed"] = str(problem)
    return row | {"after": len(storage.files(table, site, day, day))}


def _days(text: str) -> int:
    found = re.fullmatch(r"(\d{1,5})d?", text)
    if not found:
        raise argparse.ArgumentTypeError(f"expected a number of days such as 30d, got {text!r}")
    return int(found[1])
