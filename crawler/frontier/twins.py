"""Addresses of one page that differ in names of their query which change nothing on this site.

Some names tell where a reader came from on one site, and name the page on another
(`crawler.reading.urls.DOUBTFUL_NAMES`). Pages whose addresses differ in one of them alone are
compared: one pair of other texts proves that the name counts, several of equal texts that it
changes nothing. Then one of such addresses is fetched, and the others are left out for a reason.
"""

from __future__ import annotations

import sqlite3

from crawler.reading.urls import doubtful_names, without_names

LEAST_TEXTS = 3
"""Texts that must have come under two addresses before a name changes nothing: of a wall before the
site all addresses show one text. Origin: guess."""

MOST_COMPARED = 20
"""Known addresses that a new one is compared with. Origin: guess; a page has a few."""

SAYS_THE_SAME = "says what another address says: "
"""How the reason of an address begins that is left out; the other one follows."""

_SCHEMA = """
create table if not exists twins (
    id integer primary key,
    url_key text not null unique,
    bare_key text not null,
    text_digest text not null
);
create index if not exists twins_bare on twins (bare_key, id);
create table if not exists twin_names (
    name text not null,
    text_digest text not null,
    is_same integer not null,
    unique (name, text_digest, is_same)
);
"""


class Twins:
    """What is known of such addresses, in tables of the site's URL database."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        db.executescript(_SCHEMA)
        self._has_any = db.execute("select 1 from twins limit 1").fetchone() is not None
        self._judge()

    def _judge(self) -> None:
        """Which names count, and which change nothing."""
        rows = self._db.execute(
            "select name, min(is_same), count(distinct text_digest) from twin_names group by name"
        ).fetchall()
        self._counting = frozenset(name for name, is_same, _ in rows if not is_same)
        self._idle = frozenset(n for n, is_same, texts in rows if is_same and texts >= LEAST_TEXTS)

    def _bare(self, url_key: str) -> str:
        """A key without the names that may change nothing, as far as is known."""
        return without_names(url_key, doubtful_names(url_key) - self._counting)

    def wants(self, url_key: str) -> bool:
        """Whether the text of a page is of use: its address, or one before it, has such a name."""
        return self._has_any or self._bare(url_key) != url_key

    def note(self, url_key: str, text_digest: str) -> None:
        """A page came with this text: compare it with those that its address is like."""
        others = self._db.execute(
            "select url_key, text_digest from twins where bare_key = ? and url_key <> ? "
            "order by id desc limit ?",
            (self._bare(url_key), url_key, MOST_COMPARED),
        ).fetchall()
        for other, other_digest in others:
            if name := _only_difference(url_key, other):
                self._prove(name, text_digest, is_same=text_digest == other_digest)
        self._db.execute(
            "insert into twins (url_key, bare_key, text_digest) values (?, ?, ?) "
            "on conflict (url_key) do update set text_digest = excluded.text_digest",
            (url_key, self._bare(url_key), text_digest),
        )
        self._has_any = True

    def _prove(self, name: str, text_digest: str, *, is_same: bool) -> None:
        self._db.execute(
            "insert into twin_names values (?, ?, ?) on conflict do nothing",
            (name, text_digest, is_same),
        )
        known = self._counting
        self._judge()
        if self._counting != known:
            # They were grouped as if it did not count.
            self._db.execute("delete from twins")

    def of(self, url_key: str) -> str | None:
        """The address that says what `url_key` says, and was fetched first or waits to be fetched;
        None if there is none, or `url_key` is that one."""
        if not self._idle:
            return None
        plain = without_names(url_key, self._idle)
        fetched = self._db.execute(
            "select t.url_key from twins t join urls u using (url_key) "
            "where t.bare_key = ? and u.reason is null order by t.id limit ?",
            (self._bare(url_key), MOST_COMPARED),
        )
        for (other,) in fetched:
            if without_names(other, self._idle) == plain:
                return str(other) if other != url_key else None
        waits = self._db.execute(
            "select 1 from urls where url_key = ? and state = 'pending'", (plain,)
        ).fetchone()
        return plain if waits and plain != url_key else None


def _only_difference(key: str, other: str) -> str | None:
    """The one doubtful name in which two keys differ; None if they differ in several."""
    names = doubtful_names(key) | doubtful_names(other)
    ones = [n for n in names if without_names(key, {n}) == without_names(other, {n})]
    return ones[0] if len(ones) == 1 else None
