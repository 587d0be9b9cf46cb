"""The drawings of a site's pages out of the tables `snapshots` and `screenshots`: which one counts,
and what it holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from crawler.storage.partitions import Storage
from crawler.storage.records import rows_of
from crawler.storage.rendered import SCREENSHOTS, SNAPSHOTS

AT_A_TIME = 20
"""Drawings that are held together. Origin: guess, 10 MB with their pictures."""

_KEYS = ("run_id", "url_key", "rendered_at")


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A row of `snapshots` without its bytes."""

    url: str
    day: date
    """The partition that it stands in: the day of the page's row."""
    run_id: str
    url_key: str
    rendered_at: datetime
    styled: bool
    """Whether its style sheets were there."""

    @property
    def key(self) -> tuple[str, str, datetime]:
        """What the two rows of a drawing have in common."""
        return self.run_id, self.url_key, self.rendered_at

    @property
    def rank(self) -> tuple[bool, datetime, str]:
        """The greatest of a page's drawings is the one that counts."""
        return self.styled, self.rendered_at, self.run_id


@dataclass(frozen=True, slots=True)
class Drawn:
    """A drawing with its bytes."""

    drawing: Drawing
    snapshot: bytes
    """As stored, gzip'd."""
    picture: bytes | None
    """Of the same drawing; None if there is none."""


def last_drawings(
    storage: Storage, site: str, since: date | None = None, until: date | None = None
) -> list[Drawing]:
    """The drawing that counts of each page that was drawn on these days, the last drawn first.

    It is the last one with its style sheets: a later one without them tells of a bad moment of the
    server, and its boxes mean nothing. Only where there is none it is the last without.
    """
    columns = ("date", *_KEYS, "url", "styled")
    found: dict[str, Drawing] = {}
    for row in rows_of(storage.read(SNAPSHOTS, site, since, until, columns)):
        drawing = Drawing(day=row.pop("date"), **row)
        known = found.get(drawing.url_key)
        if known is None or known.rank < drawing.rank:
            found[drawing.url_key] = drawing
    return sorted(found.values(), key=lambda each: each.rendered_at, reverse=True)


def read_drawings(storage: Storage, site: str, drawings: Sequence[Drawing]) -> Iterator[Drawn]:
    """The bytes of some drawings of a site, in their order; one that is gone is left out."""
    for start in range(0, len(drawings), AT_A_TIME):
        chosen = drawings[start : start + AT_A_TIME]
        snapshots = _bytes_of(storage, SNAPSHOTS, "snapshot", site, chosen)
        pictures = _bytes_of(storage, SCREENSHOTS, "picture", site, chosen)
        for each in chosen:
            if each.key in snapshots:
                yield Drawn(each, snapshots[each.key], pictures.get(each.key))


def _bytes_of(
    storage: Storage, table: str, column: str, site: str, drawings: Sequence[Drawing]
) -> dict[tuple[str, str, datetime], bytes]:
    wanted = {each.key for each in drawings}
    days = [each.day for each in drawings]
    pages = [("url_key", "in", sorted({each.url_key for each in drawings}))]
    rows = rows_of(storage.read(table, site, min(days), max(days), (*_KEYS, column), pages))
    found = ((tuple(row[key] for key in _KEYS), row[column]) for row in rows)
    return {key: data for key, data in found if key in wanted}
