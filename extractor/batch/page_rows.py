"""Rows of the pages table in, article records out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from crawler.config.stages import ExtractConfig
from crawler.storage.partitions import Storage
from extractor.batch.record_sort import Spool
from extractor.extraction import extract_article
from extractor.records.articles import ArticleRecord
from learner.page.pages import Page
from learner.patterns.pattern import PatternSet

PAGE_COLUMNS = (
    "url", "final_url", "url_key", "fetched_at", "charset", "run_id", "body_sha256", "html",
)  # fmt: skip


def records_of_rows(
    rows: Iterable[dict[str, Any]], patterns: Sequence[PatternSet], config: ExtractConfig
) -> Iterator[ArticleRecord]:
    """A record for each page row; its anchor text is added when all links are known.

    The first of `patterns` read a page, the next those that have the layout of none before.
    """
    for row in rows:
        page = Page(
            url=row["final_url"],
            html=row["html"],
            charset=row["charset"],
            url_key=row["url_key"],
            fetched_at=row["fetched_at"],
            run_id=row["run_id"],
        )
        record = extract_article(page, patterns[0], config, patterns[1:])
        yield replace(record, body_sha256=row["body_sha256"])


def read_page_rows(batches: Iterable[pa.RecordBatch]) -> Iterator[list[dict[str, Any]]]:
    """The rows that get a record: those with a body, no unchanged and no failed pages."""
    for batch in batches:
        yield batch.filter(pc.is_valid(batch["html"])).to_pylist()


def spool_file(
    storage: Storage, path: str, patterns: Sequence[PatternSet], config: ExtractConfig, spool: Spool
) -> Counter[str]:
    """Extract all pages of one file into `spool`; the number of records of each status."""
    statuses: Counter[str] = Counter()
    for rows in read_page_rows(storage.read_file(path, PAGE_COLUMNS)):
        records = list(records_of_rows(rows, patterns, config))
        statuses.update(str(record.status) for record in records)
        spool.extend(records)
    spool.flush()
    return statuses
