"""The learner checks itself: the rules of article patterns are learned once more from a part of
their pages, and tried on others that are left out.

The patterns themselves are learned from all pages. What is stored with them (`SelfCheck`) tells
whether pages that come later will be found, and how much of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from learner.bodies.asides import aside_blocks
from learner.induction.clusters import Cluster
from learner.kinds.kind import Kind
from learner.kinds.page_kinds import Family
from learner.patterns.matching import Match, match_page
from learner.patterns.pattern import Pattern, PatternSet
from learner.patterns.self_check import SelfCheck
from learner.site.cluster_page import ClusterPage
from learner.site.model import SiteModel
from learner.site.recurrence import recurring_texts
from learner.site.sampling import evenly_spaced
from learner.titles.names import SAME_TITLE, agreement, says_same

LEFT_OUT = 4
"""Pages of a pattern that are left out. Origin: guess; what is wrong shows on most pages."""

TAUGHT = 8
"""Pages of a pattern that its rules are learned from without them. Origin: guess, see
docs/decisions.md."""

MOST_CHECKED = 3
"""Patterns of a family that are checked so, the largest: the others are tried on their own pages.
Origin: guess, for time."""

Induce = Callable[[Family], Sequence[Pattern]]
"""Learns the article patterns of a part of a family."""


@dataclass(frozen=True, slots=True, eq=False)
class LearnedCluster:
    """A pattern and the cluster that it was learned from."""

    pattern: Pattern
    cluster: Cluster

    @property
    def family(self) -> int:
        """The number of its family."""
        return self.pattern.rules.family if self.pattern.rules else 0

    @property
    def is_large(self) -> bool:
        """Whether pages of articles can be left out."""
        n_pages = len(self.cluster.pages)
        return self.pattern.kind is Kind.ARTICLE and n_pages >= LEFT_OUT + TAUGHT

    @property
    def left_out(self) -> Sequence[ClusterPage]:
        """Some of its pages, spread over all."""
        return evenly_spaced(self.cluster.pages, LEFT_OUT)

    @property
    def taught(self) -> Sequence[ClusterPage]:
        """Some of the others."""
        left_out = {each.tree for each in self.left_out}
        others = [each for each in self.cluster.pages if each.tree not in left_out]
        return evenly_spaced(others, TAUGHT)


def check_family(
    family: Family, learned: Sequence[LearnedCluster], site: SiteModel, induce: Induce
) -> Iterator[Pattern]:
    """The patterns of a family, those of articles with their checks. `site` tells kinds, `induce`
    learns article patterns once more from a part of its pages."""
    by_size = sorted(learned, key=lambda each: -each.pattern.n_pages)
    large = [each for each in by_size if each.is_large][:MOST_CHECKED]
    known = PatternSet([each.pattern for each in learned], site)
    trial = PatternSet(induce(_without_left_out(family, large)), site) if large else known
    for each in learned:
        if each.pattern.kind is Kind.ARTICLE:
            is_tried = each in large
            patterns = trial if is_tried else known
            check = _check(each, family, patterns, are_left_out=is_tried)
            yield replace(each.pattern, check=check)
        else:
            yield each.pattern


def _without_left_out(family: Family, learned: Sequence[LearnedCluster]) -> Family:
    """The pages that teach these patterns once more, and the lists that they were told from."""
    taught = {page.tree for each in learned for page in each.taught}
    kept = [
        (replace(page), evidence, undeclared, first)
        for page, evidence, undeclared, first in zip(
            family.pages,
            family.evidence,
            family.undeclared,
            family.first_evidence,
            strict=True,
        )
        if page.tree in taught or evidence > 0
    ]
    pages, evidence, undeclared, first = zip(*kept, strict=True)
    return replace(
        family, pages=pages, evidence=evidence, undeclared=undeclared, first_evidence=first
    )


def _check(
    learned: LearnedCluster,
    family: Family,
    patterns: PatternSet,
    *,
    are_left_out: bool,
) -> SelfCheck:
    """The figures of a pattern, given the patterns that are tried on some of its pages."""
    own = {page.tree for page in learned.cluster.pages}
    pairs = zip(family.pages, family.first_evidence, strict=True)
    tried = learned.left_out
    found = [(page, match_page(page.tree, patterns)) for page in tried]
    read = [(page, match) for page, match in found if match and match.body]
    return SelfCheck(
        pages=len(tried),
        are_left_out=are_left_out,
        matched=round(len(read) / len(tried), 4),
        kept=_mean(_shares_kept(learned.cluster, read)),
        titled=_share_called(read),
        as_articles=_mean(not match.is_list for _, match in read),
        first_evidence=round(fmean(first <= 0 for page, first in pairs if page.tree in own), 4),
    )


def _shares_kept(cluster: Cluster, read: Iterable[tuple[ClusterPage, Match]]) -> Iterator[float]:
    """Of each page that has any the share of its varying text, by weight, that was found."""
    members = cluster.pages
    recurring = recurring_texts([page.wording.stamps(page.tree.blocks) for page in members])
    for page, match in read:
        aside = aside_blocks(page.tree, cluster.signatures.of[page.tree], cluster.asides)
        own = {
            block.index: block.unlinked_weight
            for block in page.tree.blocks
            if block is not page.title
            and block.index not in aside
            and page.wording.stamp(block) not in recurring
        }
        if total := sum(own.values()):
            yield sum(own.get(block.index, 0) for block in match.body) / total


def _share_called(read: Sequence[tuple[ClusterPage, Match]]) -> float | None:
    """Of some pages the share that is called as `<title>` or links say; None if these name fewer
    than half."""
    named = [(page, match) for page, match in read if page.names]
    if 2 * len(named) < len(read):
        return None
    return _mean(_is_called(page, match) for page, match in named)


def _is_called(page: ClusterPage, match: Match) -> bool:
    """Whether a page is called as links to it or its `<title>` say."""
    title = match.title
    if not title:
        return False
    return says_same(title, page.names[0]) or agreement(title, page.names) >= SAME_TITLE


def _mean(values: Iterable[float]) -> float | None:
    found = list(values)
    return round(fmean(found), 4) if found else None
