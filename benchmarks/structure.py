"""What is kept of a text's structure: `python -m benchmarks.structure [SITE.zip|FOLDER ...]`.

Each site is learned from its train half. On the articles of its test half the elements that the
site's own rule selects (`site.json`) are compared with those of what comes out: headings, items of
lists, cells of tables, code and links, each by its kind and its text, links by their address too.
F1 over a site's pages, then the mean over the sites that have such elements. Beside `body_html` and
`body_markdown`: trafilatura's XML and its Markdown, Markdown made HTML by markdown-it. `same_text`
is the share of articles whose `body_html` says what their `body` says.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from statistics import fmean
from typing import Any

from lxml import etree
from lxml.cssselect import CSSSelector

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
from benchmarks.measures.figures import report
from benchmarks.quality import on_all_cores
from crawler.config.stages import ExtractConfig
from crawler.reading.html import parse_html
from crawler.reading.links import resolve
from extractor.extraction import extract_article
from extractor.records.articles import ArticleRecord
from learner.induction.steps import learn_patterns
from learner.page.words import word_letters

KINDS = ("headings", "items", "cells", "code", "links")

PER_SITE = 30
"""Articles of a site that are compared, evenly spread."""

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")

Elements = Counter[tuple[str, str]]
"""Kind and text of the elements of a page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Structures:
    """All tools on one site."""

    site: str
    f1: Mapping[str, Mapping[str, float]]
    """Tool -> kind -> F1, of the kinds that the gold has."""
    n_articles: int
    """Articles that Webstem gave out ..."""
    n_same: int
    """... and those of them whose HTML has the text of the body."""


def measure_site(source: Path, per_site: int) -> Structures:
    """One site's articles, with all tools."""
    halves = read_halves(source)
    rules = _Rules(source)
    patterns = learn_patterns(pages_to_learn(halves.train))
    pages = sample([page for page in halves.test if page.is_article], per_site)
    counts: defaultdict[str, dict[str, list[int]]] = defaultdict(
        lambda: {kind: [0, 0, 0] for kind in KINDS}
    )
    n_articles = n_same = 0
    for page in pages:
        gold = rules.elements(page)
        if gold is None:
            continue
        record = extract_article(page_to_extract(page), patterns, ExtractConfig(guess=False))
        if record.body:
            n_articles += 1
            n_same += _says_same(record)
        for tool, read in tools().items():
            _count(counts[tool], gold, read(page, record))
    return Structures(
        site=halves.name,
        f1={tool: dict(_f1(kinds)) for tool, kinds in counts.items()},
        n_articles=n_articles,
        n_same=n_same,
    )


def _count(counts: dict[str, list[int]], gold: Elements, found: Elements) -> None:
    """Add a page: how many elements of each kind are right, found, wanted."""
    for number, elements in enumerate((gold & found, found, gold)):
        for (kind, _), n in elements.items():
            counts[kind][number] += n


def _f1(counts: Mapping[str, Sequence[int]]) -> Iterator[tuple[str, float]]:
    for kind, (right, found, wanted) in counts.items():
        if wanted:
            yield kind, 2 * right / (found + wanted)


def tools() -> dict[str, Callable[[GoldPage, ArticleRecord], Elements]]:
    """What gives the elements of a page, by name."""
    return {
        "body_html": lambda page, record: _of_html(record.body_html, page.url),
        "body_markdown": lambda page, record: _of_markdown(record.body_markdown, page.url),
        "trafilatura_xml": lambda page, _: _of_xml(_trafilatura(page, "xml"), page.url),
        "trafilatura_markdown": lambda page, _: _of_markdown(
            _trafilatura(page, "markdown"), page.url
        ),
    }


def _trafilatura(page: GoldPage, form: str) -> str:
    import trafilatura

    try:
        written = trafilatura.extract(
            page.html(),
            url=page.url,
            output_format=form,
            include_links=True,
            include_tables=True,
            include_formatting=True,
            include_comments=False,
        )
    except Exception:  # what it cannot read it gives nothing for
        return ""
    return written or ""


def _says_same(record: ArticleRecord) -> bool:
    written = _text(parse_html((record.body_html or "").encode(), "utf-8"))
    return "".join(written.split()) == "".join((record.body or "").split())


def _text(element: etree._Element) -> str:
    return "".join(map(str, element.itertext()))


def _of_html(written: str | None, url: str) -> Elements:
    return Counter(elements_of(parse_html(written.encode(), "utf-8"), url) if written else ())


def _of_markdown(written: str | None, url: str) -> Elements:
    from markdown_it import MarkdownIt

    return _of_html(MarkdownIt("commonmark").enable("table").render(written or ""), url)


_AS_HTML = {"item": "li", "row": "tr", "cell": "td", "ref": "a", "list": "ul"}
"""Elements of trafilatura's XML, and what they are in HTML."""


def _of_xml(written: str, url: str) -> Elements:
    if not written:
        return Counter()
    root = etree.fromstring(written.encode(), etree.XMLParser(recover=True, no_network=True))
    for element in root.iter(etree.Element):
        if element.tag == "head":
            element.tag = element.get("rend") or "h2"
        elif element.tag == "code" and "\n" in _text(element):
            element.tag = "pre"
        if element.tag == "ref":
            element.set("href", element.get("target") or "")
        element.tag = _AS_HTML.get(str(element.tag), element.tag)
    return Counter(elements_of(root, url))


def elements_of(root: etree._Element, url: str) -> Iterator[tuple[str, str]]:
    """The elements that are counted, each with its kind and text; what has no words is none.

    >>> html = b"<h2>A</h2><ul><li>b<ul><li>c</ul></ul><p><code>d</code> <a href=/e>f</a>"
    >>> sorted(elements_of(parse_html(html), "https://x.example/"))
    [('code', 'd'), ('headings', 'a'), ('items', 'b'), ('items', 'c'), ('links', 'f https://x.example/e')]
    """
    tables = set(_data_rows(root))
    for element in root.iter(*HEADINGS, "li", "td", "th", "pre", "code", "a"):
        kind, text = "", word_letters(_text(element))
        match element.tag:
            case "li":
                kind, text = "items", word_letters(_own_text(element))
            case "td" | "th":
                is_cell = (
                    element.getparent() in tables and next(element.iter("table"), None) is None
                )
                kind = "cells" if is_cell else ""
            case "code":
                kind = "" if next(element.iterancestors("pre"), None) is not None else "code"
            case "pre":
                kind = "code"
            case "a":
                target = resolve(url, element.get("href") or "")
                kind, text = ("links" if target and text else ""), f"{text} {target}"
            case _:
                kind = "headings"
        if kind and text:
            yield kind, text


def _data_rows(root: etree._Element) -> Iterator[etree._Element]:
    """The rows of tables one row of which has two cells with words: the others are layout, as are
    those that number the lines of code."""
    for table in root.iter("table"):
        if next(table.iter("pre"), None) is not None:
            continue
        rows = [row for row in table.iter("tr") if next(row.iterancestors("table")) is table]
        filled = (
            sum(bool(word_letters(_text(c))) for c in row if c.tag in ("td", "th")) for row in rows
        )
        if any(n > 1 for n in filled):
            yield from rows


def _own_text(item: etree._Element) -> str:
    """The text of an item without the lists in it."""
    parts = [item.text or ""]
    for child in item:
        if child.tag not in ("ul", "ol"):
            parts.append(_own_text(child))
        parts.append(child.tail or "")
    return "".join(parts)


class _Rules:
    """The rules of a site's gold."""

    def __init__(self, source: Path) -> None:
        site = scorer().load_site(str(source))
        self._templates = {each["id"]: each for each in site.meta.get("templates", ())}
        self._drop: list[str] = site.meta.get("site_drop", [])
        self._template_of = {page.file: page.gold.get("template") for page in site.pages}

    def elements(self, page: GoldPage) -> Elements | None:
        """The elements of a page's text; None if its rule is of a kind that is not read here."""
        template = self._templates.get(self._template_of.get(str(page.file)))
        if template is None or "same" in template or "body" not in template:
            return None
        root = parse_html(page.html())
        for each in (*self._drop, *template.get("drop", ())):
            for element in _select(root, each):
                if element.getparent() is not None:
                    _remove(element)
        bodies = _select(root, template["body"])
        text = word_letters(page.body)
        wanted = bodies if template.get("body_all") else bodies[:1]
        found = (each for body in wanted for each in elements_of(body, page.url))
        return Counter((kind, said) for kind, said in found if said.partition(" ")[0] in text)


def _remove(element: etree._Element) -> None:
    """Remove an element, but not what follows it."""
    parent, before = element.getparent(), element.getprevious()
    assert parent is not None
    if before is not None:
        before.tail = (before.tail or "") + (element.tail or "")
    else:
        parent.text = (parent.text or "") + (element.tail or "")
    parent.remove(element)


def _select(root: etree._Element, rule: str | Sequence[str]) -> list[etree._Element]:
    """The elements that a rule names, by CSS or XPath; of several rules those of the first that
    names any."""
    for each in [rule] if isinstance(rule, str) else rule:
        is_xpath = each.startswith("xpath:")
        found: Any = (
            root.xpath(each.removeprefix("xpath:"))
            if is_xpath
            else CSSSelector(each, translator="html")(root)
        )
        if elements := [each for each in found if isinstance(each, etree._Element)]:
            return elements
    return []


def summarise(sites: Sequence[Structures]) -> dict[str, float]:
    """Means over the sites that have such elements."""
    figures = {"same_text": sum(s.n_same for s in sites) / max(1, sum(s.n_articles for s in sites))}
    for tool in tools():
        for kind in KINDS:
            found = [s.f1[tool][kind] for s in sites if kind in s.f1.get(tool, {})]
            if found:
                figures[f"{tool}_{kind}"] = fmean(found)
    return figures


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """What is measured."""
    parser = sites_parser("What is kept of a text's structure.")
    parser.add_argument(
        "--per-site", type=int, default=PER_SITE, metavar="N", help="articles of each site"
    )
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0; 2 if a site, the scorer or a tool is missing."""
    options = parse_arguments(arguments)
    found = []
    try:
        import_module("markdown_it")
        import_module("trafilatura")
        sources = sites_to_measure(options.sites)
        for each in on_all_cores(partial(measure_site, per_site=options.per_site), sources):
            print(json.dumps({each.site: each.f1}), file=sys.stderr, flush=True)
            found.append(each)
    except ImportError as error:
        print(f"{error}; the tools come with `pip install -e '.[bench]'`", file=sys.stderr)
        return 2
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    report(summarise(found), options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
