"""Drawn pages made by hand, and folders of them as they go to a person."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from lxml import etree
from lxml.html import document_fromstring

from learner.labels.going_out import DrawnPage, prepare, write_page
from learner.labels.names import Proposal
from learner.vision.snapshots.reading import read_snapshot
from learner.vision.snapshots.snapshot import Snapshot
from tests.learner.vision.snapshots.made import Made

SIZE = (1280, 1000)
URL = "https://a.example/rain"

ARTICLE = """<html lang="en" box="0 0 1280 1000"><body box="0 0 1280 1000">
<div class="menu" box="0 0 1280 40"><a href="/" box="0 0 50 40">Home</a></div>
<article box="100 50 800 600"><h1 box="100 50 800 60">Rain &lt;today&gt;</h1>
<p class="by" box="100 120 800 20">By <a href="/ann" box="120 120 60 20">Ann Lee</a>
<time datetime="2021-05-03" box="200.4 120 90 20">3 May 2021</time></p>
<div class="text" box="100 150 800 500"><p box="100 150 800 200">It rained.</p>
<p box="100 400 800 200">It rained on.</p></div></article>
<div class="shop" box="100 700 400 200"><h2 box="100 700 400 30">Red cup</h2>
<a href="/big/red.jpg" box="100 740 200 100"><img src="/red-80x80.jpg" box="100 740 200 100"></a>
<b box="320 740 60 20">$3.50</b></div>
<i box="100 950 0 0">unseen</i></body></html>"""
"""`box` is left, top, width and height of what an element shows."""

PICTURE = bytes.fromhex("ffd8 ffe0 0003 00 ffc0 000b 08 03e8 0500 01 01 11 00 ffd9")
"""A JPEG of 1280 x 1000 pixels, as far as its size is concerned."""


def drawn_bytes(html: str = ARTICLE) -> bytes:
    """The stored snapshot of a page."""
    made = Made()
    _add(made, 0, document_fromstring(html))
    return gzip.compress(json.dumps(made.raw()).encode())


def drawn(html: str = ARTICLE) -> Snapshot:
    """The snapshot of a page."""
    return read_snapshot(drawn_bytes(html))


def _add(made: Made, parent: int, element: etree._Element) -> None:
    attributes = {str(name): str(value) for name, value in element.attrib.items()}
    box = tuple(map(float, attributes.pop("box", "").split()))
    node = made.node(parent, str(element.tag).upper(), **attributes)
    if box:
        made.box(node, *box, display="inline" if element.tag in ("a", "b", "time") else "block")
    _add_text(made, node, element.text, box)
    for child in element:
        _add(made, node, child)
        _add_text(made, node, child.tail, box)


def _add_text(made: Made, node: int, text: str | None, box: tuple[float, ...]) -> None:
    if text and text.strip():
        made.text(node, text, *box, display="inline")


def node_of(snapshot: Snapshot, xpath: str) -> int:
    """The node that stands there."""
    return next(node for node in range(len(snapshot)) if snapshot.xpath(node) == xpath)


TITLE, BODY = "/html/body/article/h1", "/html/body/article/div"
AUTHOR, DATE = "/html/body/article/p/a", "/html/body/article/p/time"


def folder_of(
    folder: Path,
    labels: Mapping[str, str] | None = None,
    *,
    url: str = URL,
    html: str = ARTICLE,
    page_type: str = "article",
    proposals: Sequence[Proposal] | None = None,
) -> Path:
    """A folder with one page, with labels proposed at these places; its annotation."""
    snapshot = drawn(html)
    places = {"title": TITLE, "body": BODY} if labels is None else labels
    proposals = proposals or [
        Proposal(label=label, node=node_of(snapshot, xpath)) for label, xpath in places.items()
    ]
    page = DrawnPage(
        site="a", url=url, url_key=url, run_id="r1", rendered_at="2026-11-20T12:00:00+00:00",
        html=None, snapshot=drawn_bytes(html), picture=PICTURE,
    )  # fmt: skip
    prepare(folder)
    write_page(folder, page, snapshot, SIZE, page_type, proposals)
    (annotation,) = set((folder / "images").glob("*.xml")) - _others(folder, url)
    return annotation


def _others(folder: Path, url: str) -> set[Path]:
    found = set()
    for sidecar in (folder / "pages").glob("*.json"):
        if json.loads(sidecar.read_bytes())["url"] != url:
            found.add(folder / "images" / f"{sidecar.stem}.xml")
    return found


def add_box(annotation: Path, name: str, *box: int) -> None:
    """Draw one more box by hand."""
    sides = zip(("xmin", "ymin", "xmax", "ymax"), box, strict=True)
    corners = "".join(f"<{side}>{number}</{side}>" for side, number in sides)
    drawn_box = f"<object><name>{name}</name><bndbox>{corners}</bndbox></object></annotation>"
    annotation.write_text(annotation.read_text().replace("</annotation>", drawn_box))
