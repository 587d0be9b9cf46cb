"""What came of a site's day: one `SiteStats` per partition, counted from its pages and articles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from crawler.spiders.items import redirect_target
from crawler.storage.partitions import Storage
from crawler.storage.records import table_schema
from extractor.records.articles import Status
from extractor.records.outcomes import TABLE as OUTCOMES

LOOK_BACK_DAYS = 90
"""Days before a day that say what its pages were. Origin: guess; most pages of a night are as they
were, and say nothing of themselves."""

FILLED_FIELDS = ("title", "body", "date_published", "authors", "language")
"""The fields of an article whose fill rates are counted."""

_PAGE_COLUMNS = ("run_id", "fetched_at", "error", "unchanged")
_OUTCOME_COLUMNS = (
    "url_key", "status", "pattern_id", "text_sha256", "body_chars",
    *(name for name in FILLED_FIELDS if name != "body"),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Fall:
    """One figure of a day that fell: a *drift flag*."""

    name: str
    """The column of `SiteStats` that fell."""
    before: float
    """Its value on the days before, a share of 0 to 1 or a number of characters."""
    now: float
    """Its value on this day."""
    pages: int
    """How many pages of this day (of small days: the last few) say so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternPages:
    """How many pages a pattern fitted."""

    pattern_id: str
    pages: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteStats:
    """The figures of one site and UTC day of the fetch. A share is None where it is one of none."""

    site: str
    day: date
    run_id: str = ""
    """The run that fetched a page of the day last; empty if none did."""
    pages: int = 0
    """URLs asked for, but for those that redirect to a page with a row of its own."""
    new: int = 0
    """Pages whose body came and was not the stored one."""
    unchanged: int = 0
    """Pages that are as they were stored."""
    errors: int = 0
    """URLs that gave no page."""
    articles: int = 0
    """Records of status ok."""
    guessed: int = 0
    """Records of status guessed: no pattern fits the page, so they are none of `articles`."""
    lists: int = 0
    unmatched: int = 0
    """Records of pages that no pattern fits (well enough)."""
    empty: int = 0
    soft_errors: int = 0
    """Answers that say that no page is there, with status 200."""
    unreadable: int = 0
    """Records of pages that have a body, but could not be read."""
    without_text: int = 0
    """Those of the `empty` pages that have no text at all."""
    same_text: int = 0
    """How many of the short pages that are no articles say one and the same."""
    match_rate: float | None = None
    """Share of the `fresh` and `known` pages that are articles."""
    fresh: int = 0
    """Pages with a body, no lists nor soft errors, that had no record with one in the
    `LOOK_BACK_DAYS` before."""
    fresh_lists: int = 0
    """Lists that had none then."""
    fresh_articles: int = 0
    """Those of the `fresh` pages that are articles."""
    known: int = 0
    """Pages that came with another body and were articles in the `LOOK_BACK_DAYS` before."""
    known_articles: int = 0
    """Those of them that still are."""
    known_shorter: int = 0
    """Those of these whose text is less than half as long as it was."""
    fill_title: float | None = None
    """Share of the articles that have a title; the other fields likewise."""
    fill_body: float | None = None
    fill_date_published: float | None = None
    fill_authors: float | None = None
    fill_language: float | None = None
    median_body_chars: int | None = None
    """The (lower) median length of the articles' bodies, in characters."""
    patterns: tuple[PatternPages, ...] = ()
    """Pages that each pattern fitted, whatever their status; most first, then by id."""
    drift: tuple[Fall, ...] = ()
    """What fell against the days before, in the order of `extractor.health.drift`."""


def _columns(names: str, kind: pa.DataType, nullable: bool = False) -> list[pa.Field]:
    return [pa.field(name, kind, nullable) for name in names.split()]


_PATTERN_TYPE = pa.struct([*_columns("pattern_id", pa.string()), *_columns("pages", pa.int32())])
_FALL_TYPE = pa.struct(
    [
        *_columns("name", pa.string()),
        *_columns("before now", pa.float64()),
        *_columns("pages", pa.int32()),
    ]
)

STATS_SCHEMA = table_schema(
    [
        *_columns("run_id", pa.string()),
        *_columns("pages new unchanged errors", pa.int32()),
        *_columns("articles guessed lists unmatched empty soft_errors unreadable", pa.int32()),
        *_columns("without_text same_text", pa.int32()),
        *_columns("match_rate", pa.float64(), nullable=True),
        *_columns("fresh fresh_lists fresh_articles known known_articles", pa.int32()),
        *_columns("known_shorter", pa.int32()),
        *(pa.field(f"fill_{name}", pa.float64()) for name in FILLED_FIELDS),
        *_columns("median_body_chars", pa.int32(), nullable=True),
        *_columns("patterns", pa.list_(_PATTERN_TYPE)),
        *_columns("drift", pa.list_(_FALL_TYPE)),
    ],
    table="site_stats",
    sorted_by="run_id",
)


def read_stats(
    storage: Storage, site: str, since: date | None = None, until: date | None = None
) -> list[SiteStats]:
    """The stored figures of these days, both included, by day."""
    columns = [*STATS_SCHEMA.names, "site", "date"]
    return [
        _from_row(row)
        for batch in storage.read("site_stats", site, since, until, columns)
        for row in batch.to_pylist()
    ]


def write_stats(storage: Storage, stats: SiteStats) -> str:
    """Write the figures of a day, replacing those that are stored; the path."""
    row = {
        **{name: getattr(stats, name) for name in STATS_SCHEMA.names},
        "patterns": [_to_row(each) for each in stats.patterns],
        "drift": [_to_row(each) for each in stats.drift],
    }
    table = pa.Table.from_pylist([row], schema=STATS_SCHEMA)
    return storage.replace("site_stats", stats.site, stats.day, table)


def count_days(storage: Storage, site: str, days: Iterable[date]) -> Iterator[SiteStats]:
    """The figures of these days, by day, as their pages and articles are now; without `drift`."""
    history = _History(storage, site)
    for day in sorted(days):
        batches = [_facts(b) for b in storage.read(OUTCOMES, site, day, day, _OUTCOME_COLUMNS)]
        records = pa.Table.from_batches(batches, _FACTS_SCHEMA)
        seen, were_articles = history.before(day)
        history.add(day, records)
        yield SiteStats(
            site=site,
            day=day,
            **_page_counts(storage, site, day),
            **_status_counts(records),
            **_sameness(records),
            **_match_counts(records, seen, were_articles),
            **_article_figures(records),
            patterns=_pattern_pages(records),
        )


class _History:
    """The pages of the `LOOK_BACK_DAYS` before a day; each day is read once if days ascend."""

    def __init__(self, storage: Storage, site: str) -> None:
        self._storage = storage
        self._site = site
        self._dates = storage.dates(OUTCOMES, site)
        self._days: dict[date, pa.Table] = {}

    def add(self, day: date, records: pa.Table) -> None:
        """Spare reading a day whose records are at hand."""
        self._days[day] = records.select(_KEYS_SCHEMA.names)

    def before(self, day: date) -> tuple[pa.Array, pa.Table]:
        """The keys of those that had an outcome, and of those that were an article with the most
        characters that it had."""
        since = day - timedelta(days=LOOK_BACK_DAYS)
        window = [each for each in self._dates if since <= each < day]
        known = self._days
        self._days = {d: known[d] if d in known else self._read(d) for d in window}
        seen = pa.concat_tables([_KEYS_SCHEMA.empty_table(), *self._days.values()])
        articles = seen.filter(pc.equal(seen["status"], Status.OK.value))
        longest = articles.group_by("url_key").aggregate([("body_chars", "max")])
        return pc.unique(seen["url_key"]), longest

    def _read(self, day: date) -> pa.Table:
        names = _KEYS_SCHEMA.names
        batches = self._storage.read(OUTCOMES, self._site, day, day, names)
        return pa.Table.from_batches([each.cast(_KEYS_SCHEMA) for each in batches], _KEYS_SCHEMA)


_KEYS_SCHEMA = pa.schema(
    [("url_key", pa.string()), ("status", pa.string()), ("body_chars", pa.int32())]
)

_FACTS_SCHEMA = pa.schema(
    [
        ("url_key", pa.string()),
        ("status", pa.string()),
        ("pattern_id", pa.string()),
        ("text_sha256", pa.string()),
        *((name, pa.bool_()) for name in FILLED_FIELDS),
        ("body_chars", pa.int32()),
    ]
)
"""What is kept of an outcome."""


def _facts(batch: pa.RecordBatch) -> pa.RecordBatch:
    """The outcomes of pages, with what is there in place of what it says."""
    filled = [
        pc.greater(pc.list_value_length(batch[name]), 0)
        if name == "authors"
        else pc.is_valid(batch["body_chars" if name == "body" else name])
        for name in FILLED_FIELDS
    ]
    told = [batch[name] for name in ("url_key", "status", "pattern_id", "text_sha256")]
    return pa.RecordBatch.from_arrays([*told, *filled, batch["body_chars"]], schema=_FACTS_SCHEMA)


def _page_counts(storage: Storage, site: str, day: date) -> dict[str, Any]:
    counts = dict.fromkeys(("new", "unchanged", "errors"), 0)
    last, run_id = datetime.min.replace(tzinfo=UTC), ""
    for batch in storage.read("pages", site, day, day, _PAGE_COLUMNS):
        for row in batch.to_pylist():
            if redirect_target(row["error"]):
                continue
            kind = "errors" if row["error"] else "unchanged" if row["unchanged"] else "new"
            counts[kind] += 1
            last, run_id = max((last, run_id), (row["fetched_at"], row["run_id"]))
    return {**counts, "pages": sum(counts.values()), "run_id": run_id}


def _status_counts(records: pa.Table) -> dict[str, Any]:
    found = {row["values"]: row["counts"] for row in pc.value_counts(records["status"]).to_pylist()}
    return {
        "articles": found.get(Status.OK.value, 0),
        "guessed": found.get(Status.GUESSED.value, 0),
        "lists": found.get(Status.LIST.value, 0),
        "unmatched": found.get(Status.NO_PATTERN.value, 0) + found.get(Status.LOW_SCORE.value, 0),
        "empty": found.get(Status.EMPTY.value, 0),
        "soft_errors": found.get(Status.SOFT_ERROR.value, 0),
        "unreadable": found.get(Status.ERROR.value, 0),
    }


def _match_counts(records: pa.Table, seen: pa.Array, were_articles: pa.Table) -> dict[str, Any]:
    """Of the pages that should be articles, how many are: apart for new and for known ones.

    Lists stand apart, and left out are pages that were no article before: how many of them
    change from night to night says nothing about the site's layouts.
    """
    place = pc.index_in(records["url_key"], were_articles["url_key"].combine_chunks())
    is_known = pc.is_valid(place)
    is_unseen = pc.invert(pc.is_in(records["url_key"], seen))
    is_list = pc.equal(records["status"], Status.LIST.value)
    is_no_page = pc.equal(records["status"], Status.SOFT_ERROR.value)
    is_fresh = pc.and_not(is_unseen, pc.or_(is_list, is_no_page))
    is_article = pc.equal(records["status"], Status.OK.value)
    fresh, known = _count(is_fresh), _count(is_known)
    fresh_articles = _count(pc.and_(is_fresh, is_article))
    still = pc.and_(is_known, is_article)
    known_articles = _count(still)
    half = pc.divide(were_articles["body_chars_max"].take(place), 2)
    shorter = pc.fill_null(pc.less(records["body_chars"], half), False)
    some = fresh + known
    return {
        "match_rate": (fresh_articles + known_articles) / some if some else None,
        "fresh": fresh,
        "fresh_lists": _count(pc.and_(is_unseen, is_list)),
        "fresh_articles": fresh_articles,
        "known": known,
        "known_articles": known_articles,
        "known_shorter": _count(pc.and_(still, shorter)),
    }


def _sameness(records: pa.Table) -> dict[str, Any]:
    """How many pages have no text, and how many of those that are no articles say the same."""
    empty = pc.equal(records["status"], Status.EMPTY.value)
    others = records.filter(pc.not_equal(records["status"], Status.OK.value))
    said = pc.value_counts(others["text_sha256"].drop_null()).field("counts")
    return {
        "without_text": _count(pc.and_(empty, pc.is_null(records["pattern_id"]))),
        "same_text": pc.max(said).as_py() or 0,
    }


def _count(mask: pa.ChunkedArray) -> int:
    return int(pc.sum(mask).as_py() or 0)


def _article_figures(records: pa.Table) -> dict[str, Any]:
    """Fill rates and the median length of what is an article."""
    articles = records.filter(pc.equal(records["status"], Status.OK.value))
    shares = {f"fill_{name}": pc.mean(articles[name]).as_py() for name in FILLED_FIELDS}
    median = pc.quantile(articles["body_chars"], 0.5, interpolation="lower")[0].as_py()
    return {**shares, "median_body_chars": median}


def _pattern_pages(records: pa.Table) -> tuple[PatternPages, ...]:
    found = pc.value_counts(records["pattern_id"].drop_null()).to_pylist()
    counted = [PatternPages(pattern_id=row["values"], pages=row["counts"]) for row in found]
    return tuple(sorted(counted, key=lambda each: (-each.pages, each.pattern_id)))


def _to_row(value: Fall | PatternPages) -> dict[str, Any]:
    return {each.name: getattr(value, each.name) for each in fields(value)}


def _from_row(row: dict[str, Any]) -> SiteStats:
    values = {name: row[name] for name in STATS_SCHEMA.names if row[name] is not None}
    values["patterns"] = tuple(PatternPages(**each) for each in row["patterns"])
    values["drift"] = tuple(Fall(**each) for each in row["drift"])
    return SiteStats(site=row["site"], day=row["date"], **values)
