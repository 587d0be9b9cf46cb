"""The patterns of a site as its tables hold them."""

from __future__ import annotations

from datetime import date

import pyarrow as pa

from crawler.storage.parquet import StorageError
from crawler.storage.partitions import Storage
from learner.patterns.pattern import PatternFileError, PatternSet


def current_patterns(storage: Storage, site: str) -> PatternSet:
    """The patterns that apply now: those learned last. Empty if the site was never learned.

    StorageError, which names the file, if what is stored are no patterns.
    """
    dates = storage.dates("patterns", site)
    return _in_force(storage, site, dates[-1]) if dates else PatternSet()


def patterns_for(storage: Storage, site: str, day: date, now: PatternSet) -> tuple[PatternSet, ...]:
    """What reads the pages of a day: the patterns of `now`, and of those with which the day began,
    or the first that there were, the ones whose layouts are gone."""
    dates = storage.dates("patterns", site)
    if not dates:
        return (now,)
    then = max((each for each in dates if each < day), default=dates[0])
    gone = _gone_since(storage, site, then)
    before = _in_force(storage, site, then) if gone else PatternSet()
    former = before.with_patterns(each for each in before if each.pattern_id in gone)
    return (now, former) if len(former) else (now,)


def _gone_since(storage: Storage, site: str, day: date) -> set[str]:
    """Ids of the patterns whose layouts were found to be gone on this day or later."""
    columns = ["pattern_id", "is_gone"]
    rows = [
        row
        for batch in storage.read("patterns", site, day, columns=columns)
        for row in batch.to_pylist()
    ]
    return {row["pattern_id"] for row in rows if row["is_gone"]}


def _in_force(storage: Storage, site: str, day: date) -> PatternSet:
    stored = patterns_of(storage, site, day)
    return stored.with_patterns(each for each in stored if each.valid_until is None)


def patterns_of(storage: Storage, site: str, day: date) -> PatternSet:
    """The patterns of one partition: those in force, and those that they replaced."""
    batches = list(storage.read("patterns", site, day, day))
    if not batches:
        return PatternSet()
    metadata = storage.schema("patterns", site, day, day).metadata
    table = pa.Table.from_batches(batches).drop_columns(["site", "date"])
    table = table.replace_schema_metadata(metadata)
    try:
        return PatternSet.from_table(table)
    except PatternFileError as problem:
        path = storage.files("patterns", site, day, day)[0]
        raise StorageError(path, str(problem), f"learn again: `scrapy learn {site}`") from problem
