"""Rows of the pages table in, article records out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import pyarrow as pa

from crawler.config.stages import ExtractConfig
from crawler.spiders.items import redirect_target
from crawler.storage.partitions import Storage
from extractor.articles import ArticleRecord, Status
from extractor.batch.record_sort import Spool
from extractor.extraction import extract_article
from learner.page.pages import Page
from learner.patterns.pattern import PatternSet, code_version

PAGE_COLUMNS = (
    "url", "final_url", "url_key", "fetched_at", "charset", "run_id", "body_sha256", "html",
    "error",
)  # fmt: skip


def records_of_rows(
    rows: Iterable[dict[str, Any]], patterns: PatternSet, config: ExtractConfig
) -> Iterator[ArticleRecord]:
    """A record for each page row; its anchor text is added when all links are known."""
    for row in rows:
        if row["html"] is None:
            yield failed_record(row)
            continue
        page = Page(
            url=row["final_url"],
            html=row["html"],
            charset=row["charset"],
            url_key=row["url_key"],
            fetched_at=row["fetched_at"],
            run_id=row["run_id"],
        )
        yield replace(extract_article(page, patterns, config), body_sha256=row["body_sha256"])


def failed_record(row: dict[str, Any]) -> ArticleRecord:
    """The record of a page that was not fetched."""
    return ArticleRecord(
        url=row["final_url"],
        url_key=row["url_key"],
        status=Status.ERROR,
        reason=row["error"],
        fetched_at=row["fetched_at"],
        run_id=row["run_id"],
        code_version=code_version(),
    )


def read_page_rows(batches: Iterable[pa.RecordBatch]) -> Iterator[list[dict[str, Any]]]:
    """The rows that get a record: pages with a body and failed ones, no unchanged pages and no
    redirects to pages that have their own row."""
    for batch in batches:
        yield [
            row
            for row in batch.to_pylist()
            if row["html"] is not None or (row["error"] and not redirect_target(row["error"]))
        ]


def spool_file(
    storage: Storage, path: str, patterns: PatternSet, config: ExtractConfig, spool: Spool
) -> Counter[str]:
    """Extract all pages of one file into `spool`; the number of records of each status."""
    statuses: Counter[str] = Counter()
    for rows in read_page_rows(storage.read_file(path, PAGE_COLUMNS)):
        records = list(records_of_rows(rows, patterns, config))
        statuses.update(str(record.status) for record in records)
        spool.extend(records)
    spool.flush()
    return statuses
