"""The URL database of a site: what is to be fetched, and what is known of each URL.

It is the frontier of record. A URL stands here before its request is made, and counts as done
only when the part file that holds its page is on disk; so whatever moment a crawl is killed at,
the next one finds what is missing. A file of SQLite in WAL mode, written by one process.

A run visits, depth by depth, the seeds, every URL that was never stored, and of the stored pages
that are due those that may show new links (above the site's depth) and articles of late.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from crawler.config.stages import RevisitConfig
from crawler.frontier.endings import Endings
from crawler.frontier.revisits import longest_pause, pause_hours
from crawler.frontier.twins import SAYS_THE_SAME, Twins

State = Literal["pending", "done", "skipped"]

TOO_DEEP = "too deep"
"""Why a URL is skipped that only pages of the greatest depth link to."""

_FORMAT = 2
_SCHEMA = """
create table if not exists urls (
    id integer primary key,
    url_key text not null unique,
    url text not null,
    depth integer not null,
    state text not null,
    reason text,
    source text not null,
    referrer text,
    run_id text not null,
    first_seen text not null,
    last_seen text not null,
    visited_at text,
    stored_at text,
    status integer,
    etag text,
    last_modified text,
    digest text,
    expanded integer not null default 0,
    due_at text,
    visits integer not null default 0,
    most_visits integer,
    pause_hours real
);
create index if not exists urls_frontier on urls (depth, id) where state = 'pending';
create table if not exists runs (
    run_id text primary key,
    started_at text not null,
    finished_at text,
    scope text not null
);
"""

_FROM_FORMAT_1 = """
alter table urls add column visits integer not null default 0;
alter table urls add column most_visits integer;
alter table urls add column pause_hours real;
update urls set visits = iif(stored_at is null, 0, 1 + idle_visits);
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One crawl of the site, from its first request to an empty frontier."""

    run_id: str
    started_at: datetime
    resumed: bool
    """True if an earlier process began this run and did not end it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontierEntry:
    """A URL to fetch now."""

    url_key: str
    url: str
    depth: int
    referrer: str | None
    etag: str | None
    """ETag of the stored page; None if there is none, or if its links must be read again."""
    last_modified: str | None
    digest: str | None
    """SHA-256 of the stored body; None if none is stored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A URL seen on a page, in a feed or in the configuration."""

    url_key: str
    url: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """What came of fetching a URL; recorded once its page row is on disk."""

    url_key: str
    url: str
    depth: int
    visited_at: datetime
    status: int | None = None
    error: str | None = None
    digest: str | None = None
    """SHA-256 of the body that is now stored; None if there is none."""
    etag: str | None = None
    last_modified: str | None = None
    unchanged: bool = False
    expanded: bool = False
    """True if the page's links were put in the frontier."""
    has_brought: bool = False
    """True if a link was new."""
    is_outage: bool = False
    """True if the server or the network failed, not the page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UrlInfo:
    """All that is known of one URL, for people."""

    url: str
    url_key: str
    depth: int
    state: State
    reason: str | None
    """Why it is skipped, or what failed at the last visit; None if nothing did."""
    source: str
    referrer: str | None
    first_seen: datetime
    last_seen: datetime
    """When a link to it, or the page itself, was last seen."""
    visited_at: datetime | None
    stored_at: datetime | None
    status: int | None
    due_at: datetime | None


class UrlDatabase:
    """The open URL database of one site; a context manager. Use it from one thread."""

    def __init__(self, path: str | Path, revisit: RevisitConfig | None = None) -> None:
        self._revisit = revisit or RevisitConfig()
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        self.path = str(path)
        self._db = sqlite3.connect(self.path, isolation_level=None)
        self._db.row_factory = sqlite3.Row
        self._db.execute("pragma journal_mode = wal")
        # A killed process loses nothing in WAL mode; `record_visits` asks for more where a
        # power cut would store a page twice.
        self._db.execute("pragma synchronous = normal")
        self._check_format()
        self._db.executescript(_SCHEMA)
        self.twins = Twins(self._db)
        self.endings = Endings(self._db)
        self._run_id = ""
        self._max_depth = 0
        self._level = (0, 0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; what was recorded stays."""
        self._db.close()

    def _check_format(self) -> None:
        found = self._db.execute("pragma user_version").fetchone()[0]
        if found == 1:
            self._db.executescript(f"begin; {_FROM_FORMAT_1} pragma user_version = 2; commit;")
            found = _FORMAT
        if found not in (0, _FORMAT):
            raise ValueError(
                f"{self.path}: expected URL database format {_FORMAT}, got {found}; "
                "it was written by another version: move the file away to start afresh"
            )
        self._db.execute(f"pragma user_version = {_FORMAT}")

    # Runs

    def begin_run(self, run_id: str, now: datetime, *, max_depth: int, scope: str) -> Run:
        """Take up the run that was not finished, else begin `run_id`.

        `scope` tells what decides which links are followed; where it is not that of the last run,
        every page's links are read again. ValueError if `run_id` is finished.
        """
        self._level = (0, 0)
        self._max_depth = max_depth
        open_run = self._db.execute("select * from runs where finished_at is null").fetchone()
        if open_run:
            self._run_id = open_run["run_id"]
            return Run(run_id=self._run_id, started_at=_time(open_run["started_at"]), resumed=True)
        if self._db.execute("select 1 from runs where run_id = ?", (run_id,)).fetchone():
            raise ValueError(f"run id: expected a new one, got {run_id!r}, a finished run")
        last = self._db.execute("select scope from runs order by rowid desc").fetchone()
        with self._transaction():
            if last and last["scope"] != scope:
                self._db.execute("update urls set expanded = 0")
            self._db.execute(
                "insert into runs (run_id, started_at, scope) values (?, ?, ?)",
                (run_id, _text(now), scope),
            )
            self._plan_visits(run_id, now, max_depth)
        self._run_id = run_id
        return Run(run_id=run_id, started_at=now, resumed=False)

    def _plan_visits(self, run_id: str, now: datetime, max_depth: int) -> None:
        """Put known URLs in the frontier: those not stored, and, if none of them was left over by
        the run before, which spent its budget, those worth another visit."""
        has_left_over = self._db.execute(
            "select 1 from urls where state = 'pending' and stored_at is null and depth <= ? "
            "limit 1",
            (max_depth,),
        ).fetchone()
        self._db.execute(
            """update urls set state = 'pending', reason = null, run_id = ?1
            where depth <= ?2 and (due_at is null or due_at <= ?3 or due_at > ?5)
            and (stored_at is null or (expanded = 0 and depth < ?2)
                or (not ?4 and iif(most_visits is null, depth < ?2, visits < most_visits)))""",
            (run_id, max_depth, _text(now), has_left_over is not None, self._latest(now)),
        )
        # Beyond the depth that is set now: known, but not wanted.
        self._db.execute(
            "update urls set state = 'skipped', reason = ? where state = 'pending' and depth > ?",
            (TOO_DEEP, max_depth),
        )

    def _latest(self, now: datetime) -> str:
        """What is due after this is due now: a clock was ahead when that was reckoned."""
        return _text(now + longest_pause(self._revisit))

    def bound_visits(self, articles: Iterable[tuple[str, int]]) -> None:
        """Say how often these URLs are visited in all, and that no other has such a bound."""
        with self._transaction():
            self._db.execute("update urls set most_visits = null where most_visits is not null")
            self._db.executemany("update urls set most_visits = ?2 where url_key = ?1", articles)

    def finish_run(self, now: datetime) -> None:
        """The frontier is empty and all pages are on disk."""
        self._db.execute(
            "update runs set finished_at = ? where run_id = ?", (_text(now), self._run_id)
        )

    def is_finished(self, run_id: str) -> bool:
        """True if a run of this name came to its end."""
        row = self._db.execute(
            "select 1 from runs where run_id = ? and finished_at is not null", (run_id,)
        ).fetchone()
        return row is not None

    def pending_count(self) -> int:
        """Number of URLs still to be fetched."""
        row = self._db.execute("select count(*) from urls where state = 'pending'").fetchone()
        return int(row[0])

    # The frontier

    def add_seeds(self, seeds: Iterable[Found], now: datetime) -> int:
        """Put seeds in the frontier at depth 0, always due in a new run; how many were new."""
        return self._add(seeds, depth=0, referrer=None, now=now, always_due=True)

    def add_links(
        self, links: Iterable[Found], depth: int, referrer: str | None, now: datetime
    ) -> int:
        """Put URLs found on a page in the frontier at `depth`; how many were new."""
        return self._add(links, depth=depth, referrer=referrer, now=now, always_due=False)

    def add_beyond(
        self, links: Iterable[Found], depth: int, referrer: str | None, now: datetime
    ) -> None:
        """Note URLs that lie deeper than a run of this depth goes. They belong to no run: one that
        comes upon them nearer, or goes deeper, fetches them."""
        times = (_text(now), _text(now))
        with self._transaction():
            for each in links:
                self._db.execute(
                    """insert into urls (url_key, url, depth, state, reason, source, referrer,
                        run_id, first_seen, last_seen)
                    values (?, ?, ?, 'skipped', ?, ?, ?, '', ?, ?)
                    on conflict (url_key) do update
                        set last_seen = excluded.last_seen, depth = min(depth, excluded.depth)""",
                    (each.url_key, each.url, depth, TOO_DEEP, each.source, referrer, *times),
                )

    def beyond_depth(self) -> int:
        """Number of URLs that are known and never fetched, for they lie too deep."""
        row = self._db.execute(
            "select count(*) from urls where state = 'skipped' and reason = ? "
            "and stored_at is null",
            (TOO_DEEP,),
        ).fetchone()
        return int(row[0])

    def has_found(self) -> bool:
        """Whether any URL is known but the start URLs and what they redirect to."""
        row = self._db.execute(
            "select 1 from urls where source not in ('seed', 'redirect') limit 1"
        ).fetchone()
        return row is not None

    def led_to_a_page(self, url_key: str) -> bool:
        """Whether the last visit of a URL was redirected to a page of the site."""
        row = self._db.execute(
            "select 1 from urls where url_key = ? and reason like 'redirects to %'", (url_key,)
        ).fetchone()
        return row is not None

    def _add(
        self,
        found: Iterable[Found],
        *,
        depth: int,
        referrer: str | None,
        now: datetime,
        always_due: bool,
    ) -> int:
        times = (_text(now), _text(now))
        latest = self._latest(now)
        added = 0
        with self._transaction():
            for each in found:
                cursor = self._db.execute(
                    """insert into urls (url_key, url, depth, state, source, referrer, run_id,
                        first_seen, last_seen)
                    values (?, ?, ?, 'pending', ?, ?, ?, ?, ?) on conflict do nothing""",
                    (each.url_key, each.url, depth, each.source, referrer, self._run_id, *times),
                )
                added += cursor.rowcount
                if not cursor.rowcount:
                    self._see_again(each, depth, times[0], latest, always_due)
        return added

    def _see_again(
        self, found: Found, depth: int, moment: str, latest: str, always_due: bool
    ) -> None:
        """A known URL was seen; it is wanted after all if it is a seed, or nearer than before."""
        self._db.execute("update urls set last_seen = ? where url_key = ?", (moment, found.url_key))
        # Where later ones of its new depth are handed out already, a new id puts it behind them.
        self._db.execute(
            """update urls set depth = ?1,
                id = iif(?1 = ?3 and id <= ?4, (select max(id) + 1 from urls), id)
            where url_key = ?2 and depth > ?1""",
            (depth, found.url_key, *self._level),
        )
        self._db.execute(
            """update urls set state = 'pending', reason = null, run_id = ?1
            where url_key = ?2 and run_id <> ?1 and (?3 or (
                (stored_at is null or (expanded = 0 and depth < ?4))
                and (due_at is null or due_at <= ?5 or due_at > ?6)))""",
            (self._run_id, found.url_key, always_due, self._max_depth, moment, latest),
        )

    def next_entries(self, limit: int) -> list[FrontierEntry]:
        """The next URLs of the lowest depth that has any not yet handed out; [] if there is none.

        The caller asks for the next depth only when the links of all pages of this one are added:
        then a URL's depth is its distance from the seeds, whatever order pages arrive in.
        """
        depth, last_id = self._level
        rows = self._db.execute(
            "select * from urls where state = 'pending' and depth = ? and id > ? "
            "order by id limit ?",
            (depth, last_id, limit),
        ).fetchall()
        if rows:
            self._level = (depth, rows[-1]["id"])
        return [self._entry(row) for row in rows]

    def next_level(self) -> bool:
        """Go on to the next depth with pending URLs; False if there is none."""
        depth, _ = self._level
        row = self._db.execute(
            "select min(depth) from urls where state = 'pending' and depth > ?", (depth,)
        ).fetchone()
        if row[0] is None:
            return False
        self._level = (row[0], 0)
        return True

    def _entry(self, row: sqlite3.Row) -> FrontierEntry:
        is_known = bool(row["expanded"]) or row["depth"] >= self._max_depth
        return FrontierEntry(
            url_key=row["url_key"],
            url=row["url"],
            depth=row["depth"],
            referrer=row["referrer"],
            etag=row["etag"] if is_known else None,
            last_modified=row["last_modified"] if is_known else None,
            digest=row["digest"],
        )

    def is_visited(self, url_key: str) -> bool:
        """True if this run has visited the URL and its page is on disk."""
        return self._state_in_run(url_key) == "done"

    def is_settled(self, url_key: str) -> bool:
        """True if this run has visited the URL, or leaves it to the next one."""
        return self._state_in_run(url_key) not in (None, "pending")

    def _state_in_run(self, url_key: str) -> str | None:
        """The state that this run left the URL in; None if it did not come upon it."""
        row = self._db.execute(
            "select state from urls where url_key = ? and run_id = ?", (url_key, self._run_id)
        ).fetchone()
        return row["state"] if row else None

    def digest(self, url_key: str) -> str | None:
        """SHA-256 of the body stored for a URL; None if none is stored."""
        row = self._db.execute("select digest from urls where url_key = ?", (url_key,)).fetchone()
        return row["digest"] if row else None

    # Outcomes

    def record_visits(self, visits: Sequence[Visit]) -> None:
        """Mark URLs done; durable when this returns. Their page rows must be on disk already."""
        # Without the fsync a power cut could forget a visit whose page is on disk.
        self._db.execute("pragma synchronous = full")
        try:
            with self._transaction():
                for visit in visits:
                    self._record_visit(visit)
        finally:
            self._db.execute("pragma synchronous = normal")

    def _record_visit(self, visit: Visit) -> None:
        row = self._db.execute(
            "select visits, most_visits, pause_hours from urls where url_key = ?", (visit.url_key,)
        ).fetchone()
        if row is None:
            row = self._insert_target(visit)
        is_new = visit.digest is not None and not visit.unchanged
        pause = self._pause(visit, row)
        moment = _text(visit.visited_at)
        self._db.execute(
            """update urls set state = 'done', reason = :reason, run_id = :run_id,
                visited_at = :moment, last_seen = :moment, status = :status,
                stored_at = iif(:is_new, :moment, stored_at), digest = coalesce(:digest, digest),
                etag = iif(:unchanged, coalesce(:etag, etag), :etag),
                last_modified = iif(:unchanged, coalesce(:modified, last_modified), :modified),
                expanded = :expanded or (:unchanged and expanded),
                visits = visits + :has_come, pause_hours = :pause, due_at = :due_at
            where url_key = :url_key""",
            {
                "url_key": visit.url_key,
                "reason": visit.error,
                "run_id": self._run_id,
                "moment": moment,
                "status": visit.status,
                "is_new": is_new,
                "digest": visit.digest,
                "unchanged": visit.unchanged,
                "etag": visit.etag,
                "modified": visit.last_modified,
                "expanded": visit.expanded,
                "has_come": visit.error is None,
                "pause": pause,
                "due_at": None
                if pause is None
                else _text(visit.visited_at + timedelta(hours=pause)),
            },
        )

    def _pause(self, visit: Visit, known: Mapping[str, Any]) -> float | None:
        """Hours until the next visit; None after the first, for all links were new: the next run
        sees what the page brings."""
        if visit.error is None and not known["visits"]:
            return None
        is_article = visit.error is None and known["most_visits"] is not None
        return pause_hours(
            self._revisit,
            known["pause_hours"],
            has_brought=visit.has_brought,
            is_article=is_article,
            is_outage=visit.is_outage,
        )

    def _insert_target(self, visit: Visit) -> dict[str, Any]:
        """A URL that was reached by a redirect and is linked from nowhere."""
        moment = _text(visit.visited_at)
        self._db.execute(
            """insert into urls (url_key, url, depth, state, source, run_id, first_seen, last_seen)
            values (?, ?, ?, 'done', 'redirect', ?, ?, ?)""",
            (visit.url_key, visit.url, visit.depth, self._run_id, moment, moment),
        )
        return {"visits": 0, "most_visits": None, "pause_hours": None}

    def failed_before(self, now: datetime, within: timedelta) -> Iterator[tuple[int | None, str]]:
        """Status and error of pages that were never stored, failed in an earlier run, and are due
        only later, but within so long."""
        rows = self._db.execute(
            """select status, reason from urls where state = 'done' and reason is not null
            and stored_at is null and run_id <> ? and due_at > ? and due_at <= ?""",
            (self._run_id, _text(now), _text(now + within)),
        )
        for row in rows:
            yield row["status"], row["reason"]

    def skip(self, url_key: str, reason: str) -> None:
        """The URL is not fetched in this run, for `reason`; the next run tries again."""
        self._db.execute(
            "update urls set state = 'skipped', reason = ?, run_id = ? where url_key = ?",
            (reason, self._run_id, url_key),
        )

    def skip_twin(self, url_key: str) -> bool:
        """Whether another address says what this one says: then it is skipped in this run."""
        twin = self.twins.of(url_key)
        if twin:
            self.skip(url_key, SAYS_THE_SAME + twin)
        return twin is not None

    # For people

    def list_urls(
        self, *, state: State | None = None, pattern: str | None = None, limit: int = -1
    ) -> Iterator[UrlInfo]:
        """Known URLs, most recently seen first; `pattern` is a GLOB on the URL."""
        rows = self._db.execute(
            """select * from urls where (?1 is null or state = ?1) and (?2 is null or url glob ?2)
            order by last_seen desc, id limit ?3""",
            (state, pattern, limit),
        )
        for row in rows:
            yield _info(row)

    def find(self, url_key: str) -> UrlInfo | None:
        """What is known of one URL; None if it was never seen."""
        row = self._db.execute("select * from urls where url_key = ?", (url_key,)).fetchone()
        return _info(row) if row else None

    def counts(self) -> dict[str, int]:
        """Number of URLs per state."""
        rows = self._db.execute("select state, count(*) from urls group by state order by state")
        return dict(tuple(row) for row in rows)

    def expire(self, before: datetime) -> int:
        """Remove URLs last seen before a moment; how many."""
        cursor = self._db.execute("delete from urls where last_seen < ?", (_text(before),))
        return cursor.rowcount

    def forget(self, keys: Iterable[str]) -> None:
        """Forget what came of URLs, so that they wait to be fetched as new.

        One that an unfinished run has fetched waits for the run after it: a run stores a page once.
        """
        # The rows stay: a page that links to them may be unchanged, and its links not read again.
        row = self._db.execute("select run_id from runs where finished_at is null").fetchone()
        open_run = row["run_id"] if row else None
        with self._transaction():
            self._db.executemany(
                """update urls set visited_at = null, stored_at = null, status = null, etag = null,
                    last_modified = null, digest = null, expanded = 0, visits = 0,
                    pause_hours = null, due_at = null,
                    state = iif(state = 'done' and run_id = ?1, 'skipped', 'pending'),
                    reason = iif(state = 'done' and run_id = ?1, 'forgotten', null)
                where url_key = ?2""",
                ((open_run, key) for key in keys),
            )

    def remove(self, keys: Iterable[str]) -> None:
        """Remove URLs, as if they were never seen."""
        with self._transaction():
            self._db.executemany("delete from urls where url_key = ?", ((key,) for key in keys))

    def _transaction(self) -> _Transaction:
        return _Transaction(self._db)


class _Transaction:
    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def __enter__(self) -> None:
        self._db.execute("begin immediate")

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                self._db.execute("commit")
        finally:
            # Still open if the commit failed too; closed already where SQLite itself gave up.
            if self._db.in_transaction:
                self._db.execute("rollback")


def _text(moment: datetime) -> str:
    """Fixed width UTC, so that text order is time order.

    >>> _text(datetime(987, 6, 5, tzinfo=UTC))
    '0987-06-05T00:00:00.000000Z'
    """
    # Not strftime: on Linux its %Y has fewer digits before the year 1000.
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _info(row: sqlite3.Row) -> UrlInfo:
    def moment(name: str) -> datetime | None:
        return _time(row[name]) if row[name] else None

    values: dict[str, Any] = {
        name: row[name]
        for name in ("url", "url_key", "depth", "state", "reason", "source", "referrer", "status")
    }
    return UrlInfo(
        **values,
        first_seen=_time(row["first_seen"]),
        last_seen=_time(row["last_seen"]),
        visited_at=moment("visited_at"),
        stored_at=moment("stored_at"),
        due_at=moment("due_at"),
    )
