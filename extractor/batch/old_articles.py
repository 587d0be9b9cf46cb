"""Storages of before each article stood once: `articles` had a row for each fetch of a page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime

from crawler.storage.partitions import Storage
from extractor.batch.day_outcomes import store_outcomes
from extractor.batch.day_parts import OLD_DAY, store_day
from extractor.records.articles import (
    ARTICLE_SCHEMA,
    ArticleRecord,
    Status,
    articles_from_batches,
)
from extractor.versions.known import ARTICLES
from learner.page.words import text_digest

NEW_COLUMN = "text_sha256"
"""What partitions of before lack."""


def set_old_aside(storage: Storage, site: str, now: datetime) -> None:
    """Move such partitions to where a day's records wait to be merged, and tell their outcomes.

    A partition is removed when both are stored: what a kill leaves is moved again.
    """
    for day in storage.dates(ARTICLES, site):
        names = storage.schema(ARTICLES, site, day, day).names
        if names and NEW_COLUMN not in names:
            store_day(storage, site, day, _records(storage, site, day), OLD_DAY)
            store_outcomes(storage, site, day, _records(storage, site, day), now)
            storage.remove(ARTICLES, site, day)


def _records(storage: Storage, site: str, day: date) -> Iterator[ArticleRecord]:
    """The records of pages that had a body."""
    stored = storage.read(ARTICLES, site, day, day, ARTICLE_SCHEMA.names)
    for record in articles_from_batches(stored):
        if record.body_sha256 is None or record.fetched_at is None:
            continue
        if record.status is Status.OK:
            record = replace(record, text_sha256=text_digest(record.title, record.body))
        yield record
