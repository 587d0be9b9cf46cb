"""Snapshots made by hand."""

from __future__ import annotations

import gzip
import json
from typing import Any

from learner.vision.snapshots.reading import read_snapshot
from learner.vision.snapshots.snapshot import Snapshot

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
