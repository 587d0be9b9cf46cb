"""Drawn pages of a site out of its tables, each with its document and its picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from crawler.reading.html import decode_html
from crawler.storage.drawings import AT_A_TIME, Drawing, read_drawings
from crawler.storage.partitions import Storage
from crawler.storage.records import rows_of
from learner.labels.going_out import DrawnPage

_BOM = b"\xef\xbb\xbf"


def drawn_pages(storage: Storage, site: str, drawings: Sequence[Drawing]) -> Iterator[DrawnPage]:
    """The pages of some drawings; one without a picture is left out."""
    for start in range(0, len(drawings), AT_A_TIME):
        chosen = drawings[start : start + AT_A_TIME]
        documents = _documents(storage, site, chosen)
        for drawn in read_drawings(storage, site, chosen):
            each = drawn.drawing
            if drawn.picture is not None:
                yield DrawnPage(
                    site=site,
                    url=each.url,
                    url_key=each.url_key,
                    run_id=each.run_id,
                    rendered_at=each.rendered_at.isoformat(),
                    html=documents.get((each.run_id, each.url_key)),
                    snapshot=drawn.snapshot,
                    picture=drawn.picture,
                )


def _documents(
    storage: Storage, site: str, drawings: Sequence[Drawing]
) -> dict[tuple[str, str], bytes]:
    """Run and key of each page that is stored with its document, and this in UTF-8."""
    days = [each.day for each in drawings]
    wanted = [("url_key", "in", sorted({each.url_key for each in drawings}))]
    columns = ("run_id", "url_key", "html", "charset")
    return {
        (row["run_id"], row["url_key"]): as_utf8(row["html"], row["charset"])
        for row in rows_of(storage.read("pages", site, min(days), max(days), columns, wanted))
        if row["html"] is not None
    }


def as_utf8(html: bytes, charset: str | None) -> bytes:
    """A page in UTF-8 with a byte order mark, which counts for more than what it declares.

    >>> as_utf8(b"<meta charset=latin-1>caf\\xe9", "latin-1")[-5:]
    b'caf\\xc3\\xa9'
    """
    return _BOM + decode_html(html, charset).encode("utf-8", "replace")
