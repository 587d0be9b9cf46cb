"""What drawing a page costs, beside a loop of bare Playwright over the same pages:
`python -m benchmarks.rendering [SITE.zip|SHOP.zip ...] [--pages N] [--json FILE]`.

The bare loop is what a user would write: one tab, `goto`, DOMSnapshot.captureSnapshot with the same
styles, gzip, a full-page JPEG of the same quality, requests answered from the same archive. Both
draw page after page, in turn, several times; the least wall time of each page counts, for other
work on the machine only ever adds.

render_seconds, bare_seconds    median of the pages
render_vs_bare                  sum of ours by sum of theirs
render_mb, bare_mb              memory of the browser and what drives it, proportional (PSS)
snapshot_kb, picture_kb         what is stored of a page, median
read_ms                         to read a snapshot with what of it is visible, CPU, median
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import os
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from playwright.async_api import Route, async_playwright

from benchmarks.material.gold import SHARED
from benchmarks.measures.figures import report
from benchmarks.rendered import Archive, read_archive
from crawler.fetching.browser.answers import Asked, stored_answers
from crawler.fetching.browser.capture import JPEG_QUALITY, STYLES
from crawler.fetching.browser.drawing import Browser, Rendered
from crawler.fetching.browser.launch import installed_chromium, start_problem
from crawler.fetching.browser.tab import VIEWPORT
from learner.site.sampling import evenly_spaced
from learner.vision.snapshots.reading import read_snapshot

ROUNDS = 3
"""Times that each page is drawn by both."""

SHOPS = SHARED / "shops"
"""What is drawn by default: their style sheets are there."""

Draw = Callable[[str], "asyncio.Future[None]"]


@dataclass
class Costs:
    """Of one way to draw pages."""

    seconds: dict[str, float] = field(default_factory=dict)
    """The least of each address."""
    megabytes: float = 0.0
    """The most that all its processes held."""

    def note(self, url: str, seconds: float) -> None:
        self.seconds[url] = min(seconds, self.seconds.get(url, seconds))
        self.megabytes = max(self.megabytes, children_megabytes())


def children_megabytes() -> float:
    """Memory of the processes below this one, pages that they share counted once."""
    return sum(_pss_kilobytes(pid) for pid in _descendants(os.getpid())) / 1024


def _descendants(pid: int) -> list[int]:
    found: list[int] = []
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, children.read_text().split()):
            found += [child, *_descendants(child)]
    return found


def _pss_kilobytes(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:  # it has ended
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)


async def ours(archive: Archive, urls: Sequence[str], costs: Costs) -> list[Rendered]:
    """Draw the pages as `webstem render` does, one at a time."""
    answers = stored_answers(archive.body_of)
    drawn = []
    async with Browser() as browser:
        await browser.render(urls[0], answers)  # what is loaded once
        for url in urls:
            began = time.perf_counter()
            drawn.append(await browser.render(url, answers))
            costs.note(url, time.perf_counter() - began)
    return drawn


async def bare(archive: Archive, urls: Sequence[str], costs: Costs) -> None:
    """Draw the pages as a plain loop does."""
    async with _bare_draw(archive) as draw:
        await draw(urls[0])
        for url in urls:
            began = time.perf_counter()
            await draw(url)
            costs.note(url, time.perf_counter() - began)


@asynccontextmanager
async def _bare_draw(archive: Archive) -> AsyncIterator[Draw]:
    answers = stored_answers(archive.body_of)

    async def answer(route: Route) -> None:
        request = route.request
        found = await answers(Asked(url=request.url, kind=request.resource_type))
        if found is None:
            await route.abort()
        else:
            await route.fulfill(body=found.body, content_type=found.content_type or None)

    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(
            executable_path=installed_chromium(),
            args=["--no-sandbox"] if os.geteuid() == 0 else [],
        )
        page = await chromium.new_page(viewport={"width": VIEWPORT[0], "height": VIEWPORT[1]})
        await page.route("**/*", answer)
        session = await page.context.new_cdp_session(page)
        asked = {"computedStyles": STYLES, "includePaintOrder": True, "includeDOMRects": True}

        async def draw(url: str) -> None:
            await page.goto(url, wait_until="load")
            await page.content()
            snapshot = await session.send("DOMSnapshot.captureSnapshot", asked)
            gzip.compress(json.dumps(snapshot).encode())
            await page.screenshot(full_page=True, type="jpeg", quality=JPEG_QUALITY)

        yield lambda url: asyncio.ensure_future(draw(url))
        await chromium.close()


def measure(sources: Sequence[Path], n_pages: int) -> dict[str, float]:
    """The figures, by their names."""
    own, plain = Costs(), Costs()
    drawn: list[Rendered] = []
    for source in sources:
        archive = read_archive(source)
        urls = [url for url, _, _ in evenly_spaced(sorted(archive.pages), n_pages)]
        for _ in range(ROUNDS):
            asyncio.run(bare(archive, urls, plain))
            pages = asyncio.run(ours(archive, urls, own))
        drawn += pages
    return {
        "render_seconds": median(own.seconds.values()),
        "bare_seconds": median(plain.seconds.values()),
        "render_vs_bare": sum(own.seconds.values()) / sum(plain.seconds.values()),
        "render_mb": own.megabytes,
        "bare_mb": plain.megabytes,
        "snapshot_kb": median(len(page.snapshot) / 1000 for page in drawn),
        "picture_kb": median(len(page.picture or b"") / 1000 for page in drawn),
        "read_ms": median(1000 * _seconds_to_read(page.snapshot) for page in drawn),
        "pages": len(drawn),
    }


def _seconds_to_read(snapshot: bytes) -> float:
    tries = []
    for _ in range(ROUNDS):
        began = time.process_time()
        read_snapshot(snapshot).is_visible.sum()
        tries.append(time.process_time() - began)
    return min(tries)


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0; 1 without a browser, 2 without archives."""
    parser = argparse.ArgumentParser(description="Measure what drawing a page costs.")
    parser.add_argument("sources", type=Path, nargs="*", help="zip of a site; default: the shops")
    parser.add_argument("--pages", type=int, default=3, metavar="N", help="of each; default: 3")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE")
    options = parser.parse_args(arguments)
    sources = options.sources or sorted(SHOPS.glob("*.zip"))
    if problem := start_problem():
        print(problem, file=sys.stderr)
        return 1
    if not sources:
        print(f"benchmarks: expected archives in {SHOPS}, found none", file=sys.stderr)
        return 2
    report(measure(sources, options.pages), options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
