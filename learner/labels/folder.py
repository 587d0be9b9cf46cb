"""The folder that goes to a person and comes back: pictures with their boxes for labelImg, and what
must come back with them but labelImg would not keep.

    classes.txt              the names that labelImg offers
    images/NAME.jpeg, .xml   a picture, and its boxes as Pascal VOC
    pages/NAME.json          the sidecar: which page it is, the nodes behind each box, the proposals
    pages/NAME.dom.json.gz   its snapshot
    pages/NAME.html          its HTML, in UTF-8

NAME is made of letters of the address and a hash. When the folder comes back its own list of
sidecars tells which files are looked for; no name inside a file does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from crawler.exchange.rendered_files import folder_name
from crawler.storage.outfile import whole_file
from learner.labels.boxes import distinct_boxes
from learner.labels.names import LABELS, Proposal
from learner.labels.sidecar import (
    NodesOfBox,
    Proposed,
    Sidecar,
    proposals_with_boxes,
    read_sidecar,
    sidecar_json,
)
from learner.labels.voc import Annotation, VocObject, annotation_xml, read_annotation
from learner.vision.element_tree import ElementTree
from learner.vision.snapshot import Snapshot, SnapshotError, read_snapshot

CLASSES, IMAGES, PAGES = "classes.txt", "images", "pages"

MAX_SIDECAR_BYTES = 32 * 2**20
"""Origin: guess; a page of `learner.vision.snapshot.MAX_NODES` boxes has some 10 MB."""

MAX_HTML_BYTES = 64 * 2**20
"""Origin: that of snapshots."""

_NAME = re.compile(r"[a-z0-9-]{1,80}")


class FolderError(ValueError):
    """A folder, or a file in it, is not what `webstem labels export` wrote; the message names it
    and what to do."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledPage:
    """A page that came back."""

    name: str
    sidecar: Sidecar
    snapshot: Snapshot
    annotation: Annotation
    folder: Path

    @property
    def picture_file(self) -> Path:
        return self.folder / IMAGES / f"{self.name}.jpeg"

    def html(self) -> bytes:
        """Its HTML; FolderError if it is not there."""
        return _read(self.folder / PAGES / f"{self.name}.html", MAX_HTML_BYTES)

    def snapshot_bytes(self) -> bytes:
        """Its snapshot as it is stored."""
        return _read(_snapshot_file(self.folder, self.name), MAX_SIDECAR_BYTES)

    def picture(self) -> bytes:
        """Its picture as it is stored."""
        return _read(self.picture_file, MAX_HTML_BYTES)


# Out


def prepare(folder: Path) -> None:
    """Make the folder, if it is not there, and the names that labelImg offers."""
    for part in (IMAGES, PAGES):
        (folder / part).mkdir(parents=True, exist_ok=True)
    _write(folder / CLASSES, "".join(f"{label}\n" for label in LABELS).encode())


def has_page(folder: Path, url: str) -> bool:
    """Whether a page of this address is in the folder already, labelled perhaps."""
    return _sidecar_file(folder, folder_name(url)).exists()


def write_page(
    folder: Path,
    page: DrawnPage,
    snapshot: Snapshot,
    size: tuple[int, int],
    page_type: str,
    proposals: list[Proposal],
) -> list[Proposed]:
    """Write one page with the boxes that are proposed; these.

    A proposal whose element is not to be seen in the picture is left out, and of two that would be
    one label on one box the second. Where no document is stored the drawn one stands for it. The
    sidecar is written last: a page without it is none.
    """
    name = folder_name(page.url)
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
        filename=f"{name}.jpeg",
        size=size,
        objects=tuple(VocObject(name=each.label, box=each.box) for each in proposed),
    )
    _write(folder / IMAGES / f"{name}.jpeg", page.picture)
    _write(_xml_file(folder, name), annotation_xml(annotation, IMAGES))
    html = ElementTree(snapshot).html() if page.html is None else page.html
    _write(folder / PAGES / f"{name}.html", html)
    _write(_snapshot_file(folder, name), page.snapshot)
    _write(_sidecar_file(folder, name), sidecar_json(sidecar))
    return proposed


def _write(path: Path, data: bytes) -> None:
    with whole_file(path) as hidden:
        hidden.write_bytes(data)


# Back


def page_names(folder: Path) -> list[str]:
    """The pages of a folder; FolderError if there are none."""
    names = sorted(each.stem for each in (folder / PAGES).glob("*.json"))
    names = [name for name in names if _NAME.fullmatch(name)]
    if not names:
        raise FolderError(
            f"{folder}: expected a folder that `webstem labels export` has written, got none of "
            f"its pages ({PAGES}/*.json)"
        )
    return names


def strange_files(folder: Path, names: list[str]) -> Iterator[Path]:
    """Annotations of pictures that the folder has no page of."""
    known = {f"{name}.xml" for name in names}
    yield from (each for each in sorted((folder / IMAGES).glob("*.xml")) if each.name not in known)


def read_labelled(folder: Path, name: str) -> LabelledPage | None:
    """A page as it came back; None if a person removed its annotation.

    FolderError or VocError if a file cannot be read.
    """
    xml = _xml_file(folder, name)
    if not xml.exists():
        return None
    _check_plain(xml)
    snapshot_file = _snapshot_file(folder, name)
    try:
        snapshot = read_snapshot(_read(snapshot_file, MAX_SIDECAR_BYTES))
    except SnapshotError as error:
        raise FolderError(f"{snapshot_file}: {error}; export the page again") from error
    return LabelledPage(
        name=name,
        sidecar=_read_sidecar(folder, name, len(snapshot)),
        snapshot=snapshot,
        annotation=read_annotation(xml),
        folder=folder,
    )


def _read_sidecar(folder: Path, name: str, n_nodes: int) -> Sidecar:
    path = _sidecar_file(folder, name)
    data = _read(path, MAX_SIDECAR_BYTES)
    try:
        return read_sidecar(data, n_nodes)
    except ValueError as error:
        said = " ".join(str(error).split())[:300]
        raise FolderError(
            f"{path}: expected what `webstem labels export` wrote, got: {said}; export the page "
            "again"
        ) from error


def _read(path: Path, most: int) -> bytes:
    _check_plain(path)
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        raise FolderError(f"{path}: {error.strerror}; export the page again") from error
    if len(data) > most:
        raise FolderError(f"{path}: expected at most {most} bytes, got more; export the page again")
    return data


def _check_plain(path: Path) -> None:
    """FolderError for a link, which leads out of a folder that came from elsewhere, or a pipe."""
    is_link = path.is_symlink() or path.parent.is_symlink()
    if is_link or (path.exists() and not path.is_file()):
        got = "a link" if is_link else "none"
        raise FolderError(f"{path}: expected a file, got {got}; put the file in its place")


def _xml_file(folder: Path, name: str) -> Path:
    return folder / IMAGES / f"{name}.xml"


def _sidecar_file(folder: Path, name: str) -> Path:
    return folder / PAGES / f"{name}.json"


def _snapshot_file(folder: Path, name: str) -> Path:
    return folder / PAGES / f"{name}.dom.json.gz"
