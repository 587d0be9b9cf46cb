"""What the drawn pages of a learned site teach: their articles are the texts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from crawler.storage.partitions import Storage
from crawler.storage.records import rows_of
from crawler.storage.rendered import SCREENSHOTS, SNAPSHOTS
from extractor.records.articles import Status
from learner.site.sampling import evenly_spaced
from learner.vision.candidates.lessons import DrawnLesson

_ARTICLES = [("status", "==", Status.OK.value)]


def drawn_lessons(storage: Storage, site: str, most: int) -> Iterator[DrawnLesson]:
    """A lesson for each of some pages that are drawn with their style sheets and that the patterns
    of the site read; of several drawings the last."""
    texts = {
        row["url_key"]: row["body"]
        for row in rows_of(
            storage.read("articles", site, columns=("url_key", "body"), filters=_ARTICLES)
        )
        if row["body"]
    }
    drawn = _latest(storage, SNAPSHOTS, site, ("url_key", "rendered_at", "styled", "url"), texts)
    keys = sorted(key for key, row in drawn.items() if row["styled"])
    chosen = set(evenly_spaced(keys, most)) if keys else set()
    snapshots = _latest(storage, SNAPSHOTS, site, ("url_key", "rendered_at", "snapshot"), chosen)
    pictures = _latest(storage, SCREENSHOTS, site, ("url_key", "rendered_at", "picture"), chosen)
    for key in sorted(chosen):
        yield DrawnLesson(
            site=site,
            url=drawn[key]["url"],
            body=texts[key],
            snapshot=snapshots[key]["snapshot"],
            picture=pictures[key]["picture"] if key in pictures else None,
        )


def _latest(
    storage: Storage, table: str, site: str, columns: tuple[str, ...], keys: Any
) -> dict[str, dict[str, Any]]:
    """The last row of each of these pages."""
    found: dict[str, dict[str, Any]] = {}
    if not keys:
        return found
    wanted = [("url_key", "in", sorted(keys))]
    for row in rows_of(storage.read(table, site, columns=columns, filters=wanted)):
        known = found.get(row["url_key"])
        if known is None or row["rendered_at"] >= known["rendered_at"]:
            found[row["url_key"]] = row
    return found
