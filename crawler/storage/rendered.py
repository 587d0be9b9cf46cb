"""The tables `snapshots` and `screenshots`: pages as a browser drew them, beside their rows in
`pages` and joined to them by `run_id` and `url_key`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import pyarrow as pa

from crawler.storage.records import TIMESTAMP, table_schema

SNAPSHOTS = "snapshots"
SCREENSHOTS = "screenshots"


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotRecord:
    """What a page was made of when it was drawn."""

    run_id: str
    """The run of the page's row; of an address that is in no such row that of the command."""
    url_key: str
    """The page's identity, as in `pages`."""
    url: str
    """Where its document came from."""
    rendered_at: datetime
    """When it was drawn, aware UTC."""
    viewport_width: int
    """Of the window, in pixels."""
    viewport_height: int
    """Of the window, in pixels."""
    styled: bool
    """Whether its style sheets were there: half of those that it asks for, or 4,000 bytes."""
    snapshot: bytes
    """Gzip'd JSON: the answer of DOMSnapshot.captureSnapshot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenshotRecord:
    """What a page looked like when it was drawn."""

    run_id: str
    """As in `snapshots`."""
    url_key: str
    """As in `snapshots`."""
    url: str
    """As in `snapshots`."""
    rendered_at: datetime
    """As in `snapshots`: of one drawing they are equal."""
    media_type: str
    """Of the picture, such as `image/jpeg`."""
    picture: bytes
    """The whole page."""


_KEYS = [
    pa.field("run_id", pa.string(), nullable=False),
    pa.field("url_key", pa.string(), nullable=False),
    pa.field("url", pa.string(), nullable=False),
    pa.field("rendered_at", TIMESTAMP, nullable=False),
]

SNAPSHOT_SCHEMA = table_schema(
    [
        *_KEYS,
        pa.field("viewport_width", pa.int32(), nullable=False),
        pa.field("viewport_height", pa.int32(), nullable=False),
        pa.field("styled", pa.bool_(), nullable=False),
        pa.field("snapshot", pa.binary(), nullable=False),
    ],
    table=SNAPSHOTS,
    sorted_by="url_key",
)

SCREENSHOT_SCHEMA = table_schema(
    [
        *_KEYS,
        pa.field("media_type", pa.string(), nullable=False),
        pa.field("picture", pa.binary(), nullable=False),
    ],
    table=SCREENSHOTS,
    sorted_by="url_key",
)
