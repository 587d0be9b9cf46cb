"""Snapshots are read as what they are, and damaged or hostile ones are refused."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from learner.vision.snapshot import MAX_NODES, Snapshot, SnapshotError, read_snapshot

NAMES = (
    "display",
    "visibility",
    "opacity",
    "position",
    "overflow-x",
    "overflow-y",
    "color",
    "text-decoration-line",
)
PLAIN = ("block", "visible", "1", "static", "visible", "visible", "rgb(0, 0, 255)", "none")


class Made:
    """A snapshot made by hand, node by node, as Chromium answers."""

    def __init__(self) -> None:
        self.strings: list[str] = []
        self.nodes: dict[str, Any] = {
            "parentIndex": [], "nodeType": [], "nodeName": [], "nodeValue": [], "attributes": [],
            "isClickable": {"index": []},
        }  # fmt: skip
        self.layout: dict[str, Any] = {
            "nodeIndex": [], "styles": [], "bounds": [], "text": [], "paintOrders": []
        }  # fmt: skip
        self.boxes: dict[str, Any] = {"layoutIndex": [], "bounds": [], "start": [], "length": []}
        self.node(-1, "#document", kind=9)
        self.layout["nodeIndex"].append(0)
        self.layout["styles"].append([])
        self.layout["bounds"].append([0, 0, 1280, 1024])
        self.layout["text"].append(-1)
        self.layout["paintOrders"].append(0)

    def place(self, text: str) -> int:
        self.strings.append(text)
        return len(self.strings) - 1

    def node(self, parent: int, name: str, *, kind: int = 1, **attributes: str) -> int:
        nodes = self.nodes
        nodes["parentIndex"].append(parent)
        nodes["nodeType"].append(kind)
        nodes["nodeName"].append(self.place(name))
        nodes["nodeValue"].append(-1)
        nodes["attributes"].append([self.place(t) for pair in attributes.items() for t in pair])
        return len(nodes["parentIndex"]) - 1

    def box(self, node: int, *bounds: float, **styles: str) -> int:
        values = dict(zip(NAMES, PLAIN, strict=True))
        values |= {name.replace("_", "-"): value for name, value in styles.items()}
        self.layout["nodeIndex"].append(node)
        self.layout["styles"].append([self.place(values[name]) for name in NAMES])
        self.layout["bounds"].append(list(bounds))
        self.layout["text"].append(-1)
        self.layout["paintOrders"].append(len(self.layout["paintOrders"]))
        return len(self.layout["nodeIndex"]) - 1

    def text(self, parent: int, text: str, *bounds: float, **styles: str) -> int:
        node = self.node(parent, "#text", kind=3)
        self.nodes["nodeValue"][node] = self.place(f"\n {text}")
        row = self.box(node, *bounds, **styles)
        self.layout["text"][row] = self.place(text)
        self.boxes["layoutIndex"].append(row)
        self.boxes["bounds"].append(list(bounds))
        self.boxes["start"].append(0)
        self.boxes["length"].append(len(text.encode("utf-16-le")) // 2)
        return node

    def raw(self) -> dict[str, Any]:
        document = {
            "documentURL": self.place("http://a/"), "title": self.place("A page"),
            "contentWidth": 1280, "contentHeight": 3000,
            "nodes": self.nodes, "layout": self.layout, "textBoxes": self.boxes,
        }  # fmt: skip
        return {"computedStyles": NAMES, "documents": [document], "strings": self.strings}

    def read(self) -> Snapshot:
        return read_snapshot(gzip.compress(json.dumps(self.raw()).encode()))


@pytest.fixture
def made() -> Made:
    """html > body > (div > (p > text, b > text), div > text)."""
    page = Made()
    html = page.node(0, "HTML")
    page.box(html, 0, 0, 1280, 3000)
    body = page.node(html, "BODY", **{"class": "a b"})
    page.box(body, 0, 0, 1280, 3000)
    first = page.node(body, "DIV")
    page.box(first, 0, 0, 640, 100)
    paragraph = page.node(first, "P")
    page.box(paragraph, 0, 0, 640, 20)
    page.text(paragraph, "Rain 😀 ", 0, 0, 80, 20)
    bold = page.node(paragraph, "B")
    page.box(bold, 80, 0, 40, 20, display="inline")
    page.text(bold, "today", 80, 0, 40, 20, display="inline")
    second = page.node(body, "DIV")
    page.box(second, 640, 0, 640, 100)
    page.text(second, "Menu", 640, 0, 60, 20)
    return page


def test_the_tree_is_told(made: Made) -> None:
    page = made.read()
    assert (page.url, page.title, page.height, page.viewport) == (
        "http://a/", "A page", 3000.0, (1280.0, 1024.0)
    )  # fmt: skip
    assert page.tags == (
        "#document", "html", "body", "div", "p", "#text", "b", "#text", "div", "#text"
    )  # fmt: skip
    assert page.children(2) == [3, 8]
    assert list(page.ancestors(5)) == [4, 3, 2, 1, 0]
    assert page.end.tolist() == [10, 10, 10, 8, 8, 6, 8, 8, 10, 10]
    assert page.xpath(4) == "/html/body/div[1]/p"
    assert page.xpath(9) == "/html/body/div[2]/text()"
    assert page.attributes(2) == {"class": "a b"}


def test_texts_are_joined_by_block(made: Made) -> None:
    page = made.read()
    assert page.visible_text(0) == "Rain 😀 today\nMenu"
    assert page.visible_text(6) == "today"
    assert [page.text_of_box(number) for number in range(3)] == ["Rain 😀 ", "today", "Menu"]
    assert page.text(5) == "\n Rain 😀 " and page.drawn_text(5) == "Rain 😀 "


def test_a_text_is_told_of_several_nodes_and_without_others(made: Made) -> None:
    page = made.read()
    assert page.visible_text(8, 3) == "Rain 😀 today\nMenu"
    assert page.visible_text(0, without=(6, 8)) == "Rain 😀"
    assert page.visible_text() == ""


def test_a_text_is_told_as_it_is_written(made: Made) -> None:
    made.layout["text"][made.layout["nodeIndex"].index(9)] = made.place("MENU")
    page = made.read()
    assert (page.visible_text(8), page.visible_text(8, as_written=True)) == ("MENU", "Menu")


def test_styles_are_numbers_where_they_are(made: Made) -> None:
    page = made.read()
    assert page.style("display")[6] == "inline"
    assert np.isnan(page.pixels("opacity")[0]) and page.pixels("opacity")[1] == 1
    assert page.rgba("color")[1].tolist() == [0, 0, 1, 1]
    with pytest.raises(SnapshotError, match="float"):
        page.style("float")


@pytest.mark.parametrize(
    ("bounds", "styles", "inner", "seen"),
    [
        ((0, 200, 100, 50), {}, (0, 200, 50, 20), True),
        ((0, 200, 0, 50), {}, (0, 200, 50, 20), True),
        ((0, 200, 100, 0), {"overflow_x": "hidden", "overflow_y": "hidden"}, (0, 200, 9, 9), False),
        ((0, 200, 100, 50), {"opacity": "0"}, (0, 200, 50, 20), False),
        ((0, 200, 100, 50), {}, (-500, 200, 50, 20), False),
        ((0, 200, 100, 50), {"overflow_x": "auto", "overflow_y": "auto"}, (0, 900, 9, 9), True),
    ],
)
def test_what_can_be_seen(
    made: Made,
    bounds: tuple[float, ...],
    styles: dict[str, str],
    inner: tuple[float, ...],
    seen: bool,
) -> None:
    holder = made.node(2, "DIV")
    made.box(holder, *bounds, **styles)
    text = made.text(holder, "here", *inner)
    assert bool(made.read().is_visible[text]) is seen


@pytest.mark.parametrize(("position", "seen"), [("static", False), ("absolute", True)])
def test_what_is_placed_absolutely_is_clipped_by_what_is_placed(
    made: Made, position: str, seen: bool
) -> None:
    holder = made.node(2, "DIV")
    made.box(holder, 0, 200, 100, 10, overflow_x="hidden", overflow_y="hidden")
    inner = made.node(holder, "DIV")
    made.box(inner, 0, 500, 100, 10, position=position)
    assert bool(made.read().is_visible[inner]) is seen


def test_a_pseudo_element_has_its_text(made: Made) -> None:
    pseudo = made.node(2, "::before")
    made.box(pseudo, 0, 200, 9, 9)
    row = made.box(pseudo, 0, 200, 8, 8)
    made.layout["text"][row] = made.place("→")
    page = made.read()
    assert page.drawn_text(pseudo) == "→" and page.box[pseudo].tolist() == [0, 200, 9, 9]


def set_(*path: Any) -> Callable[[dict[str, Any]], None]:
    """Puts the last of the path where the others lead, in the document."""
    *keys, last, value = path

    def change(raw: dict[str, Any]) -> None:
        target: Any = raw["documents"][0]
        for key in keys:
            target = target[key]
        target[last] = value

    return change


@pytest.mark.parametrize(
    "change",
    [
        set_("nodes", "parentIndex", 5, 5),
        set_("nodes", "parentIndex", 5, 9),
        set_("nodes", "parentIndex", 9, 5),
        set_("nodes", "parentIndex", 0, 0),
        set_("nodes", "parentIndex", [-1] * (MAX_NODES + 1)),
        set_("nodes", "parentIndex", []),
        set_("nodes", "nodeName", 3, 10**6),
        set_("nodes", "nodeName", 3, -1),
        set_("nodes", "nodeName", 3, 10**30),
        set_("nodes", "nodeName", 3, "DIV"),
        set_("nodes", "nodeType", []),
        set_("nodes", "attributes", []),
        set_("nodes", "isClickable", {"index": [99]}),
        set_("nodes", "isClickable", None),
        set_("layout", "nodeIndex", 1, 99),
        set_("layout", "bounds", 1, [0, 0, -1, 5]),
        set_("layout", "bounds", 1, [0, 0, float("nan"), 5]),
        set_("layout", "bounds", 1, [0, 0, 1e12, 5]),
        set_("layout", "bounds", 1, [0, 0, 5]),
        set_("layout", "styles", 1, [0]),
        set_("layout", "styles", 1, [99999] * len(NAMES)),
        set_("layout", "text", 1, 10**6),
        set_("textBoxes", "layoutIndex", 0, 99),
        set_("textBoxes", "start", 0, -1),
        set_("contentHeight", -5),
        set_("title", 10**6),
        set_("nodes", {}),
    ],
)
def test_a_hostile_snapshot_is_refused(
    made: Made, change: Callable[[dict[str, Any]], None]
) -> None:
    raw = made.raw()
    change(raw)
    with pytest.raises(SnapshotError):
        read_snapshot(json.dumps(raw).encode())


def test_attributes_are_checked_when_they_are_read(made: Made) -> None:
    raw = made.raw()
    raw["documents"][0]["nodes"]["attributes"][2] = [99999, 1]
    with pytest.raises(SnapshotError):
        read_snapshot(json.dumps(raw).encode()).attributes(2)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"{}",
        b"{",
        b'{"strings": [1], "documents": []}',
        b"[" * 100_000,
        b"\x1f\x8bnothing",
        gzip.compress(b"{}")[:-4],
        gzip.compress(b" " * (65 * 2**20), 1),
    ],
    ids=lambda data: f"{len(data)} bytes",
)
def test_what_is_no_snapshot_is_refused(data: bytes) -> None:
    with pytest.raises(SnapshotError):
        read_snapshot(data)
