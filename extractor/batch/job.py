"""Extraction as a batch job: stored pages and patterns in, the articles table out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from crawler.config.sites import SiteConfig
from crawler.reading.urls import url_key
from crawler.storage.partitions import Storage
from extractor.articles import (
    ARTICLE_SCHEMA,
    ArticleRecord,
    articles_from_batches,
    articles_to_batches,
)
from extractor.batch.day_parts import TABLE as SHARES
from extractor.batch.day_parts import shared_records
from extractor.batch.page_rows import PAGE_COLUMNS, read_page_rows, records_of_rows
from extractor.batch.record_runs import open_run, write_run
from extractor.batch.record_sort import Spool
from extractor.figures.drift import Drift, judge_days
from learner.patterns.pattern import PatternSet
from learner.patterns.stored import current_patterns
from learner.site.inlinks import Inlinks, read_inlinks

ANCHOR_DAYS = 1
"""Days before a page's own whose links count for its anchor text: a crawl may pass midnight."""

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
    patterns = _needed_patterns(storage, site.name)
    summary = ExtractSummary(site=site.name, now=now or datetime.now(UTC))
    keys = frozenset(url_key(url, site.index_name) for url in urls)
    for day in storage.dates("pages", site.name):
        if (since is None or day >= since) and (until is None or day <= until):
            with TemporaryDirectory(prefix="webstem-articles-") as folder:
                spool = Spool(folder)
                extract_day(storage, site, day, patterns, spool, summary, keys, progress)
    if summary.days:
        summary.drift = judge_days(storage, site.name, summary.days)
    return summary


def day_sources(storage: Storage, site: str, day: date) -> list[tuple[str, int]]:
    """The stored rows that decide a day's articles: its pages, and what gives them anchor texts."""
    return [
        rows
        for table in ("pages", "links")
        for rows in storage.rows_numbers(table, site, _first_anchor_day(day), day)
    ]


def _first_anchor_day(day: date) -> date:
    return day - timedelta(days=ANCHOR_DAYS)


def extract_task(
    root: str, site: SiteConfig, day: date, now: datetime, fingerprint: str = ""
) -> dict[str, Any]:
    """`extract_site` for one day, as a task of an engine: a storage root in, a summary out.

    Records of the day's shares with this fingerprint (`extractor.batch.day_parts`) are taken up.
    Tasks of several days run at once and judge none: `judge_days` does when all are done.
    """
    storage, summary = Storage(root), ExtractSummary(site=site.name, now=now)
    try:
        patterns = _needed_patterns(storage, site.name)
    except NoPatternsError as problem:
        return {**summary.to_row(), "nothing": str(problem)}
    with TemporaryDirectory(prefix="webstem-articles-") as folder:
        spool = Spool(folder)
        spool.extend(shared_records(storage, site.name, day, fingerprint))
        extract_day(storage, site, day, patterns, spool, summary)
    storage.remove(SHARES, site.name, day)
    return summary.to_row()


def _needed_patterns(storage: Storage, site: str) -> PatternSet:
    patterns = current_patterns(storage, site)
    if not len(patterns):
        raise NoPatternsError(site)
    return patterns


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
    stored = storage.read("pages", site.name, day, day, PAGE_COLUMNS, wanted)
    for rows in read_page_rows(stored):
        fresh = [row for row in rows if (row["url_key"], row["body_sha256"]) not in done]
        spool.extend(records_of_rows(fresh, patterns, site.extract))
        summary.pages += len(rows)
        if progress:
            progress(len(rows))
    store_articles(storage, site, day, spool, summary)
    if summary.pages > n_before or not keys:
        summary.days.append(day)


def store_articles(
    storage: Storage,
    site: SiteConfig,
    day: date,
    spool: Spool,
    summary: ExtractSummary,
) -> None:
    """Write the partition's articles: those of `spool`, with anchor texts.

    A record that says what the stored one says keeps its `extracted_at`; if all do, nothing is
    written. Stored records of pages that are not in `spool` stay: those pages were not asked for,
    or were removed to save space.
    """
    wanted = {key for key, _ in spool.versions()}
    inlinks = read_inlinks(storage, site, wanted, _first_anchor_day(day), day)
    merge = _Merge(summary, inlinks, summary.now)
    stored = _stored_articles(storage, site.name, day)
    with TemporaryDirectory(prefix="webstem-articles-") as folder:
        # Whether anything changed is known when all is merged.
        result = Path(folder, "articles.arrow")
        write_run(result, articles_to_batches(merge.records(spool.merged(), stored)))
        if merge.is_changed:
            with open_run(result) as reader:
                summary.paths.append(storage.replace("articles", site.name, day, reader))


class _Merge:
    """Merges new records with the stored ones of a partition, both ordered by `url_key`."""

    def __init__(self, summary: ExtractSummary, inlinks: Inlinks, now: datetime) -> None:
        self._summary = summary
        self._inlinks = inlinks
        self._now = now
        self.is_changed = False

    def records(
        self, new: Iterator[ArticleRecord], stored: Iterator[ArticleRecord]
    ) -> Iterator[ArticleRecord]:
        """The records of the partition."""
        old = next(stored, None)
        for record in new:
            while old is not None and old.url_key < record.url_key:
                yield self._counted(old)
                old = next(stored, None)
            match = old if old is not None and old.url_key == record.url_key else None
            yield self._counted(self._dated(record, match))
            if match is not None:
                old = next(stored, None)
        while old is not None:
            yield self._counted(old)
            old = next(stored, None)

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
    return articles_from_batches(storage.read("articles", site, day, day, ARTICLE_SCHEMA.names))
