"""Learning the rule of a cluster's titles: their place is known, now how they stand there."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from learner.page.tree import TreeBlock
from learner.site.cluster_page import ClusterPage
from learner.site.signatures import Signatures
from learner.titles.names import are_dated
from learner.titles.rule import TitleRule, title_part

PARTS_SHARE = 0.8
"""Least share of the pages whose titles have several inline parts, or none, that must be called by
a part alone. Origin: guess."""

LEAST_PARTS = 3
"""... and so many. Origin: guess."""


def learn_title(
    members: Sequence[ClusterPage],
    signatures: Signatures,
    place: int | None,
    scored: Sequence[ClusterPage],
) -> TitleRule:
    """The rule, but for what the texts tell. `place` is the signature of the title's place, None if
    only `<title>` tells it; `scored` are some of the pages."""
    return TitleRule(
        place=None if place is None else signatures.locator(place),
        above=frozenset(_texts_above(members, signatures, place)),
        is_own=not any(m.title and m.tree.target(m.title.href) for m in members),
        is_alone=place is None or _are_alone(scored, signatures, place),
        is_dated=are_dated([m.title.text if m.title else m.tree.metadata.title for m in members]),
        is_part=place is not None and _say_parts(members),
    )


def _texts_above(
    members: Sequence[ClusterPage], signatures: Signatures, place: int | None
) -> set[str]:
    """The texts that stand at the place of the title, above it: those of the site's frame, and what
    is too long for a title."""
    return {
        block.text
        for member in members
        if member.title
        for block in member.tree.blocks[: member.title.index]
        if signatures.of[member.tree][block.element] == place
    }


def _are_alone(members: Sequence[ClusterPage], signatures: Signatures, place: int) -> bool:
    """Whether nothing else stands at the place of the title on most of some pages: in tables
    without names the author may stand in a cell like the title's."""
    locator = signatures.locator(place)
    alone = sum(member.tree.n_with_text(locator.find(member.tree)) == 1 for member in members)
    return 2 * alone >= len(members)


def _say_parts(members: Sequence[ClusterPage]) -> bool:
    """Whether most of the pages whose titles have several inline parts are called by some of these
    alone; or most of those whose titles have none, by what stands behind a sign."""
    pairs = [(m.title, m.names) for m in members if m.title and m.names]
    parted = [(title, names) for title, names in pairs if title.pieces]
    plain = [(title, names) for title, names in pairs if not title.pieces]
    return _call_by_parts(parted) or _call_by_parts(plain)


def _call_by_parts(pairs: Sequence[tuple[TreeBlock, Collection[str]]]) -> bool:
    said = sum(any(title_part(title, name) for name in names) for title, names in pairs)
    return said >= max(LEAST_PARTS, PARTS_SHARE * len(pairs))
