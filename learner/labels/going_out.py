"""Drawn pages into a folder for a person, with the boxes that are proposed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from crawler.exchange.rendered_files import folder_name
from crawler.storage.outfile import whole_file
from learner.labels.boxes import distinct_boxes
from learner.labels.files import CLASSES, IMAGES, PAGES, PageFiles, check_plain
from learner.labels.names import LABELS, Proposal
from learner.labels.sidecar import (
    NodesOfBox,
    Proposed,
    Sidecar,
    proposals_with_boxes,
    sidecar_json,
)
from learner.labels.voc import Annotation, VocObject, annotation_xml
from learner.vision.element_tree import ElementTree
from learner.vision.snapshots.snapshot import Snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnPage:
    """A page as it was drawn, on its way to a person."""

    site: str
    url: str
    url_key: str
    run_id: str
    rendered_at: str
    """ISO 8601; with `run_id` and `url_key` the row of the table `snapshots`."""
    html: bytes | None
    """In UTF-8, with a byte order mark; None if no document is stored."""
    snapshot: bytes
    """As stored, gzip'd."""
    picture: bytes
    """JPEG."""


def prepare(folder: Path) -> None:
    """Make the folder, if it is not there, and the names that labelImg offers.

    FolderError, as of `write_page`, if a link stands where a file goes.
    """
    for part in (IMAGES, PAGES):
        (folder / part).mkdir(parents=True, exist_ok=True)
    _write(folder, folder / CLASSES, "".join(f"{label}\n" for label in LABELS).encode())


def has_page(folder: Path, url: str) -> bool:
    """Whether a page of this address is in the folder already, labelled perhaps."""
    return PageFiles(folder, folder_name(url)).sidecar.exists()


def write_page(
    folder: Path,
    page: DrawnPage,
    snapshot: Snapshot,
    size: tuple[int, int],
    page_type: str,
    proposals: Sequence[Proposal],
) -> list[Proposed]:
    """Write one page with the boxes that are proposed; these.

    A proposal whose element is not to be seen in the picture is left out, and of two that would be
    one label on one box the second. Where no document is stored the drawn one stands for it. An
    annotation that is there already stays. The sidecar is written last: a page without it is none.
    """
    files = PageFiles(folder, folder_name(page.url))
    boxes = distinct_boxes(snapshot, size)
    proposed = proposals_with_boxes(proposals, boxes)
    sidecar = Sidecar(
        site=page.site,
        url=page.url,
        url_key=page.url_key,
        run_id=page.run_id,
        rendered_at=page.rendered_at,
        page_type=page_type,
        size=size,
        proposals=tuple(proposed),
        boxes=tuple(NodesOfBox(box=box, nodes=tuple(nodes)) for box, nodes in boxes.items()),
    )
    annotation = Annotation(
        filename=files.picture.name,
        size=size,
        objects=tuple(VocObject(name=each.label, box=each.box) for each in proposed),
    )
    _write(folder, files.picture, page.picture)
    if not files.annotation.exists():
        _write(folder, files.annotation, annotation_xml(annotation, IMAGES))
    html = ElementTree(snapshot).html() if page.html is None else page.html
    _write(folder, files.html, html)
    _write(folder, files.snapshot, page.snapshot)
    _write(folder, files.sidecar, sidecar_json(sidecar))
    return proposed


def _write(folder: Path, path: Path, data: bytes) -> None:
    check_plain(folder, path)
    with whole_file(path) as hidden:
        hidden.write_bytes(data)
