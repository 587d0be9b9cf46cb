"""The articles of a site that are stored, without their texts: where each stands, and its versions.

SQLite keeps it beside the memory, in a file that ends with the process: a site may have a million.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pyarrow as pa

from crawler.config.sites import SiteConfig
from crawler.reading.urls import url_key
from crawler.storage.partitions import Storage
from extractor.records.articles import Status
from extractor.versions.history import Version

ARTICLES = "articles"
VERSIONS = "article_versions"

_TABLES = """
create table articles (
    url_key text primary key, url text, first_seen integer, text text, published integer,
    guessed integer
);
create index articles_text on articles (text);
create table versions (url_key text, fetched integer, text text, primary key (url_key, fetched));
create table told (url_key text, fetched integer, primary key (url_key, fetched));
create table addresses (url_key text primary key, url text, article text);
create index addresses_article on addresses (article);
"""

_ARTICLE_COLUMNS = (
    "url", "url_key", "first_seen_at", "text_sha256", "date_published", "fetched_at", "other_urls",
    "status",
)  # fmt: skip
_VERSION_COLUMNS = ("url_key", "fetched_at", "text_sha256")

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class KnownArticles:
    """What `articles` and `article_versions` hold of one site; changes are of this object alone."""

    def __init__(self, index_name: str = "") -> None:
        self._index_name = index_name
        self._db = sqlite3.connect("", isolation_level=None)
        self._db.executescript(_TABLES)

    @classmethod
    def of(cls, storage: Storage, site: SiteConfig) -> KnownArticles:
        """Read what is stored of a site."""
        known = cls(site.index_name)
        known._db.execute("begin")
        for batch in storage.read(ARTICLES, site.name, columns=_ARTICLE_COLUMNS):
            known._take_articles(_with_numbers(batch))
        for batch in storage.read(VERSIONS, site.name, columns=_VERSION_COLUMNS):
            rows = _with_numbers(batch)
            known._take_versions(rows)
            told = zip(rows["url_key"], rows["fetched_at"], strict=True)
            known._db.executemany("insert or ignore into told values (?, ?)", told)
        known._db.execute("commit")
        return known

    def _take_articles(self, rows: dict[str, list[Any]]) -> None:
        names = ("url_key", "url", "first_seen_at", "text_sha256", "date_published")
        guessed = [status == Status.GUESSED for status in rows["status"]]
        articles = zip(*(rows[name] for name in names), guessed, strict=True)
        self._db.executemany("insert or replace into articles values (?, ?, ?, ?, ?, ?)", articles)
        self._take_versions(rows)
        for key, urls in zip(rows["url_key"], rows["other_urls"], strict=True):
            for url in urls or ():
                self.add_address(key, url)

    def _take_versions(self, rows: dict[str, list[Any]]) -> None:
        versions = zip(rows["url_key"], rows["fetched_at"], rows["text_sha256"], strict=True)
        self._db.executemany("insert or ignore into versions values (?, ?, ?)", versions)

    def key(self, url: str) -> str:
        """The canonical form of an address of the site."""
        return url_key(url, self._index_name)

    def owner(self, url_key: str) -> str | None:
        """The article that stands at an address, be it another one than its own; None if none."""
        return self._value(
            "select url_key from articles where url_key = ?", url_key
        ) or self._value("select article from addresses where url_key = ?", url_key)

    def twin(self, url_key: str, text: str, published: datetime | None) -> str | None:
        """Another article that says the same, and was published at the same time as far as known:
        of those that patterns read, else of the guessed ones, the one that was seen first."""
        return self._value(
            "select url_key from articles where text = ? and url_key <> ? "
            "and (published is null or ?3 is null or published = ?3) "
            "order by guessed, first_seen, url_key",
            text,
            url_key,
            _number(published),
        )

    def add(self, url_key: str, url: str, first_seen_at: datetime, *, is_guessed: bool) -> None:
        """A new article, which has no version yet."""
        self._db.execute(
            "insert or replace into articles (url_key, url, first_seen, guessed) "
            "values (?, ?, ?, ?)",
            (url_key, url, _number(first_seen_at), is_guessed),
        )

    def is_guessed(self, url_key: str) -> bool:
        """Whether no pattern ever read the article."""
        return bool(self._value("select guessed from articles where url_key = ?", url_key))

    def set_guessed(self, url_key: str, *, is_guessed: bool) -> None:
        """Whether its versions are guesses."""
        self._db.execute("update articles set guessed = ? where url_key = ?", (is_guessed, url_key))

    def remove(self, url_key: str) -> None:
        """Forget an article, with its versions and addresses."""
        for table in ("articles", "versions"):
            self._db.execute(f"delete from {table} where url_key = ?", (url_key,))
        self._db.execute("delete from addresses where article = ?", (url_key,))

    def url(self, url_key: str) -> str:
        """Where the article came from."""
        return str(self._value("select url from articles where url_key = ?", url_key))

    def first_seen(self, url_key: str) -> datetime:
        """When it was seen first, which says where it stands."""
        return _time(self._value("select first_seen from articles where url_key = ?", url_key))

    def versions(self, url_key: str) -> list[Version]:
        """What it said, oldest first."""
        rows = self._db.execute(
            "select fetched, text from versions where url_key = ? order by fetched", (url_key,)
        )
        return [Version(_time(fetched), text) for fetched, text in rows]

    def set_versions(self, url_key: str, versions: Iterable[Version]) -> None:
        """Have an article say this, oldest first."""
        self._db.execute("delete from versions where url_key = ?", (url_key,))
        for fetched_at, text in versions:
            self._keep(url_key, fetched_at, text)

    def set_newest(self, url_key: str, text: str, published: datetime | None) -> None:
        """By what `twin` finds an article: what it says, and when it was published if known."""
        self._db.execute(
            "update articles set text = ?, published = ? where url_key = ?",
            (text, _number(published), url_key),
        )

    def _keep(self, url_key: str, fetched_at: datetime, text: str) -> None:
        self._db.execute(
            "insert or ignore into versions values (?, ?, ?)", (url_key, _number(fetched_at), text)
        )

    def told(self, url_key: str) -> list[datetime]:
        """The fetches of which `article_versions` has a row of the article."""
        rows = self._db.execute("select fetched from told where url_key = ?", (url_key,))
        return [_time(fetched) for (fetched,) in rows]

    def tell(self, url_key: str, fetched_at: datetime) -> None:
        """`article_versions` has this row."""
        self._db.execute("insert or ignore into told values (?, ?)", (url_key, _number(fetched_at)))

    def untell(self, url_key: str, fetched_at: datetime) -> None:
        """`article_versions` has this row no more."""
        self._db.execute(
            "delete from told where url_key = ? and fetched = ?", (url_key, _number(fetched_at))
        )

    def other_urls(self, url_key: str) -> tuple[str, ...]:
        """Other addresses of an article, by their canonical form."""
        rows = self._db.execute(
            "select url from addresses where article = ? order by url_key", (url_key,)
        )
        return tuple(url for (url,) in rows)

    def add_address(self, url_key: str, url: str) -> None:
        """Another address of an article."""
        self._db.execute(
            "insert or replace into addresses values (?, ?, ?)", (self.key(url), url, url_key)
        )

    def remove_address(self, url_key: str) -> None:
        """What stands at an address is no copy."""
        self._db.execute("delete from addresses where url_key = ?", (url_key,))

    def _value(self, query: str, *values: object) -> str | None:
        row = self._db.execute(query, values).fetchone()
        return row[0] if row else None


def day_of(moment: datetime) -> date:
    """The UTC day whose partition holds it."""
    return moment.astimezone(UTC).date()


def _with_numbers(batch: pa.RecordBatch) -> dict[str, list[Any]]:
    """The columns of some rows, times as microseconds."""
    is_time = {field.name: pa.types.is_timestamp(field.type) for field in batch.schema}
    return {
        name: (batch[name].cast(pa.int64()) if is_time[name] else batch[name]).to_pylist()
        for name in batch.schema.names
    }


def _number(moment: datetime | None) -> int | None:
    return None if moment is None else (moment - _EPOCH) // _MICROSECOND


def _time(number: object) -> datetime:
    assert isinstance(number, int)
    return _EPOCH + number * _MICROSECOND
