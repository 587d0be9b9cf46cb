"""Clusters by places: pages of one kind whose title and main container stand at the same places.

Pages are parted by the place of their title (`learner.titles.names`) and the names on it, and these
by the main container (`learner.bodies.container`). A template has variants; each cluster gives one
pattern.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from crawler.config.stages import LearnConfig
from learner.bodies.asides import find_asides
from learner.bodies.container import Container, find_container
from learner.bodies.threads import are_threads
from learner.kinds.kind import Kind
from learner.kinds.page_kinds import Family
from learner.page.tree import HEADINGS
from learner.site.cluster_page import ClusterPage
from learner.site.signatures import Signatures
from learner.titles.names import SAME_TITLE, agreement, says_same
from learner.titles.places import may_be_title, opening_headings, title_places

SMALL_GROUP = 10
"""Pages below which a group of articles whose titles bear names of their own is learned with a
larger one: what is the same on few pages seems to be the template's. Origin: measured, see
docs/decisions.md."""

TITLE_SHARE = 0.4
"""Least share of a cluster's pages on which the title's place must say the same as `<title>`,
else `<title>` without the site's affix is the title. Origin: guess."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """Pages that share the places of title and main container."""

    pages: list[ClusterPage]
    signatures: Signatures
    title: int | None
    """The signature of the title's place; None if only `<title>` tells it."""
    container: Container
    asides: frozenset[int]
    """The places of comments and teasers."""
    is_headed: bool = False
    """Whether its pages are called by the headings that their texts open with."""
    posts: frozenset[int] = frozenset()
    """The places of the posts, if its pages are threads."""


def find_clusters(family: Family, kind: Kind, config: LearnConfig) -> Iterator[Cluster]:
    """The clusters of the pages of one kind."""
    pages = family.pages_of(kind)
    # Where the kinds are not told beyond doubt, what looks like a thread may be a list.
    by_heading = partial(
        _by_heading, config=config, may_be_threads=kind is Kind.ARTICLE and family.is_sure
    )
    trees, names = [page.tree for page in pages], [page.names for page in pages]
    places = title_places(trees, names, family.frame, config.title_threshold)
    groups: dict[int | None, list[ClusterPage]] = defaultdict(list)
    for index, page in enumerate(pages):
        groups[places.get(index)].append(page)
    untitled = {page.tree for page in groups.pop(None, [])}
    for place, group in groups.items():
        signatures = Signatures([page.tree for page in group])
        alike = _by_title(group, place, signatures, family, config.title_threshold)
        if kind is Kind.ARTICLE:
            alike = _with_small_groups(alike, signatures)
        for title, cluster in alike.items():
            if _is_credible(cluster):
                yield from by_heading(cluster, title, signatures)
            else:
                untitled |= {page.tree for page in cluster}
    # Called by `<title>`, wherever the places were that turned out to be none: they are alike.
    cluster = [page for page in pages if page.tree in untitled]
    signatures = Signatures([page.tree for page in cluster])
    yield from by_heading(cluster, None, signatures)


def _by_title(
    group: Sequence[ClusterPage],
    place: int | None,
    signatures: Signatures,
    family: Family,
    threshold: float,
) -> dict[int, list[ClusterPage]]:
    """Pages whose titles stand at one tag path, by the names on it."""
    alike: dict[int, list[ClusterPage]] = defaultdict(list)
    for page in group:
        tree = page.tree
        title = next(
            block
            for block in tree.blocks
            if tree.paths[block.element] == place
            and may_be_title(block, page.names, family.frame, threshold)
        )
        alike[signatures.of[tree][title.element]].append(replace(page, title=title))
    return alike


def _with_small_groups(
    alike: dict[int, list[ClusterPage]], signatures: Signatures
) -> dict[int, list[ClusterPage]]:
    """The same pages; small groups together with the largest of those whose titles stand at the
    same place but for the names of the titles themselves: `h1.exception` with `h1.class`."""
    by_place: dict[int, list[int]] = defaultdict(list)
    for title in sorted(alike, key=lambda title: (-len(alike[title]), title)):
        by_place[signatures.unnamed(title)].append(title)
    joined: dict[int, list[ClusterPage]] = {}
    for place, (largest, *others) in by_place.items():
        small = [title for title in others if len(alike[title]) < SMALL_GROUP]
        together = [each for title in (largest, *small) for each in alike[title]]
        if small and all(_stands_alone(page, signatures) for page in together):
            joined[place] = together
            others = [title for title in others if title not in small]
        else:
            joined[largest] = alike[largest]
        joined |= {title: alike[title] for title in others}
    return joined


def _stands_alone(page: ClusterPage, signatures: Signatures) -> bool:
    """Whether no other element of a page stands where its title does, whatever names it bears."""
    tree, title = page.tree, page.title
    if title is None:
        return False
    places = signatures.of[tree]
    above = places[tree.parents[title.element]]
    here = tree.elements_at(tree.paths[title.element])
    alike = (element for element in here if places[tree.parents[element]] == above)
    return list(alike) == [title.element]


def _by_heading(
    pages: list[ClusterPage],
    title: int | None,
    signatures: Signatures,
    config: LearnConfig,
    *,
    may_be_threads: bool,
) -> Iterator[Cluster]:
    """The pages of a cluster by their main containers; those whose texts open with headings that
    they are called by apart from the others."""
    parted = partial(
        _by_container, signatures=signatures, config=config, may_be_threads=may_be_threads
    )
    for cluster in parted(pages, title):
        headings = opening_headings(cluster.pages, signatures, cluster.container)
        if headings is None:
            yield cluster
            continue
        headed, others = [], []
        for page in cluster.pages:
            heading = headings.blocks.get(page.tree)
            if heading is None:
                others.append(page)
            else:
                headed.append(replace(page, title=heading))
        for found in parted(headed, headings.place):
            yield replace(found, is_headed=True)
        yield from parted(others, title)


def _by_container(
    cluster: list[ClusterPage],
    title: int | None,
    signatures: Signatures,
    config: LearnConfig,
    *,
    may_be_threads: bool,
) -> Iterator[Cluster]:
    """The pages of a cluster by their main containers; those that lack it are tried again."""
    rest = cluster
    while rest:
        asides = find_asides(rest, signatures)
        are_posts = may_be_threads and are_threads(rest, signatures, asides)
        posts = asides if are_posts else frozenset[int]()
        container = find_container(rest, signatures, asides - posts)
        if container is None:
            return
        inside = [page for page in rest if page.tree in container.elements]
        if len(inside) >= (config.min_pages or 1):
            for page in inside:
                page.places = signatures.of[page.tree]
                page.container = container.elements[page.tree]
            yield Cluster(inside, signatures, title, container, asides - posts, posts=posts)
        rest = [page for page in rest if page.tree not in container.elements]


def _is_credible(cluster: list[ClusterPage]) -> bool:
    """Whether the place of the title is one: a plain paragraph has to repeat `<title>` to the
    letter, a heading or a named element to say about the same, or what links call the page, on
    enough of the pages."""
    told = [(page.names, page.tree, page.title) for page in cluster if page.names and page.title]
    if len(told) < 2:
        return True
    marked = any(
        tree.tags[title.element] in HEADINGS or tree.tokens[title.element]
        for _, tree, title in told
    )
    if marked:
        same = sum(
            says_same(title.text, names[0]) or agreement(title.text, names) >= SAME_TITLE
            for names, _, title in told
        )
        # What nothing names is called by its heading (`learner.titles.names`).
        unnamed = len(cluster) - len(told)
        return same + unnamed >= TITLE_SHARE * len(cluster)
    same = sum(title.text == names[0] for names, _, title in told)
    return same >= TITLE_SHARE * len(told)
