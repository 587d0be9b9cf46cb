"""Real sites made harder: `python -m benchmarks.robustness [SITE.zip|FOLDER ...]`.

35 sites are not the web. So each is measured as it is and again without something that a learner
may lean on: the names of its elements, the tags of its sections, what its pages say for machines,
one kind of page among those learned from; and with more below its articles, or in them. And each is
learned together with another one as a single site, for many sites have parts that are as strange to
each other: a blog, a manual and a shop.

The figures are those of `benchmarks.quality`, means over the sites; the gold stays what it is.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from lxml import etree

from benchmarks.material.corpus import GoldPage, Halves, read_halves, sites_parser, sites_to_measure
from benchmarks.material.furniture import furnish, interrupt
from benchmarks.quality import (
    Figures,
    Settings,
    SiteResult,
    measure_halves,
    on_all_cores,
    summarise,
    table_head,
    table_line,
)
from crawler.reading.html import parse_html
from learner.site.sampling import evenly_spaced

PARTNER = 7
"""Which site, counted from each by name, it is learned together with. Any number will do."""

LISTS_EACH = 4
"""Lists for each article where most pages are lists."""

LEAST_ARTICLES = 6
"""Articles learned from there at least, if the site has them."""

SECTION_TAGS = ("section", "article", "header", "footer", "nav", "main", "aside")

T = TypeVar("T")
Change = Callable[[etree._Element, GoldPage], None]
"""What is done to the elements of a page."""


def without_names(page: etree._Element, _: GoldPage) -> None:
    """No element has an id or a class."""
    for element in page.iter("*"):
        for name in ("id", "class"):
            element.attrib.pop(name, "")


def without_sections(page: etree._Element, _: GoldPage) -> None:
    """What HTML5 has tags for are plain boxes, as they were before."""
    for element in page.iter(*SECTION_TAGS):
        element.tag = "div"


def without_metadata(page: etree._Element, _: GoldPage) -> None:
    """Nothing for machines but `<title>`: no `meta`, no `link`, no JSON-LD."""
    etree.strip_elements(page, "meta", "link", "script", with_tail=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedPage(GoldPage):
    """A page whose elements are changed before anything is learned from it or extracted."""

    change: Change

    def html(self) -> bytes:
        """The raw body, written anew in UTF-8."""
        page = parse_html(GoldPage.html(self))
        self.change(page, self)
        written = etree.tostring(page, encoding="unicode", method="html")
        return b"<!DOCTYPE html><meta charset=utf-8>" + written.encode("utf-8", "replace")


def changed(halves: Halves, change: Change) -> Halves:
    """A site all of whose pages are changed."""

    def of(page: GoldPage) -> GoldPage:
        known = {field.name: getattr(page, field.name) for field in fields(GoldPage)}
        return ChangedPage(**known, change=change)

    train, test = (tuple(map(of, half)) for half in (halves.train, halves.test))
    return replace(halves, train=train, test=test)


def articles_alone(halves: Halves) -> Halves:
    """Learned from articles alone."""
    return replace(halves, train=tuple(page for page in halves.train if page.is_article))


def mostly_lists(halves: Halves) -> Halves:
    """Learned from all lists and a few of the articles, as of a site with many tags."""
    articles = [page for page in halves.train if page.is_article]
    lists = [page for page in halves.train if not page.is_article]
    few = evenly_spaced(articles, max(LEAST_ARTICLES, len(lists) // LISTS_EACH))
    return replace(halves, train=(*few, *lists))


VARIANTS: dict[str, Callable[[Halves], Halves]] = {
    "as they are": lambda halves: halves,
    "without names": partial(changed, change=without_names),
    "without sections": partial(changed, change=without_sections),
    "without metadata": partial(changed, change=without_metadata),
    "articles alone": articles_alone,
    "mostly lists": mostly_lists,
    "more below the texts": partial(changed, change=furnish),
    "more in the texts": partial(changed, change=interrupt),
}


def measure_variant(source: Path, name: str) -> SiteResult:
    """One site, made harder."""
    return measure_halves([VARIANTS[name](read_halves(source))], Settings())[0]


def measure_pair(source: Path, sources: Sequence[Path]) -> SiteResult:
    """One site, learned together with another one."""
    both = [read_halves(source), read_halves(partner(source, sources))]
    return measure_halves(both, Settings())[0]


def partner(source: T, sources: Sequence[T]) -> T:
    """Another one of two sites or more."""
    step = PARTNER % len(sources) or 1
    return sources[(sources.index(source) + step) % len(sources)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0; 2 if a site or the scorer is missing."""
    parser = sites_parser("Measure real sites that were made harder.")
    parser.add_argument(
        "--jitter",
        type=int,
        metavar="DRAWS",
        help="move all numbers of the learner at random instead, so many times",
    )
    options = parser.parse_args(arguments)
    try:
        sources = sites_to_measure(options.sites)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    if options.jitter:
        _write(_measure_jitter(sources, options.jitter), options.json)
        return 0
    measures: dict[str, Callable[[Path], SiteResult]] = {
        name: partial(measure_variant, name=name) for name in VARIANTS
    }
    if len(sources) > 1:
        measures["two as one"] = partial(measure_pair, sources=sources)
    figures: Figures = {}
    print(table_head())
    for name, measure in measures.items():
        found = summarise(list(on_all_cores(measure, sources)))
        print(table_line(name, found), f"worst F1 {found['worst_body_f1']:.3f}", flush=True)
        figures |= {f"{name.replace(' ', '_')}.{each}": value for each, value in found.items()}
    _write(figures, options.json)
    return 0


def _measure_jitter(sources: Sequence[Path], draws: int) -> Figures:
    """Print the figures of each draw; they and the greatest fall of each group."""
    from benchmarks.ideas.without import losses
    from benchmarks.measures.jitter import measure_draws

    usual: dict[str, Figures] = {}
    figures: Figures = {}
    print(table_head())
    for seed, group, found in measure_draws(sources, draws):
        print(table_line(f"{group} {seed or 'as it is'}", found), flush=True)
        usual.setdefault(group, found)
        if seed:
            lost = max(losses(usual[group], found).values())
            figures[f"{group}.draw_{seed}_greatest_fall"] = lost
            print(f"    greatest fall of a figure {lost:.4f}")
    return figures


def _write(figures: Figures, path: Path | None) -> None:
    if path:
        path.write_text(json.dumps({"figures": figures}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    sys.exit(main())
