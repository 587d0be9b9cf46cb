"""Clusters by places: pages of one kind whose title and main container stand at the same places.

Pages are parted by the place of their title (`learner.titles.names`) and the names on it, and these
by the main container (`learner.bodies.container`). A template has variants; each cluster gives one
pattern.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from crawler.config.sites import LearnConfig
from learner.bodies.asides import find_asides
from learner.bodies.container import Container, find_container
from learner.kinds.kind import Kind
from learner.kinds.page_kinds import Family, Known
from learner.page.tree import HEADINGS
from learner.site.cluster_page import Member
from learner.site.signatures import Signatures
from learner.titles.headings import opening_headings
from learner.titles.learning import TITLE_SHARE
from learner.titles.names import SAME_TITLE, agreement, may_be_title, says_same, title_places

SMALL_GROUP = 10
"""Pages below which a group of articles whose titles bear names of their own is learned with a
larger one: what is the same on few pages seems to be the template's. Measured on 35 sites and 89
others: body F1 of one manual .836 without, .932 with 6 and 10, .914 with 12, all others the same.
Joined whatever their size, one of the 35 loses .004; groups of lists too, a manual's lists come out
as articles."""

_Pages = list[tuple[Known, Member]]


@dataclass(frozen=True, slots=True)
class Cluster:
    """Pages that share the places of title and main container."""

    known: list[Known]
    members: list[Member]
    """The same pages, as the next steps ask for them."""
    signatures: Signatures
    title: int | None
    """The signature of the title's place; None if only `<title>` tells it."""
    container: Container
    asides: frozenset[int]
    """The places of comments and teasers."""
    is_headed: bool = False
    """Whether its pages are called by the headings that their texts open with."""


def find_clusters(family: Family, kind: Kind, config: LearnConfig) -> Iterator[Cluster]:
    """The clusters of the pages of one kind."""
    known = family.pages_of(kind)
    names = [each.names for each in known]
    trees = [each.tree for each in known]
    places = title_places(trees, names, family.frame, config.title_threshold)
    groups: dict[int | None, list[Known]] = defaultdict(list)
    for index, each in enumerate(known):
        groups[places.get(index)].append(each)
    untitled = {each.tree for each in groups.pop(None, [])}
    for place, group in groups.items():
        signatures = Signatures([each.tree for each in group])
        alike = _by_title(group, place, signatures, family, config.title_threshold)
        if kind is Kind.ARTICLE:
            alike = _with_small_groups(alike, signatures)
        for title, cluster in alike.items():
            if _is_credible(cluster):
                yield from _by_heading(cluster, title, signatures, config)
            else:
                untitled |= {each.tree for each, _ in cluster}
    # Called by `<title>`, wherever the places were that turned out to be none: they are alike.
    cluster = [(each, family.member(each, None)) for each in known if each.tree in untitled]
    signatures = Signatures([each.tree for each, _ in cluster])
    yield from _by_heading(cluster, None, signatures, config)


def _by_title(
    group: Sequence[Known],
    place: int | None,
    signatures: Signatures,
    family: Family,
    threshold: float,
) -> dict[int, _Pages]:
    """Pages whose titles stand at one tag path, by the names on it."""
    alike: dict[int, _Pages] = defaultdict(list)
    for each in group:
        tree = each.tree
        title = next(
            block
            for block in tree.blocks
            if tree.paths[block.element] == place
            and may_be_title(block, each.names, family.frame, threshold)
        )
        alike[signatures.of[tree][title.element]].append((each, family.member(each, title)))
    return alike


def _with_small_groups(alike: dict[int, _Pages], signatures: Signatures) -> dict[int, _Pages]:
    """The same pages; small groups together with the largest of those whose titles stand at the
    same place but for the names of the titles themselves: `h1.exception` with `h1.class`."""
    by_place: dict[int, list[int]] = defaultdict(list)
    for title in sorted(alike, key=lambda title: (-len(alike[title]), title)):
        by_place[signatures.unnamed(title)].append(title)
    joined: dict[int, _Pages] = {}
    for place, (largest, *others) in by_place.items():
        small = [title for title in others if len(alike[title]) < SMALL_GROUP]
        together = [each for title in (largest, *small) for each in alike[title]]
        if small and all(_stands_alone(member, signatures) for _, member in together):
            joined[place] = together
            others = [title for title in others if title not in small]
        else:
            joined[largest] = alike[largest]
        joined |= {title: alike[title] for title in others}
    return joined


def _stands_alone(member: Member, signatures: Signatures) -> bool:
    """Whether no other element of a page stands where its title does, whatever names it bears."""
    tree, title = member.tree, member.title
    if title is None:
        return False
    places = signatures.of[tree]
    above = places[tree.parents[title.element]]
    here = tree.elements_at(tree.paths[title.element])
    alike = (element for element in here if places[tree.parents[element]] == above)
    return list(alike) == [title.element]


def _by_heading(
    pages: _Pages, title: int | None, signatures: Signatures, config: LearnConfig
) -> Iterator[Cluster]:
    """The pages of a cluster by their main containers; those whose texts open with headings that
    they are called by apart from the others."""
    for cluster in _by_container(pages, title, signatures, config):
        names = [each.names for each in cluster.known]
        headings = opening_headings(cluster.members, names, signatures, cluster.container)
        if headings is None:
            yield cluster
            continue
        headed, others = [], []
        for each, member in zip(cluster.known, cluster.members, strict=True):
            heading = headings.blocks.get(member.tree)
            if heading is None:
                others.append((each, member))
            else:
                headed.append((each, replace(member, title=heading)))
        for found in _by_container(headed, headings.place, signatures, config):
            yield replace(found, is_headed=True)
        yield from _by_container(others, title, signatures, config)


def _by_container(
    cluster: _Pages, title: int | None, signatures: Signatures, config: LearnConfig
) -> Iterator[Cluster]:
    """The pages of a cluster by their main containers; those that lack it are tried again."""
    rest = cluster
    while rest:
        members = [member for _, member in rest]
        asides = find_asides(members, signatures)
        container = find_container(members, signatures, asides)
        if container is None:
            return
        inside = [each for each in rest if each[1].tree in container.elements]
        if len(inside) >= (config.min_pages or 1):
            known, members = [each for each, _ in inside], [member for _, member in inside]
            yield Cluster(known, members, signatures, title, container, asides)
        rest = [each for each in rest if each[1].tree not in container.elements]


def _is_credible(cluster: _Pages) -> bool:
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
        # What nothing names is called by its heading (`learner.titles.names`).
        unnamed = len(cluster) - len(told)
        return same + unnamed >= TITLE_SHARE * len(cluster)
    same = sum(m.title.text == names[0] for names, m in told if m.title)
    return same >= TITLE_SHARE * len(told)
