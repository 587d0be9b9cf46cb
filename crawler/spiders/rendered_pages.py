"""Stored pages that are to be drawn, and what was drawn, into the tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime

from crawler.fetching.browser.answers import Answer, Asked, html_type
from crawler.fetching.browser.drawing import Outcome, Rendered, render_all
from crawler.storage.partitions import Storage
from crawler.storage.records import records_to_table, rows_of
from crawler.storage.rendered import (
    SCREENSHOT_SCHEMA,
    SCREENSHOTS,
    SNAPSHOT_SCHEMA,
    SNAPSHOTS,
    ScreenshotRecord,
    SnapshotRecord,
)

FLUSH_BYTES = 16 * 2**20
"""Bytes of pictures and snapshots after which a part is written. Origin: as for pages."""

AT_A_TIME = 50
"""Pages whose bodies are read together. Origin: guess, 5 MB."""

_KEYS = ("run_id", "url_key")


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnPage:
    """A page that is to be drawn, or was."""

    run_id: str
    url_key: str
    url: str
    """Where its document came from."""
    day: date
    """Of the partition."""
    document: Answer = field(repr=False)


def pages_to_draw(
    storage: Storage,
    site: str,
    since: date | None = None,
    until: date | None = None,
    most: int | None = None,
) -> Iterator[DrawnPage]:
    """The stored pages of these days that are not drawn yet, each in its newest version, the newest
    first, at most `most`."""
    chosen = _newest(storage, site, since, until)
    for key in rows_of(storage.read(SNAPSHOTS, site, since, until, _KEYS)):
        chosen.pop((key["run_id"], key["url_key"]), None)
    wanted = sorted(chosen, key=lambda key: chosen[key], reverse=True)[:most]
    for start in range(0, len(wanted), AT_A_TIME):
        some = set(wanted[start : start + AT_A_TIME])
        yield from _with_documents(storage, site, since, until, some)


def _newest(
    storage: Storage, site: str, since: date | None, until: date | None
) -> dict[tuple[str, str], datetime]:
    """Run and key of each page's newest row with a body, and when it was fetched."""
    columns = (*_KEYS, "fetched_at", "body_len", "unchanged", "error")
    newest: dict[str, tuple[datetime, str]] = {}
    for row in rows_of(storage.read("pages", site, since, until, columns)):
        if row["body_len"] and not row["unchanged"] and row["error"] is None:
            found = (row["fetched_at"], row["run_id"])
            newest[row["url_key"]] = max(found, newest.get(row["url_key"], found))
    return {(run_id, key): at for key, (at, run_id) in newest.items()}


def _with_documents(
    storage: Storage,
    site: str,
    since: date | None,
    until: date | None,
    wanted: set[tuple[str, str]],
) -> Iterator[DrawnPage]:
    columns = (*_KEYS, "final_url", "html", "charset", "rendered", "date")
    keys = sorted({key for _, key in wanted})
    for row in rows_of(
        storage.read("pages", site, since, until, columns, [("url_key", "in", keys)])
    ):
        if (row["run_id"], row["url_key"]) in wanted and row["html"] is not None:
            yield DrawnPage(
                run_id=row["run_id"],
                url_key=row["url_key"],
                url=row["final_url"],
                day=row["date"],
                document=Answer(
                    body=row["html"],
                    content_type=html_type(row["charset"] or "utf-8"),
                    has_scripts=not row["rendered"],
                ),
            )


Sink = Callable[[DrawnPage, Outcome], None]
"""Takes what came of each page."""


def draw_offline(pages: Iterable[DrawnPage], sink: Sink) -> None:
    """Draw pages from their documents alone; all that they refer to is refused."""
    waiting: list[DrawnPage] = []

    def addresses() -> Iterator[str]:
        for page in pages:
            waiting.append(page)
            yield page.url

    async def answer(asked: Asked) -> Answer | None:
        is_document = asked.kind == "document"
        found = (each.document for each in waiting if is_document and each.url == asked.url)
        return next(found, None)

    for outcome in render_all(addresses(), answer):
        sink(waiting.pop(0), outcome)


class DrawnRows:
    """Rows of drawn pages on their way into the tables; `flush` writes what is left."""

    def __init__(self, storage: Storage, site: str) -> None:
        self._storage = storage
        self._site = site
        self._forget()

    def _forget(self) -> None:
        self._size = 0
        self._snapshots: defaultdict[date, list[SnapshotRecord]] = defaultdict(list)
        self._screenshots: defaultdict[date, list[ScreenshotRecord]] = defaultdict(list)

    def add(self, page: DrawnPage, drawn: Rendered) -> None:
        """Keep what was drawn of a page."""
        now = datetime.now(UTC)
        width, height = drawn.viewport
        snapshot = SnapshotRecord(
            run_id=page.run_id,
            url_key=page.url_key,
            url=page.url,
            rendered_at=now,
            viewport_width=width,
            viewport_height=height,
            styled=drawn.styled,
            snapshot=drawn.snapshot,
        )
        self._snapshots[page.day].append(snapshot)
        self._size += len(drawn.snapshot)
        if drawn.picture is not None:
            screenshot = ScreenshotRecord(
                run_id=page.run_id,
                url_key=page.url_key,
                url=page.url,
                rendered_at=now,
                media_type="image/jpeg",
                picture=drawn.picture,
            )
            self._screenshots[page.day].append(screenshot)
            self._size += len(drawn.picture)
        if self._size >= FLUSH_BYTES:
            self.flush()

    def flush(self) -> None:
        """Write a part for each day; screenshots first, for a page with a snapshot is done."""
        for day, pictures in self._screenshots.items():
            rows = records_to_table(pictures, SCREENSHOT_SCHEMA)
            self._storage.write_part(SCREENSHOTS, self._site, day, rows)
        for day, snapshots in self._snapshots.items():
            rows = records_to_table(snapshots, SNAPSHOT_SCHEMA)
            self._storage.write_part(SNAPSHOTS, self._site, day, rows)
        self._forget()
