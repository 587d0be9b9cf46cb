"""Wrapper induction: from a site's pages to its layout patterns, the steps in order.

Layout trees; the families of the site; what each page is called, and which are articles; pages that
share the places of title and main container; the rules of each such cluster; the kinds once more,
by the texts that were found; and of few pages what the page model says, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from statistics import fmean, median

from crawler.config.stages import LearnConfig
from crawler.reading.html import parse_html
from learner.bodies.learning import learn_body
from learner.bylines.learning import are_bylines, learn_bylines
from learner.bylines.rule import AuthorRule, DateRule
from learner.induction.checking import LearnedCluster, check_family
from learner.induction.clusters import Cluster, find_clusters
from learner.induction.few_pages import believed
from learner.kinds.feature_weights import find_kind_features
from learner.kinds.kind import Kind
from learner.kinds.page_kinds import Family, judge_family
from learner.kinds.rule import KindRule
from learner.kinds.second_judgement import FoundTexts, judge_again
from learner.kinds.soft_errors import is_soft_error
from learner.kinds.text_measures import Scored, measure_texts
from learner.kinds.texts import are_lists
from learner.page.locators import Fit
from learner.page.pages import Page
from learner.page.tree import LayoutTree, TreeBlock, build_tree
from learner.patterns.matching import match_page
from learner.patterns.pattern import DEFAULT_PRESET, Pattern, PatternSet, code_version
from learner.patterns.rules import Rules
from learner.patterns.scores import pattern_score
from learner.patterns.sections import byline_sections, layout_sections
from learner.site.cluster_page import ClusterPage
from learner.site.copies import as_one, group_copies
from learner.site.frames import find_families
from learner.site.kind_features import page_features
from learner.site.link_counts import LinkCounts, Standing
from learner.site.model import SiteModel
from learner.site.page_features import Skeletons
from learner.site.recurrence import COMMON_PAGES
from learner.site.sampling import evenly_spaced, sample_pages
from learner.titles.learning import learn_title
from learner.topics.learning import learn_topics
from learner.topics.rule import TopicRule
from learner.webstemmer.preset import learn_webstemmer

SCORED_PAGES = 8
"""Pages of a cluster whose texts DiffScore compares. Origin: guess; all pairs of a cluster would
cost the square of its pages."""

ANYWHERE_SHARE = 0.05
"""Pages of the largest article pattern, by share, that a pattern needs whose container bears no
name and stands in nothing that does: `body/div` fits nearly everything. Origin: measured, see
docs/decisions.md."""


def learn_patterns(
    pages: Iterable[Page],
    config: LearnConfig = LearnConfig(),  # noqa: B008 - frozen
) -> PatternSet:
    """The layout patterns of a site's pages, by the preset that the configuration names.

    The same pages in any order give the same patterns. Of more than `most_pages` a sample is
    taken.
    """
    pages = sample_pages(pages, config.sample_pages)
    if config.preset == "webstemmer":
        return learn_webstemmer(pages, config)
    return learn_site_layouts(pages, config)


@dataclass(frozen=True, slots=True)
class _Learned:
    """The pattern of a cluster, and the texts that were found with it."""

    pattern: Pattern
    rules: Rules
    cluster: Cluster
    scored: Sequence[Scored]
    """Some of its pages with their texts."""

    def texts(self, family: Family, n_site_pages: int) -> FoundTexts:
        """What they say of the kind of the cluster."""
        return FoundTexts(
            kind=self.pattern.kind,
            trees=self.trees,
            dates=self.rules.dates,
            authors=self.rules.authors,
            measures=measure_texts(family, self.trees, self.scored, n_site_pages),
        )

    @property
    def trees(self) -> list[LayoutTree]:
        """The pages of the cluster."""
        return [member.tree for member in self.cluster.pages]


def learn_site_layouts(pages: Iterable[Page], config: LearnConfig) -> PatternSet:
    """The patterns of the default preset."""
    site = _Site(pages)
    families, learned = [], []
    for number, family in enumerate(site.families(config)):
        found = _induce_patterns(family, number, site.link_counts, config)
        again = judge_again(family, [each.texts(family, len(site.trees)) for each in found])
        if again != family:
            found = _induce_patterns(again, number, site.link_counts, config)
        families.append(again)
        learned += found
    found = list(_without_variants(learned))
    patterns = list(without_doubles(_without_vague([each.pattern for each in found])))
    model = _site_model(families, site.link_counts)
    clusters = {id(each.pattern): each.cluster for each in found}
    learned_clusters = [LearnedCluster(each, clusters[id(each)]) for each in patterns]
    checked = _with_checks(learned_clusters, families, model, config)
    return _with_soft_errors(believed(PatternSet(checked, model), site.trees), site.soft_errors)


def find_texts(pages: Iterable[Page]) -> list[FoundTexts]:
    """The texts of each cluster of a site's pages, by which its kind is not judged yet: what the
    weights of that judgement are fitted to."""
    config = LearnConfig()
    site = _Site(sample_pages(pages, config.sample_pages))
    return [
        each.texts(family, len(site.trees))
        for number, family in enumerate(site.families(config))
        for each in _induce_patterns(family, number, site.link_counts, config)
    ]


class _Site:
    """The pages of a site, each once, without those that are no answers."""

    def __init__(self, pages: Iterable[Page]) -> None:
        read = sorted(
            ((page, build_tree(parse_html(page.html, page.charset), page.url)) for page in pages),
            key=lambda each: (each[0].url, each[0].html, each[0].anchor_texts),
        )
        groups = group_copies(read)
        self.soft_errors = [copies[0][1] for copies in groups if is_soft_error(copies)]
        self._read = [as_one(copies) for copies in groups if copies[0][1] not in self.soft_errors]
        self.trees = [tree for _, tree in self._read]
        self.link_counts = LinkCounts.find(self.trees)

    def families(self, config: LearnConfig) -> Iterator[Family]:
        """Its families, their pages judged by themselves."""
        for indices in find_families(self.trees):
            read = [self._read[index] for index in indices]
            yield judge_family(read, self.link_counts, config)


def _with_checks(
    learned: Sequence[LearnedCluster],
    families: Sequence[Family],
    site: SiteModel,
    config: LearnConfig,
) -> Iterator[Pattern]:
    """The patterns, those of articles with what checking them told."""
    counts = site.link_counts
    for number, family in enumerate(families):
        induce = partial(_article_patterns, number=number, link_counts=counts, config=config)
        own = [each for each in learned if each.family == number]
        yield from check_family(family, own, site, induce)


def _with_soft_errors(patterns: PatternSet, answers: Iterable[LayoutTree]) -> PatternSet:
    """The patterns, which know what these pages say where they read them."""
    read = [match for tree in answers if (match := match_page(tree, patterns))]
    digests = frozenset(match.digest for match in read if match.body)
    return PatternSet(patterns, replace(patterns.site, soft_errors=digests))


def _site_model(families: Sequence[Family], link_counts: LinkCounts) -> SiteModel:
    """What the pages of all families told; what tells their kinds apart is learned from all."""
    features = [page_features(each.tree) for family in families for each in family.pages]
    evidence = [each for family in families for each in family.evidence]
    return SiteModel(
        kind_features=find_kind_features(Skeletons(features), evidence),
        link_counts=link_counts,
        families=tuple(family.said for family in families),
    )


def _induce_patterns(
    family: Family, number: int, link_counts: LinkCounts, config: LearnConfig
) -> list[_Learned]:
    """The patterns of the pages of a family that are articles by their evidence, and of the
    others."""
    return [
        _induce_pattern(cluster, kind, family, number, link_counts)
        for kind in (Kind.ARTICLE, Kind.LIST)
        for cluster in find_clusters(family, kind, config)
    ]


def _article_patterns(
    family: Family, number: int, link_counts: LinkCounts, config: LearnConfig
) -> list[Pattern]:
    """The patterns of the pages of a family, or of a part of it, that are articles."""
    return [
        _induce_pattern(cluster, Kind.ARTICLE, family, number, link_counts).pattern
        for cluster in find_clusters(family, Kind.ARTICLE, config)
    ]


def _induce_pattern(
    cluster: Cluster, kind: Kind, family: Family, number: int, link_counts: LinkCounts
) -> _Learned:
    """The pattern of one cluster."""
    members, signatures, container = cluster.pages, cluster.signatures, cluster.container
    scored = evenly_spaced(members, SCORED_PAGES)
    title = learn_title(members, signatures, cluster.title, scored)
    body, trimmed = learn_body(
        members, signatures, container, cluster.asides, cluster.posts, kind is Kind.ARTICLE
    )

    def body_of(member: ClusterPage) -> list[TreeBlock]:
        return body.blocks(member.wording, member.tree.inside(container.elements[member.tree]))

    bodies = [body_of(member) for member in scored]
    title = replace(title, opens_text=cluster.is_headed)
    if are_lists(scored, bodies, family.frame):
        kind = Kind.LIST
    dates, authors, topics = DateRule(), AuthorRule(), TopicRule()
    if kind is Kind.ARTICLE:
        dates, authors = learn_bylines(members, signatures, cluster.asides, body_of)
        topics = learn_topics([member for member in members if member.body], signatures)
        if are_bylines([m.tree for m in scored], bodies, dates):
            kind = Kind.LIST
    tops = [container.elements[member.tree] for member in scored]
    rules = Rules(
        title=title,
        body=body,
        dates=dates,
        authors=authors,
        topics=topics,
        kind=_kind_rule(scored, tops, bodies, link_counts),
        family=number,
    )
    sections = (
        *layout_sections(rules, trimmed, scored, bodies),
        *byline_sections(rules, scored, tops, bodies),
    )
    pages = [member.source for member in members if member.source]
    pattern = Pattern(
        preset=DEFAULT_PRESET,
        kind=kind,
        score=pattern_score(len(members), [section.main_score for section in sections[:2]]),
        n_pages=len(members),
        sections=sections,
        title=None if cluster.title is None else 0,
        main=0 if cluster.title is None else 1,
        rules=rules,
        name=pages[0].url,
        example_urls=tuple(page.url for page in pages),
        train_dates=tuple(sorted({page.fetched_at.date() for page in pages if page.fetched_at})),
        code_version=code_version(),
    )
    texts = [(m.tree, top, text) for m, top, text in zip(scored, tops, bodies, strict=True)]
    return _Learned(pattern, rules, cluster, texts)


def _kind_rule(
    members: Sequence[ClusterPage],
    tops: Sequence[int],
    bodies: Sequence[Sequence[TreeBlock]],
    link_counts: LinkCounts,
) -> KindRule:
    """What is usual of some pages, given their main containers and texts."""
    standings = [
        asdict(link_counts.standing(member.tree, (block.line for block in body)))
        for member, body in zip(members, bodies, strict=True)
    ]
    names = standings[0]
    usual = {name: round(fmean(each[name] for each in standings), 4) for name in names}
    weights = [sum(block.weight for block in body) for body in bodies]
    inside = [
        sum(block.weight for block in member.tree.inside(top))
        for member, top in zip(members, tops, strict=True)
    ]
    parts = [text / max(1, all_) for text, all_ in zip(weights, inside, strict=True)]
    return KindRule(
        usual_standing=Standing(**usual),
        usual_part=round(median(parts), 4),
        usual_weight=median(weights),
    )


def _without_variants(learned: Sequence[_Learned]) -> Iterator[_Learned]:
    """Without the article patterns of a single page that has the places of a common one but for
    some names: of one page nobody knows what its frame is."""
    articles = [each.pattern for each in learned if each.pattern.kind is Kind.ARTICLE]
    common = [pattern for pattern in articles if pattern.n_pages >= COMMON_PAGES]
    for each in learned:
        trees = each.trees
        is_alone = each.pattern.kind is Kind.ARTICLE and len(trees) == 1
        if not (is_alone and any(_is_like(trees[0], pattern) for pattern in common)):
            yield each


def _is_like(tree: LayoutTree, pattern: Pattern) -> bool:
    """Whether a page has one title and one container at the places of a pattern, found loosely."""
    if pattern.rules is None:
        return False
    places = pattern.rules.places
    return all(place is not None and len(place.find(tree, Fit.LOOSE)) == 1 for place in places)


def _without_vague(patterns: Sequence[Pattern]) -> Iterator[Pattern]:
    """Without the article patterns of few pages whose containers could stand on any page."""
    articles = [each.n_pages for each in patterns if each.kind is Kind.ARTICLE]
    least = ANYWHERE_SHARE * max(articles, default=0)
    for each in patterns:
        is_vague = each.rules is not None and not any(
            names for _, names in each.rules.body.container.steps
        )
        if each.kind is Kind.LIST or each.n_pages >= least or not is_vague:
            yield each


def without_doubles(patterns: Iterable[Pattern]) -> Iterator[Pattern]:
    """Of several patterns with the same id the one that most pages taught, of as many the one that
    tells most text."""
    found: dict[str, Pattern] = {}
    for each in patterns:
        known = found.setdefault(each.pattern_id, each)
        if (each.n_pages, each.score) > (known.n_pages, known.score):
            found[each.pattern_id] = each
    yield from found.values()
