"""What a pattern of the default preset knows, in words: for people who look at patterns.

Witnesses are hashes of what stands on a page; pages say what they stand for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from crawler.reading.html import parse_html
from learner.bylines.byline import Byline
from learner.page.addresses import address_features
from learner.page.locators import Locator
from learner.page.pages import Page
from learner.page.tree import build_tree
from learner.patterns.pattern import Pattern

SHOWN_TEXTS = 5
"""Recurring texts that are shown of a pattern."""

SHOWN_LETTERS = 60
"""Characters shown of each."""


@dataclass(frozen=True, slots=True)
class Witness:
    """One thing that tells a list from an article by standing on the page."""

    weight: float
    """Above 0: it speaks for a list; below 0: for an article."""
    name: str
    """The path of the element and the name on it, `body/div.posts`; or what the page's address is
    like, `address in tag/`."""


def name_features(pages: Iterable[Page]) -> dict[int, str]:
    """What the features of some pages stand for: paths, names on them, forms of addresses."""
    names: dict[int, str] = {}
    for page in pages:
        tree = build_tree(parse_html(page.html, page.charset), page.url)
        names |= tree.feature_names() | address_features(tree.address)
    return names


def name_witnesses(pattern: Pattern, names: Mapping[int, str]) -> list[Witness]:
    """The witnesses whose names are known, the strongest first."""
    weights = {int(f): weight for f, weight in pattern.param("witnesses", {}).items()}
    known = [Witness(weight, names[f]) for f, weight in weights.items() if f in names]
    return sorted(known, key=lambda witness: (-abs(witness.weight), witness.name))


def relative_path(path: str, main: str) -> str:
    """A path as seen from the main container, which encloses most others.

    >>> relative_path("body/div#page/main/p.by", "body/div#page/main")
    '.../p.by'
    """
    return "..." + path[len(main) :] if main and path.startswith(f"{main}/") else path


def describe(pattern: Pattern) -> Iterator[tuple[str, str]]:
    """Facts that the sections do not show, as (name, value)."""
    affixes = [*pattern.param("prefixes", ()), *pattern.param("suffixes", ())]
    if affixes:
        yield "taken from <title>", ", ".join(map(repr, affixes))
    apart = pattern.param("apart", ())
    if apart:
        yield "beside the main container", ", ".join(apart)
    for name, told in (
        ("nameless", "<title>s that name no page: its first line does"),
        ("above", "texts at the place of the title, above it"),
        ("recurring", "recurring texts, cut at both ends"),
        ("refrains", "sentences of the site, cut everywhere"),
    ):
        texts = pattern.param(name, ())
        if texts:
            shown = ", ".join(repr(_cut(text)) for text in texts[:SHOWN_TEXTS])
            more = ", ..." if len(texts) > SHOWN_TEXTS else ""
            yield told, f"{len(texts)}: {shown}{more}"
    byline = Byline.from_param(pattern.param("byline", {}))
    if byline.dates:
        languages = ", ".join(byline.languages)
        yield (
            "dates",
            f"{byline.order}, months of {languages}; at "
            + _paths(place.locator for place in byline.dates),
        )
    if byline.authors:
        yield "authors", "at " + _paths(place.locator for place in byline.authors)
    bias = pattern.param("bias")
    if bias is not None:
        count = len(pattern.param("witnesses", {}))
        yield "witnesses", f"{count}; a page is a list if their sum with {bias:+.2f} is above 0"


def _paths(locators: Iterable[Locator]) -> str:
    return ", ".join(dict.fromkeys(map(str, locators)))


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN_LETTERS else text[: SHOWN_LETTERS - 1] + "…"
