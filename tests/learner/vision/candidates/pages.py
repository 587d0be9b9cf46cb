"""Drawn pages of known geometry, without a browser: a menu, an article and what comments on it."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass, field
from typing import Any

from crawler.fetching.browser.capture import STYLES, STYLES_KEY
from learner.vision.candidates.lessons import DrawnLesson
from tests.handmade import words

PLAIN = {
    "display": "block", "visibility": "visible", "opacity": "1", "position": "static",
    "overflow-x": "visible", "overflow-y": "visible", "font-size": "16px",
    "background-color": "rgba(0, 0, 0, 0)", "border-left-width": "0px",
}  # fmt: skip

Box = tuple[float, float, float, float]
LINE = 20


@dataclass(frozen=True)
class Node:
    """An element with its box, and what stands in it."""

    tag: str
    box: Box
    inside: tuple[Node | str, ...] = ()
    attributes: dict[str, str] = field(default_factory=dict)
    styles: dict[str, str] = field(default_factory=dict)


def snapshot_of(body: Node, title: str = "A page") -> bytes:
    """The gzip'd snapshot of a page, as Chromium answers."""
    strings: list[str] = []

    def place(text: str) -> int:
        strings.append(text)
        return len(strings) - 1

    nodes: dict[str, Any] = {
        name: [] for name in ("parentIndex", "nodeType", "nodeName", "nodeValue", "attributes")
    }
    layout: dict[str, Any] = {
        name: [] for name in ("nodeIndex", "styles", "bounds", "text", "paintOrders")
    }
    boxes: dict[str, Any] = {name: [] for name in ("layoutIndex", "bounds", "start", "length")}

    def node(parent: int, name: str, kind: int, value: int, attributes: dict[str, str]) -> int:
        nodes["parentIndex"].append(parent)
        nodes["nodeType"].append(kind)
        nodes["nodeName"].append(place(name))
        nodes["nodeValue"].append(value)
        nodes["attributes"].append([place(t) for pair in attributes.items() for t in pair])
        return len(nodes["parentIndex"]) - 1

    def row(number: int, box: Box, styles: dict[str, str], text: int = -1) -> int:
        layout["nodeIndex"].append(number)
        layout["styles"].append([place((PLAIN | styles).get(name, "")) for name in STYLES])
        layout["bounds"].append(list(box))
        layout["text"].append(text)
        layout["paintOrders"].append(len(layout["paintOrders"]))
        return len(layout["nodeIndex"]) - 1

    def add(parent: int, each: Node) -> None:
        own = node(parent, each.tag.upper(), 1, -1, each.attributes)
        row(own, each.box, each.styles)
        for inner in each.inside:
            if isinstance(inner, Node):
                add(own, inner)
                continue
            text = place(inner)
            number = row(node(own, "#text", 3, text, {}), each.box, each.styles, text)
            left, top, width, height = each.box
            n_lines = max(int(height // LINE), 1)
            for line in range(n_lines):
                boxes["layoutIndex"].append(number)
                boxes["bounds"].append([left, top + line * LINE, width, min(height, LINE)])
                boxes["start"].append(0)
                boxes["length"].append(len(inner.encode("utf-16-le")) // 2)

    top = node(-1, "#document", 9, -1, {})
    row(top, (0, 0, 1280, 1024), {})
    html = node(top, "HTML", 1, -1, {})
    row(html, body.box, {})
    add(html, body)
    document = {
        "documentURL": place("http://a/"), "title": place(title),
        "contentWidth": 1280, "contentHeight": body.box[3],
        "nodes": nodes | {"isClickable": {"index": []}}, "layout": layout, "textBoxes": boxes,
    }  # fmt: skip
    raw = {STYLES_KEY: STYLES, "documents": [document], "strings": strings}
    return gzip.compress(json.dumps(raw).encode())


def story(site: int, number: int) -> tuple[Node, str]:
    """A page of a site, and its text: a header, a menu beside an article, and comments below."""
    seed = f"{site} {number}"
    menu_left, left = (0, 330) if site % 2 else (960, 10)
    n_paragraphs = 5 + (site + number) % 4
    texts = [words(f"{seed} {nth}", 60) + "." for nth in range(n_paragraphs)]
    links = tuple(
        Node("li", (menu_left, 100 + nth * 30, 300, 20), (
            Node("a", (menu_left, 100 + nth * 30, 300, 20), (words(f"menu {site} {nth}", 3),),
                 {"href": "/"}),
        ))
        for nth in range(25)
    )  # fmt: skip
    paragraphs = tuple(
        Node("p", (left, 200 + nth * 120, 900, 100), (text,)) for nth, text in enumerate(texts)
    )
    end = 200 + n_paragraphs * 120
    comments = tuple(
        Node("div", (left, end + nth * 100, 900, 90), tuple(
            Node("p", (left, end + nth * 100 + part * 45, 900, 40),
                 (words(f"{seed} comment {nth} {part}", 12),))
            for part in range(3)
        ), {"class": "c"})
        for nth in range(8)
    )  # fmt: skip
    height = end + 800
    title = words(f"title {seed}", 4)
    article = Node("div", (left, 190, 900, end - 190), paragraphs)
    below = Node("div", (left, end, 900, 800), comments)
    column = Node("div", (left, 100, 900, height - 100), (
        Node("h1", (left, 100, 900, 40), (title,), styles={"font-size": "32px"}), article, below,
    ))  # fmt: skip
    menu = Node("ul", (menu_left, 100, 300, 800), links)
    body = Node("body", (0, 0, 1280, height), (menu, column))
    return body, "\n".join(texts)


def lesson(site: int, number: int) -> DrawnLesson:
    """The same as a lesson."""
    body, text = story(site, number)
    return DrawnLesson(
        site=f"site {site}", url=f"http://{site}.example/{number}", body=text,
        snapshot=snapshot_of(body, f"Page {number}"), picture=None,
    )  # fmt: skip
