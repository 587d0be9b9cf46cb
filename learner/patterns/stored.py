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
    if not dates:
        return PatternSet()
    stored = patterns_of(storage, site, dates[-1])
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
