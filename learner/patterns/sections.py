"""The sections of a pattern: what its rules found on some pages, for people to look at."""

from __future__ import annotations

from collections.abc import Sequence

from learner.bodies.trimming import Trimmed
from learner.page.extent import Extent
from learner.page.tree import TreeBlock
from learner.page.words import word_letters
from learner.patterns.pattern import Role, Section
from learner.patterns.rules import Rules
from learner.patterns.scores import diff_score, main_score
from learner.patterns.sequences import lcs_runs
from learner.site.cluster_page import ClusterPage

SCORED_LETTERS = 2000
"""Letters of each text that DiffScore compares. Origin: guess."""

SAMPLE_LENGTH = 80
"""Characters of a section's text kept as its sample. Origin: guess."""


def layout_sections(
    rules: Rules,
    trimmed: Sequence[Trimmed],
    members: Sequence[ClusterPage],
    bodies: Sequence[Sequence[TreeBlock]],
) -> tuple[Section, ...]:
    """The title, the main container and what is left out of it, scored on some pages with their
    texts."""
    sections = []
    if rules.title.place is not None:
        titles = [member.title for member in members if member.title]
        own = [title.unlinked_weight for title in titles]
        texts = [title.text for title in titles]
        sections.append(_section(str(rules.title.place), Role.TITLE, texts, own))
    body_texts = [" ".join(block.text for block in body) for body in bodies]
    weights = [sum(block.unlinked_weight for block in body) for body in bodies]
    sections.append(_section(str(rules.body.container), Role.MAIN, body_texts, weights))
    for each in trimmed:
        role = Role.SUB if each.reason == "details" else Role.BOILERPLATE
        texts = [
            " ".join(b.text for e in each.locator.find(m.tree) for b in m.tree.inside(e))
            for m in members
        ]
        sections.append(_section(str(each.locator), role, [t for t in texts if t] or [""], [0]))
    return tuple(sections)


def byline_sections(
    rules: Rules,
    members: Sequence[ClusterPage],
    containers: Sequence[int],
    bodies: Sequence[Sequence[TreeBlock]],
) -> tuple[Section, ...]:
    """The places of date and author, with what stands there on some pages."""
    dates, authors = rules.dates, rules.authors
    read = [
        (str(place.locator), Role.DATE, [shown.raw for shown in readings if shown])
        for place in dates.places
        for readings in [[place.read(member.tree, dates.names) for member in members]]
    ]
    named = []
    for member, container, body in zip(members, containers, bodies, strict=True):
        shown = dates.read(member.tree)
        extent = Extent.of(member.tree, container, body)
        block = shown.block if shown else None
        named.append(authors.read(member.tree, member.title, block, extent, dates)[0])
    read += [
        (str(place.locator), Role.AUTHOR, [", ".join(names) for names in named if names])
        for place in authors.places[:1]
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
