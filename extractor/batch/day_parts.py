"""Records that wait in the storage, in a table of their own: shares of a large day, and whole days.

A large day is extracted in shares, a task a page file, so that many workers take part. A share's
records wait under the fingerprint of what they were made of. The task of the day takes them up and
extracts what they lack, so a share that failed, or that another version of the patterns made, costs
time and nothing else. What it found waits as one file until it is merged into the site's articles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import partial
from hashlib import sha256
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa

from crawler.config.sites import SiteConfig
from crawler.engine.tasks import Task
from crawler.storage.partitions import Storage
from extractor.batch.page_rows import spool_file
from extractor.batch.record_sort import Spool
from extractor.records.articles import (
    ARTICLE_SCHEMA,
    ArticleRecord,
    articles_from_batches,
    articles_to_batches,
)
from learner.patterns.stored import current_patterns, patterns_for

TABLE = "article_shares"
DAY = "day"
"""Name of the file that has all of a day's records."""
OLD_DAY = "old"
"""Name of the file with those that stood in `articles` before each article stood there once."""

LARGE_DAY_PAGES = 10_000
"""Pages from which on a day is shared out. Origin: guess, half a minute of one core."""


def share_tasks(root: str, site: SiteConfig, day: date, fingerprint: str) -> list[Task]:
    """The shares of a day that are not made yet; none if the day is small or one file, or if there
    is nothing to read it with."""
    storage = Storage(root)
    paths = storage.files("pages", site.name, day, day)
    if len(paths) < 2 or sum(map(storage.count_rows, paths)) < LARGE_DAY_PAGES:
        return []
    if not storage.dates("patterns", site.name) and not site.gives_guesses:
        return []
    made = {path.rpartition("/")[2] for path in storage.files(TABLE, site.name, day, day)}
    return [
        Task(
            name=f"{site.name} {day} share {number} of {len(paths)}",
            call=extract_share,
            arguments=(root, site, day, path, fingerprint),
        )
        for number, path in enumerate(paths, 1)
        if f"{_name(fingerprint, path)}.parquet" not in made
    ]


def extract_share(
    root: str, site: SiteConfig, day: date, path: str, fingerprint: str
) -> dict[str, Any]:
    """Extract one page file of the day, as a task of an engine."""
    storage = Storage(root)
    with TemporaryDirectory(prefix="webstem-share-") as folder:
        spool = Spool(folder)
        patterns = patterns_for(storage, site.name, day, current_patterns(storage, site.name))
        spool_file(storage, path, patterns, site.extract, spool)
        batches = articles_to_batches(spool.merged())
        reader = pa.RecordBatchReader.from_batches(ARTICLE_SCHEMA, batches)
        storage.replace(TABLE, site.name, day, reader, _name(fingerprint, path))
    return {"site": site.name}


def shared_records(
    storage: Storage, site: str, day: date, fingerprint: str
) -> Iterator[ArticleRecord]:
    """The records of the shares of a day that were made of the same."""
    for path in storage.files(TABLE, site, day, day):
        if path.rpartition("/")[2].startswith(f"{fingerprint}-"):
            yield from articles_from_batches(storage.read_file(path, ARTICLE_SCHEMA.names))


def store_day(
    storage: Storage, site: str, day: date, records: Iterator[ArticleRecord], name: str = DAY
) -> None:
    """Have the records of a day wait; they come sorted as articles are."""
    batches = articles_to_batches(records)
    reader = pa.RecordBatchReader.from_batches(ARTICLE_SCHEMA, batches)
    storage.replace(TABLE, site, day, reader, name)


def waiting_records(
    storage: Storage, site: str
) -> Iterator[tuple[date, Callable[[Sequence[str]], Iterator[pa.RecordBatch]]]]:
    """The days whose records wait, and how to read columns of them; what is newer comes last."""
    for day in storage.dates(TABLE, site):
        paths = {path.rpartition("/")[2]: path for path in storage.files(TABLE, site, day, day)}
        for name in (OLD_DAY, DAY):
            if path := paths.get(f"{name}.parquet"):
                yield day, partial(storage.read_file, path)


def remove_day(storage: Storage, site: str, day: date) -> None:
    """Nothing of the day waits any more."""
    storage.remove(TABLE, site, day)


def _name(fingerprint: str, path: str) -> str:
    page_file = path.rpartition("/")[2]
    return f"{fingerprint}-{sha256(page_file.encode()).hexdigest()[:16]}"
