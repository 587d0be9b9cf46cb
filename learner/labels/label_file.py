"""The file of labels: pages with what a person says of them, one row a page (docs/DATA_FORMAT.md).

It begins with the columns of pages with gold, so that it teaches the page model as it is; it has
besides what products and elements are taught from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from crawler.storage.outfile import whole_file
from learner.dom.teaching.gold import SCHEMA as GOLD_SCHEMA
from learner.labels.elements import Label
from learner.labels.labelled_page import LabelledPage
from learner.labels.values import Values
from learner.vision.products.teaching import ProductLesson, amount_of
from learner.vision.snapshots.snapshot import Snapshot

VERSION = "1"
"""Of the columns."""

ROWS_AT_ONCE = 16
"""Rows that are held at once: pages with pictures, some megabytes. Origin: guess."""


def _filled(name: str, kind: pa.DataType) -> pa.Field:
    """A column that is never null."""
    return pa.field(name, kind, nullable=False)


ELEMENT = pa.struct(
    [
        _filled("label", pa.string()),
        pa.field("xpath", pa.string()),
        pa.field("node", pa.int32()),
        pa.field("text", pa.string()),
        *[_filled(side, pa.int32()) for side in ("left", "top", "right", "bottom")],
        _filled("found", pa.string()),
        _filled("overlap", pa.float64()),
        _filled("difficult", pa.bool_()),
    ]
)

SCHEMA = pa.schema(
    [
        *GOLD_SCHEMA,
        pa.field("product_name", pa.string()),
        pa.field("price", pa.string()),
        pa.field("image", pa.string()),
        pa.field("body_xpath", pa.string()),
        pa.field("date_raw", pa.string()),
        _filled("elements", pa.list_(ELEMENT)),
        _filled("verified", pa.bool_()),
        _filled("url_key", pa.string()),
        _filled("run_id", pa.string()),
        _filled("rendered_at", pa.string()),
        _filled("snapshot", pa.large_binary()),
        _filled("picture", pa.large_binary()),
    ],
    metadata={"webstem.table": "labels", "webstem.schema_version": VERSION},
)


class LabelFileError(ValueError):
    """A file of labels that has not what is needed; the message names it and what to do."""


def row_of(page: LabelledPage, labels: Iterable[Label], values: Values) -> dict[str, Any]:
    """What a person says of a page, as a row; FolderError if a file of it is not there."""
    side, snapshot, files = page.sidecar, page.snapshot, page.files
    return {
        "id": files.name,
        "url": side.url,
        "site": side.site,
        "page_type": values.page_type,
        "language": values.language,
        "title": values.title,
        "body": values.body,
        "authors": list(values.authors),
        "date": values.day.isoformat() if values.day else None,
        "html": files.read(files.html),
        "product_name": values.product_name,
        "price": values.price,
        "image": values.image,
        "body_xpath": _xpath(snapshot, values.body_node),
        "date_raw": values.date_raw,
        "elements": [_element(snapshot, each) for each in labels],
        "verified": page.annotation.verified,
        "url_key": side.url_key,
        "run_id": side.run_id,
        "rendered_at": side.rendered_at,
        "snapshot": files.read(files.snapshot),
        "picture": files.read(files.picture),
    }


def _element(snapshot: Snapshot, label: Label) -> dict[str, Any]:
    left, top, right, bottom = label.box
    return {
        "label": label.name,
        "xpath": _xpath(snapshot, label.node),
        "node": label.node,
        "text": None if label.node is None else snapshot.visible_text(label.node),
        "left": left,
        "top": top,
        "right": right,
        "bottom": bottom,
        "found": str(label.found),
        "overlap": label.overlap,
        "difficult": label.difficult,
    }


def _xpath(snapshot: Snapshot, node: int | None) -> str | None:
    return None if node is None else snapshot.xpath(node)


def write_labels(path: Path, rows: Iterable[dict[str, Any]]) -> int:
    """Write a file of labels, whole or not at all; how many rows it has. No row: no file."""
    n_rows = 0
    with whole_file(path) as hidden:
        with pq.ParquetWriter(hidden, SCHEMA, compression="zstd") as writer:
            for group in _groups(rows):
                writer.write_table(pa.Table.from_pylist(group, SCHEMA))
                n_rows += len(group)
        if not n_rows:
            raise LabelFileError(f"{path}: not written, for there is no labelled page")
    return n_rows


def _groups(rows: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    group: list[dict[str, Any]] = []
    for row in rows:
        group.append(row)
        if len(group) == ROWS_AT_ONCE:
            yield group
            group = []
    if group:
        yield group


PRODUCT_COLUMNS = ("site", "url", "html", "product_name", "price", "image")


def product_lessons(path: Path) -> Iterator[ProductLesson]:
    """The pages of a file whose product has a name; LabelFileError if it has not the columns."""
    try:
        file = pq.ParquetFile(path)
    except (OSError, pa.ArrowInvalid) as error:
        raise LabelFileError(f"{path}: expected a Parquet file of labels, got: {error}") from error
    with file:
        missing = [name for name in PRODUCT_COLUMNS if name not in file.schema_arrow.names]
        if missing:
            raise LabelFileError(
                f"{path}: expected the columns {[*PRODUCT_COLUMNS]}, missing: {missing}; "
                "`webstem labels import` writes them"
            )
        for batch in file.iter_batches(ROWS_AT_ONCE, columns=list(PRODUCT_COLUMNS)):
            for row in batch.to_pylist():
                if row["product_name"] and row["html"]:
                    yield _lesson(row)


def _lesson(row: dict[str, Any]) -> ProductLesson:
    return ProductLesson(
        shop=row["site"] or "",
        url=row["url"] or "",
        html=row["html"],
        name=row["product_name"],
        amount=amount_of(row["price"] or ""),
        picture=row["image"],
    )
