"""The articles of all sites by their signatures, in an SQLite file: each night adds its own.

Articles that say nearly the same have a *leader*, the one that was seen first; only leaders are
searched, so that a thousand copies of one text cost no more than one.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np

from extractor.versions.copies.signature import NEAR, Signature, bands_of, likeness

_TABLES = """
create table if not exists articles (
    id integer primary key, site text, url_key text, url text, text text, first_seen integer,
    signature blob, leader integer, unique (site, url_key)
);
create index if not exists articles_leader on articles (leader);
create table if not exists bands (band integer, leader integer);
create index if not exists bands_band on bands (band);
create index if not exists bands_leader on bands (leader);
create temp table present (url_key text primary key);
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An article as the index knows it."""

    site: str
    url_key: str
    url: str
    text: str
    """`text_sha256`: another one is another text."""
    first_seen: int
    """Microseconds since 1970."""


class CopyIndex:
    """Which articles say what others of other sites said first; a context manager, whose block
    counts only if it ends well."""

    def __init__(self, path: Path, *, within_site: bool = False) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._db = sqlite3.connect(path, isolation_level=None)
        self._db.executescript(_TABLES)
        self._within_site = within_site

    def __enter__(self) -> Self:
        self._db.execute("begin immediate")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._db.execute("rollback" if kind else "commit")
        self._db.close()

    def unknown(self, site: str, stored: Iterable[Entry]) -> list[Entry]:
        """Of the articles of a site those that are new or say something else; what the index has
        beside them is forgotten."""
        self._db.execute("delete from present")
        found = []
        for entry in stored:
            self._db.execute("insert or ignore into present values (?)", (entry.url_key,))
            known = self._db.execute(
                "select text from articles where site = ? and url_key = ?", (site, entry.url_key)
            ).fetchone()
            if known != (entry.text,):
                found.append(entry)
        gone = self._db.execute(
            "select url_key from articles where site = ? and url_key not in present", (site,)
        ).fetchall()
        for (url_key,) in gone:
            self._forget(site, url_key)
        return found

    def add(self, entry: Entry, signature: Signature | None) -> None:
        """An article, in place of what it said before; it has no leader until `settle`. Without a
        signature it is nobody's copy."""
        self._forget(entry.site, entry.url_key)
        self._db.execute(
            "insert into articles (site, url_key, url, text, first_seen, signature) "
            "values (?, ?, ?, ?, ?, ?)",
            (entry.site, entry.url_key, entry.url, entry.text, entry.first_seen,
             None if signature is None else signature.tobytes()),
        )  # fmt: skip

    def settle(self) -> None:
        """Find the leaders of those that have none, in the order in which they were seen."""
        waiting = self._db.execute(
            "select id from articles where leader is null and signature is not null "
            "order by first_seen, site, url_key"
        ).fetchall()
        for (number,) in waiting:
            self._settle(number)

    def _settle(self, number: int) -> None:
        site, written = self._db.execute(
            "select site, signature from articles where id = ?", (number,)
        ).fetchone()
        signature = np.frombuffer(written, np.uint32)
        like = [found for found in self._leaders(signature, site) if found != number]
        first = min((*like, number), key=self._age)
        if first != number:
            self._db.execute("update articles set leader = ? where id = ?", (first, number))
            return
        for other in like:
            self._db.execute("update articles set leader = ? where leader = ?", (number, other))
            self._db.execute("delete from bands where leader = ?", (other,))
        self._db.execute("update articles set leader = ? where id = ?", (number, number))
        rows = ((band, number) for band in bands_of(signature))
        self._db.executemany("insert into bands values (?, ?)", rows)

    def _leaders(self, signature: Signature, site: str) -> Iterator[int]:
        """The leaders that a text is nearly the same as, of other sites if only these count."""
        bands = bands_of(signature)
        marks = ", ".join("?" * len(bands))
        rows = self._db.execute(
            "select id, site, signature from articles where id in "
            f"(select leader from bands where band in ({marks}))",
            bands,
        ).fetchall()
        for number, its_site, its_signature in rows:
            if site == its_site and not self._within_site:
                continue
            if likeness(signature, np.frombuffer(its_signature, np.uint32)) >= NEAR:
                yield number

    def _age(self, number: int) -> tuple[int, str, str]:
        row: tuple[int, str, str] = self._db.execute(
            "select first_seen, site, url_key from articles where id = ?", (number,)
        ).fetchone()
        return row

    def _forget(self, site: str, url_key: str) -> None:
        """Forget an article; those that it led have no leader then."""
        row = self._db.execute(
            "select id from articles where site = ? and url_key = ?", (site, url_key)
        ).fetchone()
        if row:
            self._db.execute("update articles set leader = null where leader = ?", row)
            self._db.execute("delete from bands where leader = ?", row)
            self._db.execute("delete from articles where id = ?", row)

    def firsts(self, site: str) -> dict[str, str]:
        """The copies of a site by their keys: where the first of each stands."""
        rows = self._db.execute(
            "select mine.url_key, its.url from articles mine join articles its "
            "on mine.leader = its.id where mine.site = ? and mine.id <> its.id "
            "and (? or its.site <> mine.site)",
            (site, self._within_site),
        )
        return dict(rows.fetchall())
