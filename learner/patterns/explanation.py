"""What a pattern of the default preset knows, in words: for people who look at patterns.

Witnesses are hashes of what stands on a page; pages say what they stand for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from crawler.reading.html import parse_html
from learner.page.locators import Locator
from learner.page.pages import Page
from learner.page.tree import build_tree
from learner.patterns.rules import Rules
from learner.site.addresses import address_features
from learner.site.model import SiteModel

SHOWN_TEXTS = 5
"""Recurring texts that are shown of a pattern. Origin: guess."""

SHOWN_LETTERS = 60
"""Characters shown of each. Origin: guess."""


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


def name_witnesses(site: SiteModel, names: Mapping[int, str]) -> list[Witness]:
    """What tells the kinds of a site's pages, as far as names are known, the strongest first."""
    weights = site.kind_features.weights
    known = [Witness(weight, names[f]) for f, weight in weights.items() if f in names]
    return sorted(known, key=lambda witness: (-abs(witness.weight), witness.name))


def relative_path(path: str, main: str) -> str:
    """A path as seen from the main container, which encloses most others.

    >>> relative_path("body/div#page/main/p.by", "body/div#page/main")
    '.../p.by'
    """
    return "..." + path[len(main) :] if main and path.startswith(f"{main}/") else path


def describe(rules: Rules, site: SiteModel) -> Iterator[tuple[str, str]]:
    """Facts that the sections do not show, as (name, value)."""
    family = site.families[rules.family]
    affixes = [*sorted(family.affixes.prefixes), *sorted(family.affixes.suffixes)]
    if affixes:
        yield "taken from <title>", ", ".join(map(repr, affixes))
    if rules.body.apart:
        yield "beside the main container", _paths(rules.body.apart)
    for texts, told in (
        (rules.title.above, "texts at the place of the title, above it"),
        (rules.body.recurring, "recurring texts, cut at both ends"),
        (rules.body.refrains, "sentences of the site, cut everywhere"),
    ):
        if texts:
            shown = ", ".join(repr(_cut(text)) for text in sorted(texts)[:SHOWN_TEXTS])
            more = ", ..." if len(texts) > SHOWN_TEXTS else ""
            yield told, f"{len(texts)}: {shown}{more}"
    if rules.dates.places:
        languages = ", ".join(rules.dates.languages)
        yield (
            "dates",
            f"{rules.dates.order}, months of {languages}; at "
            + _paths(place.locator for place in rules.dates.places),
        )
    if rules.authors.places:
        yield "authors", "at " + _paths(place.locator for place in rules.authors.places)
    for name, topics in ("sections", rules.topics.sections), ("tags", rules.topics.tags):
        if topics:
            yield name, "at " + _paths(place.locator for place in topics)
    weights, bias = site.kind_features.weights, site.kind_features.bias
    yield "witnesses", f"{len(weights)}; a page is a list if their sum with {bias:+.2f} is above 0"


def _paths(locators: Iterable[Locator]) -> str:
    return ", ".join(dict.fromkeys(map(str, locators)))


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN_LETTERS else text[: SHOWN_LETTERS - 1] + "…"
