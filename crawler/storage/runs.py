"""The table `runs`: a row for each time that a command worked on a site, however it ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from datetime import date, datetime
from typing import Any

import pyarrow as pa

from crawler.storage.partitions import Storage
from crawler.storage.records import TIMESTAMP, table_schema

TABLE = "runs"

ENDED = "ended"
"""Finding of a crawl that was ended from outside: the next one goes on."""

HELPS = "helps"
"""Finding of `render: auto`: drawing the site's pages brings their text."""
USELESS = "useless"
"""Finding of `render: auto`: it brings none."""

MOST_REASONS = 20
"""Reasons told apart in one row, the most frequent ones; the rest are `other`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedPages:
    """How many pages failed for one reason."""

    reason: str
    pages: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOutAddresses:
    """How many addresses a crawl came upon and did not ask for, for one reason."""

    reason: str
    addresses: int
    """Each is counted about once."""
    example: str
    """The first of them, or the page or sitemap that names them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """One command on one site, from its beginning to its end. What a command does not count is
    None."""

    run_id: str
    """The run that a crawl belongs to, as in the other tables; of other commands its own."""
    command: str
    """crawl, learn or extract."""
    started_at: datetime
    """When it began, aware UTC."""
    ended_at: datetime
    """When it ended, aware UTC."""
    exit_code: int
    cause: str | None = None
    """Why it did not end well, as it was told; None with exit code 0."""
    requests: int | None = None
    """Requests that were sent, those for robots.txt, feeds and sitemaps among them."""
    pages_new: int | None = None
    pages_changed: int | None = None
    """Known pages that came with another body."""
    pages_unchanged: int | None = None
    pages_failed: int | None = None
    """URLs that gave no page."""
    failures: tuple[FailedPages, ...] = ()
    """Why these failed, the most frequent reason first."""
    start_pages_failed: int | None = None
    """Start URLs among them."""
    articles_new: int | None = None
    """Articles that were not stored before."""
    articles_edited: int | None = None
    """Articles whose text is another one than before."""
    patterns: int | None = None
    """Patterns in force after learning."""
    finding: str | None = None
    """Why the pages taught no pattern of articles (`learner.patterns.causes.Cause`), `ENDED` of a
    crawl that was ended; None of all others."""
    links_beyond_depth: int | None = None
    """URLs in scope that are known and never fetched, for only pages of the greatest depth link to
    them."""
    links_waiting: int | None = None
    """URLs that were still to be fetched when the crawl ended."""
    left_out: tuple[LeftOutAddresses, ...] = ()
    """What a crawl came upon and did not ask for, the most frequent reason first."""
    pages_rendered: int | None = None
    """Pages that a browser drew; None where none is to."""
    rendering: str | None = None
    """Whether drawing shells brings text, `HELPS` or `USELESS`; None where that was not found
    out."""


_FAILED_TYPE = pa.struct(
    [
        pa.field("reason", pa.string(), nullable=False),
        pa.field("pages", pa.int32(), nullable=False),
    ]
)

_LEFT_OUT_TYPE = pa.struct(
    [
        pa.field("reason", pa.string(), nullable=False),
        pa.field("addresses", pa.int32(), nullable=False),
        pa.field("example", pa.string(), nullable=False),
    ]
)

RUN_SCHEMA = table_schema(
    [
        pa.field("run_id", pa.string(), nullable=False),
        pa.field("command", pa.string(), nullable=False),
        pa.field("started_at", TIMESTAMP, nullable=False),
        pa.field("ended_at", TIMESTAMP, nullable=False),
        pa.field("exit_code", pa.int16(), nullable=False),
        pa.field("cause", pa.string()),
        pa.field("requests", pa.int32()),
        pa.field("pages_new", pa.int32()),
        pa.field("pages_changed", pa.int32()),
        pa.field("pages_unchanged", pa.int32()),
        pa.field("pages_failed", pa.int32()),
        pa.field("failures", pa.list_(_FAILED_TYPE), nullable=False),
        pa.field("start_pages_failed", pa.int32()),
        pa.field("articles_new", pa.int32()),
        pa.field("articles_edited", pa.int32()),
        pa.field("patterns", pa.int32()),
        pa.field("finding", pa.string()),
        pa.field("links_beyond_depth", pa.int32()),
        pa.field("links_waiting", pa.int32()),
        pa.field("left_out", pa.list_(_LEFT_OUT_TYPE), nullable=False),
        pa.field("pages_rendered", pa.int32()),
        pa.field("rendering", pa.string()),
    ],
    table=TABLE,
    sorted_by="run_id",
)


def ranked(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Counts of reasons, the most frequent first, of equal ones by name.

    >>> ranked({"trap": 2, "media file": 2, "other host": 7})
    [('other host', 7), ('media file', 2), ('trap', 2)]
    """
    return sorted(counts.items(), key=lambda each: (-each[1], each[0]))


def most_frequent(reasons: Mapping[str, int]) -> tuple[FailedPages, ...]:
    """How many pages failed for each reason, the most frequent first; rare ones together.

    >>> [(each.reason, each.pages) for each in most_frequent({"http 404": 2, "timeout": 3})]
    [('timeout', 3), ('http 404', 2)]
    """
    first = ranked(reasons)
    told = Counter(dict(first[:MOST_REASONS]))
    told["other"] += sum(pages for _, pages in first[MOST_REASONS:])
    return tuple(FailedPages(reason=reason, pages=n) for reason, n in told.items() if n)


def write_run(storage: Storage, site: str, run: RunRecord) -> str:
    """Add a row to the day on which the run began; the path of its file."""
    row = {each.name: getattr(run, each.name) for each in fields(run)}
    row["failures"] = list(map(asdict, run.failures))
    row["left_out"] = list(map(asdict, run.left_out))
    table = pa.Table.from_pylist([row], schema=RUN_SCHEMA)
    return storage.write_part(TABLE, site, run.started_at.date(), table)


def read_runs(
    storage: Storage, site: str, since: date | None = None, until: date | None = None
) -> list[RunRecord]:
    """The runs that began on these days, both included, by their start."""
    found = [
        _from_row(row)
        for batch in storage.read(TABLE, site, since, until, RUN_SCHEMA.names)
        for row in batch.to_pylist()
    ]
    return sorted(found, key=lambda run: (run.started_at, run.ended_at))


def _from_row(row: dict[str, Any]) -> RunRecord:
    failures = tuple(FailedPages(**each) for each in row["failures"])
    left_out = tuple(LeftOutAddresses(**each) for each in row["left_out"] or ())
    return RunRecord(**{**row, "failures": failures, "left_out": left_out})
