"""The picture of the README: `python -m examples.picture docs/result.svg`.

Learns the first edition of the demo site, extracts a story of the second, and draws what became
of each block of that page. Nothing in it is drawn by hand.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from examples import svg
from examples.site import DemoSite, build_site
from examples.svg import COLOURS, cut
from extractor.extraction import extract_article
from extractor.records.articles import ArticleRecord
from extractor.webstemmer.plain_text import page_text
from learner.induction.steps import learn_patterns
from learner.page.pages import Page
from learner.patterns.pattern import PatternSet

BASE_URL = "http://127.0.0.1:8123"
SLUG = "kite-day"
WIDTH, MARGIN, LINE = 1000, 24, 19
PAGE_WIDTH = 470
"""Width of the left column, in the units of the picture."""
LETTERS = 62
"""Letters shown of a block."""
LEGEND = (("title", "title"), ("main", "main text"), ("detail", "date, author"), ("left", "left"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """One block of the page: its text and the key of its colour."""

    text: str
    colour: str


def learned_patterns(site: DemoSite) -> PatternSet:
    """What the pages of an edition teach, anchor texts aside."""
    return learn_patterns(
        Page(url=BASE_URL + resource.path, html=resource.body)
        for kind in ("article", "list", "other")
        for resource in site.pages(kind)
    )


def draw_blocks(html: bytes, record: ArticleRecord) -> list[Drawn]:
    """Every block of the page with what it became."""
    texts = [text for text in page_text(html).splitlines() if text.strip()]
    body = set((record.body or "").splitlines())
    details = [text for text in (*record.authors, record.date_published_raw) if text]
    taken = {number: "main" for number, text in enumerate(texts) if text in body}
    taken |= {_first(texts, detail): "detail" for detail in details}
    taken[_first(texts, record.title or "")] = "title"
    return [Drawn(text=text, colour=taken.get(n, "left")) for n, text in enumerate(texts)]


def _first(texts: list[str], wanted: str) -> int:
    """Where a block equals, or else holds, the wanted text; -1 if none does."""
    holding = (number for number, text in enumerate(texts) if wanted in text)
    return texts.index(wanted) if wanted in texts else next(holding, -1)


def picture(blocks: list[Drawn], record: ArticleRecord, learned_from: int) -> str:
    """The SVG: the page's blocks at the left, the record at the right."""
    height = 3 * MARGIN + LINE * (len(blocks) + 2)
    left = [_heading(MARGIN, f"{record.url.removeprefix(BASE_URL)}")]
    for number, block in enumerate(blocks):
        y = 2 * MARGIN + LINE * (number + 1)
        left.append(
            _mark(MARGIN, y, block.colour)
            + svg.text(
                MARGIN + 14,
                y,
                cut(block.text, LETTERS),
                "#999" if block.colour == "left" else "#222",
            )
        )
    right = [_heading(MARGIN + PAGE_WIDTH + 50, f"learned from {learned_from} pages, no labels")]
    for number, (label, text, colour) in enumerate(record_lines(record)):
        y = 2 * MARGIN + LINE * (number + 1)
        x = MARGIN + PAGE_WIDTH + 50
        right.append(svg.text(x, y, label, "#777") + svg.text(x + 80, y, text, colour))
    legend = [
        _mark(MARGIN + 130 * n, height - 15, colour)
        + svg.text(MARGIN + 130 * n + 14, height - 15, label)
        for n, (colour, label) in enumerate(LEGEND)
    ]
    return svg.document(WIDTH, height, [*left, *right, *legend])


def record_lines(record: ArticleRecord) -> list[tuple[str, str, str]]:
    """(label, text, colour) of the record's lines."""
    day = f"{record.date_published:%Y-%m-%d}" if record.date_published else "-"
    body = (record.body or "").splitlines()
    return [
        ("status", str(record.status), "#222"),
        ("title", cut(record.title or "-", 48), COLOURS["title"]),
        ("date", day, COLOURS["detail"]),
        ("authors", ", ".join(record.authors) or "-", COLOURS["detail"]),
        ("pattern", f"{record.pattern_id}, score {record.match_score or 0:.2f}", "#222"),
        *(
            ("body" if n == 0 else "", cut(line, 48), COLOURS["main"])
            for n, line in enumerate(body)
        ),
    ]


def _heading(x: int, text: str) -> str:
    return svg.text(x, MARGIN + 6, text, bold=True)


def _mark(x: int, y: int, colour: str) -> str:
    return svg.box(x, y - 12, 5, 15, COLOURS[colour])


def main() -> int:
    parser = argparse.ArgumentParser(description="Draw what became of one page.")
    parser.add_argument("output", type=Path, help="the SVG file to write")
    output = parser.parse_args().output
    first, second = build_site(1, BASE_URL), build_site(2, BASE_URL)
    story = next(story for story in second.stories if story.slug == SLUG)
    html = second.resources[story.path].body
    page = Page(url=BASE_URL + story.path, html=html)
    record = extract_article(page, learned_patterns(first))
    pages = sum(len(first.pages(kind)) for kind in ("article", "list", "other"))
    output.write_text(picture(draw_blocks(html, record), record, pages), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
