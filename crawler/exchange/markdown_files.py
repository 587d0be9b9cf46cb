"""Articles as Markdown files with front matter, as static sites, note takers and indexers read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow as pa

from crawler.storage.outfile import whole_file

LONGEST_NAME = 50
"""Letters of the title in a file's name: of four bytes each they fit what file systems take."""

HEAD = {
    "title": "title",
    "date": "date_published",
    "lastmod": "date_modified",
    "authors": "authors",
    "url": "url",
    "site": "site",
    "site_name": "site_name",
    "section": "section",
    "tags": "tags",
    "language": "language",
    "description": "description",
    "image": "image",
}
"""Names of the front matter, as static sites know them, and the columns that they have."""

_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")
"""Signs that YAML wants escaped."""
_NO_LETTERS = re.compile(r"[\W_]+")


def write_markdown_files(batches: Iterable[pa.RecordBatch], folder: Path) -> int:
    """A file for each article: `FOLDER/<site>/<year>/<day>-<title>-<number>.md`; how many. A file
    that is there and says the same stays as it is."""
    count = 0
    for batch in batches:
        for row in batch.to_pylist():
            path = folder / row["site"] / file_name(row)
            text = "".join(markdown_file(row))
            if not path.is_file() or path.read_text("utf-8") != text:
                path.parent.mkdir(parents=True, exist_ok=True)
                with whole_file(path) as hidden:
                    hidden.write_text(text, "utf-8")
            count += 1
    return count


def file_name(row: Mapping[str, Any]) -> str:
    """Year, day, letters of the title, and a number that tells it from all others of the site.

    >>> file_name({"title": "It rains: ../etc", "date_published": None, "url_key": "a"})
    'undated/it-rains-etc-ca978112.md'
    """
    published: datetime | None = row["date_published"]
    name = _NO_LETTERS.sub("-", (row["title"] or "").casefold())[:LONGEST_NAME].strip("-")
    number = sha256(row["url_key"].encode("utf-8", "surrogatepass")).hexdigest()[:8]
    year = f"{published:%Y/%Y-%m-%d}-" if published else "undated/"
    return f"{year}{name}{'-' if name else ''}{number}.md"


def markdown_file(row: Mapping[str, Any]) -> Iterator[str]:
    """The front matter, then the text."""
    said = {name: row.get(column) for name, column in HEAD.items()}
    if row["status"] != "ok":
        said["status"] = row["status"]
    lines = [f"{name}: {_yaml(value)}\n" for name, value in said.items() if value not in (None, [])]
    yield f"---\n{''.join(lines)}---\n\n"
    yield (row.get("body_markdown") or "\n\n".join((row["body"] or "").splitlines())) + "\n"


def _yaml(value: object) -> str:
    """A value as JSON, which every version of YAML reads as it is meant: `yes` is a text.

    >>> _yaml(["yes", "It: rains"])
    '["yes", "It: rains"]'
    """
    if isinstance(value, datetime):
        return value.isoformat()
    written = json.dumps(value, ensure_ascii=False)
    return _UNPRINTABLE.sub(lambda sign: f"\\u{ord(sign[0]):04x}", written)
