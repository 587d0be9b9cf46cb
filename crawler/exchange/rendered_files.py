"""Drawn pages as files for other programs: `dom.json` and `screenshot.jpeg`, a folder a page."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from datetime import date
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit

from crawler.storage.outfile import whole_file
from crawler.storage.partitions import Storage
from crawler.storage.rendered import SCREENSHOTS, SNAPSHOTS

LONGEST_NAME = 60
"""Letters of the address in a folder's name: what shells and file managers show in a line."""

_NO_LETTERS = re.compile(r"[^a-z0-9]+")


def write_page(folder: Path, url: str, snapshot: bytes | None, picture: bytes | None) -> Path:
    """Write one page below `folder`, whatever of it there is; its own folder.

    `dom.json` is the answer of Chromium's DOMSnapshot.captureSnapshot, unpacked.
    """
    own = folder / folder_name(url)
    own.mkdir(parents=True, exist_ok=True)
    files = {
        "dom.json": gzip.decompress(snapshot) if snapshot else None,
        "screenshot.jpeg": picture,
    }
    for name, data in files.items():
        if data is not None:
            with whole_file(own / name) as hidden:
                hidden.write_bytes(data)
    return own


def folder_name(url: str) -> str:
    """Letters of the address, and a number that tells it from all others.

    >>> folder_name("https://example.org/../2026/Rain?a=1")
    'example-org-2026-rain-7f2e0e5d'
    """
    parts = urlsplit(url)
    said = _NO_LETTERS.sub("-", f"{parts.hostname or 'file'}{parts.path}".lower())
    number = sha256(url.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{said[:LONGEST_NAME].strip('-')}-{number}"


def write_stored_pages(
    storage: Storage, site: str, folder: Path, since: date | None, until: date | None
) -> int:
    """Write the stored pages of these days, each as it was drawn last; how many."""
    written = set()
    for url, snapshot in _latest(storage, SNAPSHOTS, "snapshot", site, since, until):
        write_page(folder, url, snapshot, None)
        written.add(url)
    for url, picture in _latest(storage, SCREENSHOTS, "picture", site, since, until):
        write_page(folder, url, None, picture)
    return len(written)


def _latest(
    storage: Storage, table: str, column: str, site: str, since: date | None, until: date | None
) -> Iterator[tuple[str, bytes]]:
    """Address and bytes of each row, of one address the last one last."""
    for day in storage.dates(table, site):
        columns = ("url", "rendered_at", column)
        for batch in storage.read(table, site, day, day, columns):
            if (since is None or day >= since) and (until is None or day <= until):
                rows = sorted(batch.to_pylist(), key=lambda row: row["rendered_at"])
                yield from ((row["url"], row[column]) for row in rows)
