"""Drawn pages of a site out of its tables, each with its document and its picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from crawler.reading.html import decode_html
from crawler.storage.partitions import Storage
from crawler.storage.records import rows_of
from crawler.storage.rendered import SCREENSHOTS, SNAPSHOTS
from learner.labels.going_out import DrawnPage

AT_A_TIME = 20
"""Pages that are held together. Origin: guess, 10 MB with their pictures."""

_KEYS = ("run_id", "url_key", "rendered_at")
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A row of `snapshots` and that of `screenshots` which belongs to it."""

    url: str
    run_id: str
    url_key: str
    rendered_at: datetime


def newest_drawn(
    storage: Storage, site: str, since: date | None = None, until: date | None = None
) -> list[Drawing]:
    """Each page that was drawn with its style sheets, as it was drawn last, the last drawn first;
    only pages of these days."""
    newest: dict[str, Drawing] = {}
    for row in rows_of(storage.read(SNAPSHOTS, site, since, until, (*_KEYS, "url", "styled"))):
        known = newest.get(row["url_key"])
        if row.pop("styled") and (known is None or known.rendered_at < row["rendered_at"]):
            newest[row["url_key"]] = Drawing(**row)
    return sorted(newest.values(), key=lambda each: each.rendered_at, reverse=True)


def drawn_pages(
    storage: Storage,
    site: str,
    drawings: Sequence[Drawing],
    since: date | None = None,
    until: date | None = None,
) -> Iterator[DrawnPage]:
    """The pages of some drawings of these days; one without a picture is left out."""
    for start in range(0, len(drawings), AT_A_TIME):
        yield from _read(_Table(storage, site, since, until), drawings[start : start + AT_A_TIME])


@dataclass(frozen=True, slots=True)
class _Table:
    """Reads rows of a site and some days."""

    storage: Storage
    site: str
    since: date | None
    until: date | None

    def rows(
        self, name: str, columns: Sequence[str], keys: Iterable[str]
    ) -> Iterator[dict[str, Any]]:
        only = [("url_key", "in", sorted(keys))]
        yield from rows_of(
            self.storage.read(name, self.site, self.since, self.until, columns, only)
        )


def _read(table: _Table, drawings: Sequence[Drawing]) -> Iterator[DrawnPage]:
    keys = {each.url_key for each in drawings}

    def stored(name: str, column: str) -> dict[tuple[str, str, datetime], bytes]:
        rows = table.rows(name, (*_KEYS, column), keys)
        return {(r["run_id"], r["url_key"], r["rendered_at"]): r[column] for r in rows}

    snapshots, pictures = stored(SNAPSHOTS, "snapshot"), stored(SCREENSHOTS, "picture")
    documents = {
        (row["run_id"], row["url_key"]): as_utf8(row["html"], row["charset"])
        for row in table.rows("pages", ("run_id", "url_key", "html", "charset"), keys)
        if row["html"] is not None
    }
    for each in drawings:
        key = each.run_id, each.url_key, each.rendered_at
        if key in snapshots and key in pictures:
            yield DrawnPage(
                site=table.site,
                url=each.url,
                url_key=each.url_key,
                run_id=each.run_id,
                rendered_at=each.rendered_at.isoformat(),
                html=documents.get((each.run_id, each.url_key)),
                snapshot=snapshots[key],
                picture=pictures[key],
            )


def as_utf8(html: bytes, charset: str | None) -> bytes:
    """A page in UTF-8 with a byte order mark, which counts for more than what it declares.

    >>> as_utf8(b"<meta charset=latin-1>caf\\xe9", "latin-1")[-5:]
    b'caf\\xc3\\xa9'
    """
    return _BOM + decode_html(html, charset).encode("utf-8", "replace")
