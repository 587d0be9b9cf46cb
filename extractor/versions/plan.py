"""Which articles a day's records change, decided without their texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from crawler.storage.partitions import Storage
from crawler.storage.records import rows_of
from extractor.records.articles import ARTICLES, Status
from extractor.records.outcomes import TABLE as OUTCOMES
from extractor.versions.history import Version, observed
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
        for row in rows_of(read(_LIGHT_COLUMNS)):
            if _is_at_its_own(row, known) is at_its_own:
                plan.observe(row)
    return plan


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


def _is_guess(row: dict[str, Any]) -> bool:
    return bool(row["status"] == Status.GUESSED)


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
        key, owner = row["url_key"], self._known.owner(row["url_key"])
        if owner == key:
            self._change(key, row)
        elif row["status"] not in ARTICLES:
            return
        elif owner is None:
            self._begin(key, row)
        elif not self._is_copy_of(owner, row):
            self._known.remove_address(key)
            self.touched.add(owner)
            self._begin(key, row)

    def _is_copy_of(self, owner: str, row: dict[str, Any]) -> bool:
        """Whether an address of an article still is one: its own page says what is new. Where one
        of the two is guessed, what a pattern read decides."""
        if _is_guess(row) is not self._known.is_guessed(owner):
            return _is_guess(row)
        named = row["canonical_url"] and self._known.key(row["canonical_url"]) == owner
        texts = (version.text_sha256 for version in self._known.versions(owner))
        return bool(named) or row["text_sha256"] in texts

    def _begin(self, key: str, row: dict[str, Any]) -> None:
        """A page becomes an article, or another address of one that says the same."""
        text, published = row["text_sha256"], row["date_published"]
        twin, is_guess = self._known.twin(key, text, published), _is_guess(row)
        if twin is not None and (is_guess or not self._known.is_guessed(twin)):
            self._known.add_address(twin, row["url"])
            self.touched.add(twin)
            return
        first_seen = min(row["fetched_at"], self._first_fetches.get(key, row["fetched_at"]))
        self._known.add(key, row["url"], first_seen, is_guessed=is_guess)
        self._known.set_versions(key, observed([], row["fetched_at"], text))
        self._known.set_newest(key, text, published)
        self.touched.add(key)
        self.counts.new += 1
        self._unite(key, text, published)

    def _change(self, key: str, row: dict[str, Any]) -> None:
        """The page of an article came again, or is read by other patterns."""
        fetched_at, before = row["fetched_at"], self._known.versions(key)
        text = row["text_sha256"] if row["status"] in ARTICLES else None
        if text and _is_guess(row) is not self._known.is_guessed(key):
            self._change_status(key, row, before)
            return
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

    def _change_status(self, key: str, row: dict[str, Any], before: list[Version]) -> None:
        """A pattern reads what was guessed: nothing of the guess is left. Or the page of an article
        is guessed: that counts only if no fetch of it is left that a pattern reads."""
        fetched_at, text = row["fetched_at"], row["text_sha256"]
        left = observed(before, fetched_at, None) if _is_guess(row) else []
        if left == before:
            return
        self.touched.add(key)
        versions = left or observed([], fetched_at, text)
        published = None if left else row["date_published"]
        self._known.set_versions(key, versions)
        self._known.set_guessed(key, is_guessed=_is_guess(row) and not left)
        self._known.set_newest(key, versions[-1].text_sha256, published)
        self._unite(key, versions[-1].text_sha256, published)

    def _unite(self, key: str, text: str, published: datetime | None) -> None:
        """Of two articles that came to say the same, the one seen first stays; one that a pattern
        read before one that is guessed."""
        twin = self._known.twin(key, text, published)
        if twin is None:
            return
        stays, goes = sorted((key, twin), key=self._rank)
        urls = (self._known.url(goes), *self._known.other_urls(goes))
        self._remove(goes)
        for url in urls:
            self._known.add_address(stays, url)
        self.touched |= {stays, goes}

    def _rank(self, key: str) -> tuple[bool, datetime, str]:
        return self._known.is_guessed(key), self._known.first_seen(key), key

    def _remove(self, key: str) -> None:
        self.gone.add((day_of(self._known.first_seen(key)), key))
        self._known.remove(key)
