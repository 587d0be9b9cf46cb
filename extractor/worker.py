"""A process that extracts part files while a crawl goes on: `python -m extractor.worker`.

It reads lines from stdin: first its order as JSON, then the path of a part file each. For each it
prints the number of its records when they are in the spool. It ends with its input, so it never
outlives the crawl that started it, however that ends.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from crawler.config import SiteConfig
from crawler.partitions import Storage
from extractor.job import PAGE_COLUMNS, read_page_rows, records_of_rows
from extractor.spool import Spool
from learner.job import current_patterns
from learner.patterns import PatternSet

NICENESS = 5
"""The crawl goes first where cores are few."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What a worker is started for."""

    storage_root: str
    site: SiteConfig
    spool_folder: str
    """Records go to one spool for each day in this folder."""

    def to_json(self) -> str:
        """The order as one line."""
        return json.dumps(
            {
                "storage_root": self.storage_root,
                "site": self.site.model_dump(mode="json"),
                "spool_folder": self.spool_folder,
            }
        )

    @classmethod
    def from_json(cls, line: str) -> Order:
        """The order that a line holds."""
        values = json.loads(line)
        site = SiteConfig.model_validate_json(json.dumps(values.pop("site")))
        return cls(site=site, **values)


def day_spool(folder: str | Path, day: str) -> Spool:
    """The spool of one partition's records."""
    return Spool(Path(folder, day))


def extract_part(order: Order, path: str, patterns: PatternSet) -> int:
    """Extract the pages of a part file into its day's spool; the number of records."""
    storage = Storage(order.storage_root)
    day = Path(path).parent.name.removeprefix("date=")
    spool = day_spool(order.spool_folder, day)
    count = 0
    for rows in read_page_rows(storage.read_file(path, PAGE_COLUMNS)):
        spool.extend(records_of_rows(rows, patterns, order.site.extract))
        count += len(rows)
    spool.flush()
    return count


def main() -> None:
    """Serve the order on stdin until it ends."""
    os.nice(NICENESS)
    order = Order.from_json(sys.stdin.readline())
    patterns = current_patterns(Storage(order.storage_root), order.site.name)
    for line in sys.stdin:
        print(extract_part(order, line.rstrip("\n"), patterns), flush=True)


if __name__ == "__main__":
    main()
