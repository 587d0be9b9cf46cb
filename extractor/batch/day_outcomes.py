"""What came of a day's pages, into the table `outcomes`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from itertools import groupby
from operator import attrgetter, itemgetter

import pyarrow as pa

from crawler.storage.partitions import Storage
from extractor.records.articles import ArticleRecord
from extractor.records.outcomes import OUTCOME_SCHEMA, TABLE, Row, outcome_batches, outcome_of


def store_outcomes(
    storage: Storage, site: str, day: date, records: Iterable[ArticleRecord], now: datetime
) -> tuple[Counter[str], int]:
    """Write the rows of a day's pages; how many of each status it has then, and how many changed.

    Of several fetches of a page the last counts. A row that says what the stored one says keeps its
    `extracted_at`; if all do, nothing is written. Stored rows of pages that are not among the
    records stay: those pages were not asked for, or were removed to save space.
    """
    stored = {
        row["url_key"]: row
        for batch in storage.read(TABLE, site, day, day, OUTCOME_SCHEMA.names)
        for row in batch.to_pylist()
    }
    rows, n_changed = dict(stored), 0
    for row in _latest(records):
        old = stored.get(row["url_key"])
        if old is None or {**row, "extracted_at": old["extracted_at"]} != old:
            rows[row["url_key"]] = {**row, "extracted_at": row["extracted_at"] or now}
            n_changed += 1
    if n_changed:
        in_order = sorted(rows.values(), key=itemgetter("url_key"))
        reader = pa.RecordBatchReader.from_batches(OUTCOME_SCHEMA, outcome_batches(in_order))
        storage.replace(TABLE, site, day, reader)
    return Counter(row["status"] for row in rows.values()), n_changed


def _latest(records: Iterable[ArticleRecord]) -> Iterator[Row]:
    for _, fetches in groupby(records, key=attrgetter("url_key")):
        *_, latest = fetches
        yield outcome_of(latest)
