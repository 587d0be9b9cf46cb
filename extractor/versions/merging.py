"""A day's records into `articles` and `article_versions`: each article once, in its newest version.

An article stands in the partition of the day on which it was first seen, for good, so that a change
replaces one file. Rows are written before others are removed, and a version before the text that
takes its place: a process that is killed loses nothing, and what it left undone the next run does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import pyarrow as pa
import pyarrow.compute as pc

from crawler.storage.partitions import Storage
from extractor.records.articles import (
    ARTICLE_SCHEMA,
    ArticleRecord,
    articles_from_batches,
)
from extractor.records.articles import ARTICLES as ARTICLE_STATUSES
from extractor.records.runs import open_run, write_run
from extractor.versions.edit import PartitionEdit, Records, Resolve
from extractor.versions.known import ARTICLES, VERSIONS, KnownArticles, day_of
from extractor.versions.plan import ArticleCounts, Plan, ReadRecords, plan_day

_ARTICLE_STATUSES = pa.array(map(str, ARTICLE_STATUSES), pa.string())

T = TypeVar("T", str, tuple[str, datetime])


def merge_day(
    storage: Storage,
    site: str,
    day: date,
    read: ReadRecords,
    known: KnownArticles,
    now: datetime,
) -> ArticleCounts:
    """Merge the records of a day's pages into what is stored of the site, and into `known`.

    The caller holds the site's lock.
    """
    plan = plan_day(storage, site, day, read, known)
    _Writer(storage, site, known, read, now).write(plan)
    return plan.counts


class _Writer:
    """Writes the articles that a plan touches."""

    def __init__(
        self, storage: Storage, site: str, known: KnownArticles, read: ReadRecords, now: datetime
    ) -> None:
        self._storage = storage
        self._site = site
        self._known = known
        self._read = read
        self._now = now

    def write(self, plan: Plan) -> None:
        """Write versions, then articles; then remove what is no article, and no version."""
        live = {key: day for key in plan.touched if (day := self._day(key)) is not None}
        self._write_versions(live)
        for day, keys in _by_day((day, key) for key, day in live.items()):
            self._rewrite(ARTICLES, day, keys, self._article)
        gone = [(day, key) for day, key in plan.gone if live.get(key) != day]
        for day, keys in _by_day(gone):
            self._rewrite(ARTICLES, day, keys, lambda *_: [])
        self._remove_versions(plan.touched)

    def _day(self, key: str) -> date | None:
        """The day whose partition holds an article; None if it is none."""
        return day_of(self._known.first_seen(key)) if self._known.owner(key) == key else None

    def _write_versions(self, live: Iterable[str]) -> None:
        wanted = {(day_of(fetched_at), key) for key in live for fetched_at in self._versions(key)}
        for day, keys in _by_day(wanted):
            self._rewrite(VERSIONS, day, keys, self._version(day, self._only_texts(day, keys)))
            for key in keys:
                for fetched_at in self._versions(key):
                    if day_of(fetched_at) == day:
                        self._known.tell(key, fetched_at)

    def _versions(self, key: str) -> dict[datetime, int]:
        """Numbers of the versions that `article_versions` has of an article, by their fetch: none
        if it never changed."""
        versions = self._known.versions(key)
        if len(versions) < 2:
            return {}
        return {version.fetched_at: number for number, version in enumerate(versions, 1)}

    def _only_texts(self, day: date, keys: Iterable[str]) -> dict[str, ArticleRecord]:
        """Articles as they are stored whose text is that of the day, and was the only one yet."""
        found = {}
        lacking = [key for key in keys if day not in map(day_of, self._known.told(key))]
        places = ((day_of(self._known.first_seen(key)), key) for key in lacking)
        for place, group in _by_day(places):
            for record in self._stored(ARTICLES, place, group):
                found[record.url_key] = record
        return found

    def _stored(self, table: str, day: date, keys: Sequence[str]) -> Iterator[ArticleRecord]:
        wanted = [("url_key", "in", keys)]
        columns = ARTICLE_SCHEMA.names
        return articles_from_batches(
            self._storage.read(table, self._site, day, day, columns, wanted)
        )

    def _version(self, day: date, only: dict[str, ArticleRecord]) -> Resolve:
        """The rows of one day's versions, and those that are none any more: they go at the end."""

        def resolve(key: str, fresh: Records, stored: Records) -> list[ArticleRecord]:
            numbers = self._versions(key)
            known = (*stored, *([only[key]] if key in only else ()), *fresh)
            rows = {each.fetched_at: each for each in known}
            return [
                self._dressed(row, numbers[fetched_at]) if fetched_at in numbers else row
                for fetched_at, row in sorted(rows.items())
                if (fetched_at in numbers and day_of(fetched_at) == day) or row in stored
            ]

        return resolve

    def _article(self, key: str, fresh: Records, stored: Records) -> list[ArticleRecord]:
        """The newest version of an article, from where it is."""
        versions = self._known.versions(key)
        newest = versions[-1].fetched_at
        known = {each.fetched_at: each for each in (*stored, *fresh)}
        if newest not in known:
            earlier = self._stored(VERSIONS, day_of(newest), [key])
            known |= {each.fetched_at: each for each in earlier}
        if newest not in known:
            return list(stored)
        record = self._dressed(known[newest], len(versions), self._known.other_urls(key))
        same = (each.same_as for each in stored if each.text_sha256 == record.text_sha256)
        return [replace(record, same_as=next(same, None))]

    def _dressed(
        self, record: ArticleRecord, number: int, other_urls: tuple[str, ...] = ()
    ) -> ArticleRecord:
        """The record with what its history says."""
        return replace(
            record,
            first_seen_at=self._known.first_seen(record.url_key),
            changed_at=record.fetched_at if number > 1 else None,
            version=number,
            other_urls=other_urls,
        )

    def _remove_versions(self, touched: Iterable[str]) -> None:
        """Remove the rows of fetches that are no version any more."""
        gone = [
            (day_of(fetched_at), (key, fetched_at))
            for key in touched
            for fetched_at in self._known.told(key)
            if fetched_at not in self._versions(key)
        ]
        for day, rows in _by_day(gone):
            keys = sorted({key for key, _ in rows})
            self._rewrite(VERSIONS, day, keys, _without(set(rows)))
            for key, fetched_at in rows:
                self._known.untell(key, fetched_at)

    def _rewrite(self, table: str, day: date, keys: Sequence[str], resolve: Resolve) -> None:
        """Replace a partition by itself with other rows for these keys, if any differs."""
        with TemporaryDirectory(prefix="webstem-articles-") as folder:
            result = Path(folder, "rows.arrow")
            stored = self._storage.read(table, self._site, day, day, ARTICLE_SCHEMA.names)
            edit = PartitionEdit(keys, self._fresh(keys), resolve, self._now)
            write_run(result, edit.batches(stored))
            if edit.is_changed:
                with open_run(result) as reader:
                    self._storage.replace(table, self._site, day, reader)

    def _fresh(self, keys: Collection[str]) -> Iterator[ArticleRecord]:
        """The day's records of these keys that are articles."""
        wanted = pa.array(sorted(keys), pa.string())
        for batch in self._read(ARTICLE_SCHEMA.names):
            is_article = pc.is_in(batch["status"], _ARTICLE_STATUSES)
            chosen = batch.filter(pc.and_(is_article, pc.is_in(batch["url_key"], wanted)))
            yield from articles_from_batches([chosen])


def _without(gone: Collection[tuple[str, datetime]]) -> Resolve:
    """The stored rows but for those of some fetches."""
    return lambda key, _, stored: [row for row in stored if (key, row.fetched_at) not in gone]


def _by_day(pairs: Iterable[tuple[date, T]]) -> list[tuple[date, list[T]]]:
    """What is of one day, sorted, by day."""
    groups: defaultdict[date, list[T]] = defaultdict(list)
    for day, each in pairs:
        groups[day].append(each)
    return [(day, sorted(groups[day])) for day in sorted(groups)]
