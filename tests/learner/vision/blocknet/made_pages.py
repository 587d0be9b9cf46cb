"""Snapshots of known geometry, made by hand as Chromium answers."""

from __future__ import annotations

import json
from typing import Any

from crawler.fetching.browser.capture import STYLES
from learner.vision.snapshots.reading import read_snapshot
from learner.vision.snapshots.snapshot import Snapshot

DEFAULTS = {
    "display": "block", "visibility": "visible", "opacity": "1", "position": "static",
    "overflow-x": "visible", "overflow-y": "visible", "font-size": "16px", "font-weight": "400",
    "text-align": "start", "color": "rgb(0, 0, 0)",
}  # fmt: skip

URL = "https://www.air.example/2024/rain"


class MadePage:
    """A page under the making: html and body are there, as wide as the window."""

    def __init__(self, height: float = 2000, title: str = "") -> None:
        self.height, self.title = height, title
        self.strings: list[str] = []
        self.rows: list[tuple[int, str, int, str, list[int]]] = []
        self.clickable: list[int] = []
        self.layout: list[tuple[int, list[int], list[float], int]] = []
        self.lines: list[tuple[int, list[float], int]] = []
        self._node(-1, "#document", 9, {})
        self.layout.append((0, [], [0, 0, 1280, 1024], -1))
        html = self.element(0, "html", 0, 0, 1280, height)
        self.body = self.element(html, "body", 0, 0, 1280, height)

    def _place(self, text: str) -> int:
        self.strings.append(text)
        return len(self.strings) - 1

    def _node(self, parent: int, name: str, kind: int, attributes: dict[str, str]) -> int:
        flat = [self._place(text) for pair in attributes.items() for text in pair]
        self.rows.append((parent, name, kind, "", flat))
        return len(self.rows) - 1

    def _box(self, node: int, bounds: list[float], styles: dict[str, str], text: int = -1) -> None:
        values = {**dict.fromkeys(STYLES, ""), **DEFAULTS}
        values |= {name.replace("_", "-"): value for name, value in styles.items()}
        places = [self._place(values[name]) for name in STYLES]
        self.layout.append((node, places, bounds, text))

    def element(
        self,
        parent: int,
        tag: str,
        *bounds: float,
        attributes: dict[str, str] | None = None,
        acts: bool = False,
        **styles: str,
    ) -> int:
        """A new last element of a parent; with left, top, width and height if it is drawn."""
        node = self._node(parent, tag.upper(), 1, attributes or {})
        if bounds:
            self._box(node, list(bounds), styles)
        if acts:
            self.clickable.append(node)
        return node

    def text(self, parent: int, words: str, *bounds: float, **styles: str) -> int:
        """A text of one line."""
        node = self._node(parent, "#text", 3, {})
        self._box(node, list(bounds), styles, self._place(words))
        self.lines.append((len(self.layout) - 1, list(bounds), len(words)))
        return node

    def paragraph(self, parent: int, words: str, *bounds: float, **styles: str) -> int:
        """A block-level element that a text fills."""
        node = self.element(parent, "p", *bounds, **styles)
        self.text(node, words, *bounds, **styles)
        return node

    def link(self, parent: int, words: str, href: str, *bounds: float) -> int:
        """A block-level link that its text fills."""
        node = self.element(parent, "a", *bounds, attributes={"href": href})
        self.text(node, words, *bounds)
        return node

    def raw(self) -> dict[str, Any]:
        """The answer."""
        document = {
            "documentURL": self._place(URL),
            "title": self._place(self.title),
            "contentWidth": 1280,
            "contentHeight": self.height,
            "nodes": {
                "parentIndex": [row[0] for row in self.rows],
                "nodeType": [row[2] for row in self.rows],
                "nodeName": [self._place(row[1]) for row in self.rows],
                "nodeValue": [-1] * len(self.rows),
                "attributes": [row[4] for row in self.rows],
                "isClickable": {"index": self.clickable},
            },
            "layout": {
                "nodeIndex": [row[0] for row in self.layout],
                "styles": [row[1] for row in self.layout],
                "bounds": [row[2] for row in self.layout],
                "text": [row[3] for row in self.layout],
                "paintOrders": list(range(len(self.layout))),
            },
            "textBoxes": {
                "layoutIndex": [row[0] for row in self.lines],
                "bounds": [row[1] for row in self.lines],
                "start": [0] * len(self.lines),
                "length": [row[2] for row in self.lines],
            },
        }
        return {"computedStyles": STYLES, "documents": [document], "strings": self.strings}

    def read(self) -> Snapshot:
        """The page as it is read."""
        return read_snapshot(json.dumps(self.raw()).encode())


SENTENCE = "It rained all day in the valley, and the river rose by a metre. "


def article(column: float = 300, side: float = 0, sentence: str = SENTENCE) -> MadePage:
    """A header, a column of links beside an article with two sections, and a footer."""
    page = MadePage(1500, "Rain in the valley - Air")
    header = page.element(page.body, "div", 0, 0, 1280, 80)
    for place, name in enumerate(("News", "Sport", "Weather")):
        page.link(header, name, f"/{name}", 100 * place, 20, 90, 20)
    menu = page.element(page.body, "div", side, 100, 200, 600)
    for place in range(8):
        page.link(menu, f"Story {place}", f"/{place}", side, 100 + 30 * place, 180, 20)
    main = page.element(page.body, "div", column, 100, 700, 1000)
    large = {"font_size": "32px", "font_weight": "700"}
    page.paragraph(main, "Rain in the valley", column, 100, 600, 40, **large)
    page.paragraph(main, 6 * sentence, column, 160, 700, 100)
    page.paragraph(main, 6 * sentence, column, 280, 700, 100)
    middle = {"font_size": "22px", "font_weight": "700"}
    page.paragraph(main, "What comes next", column, 420, 500, 30, **middle)
    page.paragraph(main, 5 * sentence, column, 470, 700, 90)
    footer = page.element(page.body, "div", 0, 1400, 1280, 60)
    page.link(footer, "About us", "/about", 0, 1410, 100, 20)
    page.link(footer, "A friend", "https://other.example/", 500, 1410, 100, 20)
    return page
