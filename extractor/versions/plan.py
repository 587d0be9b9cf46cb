"""Which articles a day's records change, decided without their texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from crawler.storage.partitions import Storage
from extractor.records.articles import Status
from extractor.records.outcomes import TABLE as OUTCOMES
from extractor.versions.history import observed
from extractor.versions.known import KnownArticles, day_of

ReadRecords = Callable[[Sequence[str]], Iterable[pa.RecordBatch]]
"""Gives these columns of a day's records, sorted by `url_key` and fetch; can be called again."""

_LIGHT_COLUMNS = (
    "url", "url_key", "canonical_url", "status", "text_sha256", "date_published", "fetched_at",
)  # fmt: skip
_FIRST_SEEN_COLUMNS = ("url_key", "fetched_at", "body_sha256", "unchanged")


@dataclass(slots=True)
class ArticleCounts:
    """What merging did to a site's articles."""

    new: int = 0
    """Articles that were not stored before."""
    edited: int = 0
    """Articles whose text is another one than before."""

    def add(self, other: ArticleCounts) -> None:
        """Count those of another day, too."""
        self.new += other.new
        self.edited += other.edited


def plan_day(
    storage: Storage, site: str, day: date, read: ReadRecords, known: KnownArticles
) -> Plan:
    """Take in what the pages of a day were; `known` changes with it."""
    plan = Plan(known, _earlier_fetches(storage, site, day, read))
    for at_its_own in (True, False):
        # Of copies the one that calls itself the original comes first.
        for row in _light_rows(read):
            if _is_at_its_own(row, known) is at_its_own:
                plan.observe(row)
    return plan


def _light_rows(read: ReadRecords) -> Iterator[dict[str, Any]]:
    for batch in read(_LIGHT_COLUMNS):
        yield from batch.to_pylist()


def _is_at_its_own(row: dict[str, Any], known: KnownArticles) -> bool:
    return not row["canonical_url"] or known.key(row["canonical_url"]) == row["url_key"]


def _earlier_fetches(
    storage: Storage, site: str, day: date, read: ReadRecords
) -> dict[str, datetime]:
    """When pages of the day were first fetched, of those that were on days not extracted yet."""
    extracted = set(storage.dates(OUTCOMES, site))
    days = [each for each in storage.dates("pages", site) if each < day and each not in extracted]
    if not days:
        return {}
    keys = pa.array(
        [key for batch in read(("url_key",)) for key in batch["url_key"].to_pylist()], pa.string()
    )
    found: dict[str, datetime] = {}
    for each in days:
        for batch in storage.read("pages", site, each, each, _FIRST_SEEN_COLUMNS):
            came = pc.and_(pc.is_valid(batch["body_sha256"]), pc.invert(batch["unchanged"]))
            wanted = batch.filter(pc.and_(came, pc.is_in(batch["url_key"], keys)))
            for row in wanted.select(["url_key", "fetched_at"]).to_pylist():
                key, fetched_at = row["url_key"], row["fetched_at"]
                found[key] = min(fetched_at, found.get(key, fetched_at))
    return found


class Plan:
    """What a day's records change, decided without their texts."""

    def __init__(self, known: KnownArticles, first_fetches: dict[str, datetime]) -> None:
        self._known = known
        self._first_fetches = first_fetches
        self.touched: set[str] = set()
        """Articles whose rows may change."""
        self.gone: set[tuple[date, str]] = set()
        """Where articles stood that are none any more."""
        self.counts = ArticleCounts()

    def observe(self, row: dict[str, Any]) -> None:
        """Take in what one page was on one fetch."""
        key, is_article = row["url_key"], row["status"] == Status.OK.value
        owner = self._known.owner(key)
        if owner == key:
            self._change(key, row)
        elif is_article and owner is None:
            self._begin(key, row)
        elif is_article and owner is not None and not self._is_copy_of(owner, row):
            self._known.remove_address(key)
            self.touched.add(owner)
            self._begin(key, row)

    def _is_copy_of(self, owner: str, row: dict[str, Any]) -> bool:
        """Whether an address of an article still is one: its own page says what is new."""
        named = row["canonical_url"] and self._known.key(row["canonical_url"]) == owner
        texts = (version.text_sha256 for version in self._known.versions(owner))
        return bool(named) or row["text_sha256"] in texts

    def _begin(self, key: str, row: dict[str, Any]) -> None:
        """A page becomes an article, or another address of one that says the same."""
        text, published = row["text_sha256"], row["date_published"]
        twin = self._known.twin(key, text, published)
        if twin is not None:
            self._known.add_address(twin, row["url"])
            self.touched.add(twin)
            return
        first_seen = min(row["fetched_at"], self._first_fetches.get(key, row["fetched_at"]))
        self._known.add(key, row["url"], first_seen)
        self._known.set_versions(key, observed([], row["fetched_at"], text))
        self._known.set_newest(key, text, published)
        self.touched.add(key)
        self.counts.new += 1

    def _change(self, key: str, row: dict[str, Any]) -> None:
        """The page of an article came again, or is read by other patterns."""
        fetched_at, before = row["fetched_at"], self._known.versions(key)
        text = row["text_sha256"] if row["status"] == Status.OK.value else None
        after = observed(before, fetched_at, text)
        if after == before and fetched_at not in (each.fetched_at for each in before):
            return
        self.touched.add(key)
        if not after:
            self._remove(key)
            return
        self._known.set_versions(key, after)
        newest, says_other = after[-1], after[-1].text_sha256 != before[-1].text_sha256
        if says_other and len(after) > len(before):
            self.counts.edited += 1
        if says_other or newest.fetched_at == fetched_at:
            published = row["date_published"] if newest.fetched_at == fetched_at else None
            self._known.set_newest(key, newest.text_sha256, published)
            self._unite(key, newest.text_sha256, published)

    def _unite(self, key: str, text: str, published: datetime | None) -> None:
        """Of two articles that came to say the same, the one seen first stays."""
        twin = self._known.twin(key, text, published)
        if twin is None:
            return
        stays, goes = sorted((key, twin), key=lambda each: (self._known.first_seen(each), each))
        urls = (self._known.url(goes), *self._known.other_urls(goes))
        self._remove(goes)
        for url in urls:
            self._known.add_address(stays, url)
        self.touched |= {stays, goes}

    def _remove(self, key: str) -> None:
        self.gone.add((day_of(self._known.first_seen(key)), key))
        self._known.remove(key)
