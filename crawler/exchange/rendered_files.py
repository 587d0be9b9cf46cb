"""Drawn pages as files for other programs: `dom.json` and `screenshot.jpeg`, a folder a page."""

from __future__ import annotations

import gzip
import re
from datetime import date
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit

from crawler.storage.drawings import last_drawings, read_drawings
from crawler.storage.outfile import whole_file
from crawler.storage.partitions import Storage

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
    """Write the drawn pages of these days, each once; how many."""
    n_written = 0
    for drawn in read_drawings(storage, site, last_drawings(storage, site, since, until)):
        write_page(folder, drawn.drawing.url, drawn.snapshot, drawn.picture)
        n_written += 1
    return n_written
