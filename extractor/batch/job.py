"""Extraction as a batch job: stored pages and patterns in, outcomes and articles out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from crawler.config.sites import SiteConfig
from crawler.reading.urls import url_key
from crawler.storage.partitions import Storage
from extractor.batch.day_outcomes import store_outcomes
from extractor.batch.day_parts import (
    remove_day,
    shared_records,
    store_day,
    waiting_records,
)
from extractor.batch.old_articles import set_old_aside
from extractor.batch.page_rows import PAGE_COLUMNS, read_page_rows, records_of_rows
from extractor.batch.record_sort import Spool
from extractor.health.drift import Drift, judge_days
from extractor.records.articles import (
    ARTICLE_SCHEMA,
    ArticleRecord,
    articles_from_batches,
    articles_to_batches,
)
from extractor.records.runs import read_run, write_run
from extractor.versions.known import KnownArticles
from extractor.versions.merging import merge_day
from extractor.versions.plan import ArticleCounts, ReadRecords
from learner.patterns.pattern import PatternSet
from learner.patterns.stored import current_patterns, patterns_for
from learner.site.inlinks import read_inlinks

ANCHOR_DAYS = 1
"""Days before a page's own whose links count for its anchor text. Origin: guess; a crawl may pass
midnight."""

Progress = Callable[[int], None]
"""Called with the number of pages done since the last call."""


class NoPatternsError(ValueError):
    """A site has no patterns to apply, and its pages are not guessed."""

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
    """Pages per status, of all the days looked at."""
    changed: int = 0
    """Pages of which something else came than is stored, or nothing is stored yet."""
    articles: ArticleCounts = field(default_factory=ArticleCounts)
    """What became of the site's articles."""
    days: list[date] = field(default_factory=list)
    """Days whose pages were read anew, whether anything changed or not."""
    drift: Drift | None = None
    """What fell on the last of them."""
    now: datetime = field(default_factory=lambda: datetime.now(UTC))
    """The moment of the run, which new and changed records bear."""

    def to_row(self) -> dict[str, Any]:
        """The summary as JSON shows it."""
        return {
            "site": self.site,
            "pages": self.pages,
            "changed": self.changed,
            "articles_new": self.articles.new,
            "articles_edited": self.articles.edited,
            "statuses": dict(sorted(self.statuses.items())),
            "days": [str(day) for day in self.days],
        }


class DayWork:
    """One UTC day of a site on its way from pages to outcomes and articles."""

    def __init__(
        self, storage: Storage, site: SiteConfig, day: date, spool: Spool, summary: ExtractSummary
    ) -> None:
        self._storage = storage
        self._site = site
        self._day = day
        self._spool = spool
        self._summary = summary

    def read_pages(
        self,
        patterns: Sequence[PatternSet],
        keys: Collection[str] = (),
        progress: Progress | None = None,
    ) -> None:
        """Extract the day's pages that the spool does not have yet; with `keys`, only those."""
        done, n_before = set(self._spool.versions()), self._summary.pages
        wanted = [("url_key", "in", sorted(keys))] if keys else []
        name, day = self._site.name, self._day
        stored = self._storage.read("pages", name, day, day, PAGE_COLUMNS, wanted)
        for rows in read_page_rows(stored):
            fresh = [row for row in rows if (row["url_key"], row["body_sha256"]) not in done]
            self._spool.extend(records_of_rows(fresh, patterns, self._site.extract))
            self._summary.pages += len(rows)
            if progress:
                progress(len(rows))
        if self._summary.pages > n_before or not keys:
            self._summary.days.append(day)

    def finish(self, known: KnownArticles) -> None:
        """Merge the day's records into the site's articles, and tell what came of its pages."""
        with TemporaryDirectory(prefix="webstem-articles-") as folder:
            run = Path(folder, "day.arrow")
            write_run(run, articles_to_batches(self._records()))
            name, now = self._site.name, self._summary.now
            read = partial(read_run, run)
            counts = merge_day(self._storage, name, self._day, read, known, now)
            self._summary.articles.add(counts)
            self._tell_outcomes(read)

    def hand_over(self) -> None:
        """Store the day's records for `finish_task`, and tell what came of its pages."""
        with TemporaryDirectory(prefix="webstem-articles-") as folder:
            run = Path(folder, "day.arrow")
            write_run(run, articles_to_batches(self._records()))
            read = partial(read_run, run)
            records = articles_from_batches(read(ARTICLE_SCHEMA.names))
            store_day(self._storage, self._site.name, self._day, records)
            self._tell_outcomes(read)

    def _records(self) -> Iterator[ArticleRecord]:
        """The records in order, with anchor texts."""
        wanted, since = {key for key, _ in self._spool.versions()}, _first_anchor_day(self._day)
        inlinks = read_inlinks(self._storage, self._site, wanted, since, self._day)
        for record in self._spool.merged():
            yield record.with_anchor_texts(inlinks.texts(record.url_key))

    def _tell_outcomes(self, read: ReadRecords) -> None:
        records = articles_from_batches(read(ARTICLE_SCHEMA.names))
        name, now = self._site.name, self._summary.now
        statuses, changed = store_outcomes(self._storage, name, self._day, records, now)
        self._summary.statuses += statuses
        self._summary.changed += changed


def open_articles(storage: Storage, site: SiteConfig, summary: ExtractSummary) -> KnownArticles:
    """The articles of a site, once all that waits for it is merged: days of `extract --all` that
    was killed, and those of a storage of before.

    The caller holds the site's lock.
    """
    set_old_aside(storage, site.name, summary.now)
    known = KnownArticles.of(storage, site)
    waiting = list(waiting_records(storage, site.name))
    for day, read in waiting:
        summary.articles.add(merge_day(storage, site.name, day, read, known, summary.now))
    for day, _ in waiting:
        remove_day(storage, site.name, day)
    return known


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

    A site that was never learned gives guessed articles. NoPatternsError if it does not want any.
    """
    patterns = needed_patterns(storage, site)
    summary = ExtractSummary(site=site.name, now=now or datetime.now(UTC))
    keys = frozenset(url_key(url, site.index_name) for url in urls)
    known = open_articles(storage, site, summary)
    for day in storage.dates("pages", site.name):
        if (since is None or day >= since) and (until is None or day <= until):
            with TemporaryDirectory(prefix="webstem-articles-") as folder:
                work = DayWork(storage, site, day, Spool(folder), summary)
                work.read_pages(patterns_for(storage, site.name, day, patterns), keys, progress)
                work.finish(known)
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
    """Extract one day's pages, as a task of an engine: a storage root in, a summary out.

    Records of the day's shares with this fingerprint (`extractor.batch.day_parts`) are taken up.
    Tasks of several days run at once and touch no articles: `finish_task` does when all are done.
    """
    storage, summary = Storage(root), ExtractSummary(site=site.name, now=now)
    try:
        patterns = needed_patterns(storage, site)
    except NoPatternsError as problem:
        return {**summary.to_row(), "nothing": str(problem)}
    with TemporaryDirectory(prefix="webstem-articles-") as folder:
        spool = Spool(folder)
        spool.extend(shared_records(storage, site.name, day, fingerprint))
        work = DayWork(storage, site, day, spool, summary)
        work.read_pages(patterns_for(storage, site.name, day, patterns))
        work.hand_over()
    of_articles = ("articles_new", "articles_edited")  # `finish_task` tells these
    return {name: told for name, told in summary.to_row().items() if name not in of_articles}


def finish_task(root: str, site: SiteConfig, days: Sequence[date], now: datetime) -> dict[str, Any]:
    """Bring what the tasks of these days found into the site's articles, and judge the days; as a
    task of an engine. Done twice, it does nothing the second time."""
    storage, summary = Storage(root), ExtractSummary(site=site.name, now=now)
    open_articles(storage, site, summary)
    drift = judge_days(storage, site.name, days)
    counts = summary.articles
    return {
        "site": site.name,
        "articles_new": counts.new,
        "articles_edited": counts.edited,
        "note": str(drift) if drift else None,
    }


def needed_patterns(storage: Storage, site: SiteConfig) -> PatternSet:
    """The current patterns of a site. NoPatternsError if it was never learned and its pages are not
    guessed."""
    patterns = current_patterns(storage, site.name)
    if not len(patterns) and not site.gives_guesses:
        raise NoPatternsError(site.name)
    return patterns
