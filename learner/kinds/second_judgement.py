"""Judging the pages of a family once more, by the texts that were found on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from learner.bylines.rule import AuthorRule, DateRule
from learner.kinds.author_pages import find_profiles
from learner.kinds.feature_weights import CERTAIN_EVIDENCE
from learner.kinds.kind import Kind
from learner.kinds.page_kinds import Family
from learner.kinds.text_measures import TextMeasures, text_evidence
from learner.kinds.texts import are_articles
from learner.page.tree import LayoutTree

TEXT_PAGES = 0.1
"""Share of the pages judged articles on which a text of their own must be found, or they are lists:
entries that stand on all of them vary nowhere. Origin: guess, see docs/decisions.md."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundTexts:
    """The texts that were found on the pages of a cluster."""

    kind: Kind
    """What its pattern is of."""
    trees: list[LayoutTree]
    """Its pages."""
    dates: DateRule
    authors: AuthorRule
    measures: TextMeasures


def judge_again(family: Family, found: Sequence[FoundTexts]) -> Family:
    """The family, judged by the texts that were found on its pages too: all of them are lists if no
    texts are those of articles, or there are none; else each cluster is what its texts tell, and
    pages of authors are lists."""
    taken = [each for each in found if each.kind is Kind.ARTICLE]
    likenesses = [(len(each.trees), each.measures.likeness) for each in taken]
    are_none = not family.is_sure and not are_articles(likenesses)
    if are_none or _are_textless(family, found):
        return replace(family, evidence=[CERTAIN_EVIDENCE] * len(family.pages))
    trees = [each.tree for each in family.pages]
    turned = dict(zip(trees, family.evidence, strict=True))
    for each in found:
        told = text_evidence(each.measures, each.trees)
        if (told > 0) is not (each.measures.evidence > 0):
            turned |= dict.fromkeys(each.trees, told)
    signed = ((tree, each.dates, each.authors) for each in taken for tree in each.trees)
    profiles = find_profiles(trees, family.frame, signed)
    turned |= {tree: CERTAIN_EVIDENCE for tree in profiles if turned[tree] <= 0}
    return replace(family, evidence=[turned[tree] for tree in trees])


def _are_textless(family: Family, found: Sequence[FoundTexts]) -> bool:
    """Whether next to none of the pages that were judged articles has a text of its own."""
    with_text = {tree for each in found for tree in each.trees}
    judged = [each.tree for each in family.pages_of(Kind.ARTICLE)]
    return sum(tree in with_text for tree in judged) < TEXT_PAGES * len(judged)
