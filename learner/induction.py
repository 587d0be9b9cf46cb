"""Wrapper induction: from a site's pages to its layout patterns.

The steps of the default preset: layout trees; what each page is called (`headlines`); clusters of
skeletons; which clusters are articles (`kinds`); inside the articles the place of the title; the
main container; what in it is boilerplate.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from crawler.config import LearnConfig
from crawler.html import parse_html
from learner.blocks import word_letters
from learner.containers import (
    Container,
    Member,
    comment_signatures,
    find_container,
    recurring_texts,
)
from learner.headlines import Affixes, page_names, title_places
from learner.kinds import frame_texts, list_evidence, measure_pages
from learner.locators import Signatures
from learner.pages import Page
from learner.patterns import Kind, Pattern, PatternSet, Role, Section, code_version
from learner.scores import diff_score, main_score, pattern_score
from learner.sequences import lcs_runs
from learner.skeletons import Skeletons
from learner.tree import LayoutTree, build_tree
from learner.trimming import Trimmed, text_blocks, trim
from learner.webstemmer import learn_webstemmer
from learner.witnesses import Witnesses, find_witnesses

PRESET = "default"

SCORED_PAGES = 8
"""Pages of a cluster whose texts DiffScore compares. Origin: guess; all pairs of a cluster would
cost the square of its pages."""

SCORED_LETTERS = 2000
"""Letters of each text that DiffScore compares. Origin: guess."""

SAMPLE_LENGTH = 80
"""Characters of a section's text kept as its sample."""


def learn_patterns(
    pages: Iterable[Page], config: LearnConfig = LearnConfig()  # noqa: B008 - frozen
) -> PatternSet:
    """The layout patterns of a site's pages, by the preset that the configuration names.

    The same pages in any order give the same patterns.
    """
    if config.preset == "webstemmer":
        return learn_webstemmer(pages, config)
    return learn_site_layouts(pages, config)


@dataclass(frozen=True, slots=True)
class _Known:
    """One page as the steps know it."""

    page: Page
    tree: LayoutTree
    names: list[str]


def learn_site_layouts(pages: Iterable[Page], config: LearnConfig) -> PatternSet:
    """The patterns of the default preset."""
    known, affixes = _read(pages)
    trees = [each.tree for each in known]
    names = [each.names for each in known]
    skeletons = Skeletons([tree.skeleton() for tree in trees])
    evidence = list_evidence(measure_pages(trees, names, frame_texts(trees)))
    lists = [False] * len(known)
    for cluster in skeletons.clusters():
        mean = sum(evidence[page] for page in cluster) / len(cluster)
        for page in cluster:
            lists[page] = mean > 0
    witnesses = find_witnesses(skeletons, lists)
    patterns = []
    for kind in (Kind.ARTICLE, Kind.LIST):
        chosen = [each for each, is_list in zip(known, lists, strict=True) if is_list == (kind is Kind.LIST)]
        patterns += _patterns_of_kind(chosen, kind, affixes, witnesses, config)
    return PatternSet(patterns)


def _read(pages: Iterable[Page]) -> tuple[list[_Known], Affixes]:
    read = sorted(
        ((page, build_tree(parse_html(page.html, page.charset), page.url)) for page in pages),
        key=lambda each: (each[0].url, each[0].html),
    )
    affixes = Affixes.learn(tree.head_title for _, tree in read if tree.head_title)
    known = [_Known(p, tree, page_names(tree, affixes, p.anchor_texts)) for p, tree in read]
    return known, affixes


def _patterns_of_kind(
    known: Sequence[_Known],
    kind: Kind,
    affixes: Affixes,
    witnesses: Witnesses,
    config: LearnConfig,
) -> list[Pattern]:
    places = title_places([each.tree for each in known], [each.names for each in known])
    groups: dict[int, list[_Known]] = defaultdict(list)
    for index, place in sorted(places.items()):
        groups[place].append(known[index])
    patterns = []
    for place, group in groups.items():
        signatures = Signatures([each.tree for each in group])
        alike: dict[int, list[tuple[_Known, Member]]] = defaultdict(list)
        for each in group:
            tree = each.tree
            title = next(b for b in tree.blocks if tree.paths[b.element] == place)
            signature = signatures.of[tree][title.element]
            alike[signature].append((each, Member(tree, title)))
        for title_signature, rest in alike.items():
            while rest:
                container = _contain([member for _, member in rest], signatures)
                if container is None:
                    break
                inside = [each for each in rest if each[1].tree in container.elements]
                patterns.append(
                    induce_pattern(
                        inside, kind, title_signature, container, signatures, affixes, witnesses
                    )
                )
                rest = [each for each in rest if each[1].tree not in container.elements]
    return patterns


def _contain(members: Sequence[Member], signatures: Signatures) -> Container | None:
    return find_container(members, signatures, comment_signatures(members, signatures))


def induce_pattern(
    cluster: Sequence[tuple[_Known, Member]],
    kind: Kind,
    title_signature: int,
    container: Container,
    signatures: Signatures,
    affixes: Affixes,
    witnesses: Witnesses,
) -> Pattern:
    """The pattern of pages that share the places of title and main container."""
    members = [member for _, member in cluster]
    pages = [each.page for each, _ in cluster]
    recurring = recurring_texts([m.tree.inside(container.elements[m.tree]) for m in members])
    comments = comment_signatures(members, signatures)
    trimmed = trim(members, signatures, container, comments, recurring)
    sections = _sections(members, title_signature, container, signatures, trimmed, recurring)
    return Pattern(
        preset=PRESET,
        kind=kind,
        score=pattern_score(len(members), [section.main_score for section in sections[1:2]]),
        n_pages=len(members),
        sections=sections,
        title=0,
        main=1,
        params=json.dumps(
            {
                "recurring": sorted(recurring),
                "prefixes": sorted(affixes.prefixes),
                "suffixes": sorted(affixes.suffixes),
                "witnesses": {str(f): w for f, w in sorted(witnesses.weights.items())},
                "bias": witnesses.bias,
            },
            ensure_ascii=False,
        ),
        name=pages[0].url,
        example_urls=tuple(page.url for page in pages),
        train_dates=tuple(sorted({page.fetched_at.date() for page in pages if page.fetched_at})),
        code_version=code_version(),
    )


def _sections(
    members: Sequence[Member],
    title_signature: int,
    container: Container,
    signatures: Signatures,
    trimmed: Sequence[Trimmed],
    recurring: frozenset[str],
) -> tuple[Section, ...]:
    scored = members[:: max(1, len(members) // SCORED_PAGES)][:SCORED_PAGES]
    titles = [member.title.text for member in scored]
    left_out = [each.locator for each in trimmed]
    bodies, weights = [], []
    for member in scored:
        blocks = text_blocks(
            member.tree, container.elements[member.tree], member.title, left_out, recurring
        )
        bodies.append(" ".join(block.text for block in blocks))
        weights.append(sum(block.unlinked_weight for block in blocks))
    sections = [
        _section(
            str(signatures.locator(title_signature)),
            Role.TITLE,
            titles,
            [member.title.unlinked_weight for member in scored],
        ),
        _section(str(signatures.locator(container.signature)), Role.MAIN, bodies, weights),
    ]
    for each in trimmed:
        found = [
            " ".join(b.text for e in each.locator.find(m.tree) for b in m.tree.inside(e))
            for m in scored
        ]
        present = [text for text in found if text]
        role = Role.BOILERPLATE if each.reason != "details" else Role.SUB
        section = _section(str(each.locator), role, present or [""], [0])
        sections.append(section)
    return tuple(sections)


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
