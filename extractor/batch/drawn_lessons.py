"""What the drawn pages of a learned site teach: their articles are the texts."""

from __future__ import annotations

from collections.abc import Iterator

from crawler.storage.drawings import last_drawings, read_drawings
from crawler.storage.partitions import Storage
from crawler.storage.records import rows_of
from extractor.records.articles import Status
from learner.site.sampling import evenly_spaced
from learner.vision.candidates.lessons import DrawnLesson

_ARTICLES = [("status", "==", Status.OK.value)]


def drawn_lessons(storage: Storage, site: str, most: int) -> Iterator[DrawnLesson]:
    """A lesson for each of some pages that are drawn with their style sheets and that the patterns
    of the site read."""
    texts = {
        row["url_key"]: row["body"]
        for row in rows_of(
            storage.read("articles", site, columns=("url_key", "body"), filters=_ARTICLES)
        )
        if row["body"]
    }
    drawn = {
        each.url_key: each
        for each in last_drawings(storage, site)
        if each.styled and each.url_key in texts
    }
    chosen = evenly_spaced(sorted(drawn), most) if drawn else ()
    for each in read_drawings(storage, site, [drawn[key] for key in chosen]):
        yield DrawnLesson(
            site=site,
            url=each.drawing.url,
            body=texts[each.drawing.url_key],
            snapshot=each.snapshot,
            picture=each.picture,
        )
