"""Near copies as a job over all sites: what is new is compared, `same_as` told in `articles`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pyarrow as pa

from crawler.config.sites import Config
from crawler.storage.locks import SiteLock, SiteLockedError
from crawler.storage.partitions import Storage
from extractor.records.articles import ARTICLE_SCHEMA, Status
from extractor.versions.copies.index import CopyIndex, Entry
from extractor.versions.copies.signature import signature_of
from extractor.versions.edit import with_all_columns
from extractor.versions.known import ARTICLES

INDEX = "copies_{}.db"
"""The index, in the state folder: one for each value of `copies`."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(slots=True)
class CopyCounts:
    """What came of it."""

    compared: int = 0
    """Articles that were new or say something else."""
    copies: int = 0
    """Articles that are near copies now."""
    locked: list[str] = field(default_factory=list)
    """Sites in use by another run: theirs are told by the next."""


def find_copies(config: Config) -> CopyCounts:
    """Compare what is new of the sites with all articles, and tell each copy's `same_as`."""
    storage, counts = Storage(config.storage), CopyCounts()
    stored = set(storage.sites(ARTICLES))
    names = [site.name for site in config.sites if site.name in stored]
    index = CopyIndex(
        Path(config.state, INDEX.format(config.copies)), within_site=config.copies == "all"
    )
    with index:
        for name in names:
            counts.compared += _compare(storage, name, index)
        index.settle()
        for name in names:
            firsts = index.firsts(name)
            counts.copies += len(firsts)
            if not _tell(storage, config.state, name, firsts):
                counts.locked.append(name)
    return counts


def _compare(storage: Storage, site: str, index: CopyIndex) -> int:
    """Put the new articles of a site into the index; how many."""
    days: defaultdict[date, dict[str, Entry]] = defaultdict(dict)
    for entry in index.unknown(site, _entries(storage, site)):
        seen = _EPOCH + timedelta(microseconds=entry.first_seen)
        days[seen.date()][entry.url_key] = entry  # under that day it stands
    for day, entries in days.items():
        wanted = [("url_key", "in", sorted(entries))]
        for batch in storage.read(ARTICLES, site, day, day, ("url_key", "body"), wanted):
            for row in batch.to_pylist():
                index.add(entries[row["url_key"]], signature_of(row["body"] or ""))
    return sum(map(len, days.values()))


def _entries(storage: Storage, site: str) -> Iterator[Entry]:
    """What is compared: what patterns read, for of a guess no article must be a copy."""
    columns = ("url_key", "url", "text_sha256", "first_seen_at")
    is_read = [("status", "==", Status.OK.value)]
    for batch in storage.read(ARTICLES, site, columns=columns, filters=is_read):
        for row in batch.to_pylist():
            if row["text_sha256"] and row["first_seen_at"]:
                yield Entry(
                    site=site,
                    url_key=row["url_key"],
                    url=row["url"],
                    text=row["text_sha256"],
                    first_seen=(row["first_seen_at"] - _EPOCH) // timedelta(microseconds=1),
                )


def _tell(storage: Storage, state: str, site: str, firsts: Mapping[str, str]) -> bool:
    """Write `same_as` where it is not as it should be; False if another run has the site."""
    days = [day for day in storage.dates(ARTICLES, site) if _differs(storage, site, day, firsts)]
    if not days:  # a crawl that begins now must not find the site in use
        return True
    try:
        with SiteLock(state, site, "copies"):
            for day in days:
                rows = _told(storage, site, day, firsts)
                reader = pa.RecordBatchReader.from_batches(ARTICLE_SCHEMA, rows)
                storage.replace(ARTICLES, site, day, reader)
    except SiteLockedError:
        return False
    return True


def _differs(storage: Storage, site: str, day: date, firsts: Mapping[str, str]) -> bool:
    """Whether a row of a day says something else."""
    for batch in storage.read(ARTICLES, site, day, day, ("url_key", "same_as")):
        keys, told = batch["url_key"].to_pylist(), batch["same_as"].to_pylist()
        if [firsts.get(key) for key in keys] != told:
            return True
    return False


def _told(
    storage: Storage, site: str, day: date, firsts: Mapping[str, str]
) -> Iterator[pa.RecordBatch]:
    """The rows of a day with their `same_as`."""
    number = ARTICLE_SCHEMA.get_field_index("same_as")
    for stored in storage.read(ARTICLES, site, day, day, ARTICLE_SCHEMA.names):
        for batch in with_all_columns(stored):
            told = pa.array([firsts.get(key.as_py()) for key in batch["url_key"]], pa.string())
            yield batch.set_column(number, ARTICLE_SCHEMA.field("same_as"), told)
