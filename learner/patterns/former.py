"""Patterns as they were written before rules had a column of their own.

What the rules say stood in `params`, a JSON object, and in the sections; what the site told was
repeated in each pattern.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from learner.bodies.rule import BodyRule
from learner.bylines.author_places import AuthorPlace
from learner.bylines.rule import AuthorRule, DatePlace, DateRule
from learner.kinds.rule import KindRule
from learner.page.locators import Locator
from learner.patterns.rules import Rules
from learner.site.affixes import Affixes
from learner.site.kind_features import KindFeatures
from learner.site.link_counts import LinkCounts, Standing
from learner.site.model import FamilyTitles, SiteModel
from learner.titles.rule import TitleRule

T = TypeVar("T")
Row = Mapping[str, Any]

PRESET = "default"
"""The preset whose patterns have rules."""

LEFT_OUT = frozenset({"boilerplate", "sub"})
"""Roles of the sections that are left out of the text."""


def read_former(
    rows: Iterable[Row], to_pattern: Callable[[dict[str, Any]], T]
) -> tuple[list[T], SiteModel | None]:
    """The patterns of such rows, each made by `to_pattern` of a row with its rules; and what their
    site told."""
    patterns, site, families = [], None, list[FamilyTitles]()
    for row in rows:
        if row["preset"] != PRESET:
            patterns.append(to_pattern(dict(row)))
            continue
        params = json.loads(row.get("params") or "{}")
        titles = _family_titles(params)
        if titles not in families:
            families.append(titles)
        rules = _rules(row, params, families.index(titles))
        patterns.append(to_pattern({**row, "rules": rules, "params": "{}"}))
        site = site or _site(params)
    if site is None:
        return patterns, None
    return patterns, SiteModel(
        kind_features=site.kind_features,
        link_counts=site.link_counts,
        families=tuple(families),
    )


def _family_titles(params: Row) -> FamilyTitles:
    affixes = Affixes(*(frozenset(params.get(name, ())) for name in ("prefixes", "suffixes")))
    return FamilyTitles(affixes=affixes)


def _site(params: Row) -> SiteModel:
    weights = {int(feature): weight for feature, weight in params.get("witnesses", {}).items()}
    counts = {int(key): (into, below) for key, (into, below) in params.get("hubs", {}).items()}
    return SiteModel(
        kind_features=KindFeatures(weights, params.get("bias", -1.0)),
        link_counts=LinkCounts(counts),
    )


def _rules(row: Row, params: Row, family: int) -> Rules:
    byline = params.get("byline", {})
    standing = params.get("standing")
    return Rules(
        title=_title(row, params),
        body=_body(row, params),
        dates=DateRule(
            places=tuple(
                DatePlace(**{**place, "locator": Locator.parse(place["locator"])})
                for place in map(_with_locator, byline.get("dates", ()))
            ),
            languages=tuple(byline.get("languages", ("en",))),
            order=byline.get("order", "dmy"),
            template_dates=frozenset(byline.get("template_dates", ())),
        ),
        authors=AuthorRule(
            places=tuple(
                AuthorPlace(
                    **{
                        **place,
                        "locator": Locator.parse(place["locator"]),
                        "fixed": tuple(place["fixed"]),
                    }
                )
                for place in map(_with_locator, byline.get("authors", ()))
            ),
        ),
        kind=KindRule(usual_standing=Standing(**standing) if standing else None),
        family=family,
    )


def _with_locator(place: Row) -> dict[str, Any]:
    """What was the path of a place is its locator."""
    return {"locator" if name == "path" else name: value for name, value in place.items()}


def _title(row: Row, params: Row) -> TitleRule:
    index = row.get("title")
    return TitleRule(
        place=None if index is None else Locator.parse(row["sections"][index]["path"]),
        above=frozenset(params.get("above", ())),
        is_own=params.get("titles_are_own", False),
        is_alone=params.get("titles_are_alone", True),
        is_dated=params.get("titles_are_dated", False),
        opens_text=params.get("titles_open_texts", False),
    )


def _body(row: Row, params: Row) -> BodyRule:
    sections = row["sections"]
    left_out = (each["path"] for each in sections if each["role"] in LEFT_OUT)
    return BodyRule(
        container=Locator.parse(sections[row.get("main") or 0]["path"]),
        is_alone=params.get("container_is_alone", False),
        apart=tuple(map(Locator.parse, params.get("apart", ()))),
        left_out=tuple(map(Locator.parse, left_out)),
        recurring=frozenset(params.get("recurring", ())),
        refrains=frozenset(params.get("refrains", ())),
    )
