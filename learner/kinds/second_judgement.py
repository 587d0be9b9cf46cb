"""Judging the pages of a family once more, by the texts that were found on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from learner.bylines.rule import AuthorRule, DateRule
from learner.kinds.author_pages import find_profiles
from learner.kinds.feature_weights import CERTAIN_EVIDENCE
from learner.kinds.kind import Kind
from learner.kinds.measures import listed_pages
from learner.kinds.page_kinds import Family
from learner.kinds.texts import are_articles, likeness, share_beside_links, share_in_links
from learner.page.tree import LayoutTree, TreeBlock

DOUBTFUL_EVIDENCE = 0.6
"""Mean evidence of a pattern of lists below which its texts are heard. Origin: measured, see
docs/decisions.md."""

ONLY_TEXTS_EVIDENCE = 1.1
"""... if the family has no pattern of lists without such texts: perhaps it has no lists at all, as
one that is known by a feed. Origin: measured, see docs/decisions.md."""

DOUBTFUL_SHARE = 0.02
"""Pages of its family, by share, that such a pattern needs, for all is learned once more then.
Origin: guess."""

MAJORITY = 0.5
"""... or, whatever their evidence, if they are at least this share of the pages of their family: a
manual beside a blog whose posts alone are declared articles. Origin: measured, see
docs/decisions.md."""

UNDECLARED_PAGES = 3
"""... or if they are so many, and lists only because the articles of the site are declared to be.
Origin: measured, see docs/decisions.md."""

MOVED_EVIDENCE = -0.4
"""... or so many, and lists only because the boundary between the kinds moved, which it does for
sites of lists that drew the mean to themselves (`learner.kinds.page_kinds.boundary`): what they had
before is less than this. Origin: measured, see docs/decisions.md."""

TEXT_LIKENESS = 4.0
"""Mean likeness (`learner.kinds.measures`) from which on texts are those of articles, if ...
Origin: measured, see docs/decisions.md."""

FEW_LINKED = 0.07
"""... less than this share of them stands in links to other pages of the site, those inside lines
included. Origin: measured, see docs/decisions.md."""

FEW_LISTED = 1.0
"""... and they list fewer other pages than this, by their titles: a chapter tells what it is about
and lists its sections. Origin: measured, see docs/decisions.md."""

TEXT_PART = 0.4
"""... and they are at least this share of what they and the links beside them say, beyond the
frame: a page that leads to others says a sentence or two. Origin: measured, see
docs/decisions.md."""

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
    likeness: float
    """How much the texts are like those of articles, on average (`learner.kinds.measures`)."""
    is_text: bool
    """Whether they are, beyond doubt, text."""


def found_texts(
    family: Family,
    kind: Kind,
    trees: Sequence[LayoutTree],
    dates: DateRule,
    authors: AuthorRule,
    scored: Sequence[tuple[LayoutTree, int, Sequence[TreeBlock]]],
) -> FoundTexts:
    """What is asked of the texts of a cluster; `scored` are some of its pages, each with the
    element of its main container and the text in it."""
    headed = [(tree, _with_headings(tree, top, body)) for tree, top, body in scored]
    alike = fmean(likeness(tree, text) for tree, text in headed)
    linked = fmean(share_in_links(tree, body) for tree, _, body in scored)
    listed = fmean(
        len(listed_pages(tree, tree.inside(top), family.titles)) for tree, top, _ in scored
    )
    part = fmean(share_beside_links(tree, body, family.frame) for tree, _, body in scored)
    is_text = alike >= TEXT_LIKENESS and linked < FEW_LINKED and listed < FEW_LISTED
    return FoundTexts(
        kind=kind,
        trees=list(trees),
        dates=dates,
        authors=authors,
        likeness=alike,
        is_text=is_text and part >= TEXT_PART,
    )


def _with_headings(tree: LayoutTree, top: int, body: Sequence[TreeBlock]) -> Sequence[TreeBlock]:
    """The text with all headings of its container: those of entries may have been left out."""
    indices = {block.index for block in body}
    return [
        block
        for block in tree.inside(top)
        if block.index in indices or tree.heading(block) is not None
    ]


def judge_again(family: Family, found: Sequence[FoundTexts]) -> Family:
    """The family, judged by the texts that were found on its pages too: all of them are lists if no
    texts are those of articles, or there are none; doubtful lists are articles if theirs are, and
    pages of authors lists."""
    taken = [each for each in found if each.kind is Kind.ARTICLE]
    likenesses = [(len(each.trees), each.likeness) for each in taken]
    are_none = not family.is_sure and not are_articles(likenesses)
    if are_none or _are_textless(family, found):
        return replace(family, evidence=[CERTAIN_EVIDENCE] * len(family.pages))
    trees = [each.tree for each in family.pages]
    evidence = dict(zip(trees, family.evidence, strict=True))
    undeclared = dict(zip(trees, family.undeclared, strict=True))
    lists = [each for each in found if _mean(evidence, each) > 0]
    only_texts = all(each.is_text for each in lists)
    most = ONLY_TEXTS_EVIDENCE if only_texts else DOUBTFUL_EVIDENCE
    turned = dict(evidence)
    for each in lists:
        mean, n_pages = _mean(evidence, each), len(each.trees)
        is_moved = mean + family.boundary < MOVED_EVIDENCE
        is_part = n_pages >= UNDECLARED_PAGES and (_mean(undeclared, each) < 0 or is_moved)
        is_near = mean < most and not family.is_sure
        is_doubtful = is_near or n_pages >= MAJORITY * len(trees) or is_part
        if is_doubtful and each.is_text and n_pages >= DOUBTFUL_SHARE * len(trees):
            turned |= dict.fromkeys(each.trees, -mean)
    signed = ((tree, each.dates, each.authors) for each in taken for tree in each.trees)
    profiles = find_profiles(trees, family.frame, signed)
    turned |= {tree: CERTAIN_EVIDENCE for tree in profiles if turned[tree] <= 0}
    return replace(family, evidence=[turned[tree] for tree in trees])


def _mean(evidence: Mapping[LayoutTree, float], found: FoundTexts) -> float:
    """That of the pages of a cluster."""
    return fmean(evidence[tree] for tree in found.trees)


def _are_textless(family: Family, found: Sequence[FoundTexts]) -> bool:
    """Whether next to none of the pages that were judged articles has a text of its own."""
    with_text = {tree for each in found for tree in each.trees}
    judged = [each.tree for each in family.pages_of(Kind.ARTICLE)]
    return sum(tree in with_text for tree in judged) < TEXT_PAGES * len(judged)
