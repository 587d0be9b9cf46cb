"""Side by side with the tools one could use instead: `python -m benchmarks.peers [SITE.zip ...]`.

trafilatura (default and precision), readability-lxml and resiliparse guess from one page alone;
Webstem has learned the site's train half. All get the same test pages in the same run, and
`score.py` measures them with the gold. Readers' comments are no body in the gold, so tools that
can leave them out are told to; all else is their default.

A list page counts as given out if a tool returns at least 200 characters for it. CPU time is that
of the text; readability-lxml's and trafilatura's titles are asked for apart, untimed. Needs the
extra `bench`.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any, Protocol

from benchmarks.material.corpus import (
    GoldPage,
    page_to_extract,
    pages_to_learn,
    read_halves,
    sample,
    sites_parser,
    sites_to_measure,
)
from benchmarks.material.gold import scorer
from benchmarks.quality import GOOD_F1, Figures, on_all_cores
from crawler.config.stages import ExtractConfig
from crawler.reading.html import detect_charset
from extractor.extraction import extract_article
from extractor.webstemmer.plain_text import page_text
from learner.induction.steps import learn_patterns
from learner.patterns.pattern import PatternSet

LIST_CHARACTERS = 200
"""Characters of text from which on a list page counts as given out. Origin: peers.md."""


class Tool(Protocol):
    """What is compared."""

    def text(self, page: GoldPage, html: bytes) -> str:
        """The body; empty if the tool gives none. This is what is timed."""

    def title(self, page: GoldPage, html: bytes) -> str:
        """The title; empty if the tool gives none. Called after `text` of the same page."""


class Trafilatura:
    """trafilatura, reader comments left out."""

    def __init__(self, favor_precision: bool) -> None:
        import trafilatura

        logging.getLogger("trafilatura").setLevel(logging.CRITICAL)
        self._extract = partial(
            trafilatura.extract, favor_precision=favor_precision, include_comments=False
        )
        self._metadata: Callable[..., Any] = trafilatura.extract_metadata
        self._load: Callable[[bytes], Any] = trafilatura.load_html

    def text(self, page: GoldPage, html: bytes) -> str:
        return self._extract(html) or ""

    def title(self, page: GoldPage, html: bytes) -> str:
        tree = self._load(html)
        found = None if tree is None else self._metadata(tree)
        return (found.title if found else None) or ""


class Readability:
    """readability-lxml; its HTML is made text block by block, untimed."""

    def __init__(self) -> None:
        from readability import Document

        logging.getLogger("readability").setLevel(logging.CRITICAL)
        self._document: Callable[[bytes], Any] = Document
        self._last: Any = None

    def text(self, page: GoldPage, html: bytes) -> str:
        self._last = self._document(html)
        return str(self._last.summary(html_partial=True))

    def title(self, page: GoldPage, html: bytes) -> str:
        return self._last.short_title() or "" if self._last is not None else ""


class Resiliparse:
    """resiliparse's main content; it has no titles but `<title>`."""

    def __init__(self) -> None:
        from resiliparse.extract.html2text import extract_plain_text
        from resiliparse.parse.html import HTMLTree

        self._tree: Callable[[str], Any] = HTMLTree.parse
        self._extract = partial(extract_plain_text, main_content=True, comments=False)
        self._last: Any = None

    def text(self, page: GoldPage, html: bytes) -> str:
        self._last = self._tree(html.decode(detect_charset(html).name, "replace"))
        return str(self._extract(self._last))

    def title(self, page: GoldPage, html: bytes) -> str:
        return self._last.title or "" if self._last is not None else ""


class Webstem:
    """This project, with the patterns of the site."""

    def __init__(self, patterns: PatternSet) -> None:
        self._patterns = patterns
        self._title = ""

    def text(self, page: GoldPage, html: bytes) -> str:
        record = extract_article(page_to_extract(page), self._patterns, ExtractConfig(guess=False))
        self._title = record.title or ""
        return record.body or ""

    def title(self, page: GoldPage, html: bytes) -> str:
        return self._title


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What one tool made of one page."""

    is_article: bool
    precision: float = 0.0
    recall: float = 0.0
    f1: float = 0.0
    title_exact: float = 0.0
    characters: int = 0
    seconds: float = 0.0
    """CPU."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """All tools on one site."""

    site: str
    figures: dict[str, Figures]
    """Tool -> its figures."""
    learn_ms: float
    """CPU milliseconds that learning took Webstem for each page of the train half."""


def page_tools() -> dict[str, Tool]:
    """The tools that know one page only, by name; ImportError without the extra `bench`."""
    return {
        "trafilatura_precision": Trafilatura(favor_precision=True),
        "trafilatura": Trafilatura(favor_precision=False),
        "readability": Readability(),
        "resiliparse": Resiliparse(),
    }


def compare_site(source: Path, per_site: int) -> Comparison:
    """All tools on (some of) the test pages of one site."""
    halves = read_halves(source)
    to_learn = pages_to_learn(halves.train)
    start = time.process_time()
    patterns = learn_patterns(to_learn)
    learn_seconds = time.process_time() - start
    pages = sample(halves.test, per_site)
    tools = {"webstem": Webstem(patterns), **page_tools()}
    for name, tool in tools.items():
        ask(name, tool, pages[0], halves.language)  # what is loaded once is not the page's cost
    return Comparison(
        site=halves.name,
        figures={
            name: tool_figures([ask(name, tool, page, halves.language) for page in pages])
            for name, tool in tools.items()
        },
        learn_ms=1000 * learn_seconds / max(1, len(to_learn)),
    )


def ask(name: str, tool: Tool, page: GoldPage, language: str) -> Answer:
    """One tool on one page; an exception of the tool is an empty answer."""
    html = page.html()
    start = time.process_time()
    try:
        text = tool.text(page, html)
    except Exception:  # what a tool cannot read it gives no article for
        text = ""
    seconds = time.process_time() - start
    if name == "readability":
        text = page_text(text.encode(), "utf-8") if text else ""
    if not page.is_article:
        return Answer(is_article=False, characters=len(text), seconds=seconds)
    precision, recall, f1 = scorer().body_scores(text, page.body, language)
    title_exact, _ = scorer().title_scores(_title(tool, page, html), page.title, language)
    return Answer(
        is_article=True,
        precision=precision,
        recall=recall,
        f1=f1,
        title_exact=title_exact,
        characters=len(text),
        seconds=seconds,
    )


def _title(tool: Tool, page: GoldPage, html: bytes) -> str:
    try:
        return tool.title(page, html)
    except Exception:  # as above
        return ""


def tool_figures(answers: Sequence[Answer]) -> Figures:
    """The figures of one tool on one site."""
    articles = [each for each in answers if each.is_article]
    lists = [each for each in answers if not each.is_article]
    figures = {"cpu_ms": 1000 * fmean(each.seconds for each in answers)}
    if articles:
        figures |= {
            "body_p": fmean(each.precision for each in articles),
            "body_r": fmean(each.recall for each in articles),
            "body_f1": fmean(each.f1 for each in articles),
            "share_f1_95": fmean(each.f1 >= GOOD_F1 for each in articles),
            "title_exact": fmean(each.title_exact for each in articles),
        }
    if lists:
        figures["list_as_article"] = fmean(e.characters >= LIST_CHARACTERS for e in lists)
    return figures


def summarise(comparisons: Sequence[Comparison]) -> dict[str, Figures]:
    """For each tool the means of its figures over the sites that have them."""
    tools = comparisons[0].figures if comparisons else {}
    means = {}
    for tool in tools:
        per_site = [each.figures[tool] for each in comparisons]
        names = dict.fromkeys(name for figures in per_site for name in figures)
        means[tool] = {name: fmean(f[name] for f in per_site if name in f) for name in names}
        means[tool]["worst_body_f1"] = min(f.get("body_f1", 1.0) for f in per_site)
    return means


COLUMNS = (
    ("body_p", "P", ".3f"),
    ("body_r", "R", ".3f"),
    ("body_f1", "F1", ".3f"),
    ("worst_body_f1", "worst", ".3f"),
    ("share_f1_95", ">=.95", ".3f"),
    ("title_exact", "title", ".3f"),
    ("list_as_article", "lists", ".3f"),
    ("cpu_ms", "CPU ms", ".1f"),
)


def table(means: dict[str, Figures]) -> Iterator[str]:
    """The tools side by side, the best F1 first."""
    yield f"{'tool':24}" + "".join(f"{title:>8}" for _, title, _ in COLUMNS)
    for tool, figures in sorted(means.items(), key=lambda each: -each[1].get("body_f1", 0.0)):
        cells = (format(figures[key], spec) if key in figures else "-" for key, _, spec in COLUMNS)
        yield f"{tool:24}" + "".join(f"{cell:>8}" for cell in cells)


def write_json(file: Path, comparisons: Sequence[Comparison]) -> None:
    """Figures named `TOOL_FIGURE`, and beside them each site's by tool."""
    means = summarise(comparisons)
    figures = {f"{tool}_{name}": v for tool, own in means.items() for name, v in own.items()}
    figures["webstem_learn_ms"] = fmean(each.learn_ms for each in comparisons)
    figures["sites"] = float(len(comparisons))
    per_site = {each.site: each.figures for each in comparisons}
    file.write_text(
        json.dumps({"figures": figures, "per_site": per_site}, indent=1) + "\n", "utf-8"
    )


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line, read."""
    parser = sites_parser(
        "Compare with trafilatura, readability-lxml and resiliparse.",
        epilog="example: python -m benchmarks.peers --per-site 12",
    )
    parser.add_argument(
        "--per-site",
        type=int,
        default=0,
        metavar="N",
        help="only N test pages of each site, evenly spread over its articles and its lists",
    )
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0; 2 if a site, the scorer or a tool is missing."""
    options = parse_arguments(arguments)
    comparisons = []
    try:
        page_tools()
        sources = sites_to_measure(options.sites)
        for comparison in on_all_cores(partial(compare_site, per_site=options.per_site), sources):
            print(f"{comparison.site} done", file=sys.stderr, flush=True)
            comparisons.append(comparison)
    except ImportError as error:
        print(f"{error}; the tools come with `pip install -e '.[bench]'`", file=sys.stderr)
        return 2
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    for line in table(summarise(comparisons)):
        print(line)
    learn_ms = fmean(each.learn_ms for each in comparisons)
    print(f"webstem learned beforehand: {learn_ms:.1f} CPU ms for each page of the train half")
    if options.json:
        write_json(options.json, comparisons)
    return 0


if __name__ == "__main__":
    sys.exit(main())
