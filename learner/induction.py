"""Wrapper induction: from a site's pages to its layout patterns.

The steps of the default preset: layout trees; what each page is called (`headlines`); clusters of
skeletons; which clusters are articles (`kinds`); inside the articles the place of the title; the
main container; what in it is boilerplate.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from crawler.config import LearnConfig
from crawler.html import parse_html
from learner.asides import find_asides
from learner.blocks import word_letters
from learner.bylines import Byline, find_byline
from learner.containers import Container, find_container
from learner.families import find_families
from learner.headlines import (
    SAME_TITLE,
    Affixes,
    agreement,
    common_titles,
    may_be_title,
    may_open,
    open_with_titles,
    page_names,
    says_same,
    title_places,
)
from learner.kinds import (
    are_articles,
    are_lists,
    frame_texts,
    likeness,
    list_evidence,
    measure_pages,
)
from learner.locators import Locator, Signatures
from learner.members import Member
from learner.pages import Page
from learner.patterns import Kind, Pattern, PatternSet, Role, Section, code_version
from learner.sampling import sample_pages
from learner.scores import diff_score, main_score, pattern_score
from learner.sequences import lcs_runs
from learner.skeletons import CLUSTER_SIMILARITY, Skeletons
from learner.tree import HEADINGS, LayoutTree, TreeBlock, build_tree
from learner.trimming import Trimmed, find_recurring, find_refrains, text_blocks, trim
from learner.webstemmer import learn_webstemmer
from learner.witnesses import CERTAIN_EVIDENCE, Witnesses, find_witnesses, page_features

PRESET = "default"

SCORED_PAGES = 8
"""Pages of a cluster whose texts DiffScore compares. Origin: guess; all pairs of a cluster would
cost the square of its pages."""

SCORED_LETTERS = 2000
"""Letters of each text that DiffScore compares. Origin: guess."""

PLACE_PAGES = 2.0
"""How many pages of its cluster the mean of its title's place counts as, in the evidence for the
kind of a page. Origin: guess."""

OWN_SHARE = 0.35
"""What a page's own evidence counts beside that of its cluster. Origin: measured on 35 sites, each
left out of the fit: 0 leaves 8 % of the lists on the wrong side, 0.35 6.5 %, 0.5 7 %."""

TITLE_SHARE = 0.4
"""Least share of a cluster's pages on which the title's place must say the same as `<title>`,
else `<title>` without the site's affix is the title. Origin: guess."""

ANYWHERE_SHARE = 0.05
"""Pages of the largest article pattern, by share, that a pattern needs whose container bears no
name and stands in nothing that does: `body/div` fits nearly everything. Measured on 35 sites:
without it two of five lists of one manual come out as articles, all else is the same."""

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
class _Known:
    """One page as the steps know it."""

    page: Page
    tree: LayoutTree
    names: list[str]


@dataclass(frozen=True, slots=True)
class _Family:
    """The pages that are learned together, and what all of them have told."""

    known: Sequence[_Known]
    affixes: Affixes
    frame: frozenset[str]
    """The texts of its frame."""
    common: frozenset[str]
    """What stands in so many `<title>`s that it names no page."""
    evidence: Sequence[float]
    """How much speaks for a list (above 0) or an article (below 0), page by page."""


@dataclass(frozen=True, slots=True)
class _Learned:
    """A pattern, and how much the texts that it found are like those of articles."""

    pattern: Pattern
    likeness: float


def learn_site_layouts(pages: Iterable[Page], config: LearnConfig) -> PatternSet:
    """The patterns of the default preset."""
    read = sorted(
        ((page, build_tree(parse_html(page.html, page.charset), page.url)) for page in pages),
        key=lambda each: (each[0].url, each[0].html, each[0].anchor_texts),
    )
    families = [
        _judge([read[index] for index in family], config)
        for family in find_families([tree for _, tree in read])
    ]
    learned = _induce_patterns(families, config)
    if not all(map(_has_articles, learned)):
        families = [
            family if _has_articles(found) else _of_lists(family)
            for family, found in zip(families, learned, strict=True)
        ]
        learned = _induce_patterns(families, config)
    return PatternSet(_without_vague([each.pattern for found in learned for each in found]))


def _judge(read: Sequence[tuple[Page, LayoutTree]], config: LearnConfig) -> _Family:
    """What the pages of a family are called, and of which kind each is."""
    trees = [tree for _, tree in read]
    affixes = Affixes.learn(tree.metadata.title for tree in trees if tree.metadata.title)
    common = common_titles([affixes.strip(tree.metadata.title) for tree in trees])
    names = [
        [name for name in page_names(tree, affixes, page.anchor_texts) if name not in common]
        for page, tree in read
    ]
    known = [_Known(page, tree, called) for (page, tree), called in zip(read, names, strict=True)]
    frame = frame_texts(trees)
    evidence = list_evidence(measure_pages(trees, names, frame))
    places = title_places(trees, names, frame, config.title_threshold)
    skeletons = Skeletons([tree.skeleton() for tree in trees])
    clusters = skeletons.clusters(config.cluster_threshold or CLUSTER_SIMILARITY)
    evidence = shared_evidence(evidence, clusters, places)
    return _Family(known, affixes, frame, common, evidence)


def _has_articles(learned: Sequence[_Learned]) -> bool:
    taken = [each for each in learned if each.pattern.kind is Kind.ARTICLE]
    return are_articles([(each.pattern.n_pages, each.likeness) for each in taken])


def _of_lists(family: _Family) -> _Family:
    return replace(family, evidence=[CERTAIN_EVIDENCE] * len(family.known))


def _induce_patterns(families: Sequence[_Family], config: LearnConfig) -> list[list[_Learned]]:
    """For each family the patterns of the pages that are articles by their evidence, and of the
    others. What tells the kinds apart is learned from all of them."""
    features = [page_features(each.tree) for family in families for each in family.known]
    evidence = [each for family in families for each in family.evidence]
    witnesses = find_witnesses(Skeletons(features), evidence)
    return [
        [
            pattern
            for kind in (Kind.ARTICLE, Kind.LIST)
            for pattern in _patterns_of_kind(family, kind, witnesses, config)
        ]
        for family in families
    ]


def _without_vague(patterns: Sequence[Pattern]) -> Iterator[Pattern]:
    """Without the article patterns of few pages whose containers could stand on any page."""
    articles = [each.n_pages for each in patterns if each.kind is Kind.ARTICLE]
    least = ANYWHERE_SHARE * max(articles, default=0)
    for each in patterns:
        main = Locator.parse(each.sections[each.main or 0].path)
        is_vague = not any(names for _, names in main.steps)
        if each.kind is Kind.LIST or each.n_pages >= least or not is_vague:
            yield each


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


def _patterns_of_kind(
    family: _Family, kind: Kind, witnesses: Witnesses, config: LearnConfig
) -> list[_Learned]:
    known = [
        each
        for each, speaks in zip(family.known, family.evidence, strict=True)
        if (speaks > 0) is (kind is Kind.LIST)
    ]
    names = [each.names for each in known]
    trees = [each.tree for each in known]
    places = title_places(trees, names, family.frame, config.title_threshold)
    groups: dict[int | None, list[_Known]] = defaultdict(list)
    for index, each in enumerate(known):
        groups[places.get(index)].append(each)
    untitled = {each.tree for each in groups.pop(None, [])}
    learned = []
    for place, group in groups.items():
        signatures = Signatures([each.tree for each in group])
        alike = _by_title(group, place, signatures, family, config.title_threshold)
        for title_signature, cluster in alike.items():
            if not _is_credible(cluster):
                untitled |= {each.tree for each, _ in cluster}
                continue
            for inside, container in _contained(cluster, signatures, config):
                learned.append(
                    _induce_pattern(
                        inside, kind, title_signature, container, signatures, family, witnesses
                    )
                )
    # Called by `<title>`, wherever the places were that turned out to be none: they are alike.
    cluster = [
        (each, Member(each.tree, None, family.frame)) for each in known if each.tree in untitled
    ]
    signatures = Signatures([each.tree for each, _ in cluster])
    for inside, container in _contained(cluster, signatures, config):
        learned.append(
            _induce_pattern(inside, kind, None, container, signatures, family, witnesses)
        )
    return learned


def _by_title(
    group: Sequence[_Known],
    place: int | None,
    signatures: Signatures,
    family: _Family,
    threshold: float,
) -> dict[int, list[tuple[_Known, Member]]]:
    """Pages whose titles stand at one tag path, by the names on it."""
    alike: dict[int, list[tuple[_Known, Member]]] = defaultdict(list)
    for each in group:
        tree = each.tree
        title = next(
            block
            for block in tree.blocks
            if tree.paths[block.element] == place
            and may_be_title(block, each.names, family.frame, threshold)
        )
        alike[signatures.of[tree][title.element]].append((each, Member(tree, title, family.frame)))
    return alike


def _contained(
    cluster: Sequence[tuple[_Known, Member]], signatures: Signatures, config: LearnConfig
) -> Iterator[tuple[list[tuple[_Known, Member]], Container]]:
    """The pages of a cluster by their main containers; those that lack it are tried again."""
    rest = list(cluster)
    while rest:
        container = _contain([member for _, member in rest], signatures)
        if container is None:
            return
        inside = [each for each in rest if each[1].tree in container.elements]
        if len(inside) >= (config.min_pages or 1):
            yield inside, container
        rest = [each for each in rest if each[1].tree not in container.elements]


def _is_credible(cluster: Sequence[tuple[_Known, Member]]) -> bool:
    """Whether the place of the title is one: a plain paragraph has to repeat `<title>` to the
    letter, a heading or a named element to say about the same, or what links call the page, on
    enough of the pages."""
    told = [(each.names, member) for each, member in cluster if each.names and member.title]
    if len(told) < 2:
        return True
    marked = any(
        m.tree.tags[m.title.element] in HEADINGS or m.tree.tokens[m.title.element]
        for _, m in told
        if m.title
    )
    if marked:
        same = sum(
            says_same(m.title.text, names[0]) or agreement(m.title.text, names) >= SAME_TITLE
            for names, m in told
            if m.title
        )
    else:
        same = sum(m.title.text == names[0] for names, m in told if m.title)
    return same >= TITLE_SHARE * len(told)


def _contain(members: Sequence[Member], signatures: Signatures) -> Container | None:
    return find_container(members, signatures, find_asides(members, signatures))


def _induce_pattern(
    cluster: Sequence[tuple[_Known, Member]],
    kind: Kind,
    title_signature: int | None,
    container: Container,
    signatures: Signatures,
    family: _Family,
    witnesses: Witnesses,
) -> _Learned:
    """The pattern of pages that share the places of title and main container."""
    members = [member for _, member in cluster]
    pages = [each.page for each, _ in cluster]
    recurring = find_recurring(members, signatures, container)
    asides = find_asides(members, signatures)
    trimmed = trim(members, signatures, container, asides, recurring)
    scored = members[:: max(1, len(members) // SCORED_PAGES)][:SCORED_PAGES]
    left_out = [each.locator for each in trimmed]
    refrains = find_refrains(members, container)
    bodies = []
    for m in scored:
        inside = m.tree.inside(container.elements[m.tree])
        bodies.append(text_blocks(m, inside, left_out, recurring, refrains))
    opens = title_signature is None and _open_with_titles(scored, bodies, family)
    if opens:
        bodies = [body[1:] if body and may_open(body[0]) else body for body in bodies]
    if are_lists(scored, bodies, family.frame):
        kind = Kind.LIST
    sections = _sections(scored, bodies, title_signature, container, signatures, trimmed)
    byline = Byline()
    if kind is Kind.ARTICLE:
        byline = find_byline(members, signatures, container, asides)
        sections += _byline_sections(scored, byline, container)
    pattern = Pattern(
        preset=PRESET,
        kind=kind,
        score=pattern_score(len(members), [section.main_score for section in sections[:2]]),
        n_pages=len(members),
        sections=sections,
        title=None if title_signature is None else 0,
        main=0 if title_signature is None else 1,
        params=json.dumps(
            {
                "apart": sorted(map(str, signatures.apart(container.signature))),
                "nameless": sorted(family.common) if opens else [],
                "above": sorted(_texts_above(members, signatures, title_signature)),
                "recurring": sorted(recurring),
                "refrains": sorted(refrains),
                "prefixes": sorted(family.affixes.prefixes),
                "suffixes": sorted(family.affixes.suffixes),
                "witnesses": {str(f): w for f, w in sorted(witnesses.weights.items())},
                "bias": witnesses.bias,
                "byline": byline.to_param(),
            },
            ensure_ascii=False,
        ),
        name=pages[0].url,
        example_urls=tuple(page.url for page in pages),
        train_dates=tuple(sorted({page.fetched_at.date() for page in pages if page.fetched_at})),
        code_version=code_version(),
    )
    alike = [likeness(m.tree, body) for m, body in zip(scored, bodies, strict=True)]
    return _Learned(pattern, fmean(alike))


def _open_with_titles(
    members: Sequence[Member], bodies: Sequence[Sequence[TreeBlock]], family: _Family
) -> bool:
    titles = (family.affixes.strip(member.tree.metadata.title) for member in members)
    unnamed = [body for title, body in zip(titles, bodies, strict=True) if title in family.common]
    return len(unnamed) >= TITLE_SHARE * len(members) and open_with_titles(unnamed)


def _texts_above(
    members: Sequence[Member], signatures: Signatures, title_signature: int | None
) -> set[str]:
    """The texts that stand at the place of the title, above it: those of the site's frame, and what
    is too long for a title."""
    return {
        block.text
        for member in members
        if member.title
        for block in member.tree.blocks[: member.title.index]
        if signatures.of[member.tree][block.element] == title_signature
    }


def _sections(
    scored: Sequence[Member],
    bodies: Sequence[Sequence[TreeBlock]],
    title_signature: int | None,
    container: Container,
    signatures: Signatures,
    trimmed: Sequence[Trimmed],
) -> tuple[Section, ...]:
    """The title, the main container and what is left out of it, scored on some of the pages."""
    sections = []
    if title_signature is not None:
        titles = [member.title for member in scored if member.title]
        texts = [title.text for title in titles]
        own = [title.unlinked_weight for title in titles]
        place = signatures.locator(title_signature)
        sections.append(_section(str(place), Role.TITLE, texts, own))
    place = signatures.locator(container.signature)
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
    scored: Sequence[Member], byline: Byline, container: Container
) -> tuple[Section, ...]:
    """The places of date and author, with what stands there on some of the pages."""
    dates = [[place.read(m.tree, byline.names) for m in scored] for place in byline.dates]
    shown = [byline.read_date(m.tree) for m in scored]
    named = [
        byline.read_authors(
            m.tree, m.title, date.block if date else None, container.elements[m.tree]
        )
        for m, date in zip(scored, shown, strict=True)
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
