"""Judging the pages of a family: what each is called, and of which kind it is.

The evidence of a page (`learner.kinds.measures`) is shared with the pages that one template filled,
for of one page alone it is doubtful.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import fmean

from crawler.config.stages import LearnConfig
from learner.kinds.kind import Kind
from learner.kinds.measures import Measures, list_evidence, measure_pages
from learner.kinds.whole_text_lists import anthology_evidence
from learner.page.pages import Page
from learner.page.tree import LayoutTree
from learner.site.addresses import mark
from learner.site.affixes import Affixes
from learner.site.cluster_page import ClusterPage
from learner.site.frames import frame_texts
from learner.site.languages import site_languages
from learner.site.link_counts import LinkCounts
from learner.site.model import FamilyTitles
from learner.site.page_features import CLUSTER_SIMILARITY, Skeletons
from learner.titles.names import common_titles, page_names, section_titles
from learner.titles.places import repeated_names, title_places

PLACE_PAGES = 2.0
"""How many pages of its cluster the mean of its title's place counts as, in the evidence for the
kind of a page. Origin: guess."""

OWN_SHARE = 0.35
"""What a page's own evidence counts beside that of its cluster. Origin: measured, see
docs/decisions.md."""

SURE_ARTICLE = -0.7
"""Evidence of articles that no boundary is near. Origin: measured, see docs/decisions.md."""

SURE_GAP = 1.0
"""Width of a gap between articles and lists from which on a family has both, whatever its texts are
like. Origin: measured, see docs/decisions.md."""

MARKED_PAGES = 5
"""Pages whose addresses bear one mark, for it to tell a kind. Origin: guess."""

MARKED_SHARE = 0.5
"""Share of the pages of a family that they may be: what most bear tells nothing. Origin: guess."""

MARKED_LISTS = 0.2
"""Share of them that must be lists, and ... Origin: measured, see docs/decisions.md."""

MARKED_EVIDENCE = -0.7
"""... their mean evidence at least, for all to be lists. Origin: measured, see
docs/decisions.md."""


@dataclass(frozen=True)
class Family:
    """The pages that are learned together, and what all of them have told."""

    pages: Sequence[ClusterPage]
    said: FamilyTitles
    """What `<title>` says on its pages besides their names."""
    frame: frozenset[str]
    """The texts of its frame."""
    evidence: Sequence[float]
    """How much speaks for a list (above 0) or an article (below 0), page by page."""
    undeclared: Sequence[float]
    """The same without what the pages declare to be articles."""
    first_evidence: Sequence[float]
    """The evidence before any text was looked at."""

    @cached_property
    def titles(self) -> dict[str, str]:
        """What each of the pages is called that something names, by its key."""
        return {each.tree.key: each.names[0] for each in self.pages if each.names}

    @cached_property
    def is_sure(self) -> bool:
        """Whether its lists are told from its articles beyond doubt."""
        return are_parted(self.evidence)

    def mean(self, evidence: Sequence[float], trees: Collection[LayoutTree]) -> float:
        """That of some evidence, given page by page, over some of its pages."""
        return fmean(evidence[self._places[tree]] for tree in trees)

    @cached_property
    def _places(self) -> dict[LayoutTree, int]:
        return {each.tree: place for place, each in enumerate(self.pages)}

    def pages_of(self, kind: Kind) -> list[ClusterPage]:
        """The pages of one kind, by the evidence."""
        are_lists = kind is Kind.LIST
        pairs = zip(self.pages, self.evidence, strict=True)
        return [each for each, speaks in pairs if (speaks > 0) is are_lists]


def judge_family(
    read: Sequence[tuple[Page, LayoutTree]], link_counts: LinkCounts, config: LearnConfig
) -> Family:
    """What the pages of a family are called, and of which kind each is."""
    trees = [tree for _, tree in read]
    affixes = Affixes.learn(tree.metadata.title for tree in trees if tree.metadata.title)
    titles = [affixes.strip(tree.metadata.title) for tree in trees]
    common = common_titles(titles) | section_titles(trees, titles, affixes)
    names = [
        [name for name in page_names(tree, affixes, page.anchor_texts) if name not in common]
        for page, tree in read
    ]
    frame = frame_texts(trees)
    measures = measure_pages(trees, names, frame, link_counts)
    places = title_places(trees, names, frame, config.title_threshold)
    skeletons = Skeletons([tree.skeleton for tree in trees])
    clusters = skeletons.clusters(config.cluster_threshold or CLUSTER_SIMILARITY)
    told = anthology_evidence(trees, frame, clusters)
    evidence, undeclared = (
        shared_evidence(_sums(list_evidence(each), told), clusters, places)
        for each in (measures, _undeclared(measures))
    )
    evidence = with_marked_lists(evidence, trees)
    languages = site_languages(trees)
    pages = [
        ClusterPage(
            tree,
            frame=frame,
            languages=languages,
            source=page,
            names=repeated_names(tree, called, frame, config.title_threshold),
        )
        for (page, tree), called in zip(read, names, strict=True)
    ]
    said = FamilyTitles(affixes=affixes)
    return Family(pages, said, frame, evidence, undeclared, first_evidence=evidence)


def _undeclared(measures: Sequence[Measures]) -> list[Measures]:
    return [replace(each, declared_article=0.0) for each in measures]


def _sums(evidence: Sequence[float], more: Sequence[float]) -> list[float]:
    return [each + added for each, added in zip(evidence, more, strict=True)]


def with_marked_lists(evidence: Sequence[float], trees: Sequence[LayoutTree]) -> list[float]:
    """The evidence; of pages whose addresses bear one mark (`learner.site.addresses.mark`), some of
    which are lists, the others are lists like these: `Category:Rain` is what `Category:Snow` is."""
    marked: dict[str, list[int]] = defaultdict(list)
    for page, tree in enumerate(trees):
        marked[mark(tree.key)].append(page)
    marked.pop("", None)
    told = list(evidence)
    for pages in marked.values():
        lists = [evidence[page] for page in pages if evidence[page] > 0]
        mean = sum(evidence[page] for page in pages) / len(pages)
        is_group = MARKED_PAGES <= len(pages) <= MARKED_SHARE * len(trees)
        if is_group and len(lists) >= MARKED_LISTS * len(pages) and mean > MARKED_EVIDENCE:
            for page in pages:
                if evidence[page] <= 0:
                    told[page] = sum(lists) / len(lists)
    return told


def are_parted(evidence: Sequence[float]) -> bool:
    """Whether articles and lists are told apart beyond doubt: but for one page of each in twenty a
    wide gap is between them, and no article near the boundary.

    >>> are_parted([-2.0, -1.0, 0.5, 1.0]), are_parted([-2.0, -0.1, 1.1, 2.0]), are_parted([-2.0])
    (True, False, False)
    """
    articles = sorted(each for each in evidence if each <= 0)
    lists = sorted(each for each in evidence if each > 0)
    if not articles or not lists:
        return False
    highest, lowest = articles[-1 - len(articles) // 20], lists[len(lists) // 20]
    return highest <= SURE_ARTICLE and lowest - highest >= SURE_GAP


def shared_evidence(
    evidence: Sequence[float], clusters: Sequence[Sequence[int]], places: dict[int, int]
) -> list[float]:
    """The evidence of each page together with the mean of its cluster; that of a small cluster is
    drawn to the mean of the pages whose titles stand at the same place.

    >>> [round(each, 2) for each in shared_evidence([1.0, -3.0], [[0, 1]], {})]  # mean of all: -1
    [-0.3, -1.7]
    """
    by_place: dict[int | None, list[float]] = defaultdict(list)
    for page, own in enumerate(evidence):
        by_place[places.get(page)].append(own)
    means = {place: sum(values) / len(values) for place, values in by_place.items()}
    shared = [0.0] * len(evidence)
    for cluster in clusters:
        total = sum(evidence[page] for page in cluster)
        for page in cluster:
            prior = means[places.get(page)]
            mean = (total + PLACE_PAGES * prior) / (len(cluster) + PLACE_PAGES)
            shared[page] = OWN_SHARE * evidence[page] + (1 - OWN_SHARE) * mean
    return shared
