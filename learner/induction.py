"""Wrapper induction: from a site's pages to its layout patterns.

The steps of the default preset: layout trees; the families of the site (`families`); what each page
is called, and which are articles (`judging`); pages that share the places of title and main
container (`places`); what in it is boilerplate (`trimming`), and the bylines (`bylines`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from statistics import fmean
from typing import Any

from crawler.config.sites import LearnConfig
from crawler.reading.html import parse_html
from learner.bodies.container import Container
from learner.bodies.endings import find_closings
from learner.bodies.first_paragraphs import find_leads
from learner.bodies.trimming import (
    Trimmed,
    find_recurring,
    find_refrains,
    recurring_at_ends,
    text_blocks,
    trim,
)
from learner.bylines.byline import Byline, are_bylines, find_byline
from learner.clusters import TITLE_SHARE, Cluster, find_clusters
from learner.kinds.author_pages import find_profiles
from learner.kinds.kind import Kind
from learner.kinds.kind_features import CERTAIN_EVIDENCE, Witnesses, find_witnesses, page_features
from learner.kinds.measures import are_articles, are_lists, likeness, listed_pages, share_in_links
from learner.kinds.page_kinds import Family, judge_family
from learner.page.extent import Extent
from learner.page.locators import Fit, Locator
from learner.page.pages import Page
from learner.page.tree import LayoutTree, TreeBlock, build_tree
from learner.page.words import word_letters
from learner.patterns.pattern import Pattern, PatternSet, Role, Section, code_version
from learner.patterns.scores import diff_score, main_score, pattern_score
from learner.patterns.sequences import lcs_runs
from learner.site.cluster_page import Member
from learner.site.frames import find_families
from learner.site.link_counts import Hubs, Standing
from learner.site.page_features import Skeletons
from learner.site.sampling import evenly_spaced, sample_pages
from learner.titles.headings import may_open, open_with_titles
from learner.titles.names import are_behind_sections, are_dated
from learner.webstemmer.preset import learn_webstemmer

PRESET = "default"

SCORED_PAGES = 8
"""Pages of a cluster whose texts DiffScore compares. Origin: guess; all pairs of a cluster would
cost the square of its pages."""

SCORED_LETTERS = 2000
"""Letters of each text that DiffScore compares. Origin: guess."""

ANYWHERE_SHARE = 0.05
"""Pages of the largest article pattern, by share, that a pattern needs whose container bears no
name and stands in nothing that does: `body/div` fits nearly everything. Measured on 35 sites:
without it two of five lists of one manual come out as articles, all else is the same."""

COMMON_PAGES = 10
"""Pages from which on a pattern is common. It replaces that of a single page which differs from it
in names only; measured on 94 sites: seven such patterns; one page of them has body F1 1.0 instead
of .34, all else is the same, with patterns of two pages, too. Pages with several containers are
lists, if no page of a common pattern has; one of 101 sites had .15 of its lists given out, and if
five pages were enough, one of 35 learned from five would lose .15 of its articles."""

DOUBTFUL_EVIDENCE = 0.6
"""Mean evidence of a pattern of lists below which its texts are heard. Measured on 35 sites learned
from their articles alone: of 23 patterns of articles taken for lists 19 have less; on the whole
sites two of 17 patterns of lists with texts do, of which one is of articles."""

ONLY_TEXTS_EVIDENCE = 1.1
"""... if the family has no pattern of lists without such texts: perhaps it has no lists at all, as
one that is known by a feed. Measured on 124 sites: body F1 of one manual .955 instead of .841,
with a ninth of its articles more, all others the same; so they are with 1.3, but without a bound
the lists of four sites come out as articles. Learned from their articles alone, 35 sites give out
.136 of their lists instead of .112."""

DOUBTFUL_SHARE = 0.02
"""Pages of its family, by share, that such a pattern needs, for all is learned once more then.
Origin: guess."""

MAJORITY = 0.5
"""... or, whatever their evidence, if they are at least this share of the pages of their family: a
manual beside a blog whose posts alone are declared articles. Measured on 56 sites, each learned
from four or five halves: of 203 patterns of lists with texts none has more than .4; the articles of
one site, .83 of which were lost on one of its halves, are found. Its price: of 35 sites learned
from four lists for each article one gives out its lists, whole posts by month."""

UNDECLARED_PAGES = 3
"""... or if they are so many, and lists only because the articles of the site are declared to be.
Measured on 101 sites: of 113 patterns of lists with texts three are such, all of them articles; if
fewer are enough, one of 35 sites that are learned from five pages gives out .44 of its lists."""

MOVED_EVIDENCE = -0.4
"""... or so many, and lists only because the boundary between the kinds moved, which it does for
sites of lists that drew the mean to themselves (`learner.kinds.page_kinds.boundary`): what they had
before is less than this. Measured on 117 sites, each learned from four halves: all five such
patterns are of articles, with -.55 or less; one news portal lost .74 and .82 of them on two of its
halves. Where 35 sites are learned from four lists for each article, the six of lists have -.31 or
more."""

TEXT_LIKENESS = 4.0
"""Mean likeness (`learner.kinds.measures`) from which on texts are those of articles, if ...
Origin: the same measurement."""

FEW_LINKED = 0.07
"""... less than this share of them stands in links to other pages of the site, those inside lines
included. Measured on 155 sites, each learned from three halves, and on 35 learned from five pages:
with .1 one gives out .55 of its lists instead of .27, with .05 one loses half of its articles."""

FEW_LISTED = 1.0
"""... and they list fewer other pages than this, by their titles: a chapter tells what it is about
and lists its sections. Measured on 161 sites, each learned from two halves, 35 of them from four:
one gives out .30, .00 and .00 of its lists instead of .80, .75 and 1.00; its price is another
manual, on one half, .07 of whose articles list their sections, too."""

TEXT_PAGES = 0.1
"""Share of the pages judged articles on which a text of their own must be found, or they are lists:
entries that stand on all of them vary nowhere. Origin: guess; 1 of 27 lists that are in a frame of
their own on one of 35 sites, where most pages are lists; of a blog of pictures more have a text."""

SAMPLE_LENGTH = 80
"""Characters of a section's text kept as its sample."""


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
    """A pattern, and how much the texts that it found are like those of articles."""

    pattern: Pattern
    byline: Byline
    trees: list[LayoutTree]
    """The pages that taught it."""
    likeness: float
    is_text: bool
    """Whether the texts are, beyond doubt, text."""


def learn_site_layouts(pages: Iterable[Page], config: LearnConfig) -> PatternSet:
    """The patterns of the default preset."""
    read = sorted(
        ((page, build_tree(parse_html(page.html, page.charset), page.url)) for page in pages),
        key=lambda each: (each[0].url, each[0].html, each[0].anchor_texts),
    )
    trees = [tree for _, tree in read]
    hubs = Hubs.find(trees)
    families = [
        judge_family([read[index] for index in family], hubs, config)
        for family in find_families(trees)
    ]
    learned = _induce_patterns(families, hubs, config)
    judged_again = [_judge_again(*each) for each in zip(families, learned, strict=True)]
    if judged_again != families:
        learned = _induce_patterns(judged_again, hubs, config)
    found = _without_variants([each for found in learned for each in found])
    return PatternSet(_without_vague([each.pattern for each in found]))


def _judge_again(family: Family, learned: Sequence[_Learned]) -> Family:
    """The family, judged by the texts that were found on its pages too: all of them are lists if no
    texts are those of articles, or there are none; doubtful lists are articles if theirs are, and
    pages of authors lists."""
    taken = [each for each in learned if each.pattern.kind is Kind.ARTICLE]
    found = [(each.pattern.n_pages, each.likeness) for each in taken]
    if not are_articles(found) or _are_textless(family, learned):
        return replace(family, evidence=[CERTAIN_EVIDENCE] * len(family.known))
    trees = [each.tree for each in family.known]
    evidence = dict(zip(trees, family.evidence, strict=True))
    undeclared = dict(zip(trees, family.undeclared, strict=True))
    lists = [each for each in learned if _mean(evidence, each) > 0]
    only_texts = all(each.is_text for each in lists)
    most = ONLY_TEXTS_EVIDENCE if only_texts else DOUBTFUL_EVIDENCE
    turned = dict(evidence)
    for each in lists:
        mean, n_pages = _mean(evidence, each), len(each.trees)
        is_moved = mean + family.boundary < MOVED_EVIDENCE
        is_part = n_pages >= UNDECLARED_PAGES and (_mean(undeclared, each) < 0 or is_moved)
        is_doubtful = mean < most or n_pages >= MAJORITY * len(trees) or is_part
        if is_doubtful and each.is_text and n_pages >= DOUBTFUL_SHARE * len(trees):
            turned |= dict.fromkeys(each.trees, -mean)
    signed = ((tree, each.byline) for each in taken for tree in each.trees)
    profiles = find_profiles(trees, family.frame, signed)
    turned |= {tree: CERTAIN_EVIDENCE for tree in profiles if turned[tree] <= 0}
    return replace(family, evidence=[turned[tree] for tree in trees])


def _mean(evidence: Mapping[LayoutTree, float], learned: _Learned) -> float:
    """That of the pages that taught a pattern."""
    return fmean(evidence[tree] for tree in learned.trees)


def _are_textless(family: Family, learned: Sequence[_Learned]) -> bool:
    """Whether next to none of the pages that were judged articles has a text of its own."""
    with_text = {tree for each in learned for tree in each.trees}
    judged = [each.tree for each in family.pages_of(Kind.ARTICLE)]
    return sum(tree in with_text for tree in judged) < TEXT_PAGES * len(judged)


def _induce_patterns(
    families: Sequence[Family], hubs: Hubs, config: LearnConfig
) -> list[list[_Learned]]:
    """For each family the patterns of the pages that are articles by their evidence, and of the
    others. What tells the kinds apart is learned from all of them."""
    features = [page_features(each.tree) for family in families for each in family.known]
    evidence = [each for family in families for each in family.evidence]
    witnesses = find_witnesses(Skeletons(features), evidence)
    return [
        [
            _induce_pattern(cluster, kind, family, witnesses, hubs)
            for kind in (Kind.ARTICLE, Kind.LIST)
            for cluster in find_clusters(family, kind, config)
        ]
        for family in families
    ]


def _without_variants(learned: Sequence[_Learned]) -> Iterator[_Learned]:
    """Without the article patterns of a single page that has the places of a common one but for
    some names: of one page nobody knows what its frame is."""
    articles = [each for each in learned if each.pattern.kind is Kind.ARTICLE]
    common = [each.pattern for each in articles if each.pattern.n_pages >= COMMON_PAGES]
    for each in learned:
        is_alone = each.pattern.kind is Kind.ARTICLE and len(each.trees) == 1
        if not (is_alone and any(_is_like(each.trees[0], pattern) for pattern in common)):
            yield each


def _is_like(tree: LayoutTree, pattern: Pattern) -> bool:
    """Whether a page has one title and one container at the places of a pattern, found loosely."""
    if pattern.title is None or pattern.main is None:
        return False
    paths = [pattern.sections[index].path for index in (pattern.title, pattern.main)]
    return all(len(Locator.parse(path).find(tree, Fit.LOOSE)) == 1 for path in paths)


def _without_vague(patterns: Sequence[Pattern]) -> Iterator[Pattern]:
    """Without the article patterns of few pages whose containers could stand on any page."""
    articles = [each.n_pages for each in patterns if each.kind is Kind.ARTICLE]
    least = ANYWHERE_SHARE * max(articles, default=0)
    for each in patterns:
        main = Locator.parse(each.sections[each.main or 0].path)
        is_vague = not any(names for _, names in main.steps)
        if each.kind is Kind.LIST or each.n_pages >= least or not is_vague:
            yield each


@dataclass(frozen=True, slots=True)
class _Cuts:
    """What is no main content inside the main container of a cluster."""

    trimmed: Sequence[Trimmed]
    """The places that are left out."""
    recurring: frozenset[str]
    refrains: frozenset[str]

    def body(self, member: Member, container: Container) -> list[TreeBlock]:
        """The main content of one page."""
        inside = member.tree.inside(container.elements[member.tree])
        left_out = [each.locator for each in self.trimmed]
        return text_blocks(member, inside, left_out, self.recurring, self.refrains)


def _find_cuts(cluster: Cluster, kind: Kind) -> _Cuts:
    members, signatures, container = cluster.members, cluster.signatures, cluster.container
    boilerplate = find_recurring(members, signatures, container)
    trimmed = trim(members, signatures, container, cluster.asides, frozenset(boilerplate))
    recurring = recurring_at_ends(boilerplate, len(members))
    refrains = find_refrains(members, container)
    if kind is not Kind.ARTICLE:
        return _Cuts(trimmed, recurring, refrains)
    left_out = [each.locator for each in trimmed]
    closings = find_closings(members, signatures, container, left_out, recurring, refrains)
    return _Cuts([*trimmed, *closings.boxes], recurring | closings.forms, refrains)


def _induce_pattern(
    cluster: Cluster, kind: Kind, family: Family, witnesses: Witnesses, hubs: Hubs
) -> _Learned:
    """The pattern of one cluster."""
    members, container = cluster.members, cluster.container
    cuts = _find_cuts(cluster, kind)
    scored = evenly_spaced(members, SCORED_PAGES)
    bodies = [cuts.body(member, container) for member in scored]
    opens = cluster.title is None and _open_with_titles(scored, bodies, family)
    if opens:
        bodies = [body[1:] if body and may_open(body[0]) else body for body in bodies]
    if are_lists(scored, bodies, family.frame):
        kind = Kind.LIST
    sections = _sections(cluster, scored, bodies, cuts.trimmed)
    byline = Byline()
    if kind is Kind.ARTICLE:
        body_of = partial(cuts.body, container=container)
        byline = find_byline(members, cluster.signatures, container, cluster.asides, body_of)
        sections += _byline_sections(scored, bodies, byline, container)
        if are_bylines([m.tree for m in scored], bodies, byline):
            kind = Kind.LIST
    params = {
        **_cluster_params(cluster, kind, scored),
        "recurring": sorted(cuts.recurring),
        "refrains": sorted(cuts.refrains),
        "nameless": sorted(family.common) if opens else [],
        "prefixes": sorted(family.affixes.prefixes),
        "suffixes": sorted(family.affixes.suffixes),
        "witnesses": {str(f): w for f, w in sorted(witnesses.weights.items())},
        "bias": witnesses.bias,
        "hubs": hubs.to_param(),
        "standing": asdict(_usual_standing(scored, bodies, hubs)),
        "byline": byline.to_param(),
    }
    pages = [each.page for each in cluster.known]
    pattern = Pattern(
        preset=PRESET,
        kind=kind,
        score=pattern_score(len(members), [section.main_score for section in sections[:2]]),
        n_pages=len(members),
        sections=sections,
        title=None if cluster.title is None else 0,
        main=0 if cluster.title is None else 1,
        params=json.dumps(params, ensure_ascii=False),
        name=pages[0].url,
        example_urls=tuple(page.url for page in pages),
        train_dates=tuple(sorted({page.fetched_at.date() for page in pages if page.fetched_at})),
        code_version=code_version(),
    )
    headed = [_with_headings(m, body, container) for m, body in zip(scored, bodies, strict=True)]
    alike = fmean(likeness(m.tree, text) for m, text in zip(scored, headed, strict=True))
    linked = fmean(share_in_links(m.tree, body) for m, body in zip(scored, bodies, strict=True))
    listed = fmean(_n_listed(member, container, family) for member in scored)
    is_text = alike >= TEXT_LIKENESS and linked < FEW_LINKED and listed < FEW_LISTED
    return _Learned(pattern, byline, [m.tree for m in members], alike, is_text)


def _usual_standing(
    members: Sequence[Member], bodies: Sequence[Sequence[TreeBlock]], hubs: Hubs
) -> Standing:
    """The mean standing of some pages, given their texts."""
    found = [
        asdict(hubs.standing(member.tree, (block.line for block in body)))
        for member, body in zip(members, bodies, strict=True)
    ]
    return Standing(**{name: round(fmean(each[name] for each in found), 4) for name in found[0]})


def _n_listed(member: Member, container: Container, family: Family) -> int:
    """How many other pages the main container of one lists."""
    inside = member.tree.inside(container.elements[member.tree])
    return len(listed_pages(member.tree, inside, family.titles))


def _with_headings(
    member: Member, body: Sequence[TreeBlock], container: Container
) -> Sequence[TreeBlock]:
    """The text with all headings of its container: those of entries may have been left out."""
    tree = member.tree
    indices = {block.index for block in body}
    return [
        block
        for block in tree.inside(container.elements[tree])
        if block.index in indices or tree.heading(block) is not None
    ]


def _cluster_params(cluster: Cluster, kind: Kind, scored: Sequence[Member]) -> dict[str, Any]:
    """What matching asks of the places of title and container (`extractor.pages.matching`)."""
    members, signatures, container = cluster.members, cluster.signatures, cluster.container
    is_article = kind is Kind.ARTICLE
    leads = find_leads(members, signatures, container, cluster.asides) if is_article else ()
    return {
        "apart": sorted(map(str, signatures.apart(container.signature))),
        "leads": sorted(map(str, leads)),
        "titles_are_own": not any(m.title and m.tree.target(m.title.href) for m in members),
        "container_is_alone": _container_is_alone(cluster),
        "titles_are_alone": _titles_are_alone(cluster, scored),
        "titles_are_dated": is_article and _titles_are_dated(cluster),
        "titles_open_texts": cluster.is_headed,
        "titles_behind_sections": is_article and _titles_are_behind_sections(cluster),
        "above": sorted(_texts_above(cluster)),
    }


def _open_with_titles(
    members: Sequence[Member], bodies: Sequence[Sequence[TreeBlock]], family: Family
) -> bool:
    titles = (family.affixes.strip(member.tree.metadata.title) for member in members)
    unnamed = [body for title, body in zip(titles, bodies, strict=True) if title in family.common]
    return len(unnamed) >= TITLE_SHARE * len(members) and open_with_titles(unnamed)


def _container_is_alone(cluster: Cluster) -> bool:
    """Whether no other element of any page stands at the place of the main container, and the
    pages are so many that none of others would."""
    place = cluster.signatures.locator(cluster.container.signature)
    return len(cluster.members) >= COMMON_PAGES and all(
        len(place.find(member.tree)) == 1 for member in cluster.members
    )


def _titles_are_alone(cluster: Cluster, members: Sequence[Member]) -> bool:
    """Whether nothing else stands at the place of the title on most of some pages: in tables
    without names the author may stand in a cell like the title's."""
    if cluster.title is None:
        return True
    place = cluster.signatures.locator(cluster.title)
    alone = sum(member.tree.n_with_text(place.find(member.tree)) == 1 for member in members)
    return 2 * alone >= len(members)


def _titles_are_dated(cluster: Cluster) -> bool:
    """Whether the titles of a cluster bear the day before them."""
    called = [m.title.text if m.title else m.tree.metadata.title for m in cluster.members]
    return are_dated(called)


def _titles_are_behind_sections(cluster: Cluster) -> bool:
    """Whether `<title>`, which alone names the pages of a cluster, has a section before that."""
    if cluster.title is not None:
        return False
    named = [each for each in cluster.known if each.names]
    said = [{*each.names[1:], *(block.text for block in each.tree.blocks)} for each in named]
    return are_behind_sections([each.names[0] for each in named], said)


def _texts_above(cluster: Cluster) -> set[str]:
    """The texts that stand at the place of the title, above it: those of the site's frame, and what
    is too long for a title."""
    return {
        block.text
        for member in cluster.members
        if member.title
        for block in member.tree.blocks[: member.title.index]
        if cluster.signatures.of[member.tree][block.element] == cluster.title
    }


def _sections(
    cluster: Cluster,
    scored: Sequence[Member],
    bodies: Sequence[Sequence[TreeBlock]],
    trimmed: Sequence[Trimmed],
) -> tuple[Section, ...]:
    """The title, the main container and what is left out of it, scored on some of the pages."""
    sections = []
    if cluster.title is not None:
        titles = [member.title for member in scored if member.title]
        texts = [title.text for title in titles]
        own = [title.unlinked_weight for title in titles]
        place = cluster.signatures.locator(cluster.title)
        sections.append(_section(str(place), Role.TITLE, texts, own))
    place = cluster.signatures.locator(cluster.container.signature)
    body_texts = [" ".join(block.text for block in body) for body in bodies]
    weights = [sum(block.unlinked_weight for block in body) for body in bodies]
    sections.append(_section(str(place), Role.MAIN, body_texts, weights))
    for each in trimmed:
        role = Role.SUB if each.reason == "details" else Role.BOILERPLATE
        texts = [
            " ".join(b.text for e in each.locator.find(m.tree) for b in m.tree.inside(e))
            for m in scored
        ]
        sections.append(_section(str(each.locator), role, [t for t in texts if t] or [""], [0]))
    return tuple(sections)


def _byline_sections(
    scored: Sequence[Member],
    bodies: Sequence[Sequence[TreeBlock]],
    byline: Byline,
    container: Container,
) -> tuple[Section, ...]:
    """The places of date and author, with what stands there on some of the pages."""
    dates = [[place.read(m.tree, byline.names) for m in scored] for place in byline.dates]
    shown = [byline.read_date(m.tree) for m in scored]
    named = [
        byline.read_authors(
            m.tree,
            m.title,
            date.block if date else None,
            Extent.of(m.tree, container.elements[m.tree], body),
        )
        for m, date, body in zip(scored, shown, bodies, strict=True)
    ]
    read = [
        (str(place.locator), Role.DATE, [reading.raw for reading in readings if reading])
        for place, readings in zip(byline.dates, dates, strict=True)
    ]
    read += [
        (str(place.locator), Role.AUTHOR, [", ".join(names) for names, _ in named if names])
        for place in byline.authors[:1]
    ]
    return tuple(_section(path, role, texts or [""], [0]) for path, role, texts in read)


def _section(path: str, role: Role, texts: Sequence[str], weights: Sequence[int]) -> Section:
    letters = [word_letters(text)[:SCORED_LETTERS] for text in texts]
    diff = diff_score(letters, lcs_runs)
    return Section(
        path=path,
        role=role,
        diff_score=diff,
        main_score=main_score(diff, weights),
        sample=texts[0][:SAMPLE_LENGTH],
    )
