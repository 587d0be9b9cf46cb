"""Single pages as a browser draws them, from any thread of any program.

A process beside this one draws the page (`crawler.spiders.one_drawing`) and ends: what a page does
to a browser stays there, and whoever calls may have an event loop or a reactor of its own.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from crawler.config.sites import SiteConfig
from crawler.fetching.browser.launch import BrowserMissingError, start_problem
from crawler.fetching.browser.tab import RenderingError


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A page as it was drawn, without its picture."""

    html: str
    """The document after its scripts."""
    snapshot: bytes
    """Gzip'd JSON of its DOM snapshot; `learner.vision.snapshots` reads it."""
    styled: bool
    """Whether its style sheets were there; else its boxes mean nothing."""


def draw_page(
    url: str,
    html: str,
    *,
    site: SiteConfig | None = None,
    folder: Path | None = None,
    seconds: float,
) -> Drawing:
    """A page drawn from its HTML.

    What it refers to comes from the net, as a crawl of `site` would fetch it, with all its guards;
    or from the files in and below `folder`, the page's own; or, without either, not at all.
    BrowserMissingError without a browser; RenderingError if the page cannot be drawn or takes
    longer than `seconds`.
    """
    if missing := start_problem():
        raise BrowserMissingError(missing)
    order = {
        "url": url,
        "site": site.model_dump_json() if site else None,
        "folder": str(folder) if folder else None,
    }
    command = [sys.executable, "-m", "crawler.spiders.one_drawing"]
    sent = json.dumps(order).encode() + b"\n" + html.encode("utf-8", "replace")
    try:
        done = subprocess.run(command, input=sent, stdout=subprocess.PIPE, timeout=seconds)
    except subprocess.TimeoutExpired as problem:
        raise RenderingError(url, f"took over {seconds:g} s") from problem
    line, _, rest = done.stdout.partition(b"\n")
    if not line:
        raise RenderingError(url, f"the process that draws ended with {done.returncode}")
    answer = json.loads(line)
    if "missing" in answer:
        raise BrowserMissingError(answer["missing"])
    if "problem" in answer:
        raise RenderingError(url, answer["problem"])
    length = answer["snapshot_bytes"]
    return Drawing(
        html=rest[length:].decode("utf-8", "replace"),
        snapshot=rest[:length],
        styled=answer["styled"],
    )
