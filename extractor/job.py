"""Extraction as a batch job: stored pages and patterns in, the articles table out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa

from crawler.config import ExtractConfig, SiteConfig
from crawler.items import redirect_target
from crawler.partitions import Condition, Storage
from crawler.urls import url_key
from extractor.articles import (
    ARTICLE_SCHEMA,
    ArticleRecord,
    Status,
    article_from_row,
    articles_to_table,
)
from extractor.drift import Drift, judge_days
from extractor.extraction import extract_article
from extractor.spool import Spool
from learner.inlinks import Inlinks, read_inlinks
from learner.job import current_patterns
from learner.pages import Page
from learner.patterns import PatternSet, code_version

ANCHOR_DAYS = 1
"""Days before a page's own whose links count for its anchor text: a crawl may pass midnight."""

BATCH_RECORDS = 200
"""Records written at once. Origin: guess, 1 MB."""

PAGE_COLUMNS = (
    "url", "final_url", "url_key", "fetched_at", "charset", "run_id", "body_sha256", "html",
    "error",
)  # fmt: skip

Progress = Callable[[int], None]
"""Called with the number of pages done since the last call."""


class NoPatternsError(ValueError):
    """A site has no patterns to apply."""

    def __init__(self, site: str) -> None:
        super().__init__(
            f"{site}: expected patterns to apply, got none; learn them first: `scrapy learn {site}`"
        )
        self.site = site


@dataclass(slots=True, kw_only=True)
class ExtractSummary:
    """What came of extracting a site."""

    site: str
    pages: int = 0
    """Stored pages looked at."""
    statuses: Counter[str] = field(default_factory=Counter)
    """Records per status, of all the partitions looked at."""
    changed: int = 0
    """Records that are new or differ from the stored ones."""
    days: list[date] = field(default_factory=list)
    """Partitions whose records were made anew, whether they changed or not."""
    drift: Drift | None = None
    """What fell on the last of them."""
    paths: list[str] = field(default_factory=list)
    """Files of articles written; a partition whose records are all the same is left alone."""
    now: datetime = field(default_factory=lambda: datetime.now(UTC))
    """The moment of the run, which new and changed records bear."""

    @property
    def records(self) -> int:
        """Number of records of the partitions."""
        return self.statuses.total()

    def to_row(self) -> dict[str, Any]:
        """The summary as JSON shows it."""
        return {
            "site": self.site,
            "pages": self.pages,
            "records": self.records,
            "changed": self.changed,
            "statuses": dict(sorted(self.statuses.items())),
            "days": [str(day) for day in self.days],
            "paths": self.paths,
        }


def extract_site(
    storage: Storage,
    site: SiteConfig,
    since: date | None = None,
    until: date | None = None,
    urls: Collection[str] = (),
    progress: Progress | None = None,
    now: datetime | None = None,
) -> ExtractSummary:
    """Apply the current patterns to the stored pages of these days, or only to `urls` of them, and
    judge whether the site drifted.

    NoPatternsError if the site was never learned.
    """
    summary = _extract_days(storage, site, since, until, urls, progress, now)
    if summary.days:
        summary.drift = judge_days(storage, site.name, summary.days)
    return summary


def _extract_days(
    storage: Storage,
    site: SiteConfig,
    since: date | None,
    until: date | None,
    urls: Collection[str] = (),
    progress: Progress | None = None,
    now: datetime | None = None,
) -> ExtractSummary:
    patterns = current_patterns(storage, site.name)
    if not len(patterns):
        raise NoPatternsError(site.name)
    summary = ExtractSummary(site=site.name, now=now or datetime.now(UTC))
    keys = frozenset(url_key(url, site.index_name) for url in urls)
    for day in storage.dates("pages", site.name):
        if (since is None or day >= since) and (until is None or day <= until):
            with TemporaryDirectory(prefix="webstem-articles-") as folder:
                spool = Spool(folder)
                extract_day(storage, site, day, patterns, spool, summary, keys, progress)
    return summary


def extract_task(root: str, site: SiteConfig, day: date, now: datetime) -> dict[str, Any]:
    """`extract_site` for one day, as a task of an engine: a storage root in, a summary out.

    Tasks of several days run at once and judge none: `judge_days` does when all are done.
    """
    try:
        return _extract_days(Storage(root), site, day, day, now=now).to_row()
    except NoPatternsError as problem:
        return {**ExtractSummary(site=site.name).to_row(), "nothing": str(problem)}


def extract_day(
    storage: Storage,
    site: SiteConfig,
    day: date,
    patterns: PatternSet,
    spool: Spool,
    summary: ExtractSummary,
    keys: Collection[str] = (),
    progress: Progress | None = None,
) -> None:
    """Extract one partition's pages that are not in `spool` yet, and write its articles.

    With `keys`, only those pages; the records of others stay as they are.
    """
    done, n_before = set(spool.versions()), summary.pages
    wanted = [("url_key", "in", sorted(keys))] if keys else []
    for rows in _page_rows(storage, site.name, day, wanted):
        fresh = [row for row in rows if (row["url_key"], row["body_sha256"]) not in done]
        spool.extend(records_of_rows(fresh, patterns, site.extract))
        summary.pages += len(rows)
        if progress:
            progress(len(rows))
    store_articles(storage, site, day, spool, summary, keep_others=bool(keys))
    if summary.pages > n_before or not keys:
        summary.days.append(day)


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


def _page_rows(
    storage: Storage, site: str, day: date, wanted: list[Condition]
) -> Iterator[list[dict[str, Any]]]:
    return read_page_rows(storage.read("pages", site, day, day, PAGE_COLUMNS, wanted))


def store_articles(
    storage: Storage,
    site: SiteConfig,
    day: date,
    spool: Spool,
    summary: ExtractSummary,
    keep_others: bool = False,
) -> None:
    """Write the partition's articles: those of `spool`, with anchor texts.

    A record that says what the stored one says keeps its `extracted_at`; if all do, nothing is
    written. With `keep_others`, stored records of pages that are not in `spool` stay.
    """
    wanted = {key for key, _ in spool.versions()}
    inlinks = read_inlinks(storage, site, wanted, day - timedelta(days=ANCHOR_DAYS), day)
    merge = _Merge(summary, inlinks, summary.now, keep_others)
    stored = _stored_articles(storage, site.name, day)
    with TemporaryDirectory(prefix="webstem-articles-") as folder:
        result = Spool(Path(folder))
        result.extend(merge.records(spool.merged(), stored))
        if merge.is_changed:
            reader = pa.RecordBatchReader.from_batches(ARTICLE_SCHEMA, _batches(result.merged()))
            summary.paths.append(storage.replace("articles", site.name, day, reader))


class _Merge:
    """Merges new records with the stored ones of a partition, both ordered by `url_key`."""

    def __init__(
        self, summary: ExtractSummary, inlinks: Inlinks, now: datetime, keep_others: bool
    ) -> None:
        self._summary = summary
        self._inlinks = inlinks
        self._now = now
        self._keep_others = keep_others
        self.is_changed = False

    def records(
        self, new: Iterator[ArticleRecord], stored: Iterator[ArticleRecord]
    ) -> Iterator[ArticleRecord]:
        """The records of the partition."""
        old = next(stored, None)
        for record in new:
            while old is not None and old.url_key < record.url_key:
                yield from self._left_over(old)
                old = next(stored, None)
            match = old if old is not None and old.url_key == record.url_key else None
            yield self._counted(self._dated(record, match))
            if match is not None:
                old = next(stored, None)
        while old is not None:
            yield from self._left_over(old)
            old = next(stored, None)

    def _left_over(self, old: ArticleRecord) -> Iterator[ArticleRecord]:
        if self._keep_others:
            yield self._counted(old)
        else:
            self.is_changed = True

    def _dated(self, record: ArticleRecord, old: ArticleRecord | None) -> ArticleRecord:
        record = record.with_anchor_texts(self._inlinks.texts(record.url_key))
        if old is not None and replace(record, extracted_at=old.extracted_at) == old:
            return old
        self.is_changed = True
        self._summary.changed += 1
        return replace(record, extracted_at=self._now)

    def _counted(self, record: ArticleRecord) -> ArticleRecord:
        self._summary.statuses[str(record.status)] += 1
        return record


def _stored_articles(storage: Storage, site: str, day: date) -> Iterator[ArticleRecord]:
    for batch in storage.read("articles", site, day, day, ARTICLE_SCHEMA.names):
        for row in batch.to_pylist():
            yield article_from_row(row)


def _batches(records: Iterator[ArticleRecord]) -> Iterator[pa.RecordBatch]:
    waiting: list[ArticleRecord] = []
    for record in records:
        waiting.append(record)
        if len(waiting) == BATCH_RECORDS:
            yield from articles_to_table(waiting).to_batches()
            waiting = []
    if waiting:
        yield from articles_to_table(waiting).to_batches()
