"""What is kept of a page that is drawn: its DOM snapshot and its picture."""

from __future__ import annotations

import base64
import gzip
import json
from itertools import chain
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.async_api import CDPSession

STYLES = (
    "display",
    "visibility",
    "opacity",
    "position",
    "float",
    "z-index",
    "overflow-x",
    "overflow-y",
    "font-size",
    "font-weight",
    "line-height",
    "text-align",
    "text-decoration-line",
    "color",
    "background-color",
    "background-image",
    "border-top-width",
    "border-left-width",
    "cursor",
)
"""Names of the computed styles that a snapshot has, in its order."""

STYLES_KEY = "computedStyles"
"""Where a stored snapshot tells the names of its styles, beside what Chromium answers."""

MOST_PIXELS_DOWN = 16_384
"""Height of a picture at most. Origin: the largest texture that Chromium draws."""

JPEG_QUALITY = 70
"""Of 100. Origin: guess; letters of 12 pixels stay readable."""


async def take_snapshot(session: CDPSession) -> bytes:
    """The gzip'd JSON of `DOMSnapshot.captureSnapshot`, with the names of its styles.

    The texts of scripts and style sheets are left out: they are a third of it, and the HTML has
    them.
    """
    asked = {"computedStyles": STYLES, "includePaintOrder": True, "includeDOMRects": True}
    taken = await session.send("DOMSnapshot.captureSnapshot", asked)
    for document in taken["documents"]:
        _leave_code_out(document, taken["strings"])
    plain = json.dumps({STYLES_KEY: STYLES, **taken}, ensure_ascii=False, separators=(",", ":"))
    return gzip.compress(plain.encode("utf-8", "surrogatepass"), mtime=0)


def _leave_code_out(document: dict[str, Any], strings: list[str]) -> None:
    """Empty the texts of scripts and style sheets that nothing else in a document names."""
    nodes = document["nodes"]
    values, parents = nodes["nodeValue"], nodes["parentIndex"]
    is_code = [strings[place] in ("SCRIPT", "STYLE") for place in nodes["nodeName"]]
    shown = {*chain.from_iterable(nodes["attributes"]), *document["layout"]["text"]}
    for node, parent in enumerate(parents):
        place = values[node]
        if parent >= 0 and is_code[parent] and place >= 0 and place not in shown:
            values[node] = -1
            strings[place] = ""


async def take_picture(session: CDPSession) -> bytes:
    """The whole page as JPEG, at most `MOST_PIXELS_DOWN` of it."""
    metrics = await session.send("Page.getLayoutMetrics")
    size = metrics["cssContentSize"]
    window = metrics["cssLayoutViewport"]
    clip = {
        "x": 0,
        "y": 0,
        # What is wider than the window is not seen without scrolling sideways.
        "width": window["clientWidth"],
        "height": max(1, min(size["height"], MOST_PIXELS_DOWN)),
        "scale": 1,
    }
    asked = {
        "format": "jpeg",
        "quality": JPEG_QUALITY,
        "clip": clip,
        "captureBeyondViewport": True,
    }
    taken = await session.send("Page.captureScreenshot", asked)
    return base64.b64decode(taken["data"])
