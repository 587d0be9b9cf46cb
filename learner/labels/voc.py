"""Pascal VOC annotations, as labelImg reads and writes them.

labelImg keeps folder, filename, path, database, size, segmented, the objects with name, pose,
truncated, difficult and box, and whether the picture is verified; all else it drops when it saves.
A file that somebody has saved may say anything: no entity is resolved, nothing is fetched, and its
names of files are not read.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from learner.labels.boxes import Box

MAX_BYTES = 4 * 2**20
"""Bytes of an annotation. Origin: guess; ten thousand boxes are 3 MB."""

MAX_OBJECTS = 10_000
"""Boxes of a picture. Origin: guess; a page of a thousand elements has some hundreds."""

MAX_PIXEL = 65_536
"""Pixels that a box may lie from the corner. Origin: the largest side of a JPEG."""

LONGEST_NAME = 100
"""Characters of a label. Origin: guess."""

DATABASE = "webstem"
"""What the pictures are said to come from."""

_DEPTH = 3
"""Colours of a picture."""


class VocError(ValueError):
    """A file is no annotation that can be read; the message names it and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VocObject:
    """A box with its name."""

    name: str
    box: Box
    difficult: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """The boxes of one picture."""

    filename: str
    """Of the picture, without folder. Empty of one that was read: it is hostile."""
    size: tuple[int, int]
    """Width and height of the picture in pixels; zeros of one that was read."""
    objects: tuple[VocObject, ...]
    verified: bool = False
    """Whether a person has said that the boxes are right (labelImg's *Verify Image*)."""


def annotation_xml(annotation: Annotation, folder: str) -> bytes:
    """An annotation as labelImg writes it; `folder` is the name of that of the picture."""
    width, height = annotation.size
    root = etree.Element("annotation", {"verified": "yes"} if annotation.verified else {})
    _add(root, "folder", folder)
    _add(root, "filename", annotation.filename)
    _add(_add(root, "source"), "database", DATABASE)
    size = _add(root, "size")
    for name, number in (("width", width), ("height", height), ("depth", _DEPTH)):
        _add(size, name, str(number))
    _add(root, "segmented", "0")
    for each in annotation.objects:
        _add_object(root, each, (width, height))
    etree.indent(root, "\t")
    return etree.tostring(root, encoding="utf-8") + b"\n"


def _add_object(root: etree._Element, each: VocObject, size: tuple[int, int]) -> None:
    left, top, right, bottom = each.box
    is_cut = left <= 1 or top <= 1 or right >= size[0] or bottom >= size[1]
    found = _add(root, "object")
    _add(found, "name", each.name)
    _add(found, "pose", "Unspecified")
    _add(found, "truncated", str(int(is_cut)))
    _add(found, "difficult", str(int(each.difficult)))
    box = _add(found, "bndbox")
    for name, number in zip(("xmin", "ymin", "xmax", "ymax"), each.box, strict=True):
        _add(box, name, str(number))


def _add(parent: etree._Element, name: str, text: str | None = None) -> etree._Element:
    child = etree.SubElement(parent, name)
    child.text = text
    return child


def read_annotation(path: Path) -> Annotation:
    """The boxes that somebody saved; VocError if the file has none that can be read."""
    try:
        return _annotation(_parsed(path))
    except (OSError, ValueError, etree.LxmlError) as error:
        raise VocError(
            f"{path}: expected boxes as labelImg saves them (Pascal VOC), got: {error}; save them "
            "anew in labelImg, or remove the file to leave the page out"
        ) from error


def _parsed(path: Path) -> etree._Element:
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise ValueError(f"more than {MAX_BYTES} bytes")
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False,
        huge_tree=False, remove_comments=True, remove_pis=True,
    )  # fmt: skip
    root = etree.fromstring(data, parser)
    if root.getroottree().docinfo.internalDTD is not None:
        raise ValueError("a DOCTYPE, which no annotation needs")
    if root.tag != "annotation":
        raise ValueError(f"a root element called {str(root.tag)[:LONGEST_NAME]!r}")
    return root


def _annotation(root: etree._Element) -> Annotation:
    objects = root.findall("object")
    if len(objects) > MAX_OBJECTS:
        raise ValueError(f"more than {MAX_OBJECTS} boxes")
    return Annotation(
        filename="",
        size=(0, 0),
        objects=tuple(_object(each, number) for number, each in enumerate(objects, 1)),
        verified=root.get("verified") == "yes",
    )


def _object(element: etree._Element, number: int) -> VocObject:
    name = " ".join((element.findtext("name") or "").split())
    if not 0 < len(name) <= LONGEST_NAME:
        raise ValueError(f"box {number} with a name of {len(name)} characters")
    corners = [
        _pixel(element.findtext(f"bndbox/{side}"), number)
        for side in ("xmin", "ymin", "xmax", "ymax")
    ]
    box = _upright(corners)
    if box[0] == box[2] or box[1] == box[3]:
        raise ValueError(f"box {number} without an area")
    return VocObject(name=name, box=box, difficult=element.findtext("difficult") == "1")


def _upright(corners: Sequence[int]) -> Box:
    """The box between two corners, whichever is first."""
    xs, ys = sorted(corners[::2]), sorted(corners[1::2])
    return xs[0], ys[0], xs[1], ys[1]


def _pixel(text: str | None, number: int) -> int:
    """A coordinate, of which labelImg writes whole numbers and reads any."""
    try:
        value = float(text or "")
    except ValueError:
        value = math.nan
    if not 0 <= value <= MAX_PIXEL:  # not true of NaN
        said = (text or "")[:LONGEST_NAME]
        raise ValueError(f"box {number} with {said!r} where pixels should stand")
    return int(value)
