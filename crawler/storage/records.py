"""The rows a crawl writes: one `PageRecord` per response, one `LinkRecord` per outlink.

The Arrow schema of a record stands beside its dataclass, because an inferred schema drops unknown
keys and turns an all-null column into type null. The partition values `site` and `date` are not
columns of the files: they stand in the folder names (see `crawler.storage.partitions`).
Changes are additive only; every one raises `SCHEMA_VERSION`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from operator import attrgetter
from typing import Any, Literal

import pyarrow as pa

SCHEMA_VERSION = 5
"""Version of every table's schema, written to the metadata of each file."""

TIMESTAMP = pa.timestamp("us", tz="UTC")
"""The only time type of the tables."""

CharsetSource = Literal["http", "bom", "meta", "default", "detected"]
LinkSource = Literal["a", "feed", "sitemap"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRecord:
    """The facts of one response, or of one request that got none."""

    run_id: str
    """The run that fetched the page."""
    url: str
    """The URL as requested, before redirects."""
    final_url: str
    """The URL that answered; equal to `url` where nothing redirected."""
    url_key: str
    """Canonical form of `final_url`, for identity only: never fetched."""
    fetched_at: datetime
    """When the response arrived, aware UTC."""
    status: int | None = None
    """HTTP status; None if no response came (`error` says why)."""
    depth: int = 0
    """Links followed from the nearest seed; a seed has 0."""
    referrer: str | None = None
    """The page on which the link was found; None for a seed."""
    redirects: tuple[str, ...] = ()
    """URLs passed on the way from `url` to `final_url`, in order, without `final_url`."""
    etag: str | None = None
    """The ETag header as sent; None if absent."""
    last_modified: str | None = None
    """The Last-Modified header as sent; None if absent."""
    content_type: str | None = None
    """The Content-Type header as sent; None if absent."""
    charset: str | None = None
    """Name of the encoding of `html`, lower case; None if there is no text."""
    charset_source: CharsetSource | None = None
    """What told `charset`; None if there is none."""
    body_len: int = 0
    """Length of the body in bytes."""
    body_sha256: str | None = None
    """Lower-case hex SHA-256 of the body; None if no body came."""
    unchanged: bool = False
    """True if the page is the one already stored (304, or the same digest)."""
    html: bytes | None = None
    """The raw body; None if unchanged or failed."""
    rendered: bool = False
    """True if a browser rendered `html`."""
    fetch_ms: int | None = None
    """Milliseconds from sending the request to the response's headers; None if unknown."""
    error: str | None = None
    """Why there is no usable body; None if there is one."""
    robots: str | None = None
    """What the page asks of robots by X-Robots-Tag or meta elements, lower case, such as
    `noindex, nofollow`; None if nothing, or if no body came."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRecord:
    """One outlink of a page, or one entry of a feed or sitemap."""

    run_id: str
    """The run that saw the link."""
    src_url_key: str
    """`url_key` of the page, feed or sitemap that holds the link; empty where an imported archive
    does not tell."""
    dst_url: str
    """The absolute URL the link leads to, as written but for the fragment."""
    dst_url_key: str
    """Canonical form of `dst_url`, joins with `url_key` of pages."""
    anchor_text: str | None = None
    """Text of the link, white space collapsed; a feed's entry title; None if there is none."""
    position: int = 0
    """Place among the links of its source, in document order, from 0."""
    rel: str | None = None
    """The rel attribute, lower case; None if absent."""
    in_scope: bool = False
    """True if the site's rules allow the crawl to follow it."""
    source: LinkSource = "a"
    """Where the link stood: an `a` element, a feed or a sitemap."""


def table_schema(fields: Iterable[pa.Field], *, table: str, sorted_by: str) -> pa.Schema:
    """A table's schema with its name, version and sort column in the file metadata.

    `crawler.storage.partitions` sorts each part file by the column that `sorted_by` names.
    """
    return pa.schema(
        list(fields),
        metadata={
            "webstem.table": table,
            "webstem.schema_version": str(SCHEMA_VERSION),
            "webstem.sorted_by": sorted_by,
        },
    )


def _required(name: str, kind: pa.DataType) -> pa.Field:
    return pa.field(name, kind, nullable=False)


PAGE_SCHEMA = table_schema(
    [
        _required("run_id", pa.string()),
        _required("url", pa.string()),
        _required("final_url", pa.string()),
        _required("url_key", pa.string()),
        _required("fetched_at", TIMESTAMP),
        pa.field("status", pa.int16()),
        _required("depth", pa.int32()),
        pa.field("referrer", pa.string()),
        _required("redirects", pa.list_(pa.string())),
        pa.field("etag", pa.string()),
        pa.field("last_modified", pa.string()),
        pa.field("content_type", pa.string()),
        pa.field("charset", pa.string()),
        pa.field("charset_source", pa.string()),
        _required("body_len", pa.int64()),
        pa.field("body_sha256", pa.string()),
        _required("unchanged", pa.bool_()),
        pa.field("html", pa.binary()),
        _required("rendered", pa.bool_()),
        pa.field("fetch_ms", pa.int32()),
        pa.field("error", pa.string()),
        pa.field("robots", pa.string()),
    ],
    table="pages",
    sorted_by="url_key",
)

LINK_SCHEMA = table_schema(
    [
        _required("run_id", pa.string()),
        _required("src_url_key", pa.string()),
        _required("dst_url", pa.string()),
        _required("dst_url_key", pa.string()),
        pa.field("anchor_text", pa.string()),
        _required("position", pa.int32()),
        pa.field("rel", pa.string()),
        _required("in_scope", pa.bool_()),
        _required("source", pa.string()),
    ],
    table="links",
    sorted_by="src_url_key",
)


def records_to_table(records: Iterable[Any], schema: pa.Schema) -> pa.Table:
    """The records as an Arrow table of exactly `schema`.

    Each record has one attribute per column. A missing attribute is an AttributeError, a value
    of the wrong type an ArrowInvalid or ArrowTypeError that names it: nothing is dropped.
    """
    rows = list(records)
    columns = []
    for field in schema:
        values = list(map(attrgetter(field.name), rows))
        columns.append(pa.array(values, type=field.type))
    return pa.Table.from_arrays(columns, schema=schema)


def rows_of(batches: Iterable[pa.RecordBatch]) -> Iterator[dict[str, Any]]:
    """The rows of some batches, one after the other, as they come."""
    for batch in batches:
        yield from batch.to_pylist()


def json_value(value: object) -> str:
    """Days and moments of rows as JSON has them, in ISO 8601: for `json.dumps(default=...)`."""
    if isinstance(value, datetime | date):
        return value.isoformat()
    raise TypeError(f"no JSON for {value!r}")
