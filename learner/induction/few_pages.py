"""What few pages teach is believed where the page model says the same.

What varies between two or three pages may be the frame, and what is the same their text. The page
model knows neither the site nor its frame, so that where both find one text it is hardly by chance.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from statistics import fmean

from learner.dom.reading import Reading, read_tree
from learner.kinds.kind import Kind
from learner.page.tree import LayoutTree, TreeBlock
from learner.patterns.matching import match_page
from learner.patterns.pattern import PatternSet
from learner.site.kind_features import KindFeatures

FEW_PAGES = 10
"""Pages up to which a site's patterns need a second opinion. Origin: measured, see
docs/decisions.md."""

ENOUGH_PAGES = 3
"""Pages of a pattern from which on it is believed whatever the model says: of short texts with long
comments it is right. Origin: measured, see docs/decisions.md."""

LEAST_AGREEMENT = 0.7
"""Least agreement of the texts of others with the model's, on average over their pages. Origin:
measured, see docs/decisions.md."""

LEAST_PAGES = 2
"""Pages that tell a frame from a text: one does not. Origin: guess."""


def believed(patterns: PatternSet, trees: Sequence[LayoutTree]) -> PatternSet:
    """The patterns that were learned from these pages, without those of one or two articles that
    the page model contradicts. If then none is left that several pages taught, nothing is known of
    the site's articles, nor what tells lists from them: unless all are lists by the model, too."""
    if len(trees) > FEW_PAGES:
        return patterns
    readings = {tree: read_tree(tree) for tree in trees}
    agreements = _agreements(patterns, readings)
    agreeing = [
        each
        for each in patterns.articles
        if each.n_pages >= ENOUGH_PAGES
        or fmean(agreements[each.pattern_id] or [0.0]) >= LEAST_AGREEMENT
    ]
    others = [each for each in patterns if each.kind is not Kind.ARTICLE]
    are_lists = not patterns.articles and _are_lists(readings.values())
    if are_lists or any(each.n_pages >= LEAST_PAGES for each in agreeing):
        return patterns.with_patterns([*agreeing, *others])
    return PatternSet(others, replace(patterns.site, kind_features=KindFeatures()))


def _are_lists(readings: Collection[Reading]) -> bool:
    return len(readings) >= LEAST_PAGES and all(each.is_listing for each in readings)


def _agreements(
    patterns: PatternSet, readings: Mapping[LayoutTree, Reading]
) -> dict[str, list[float]]:
    """For each pattern that reads some of the pages how much the model agrees on each."""
    found: dict[str, list[float]] = defaultdict(list)
    for tree, reading in readings.items():
        match = match_page(tree, patterns)
        if match is not None and not match.is_list:
            found[match.pattern.pattern_id].append(same_text(match.body, reading.body))
    return found


def same_text(first: Sequence[TreeBlock], second: Sequence[TreeBlock]) -> float:
    """How much two texts of one page are the same: twice the weight of what is in both, by that of
    each; 0 to 1, and 0 if neither says anything."""
    both = {block.index for block in first} & {block.index for block in second}
    weight = sum(block.weight for block in (*first, *second))
    return 2 * sum(block.weight for block in first if block.index in both) / max(weight, 1)
