"""Learning the rule of a cluster's texts: the container is known, now what in it is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from learner.bodies.container import Container
from learner.bodies.endings import find_closings
from learner.bodies.rule import BodyRule
from learner.bodies.threads import beside_posts
from learner.bodies.trimming import (
    Trimmed,
    find_recurring,
    find_refrains,
    recurring_at_ends,
    trim,
)
from learner.page.locators import Locator
from learner.site.cluster_page import ClusterPage
from learner.site.recurrence import COMMON_PAGES
from learner.site.signatures import Signatures


def learn_body(
    members: Sequence[ClusterPage],
    signatures: Signatures,
    container: Container,
    asides: frozenset[int],
    posts: frozenset[int],
    are_articles: bool,
) -> tuple[BodyRule, tuple[Trimmed, ...]]:
    """The rule, and the places that it leaves out with their reasons. What closes texts is
    looked for on articles only. `posts` are the places of those of threads."""
    boilerplate = find_recurring(members, signatures, container)
    trimmed = tuple(trim(members, signatures, container, asides, frozenset(boilerplate)))
    if posts and are_articles:
        beside = beside_posts(members, signatures, posts)
        trimmed += tuple(Trimmed(locator, "details") for locator in beside)
    place = signatures.locator(container.signature)
    rule = BodyRule(
        container=place,
        is_alone=_stands_alone(members, place),
        apart=tuple(sorted(_apart(members, signatures, container, place), key=str)),
        left_out=tuple(each.locator for each in trimmed),
        recurring=recurring_at_ends(boilerplate, len(members)),
        refrains=find_refrains(members, container),
    )
    if not are_articles:
        return rule, trimmed
    closings = find_closings(members, signatures, container, rule)
    trimmed = (*trimmed, *closings.boxes)
    rule = replace(
        rule,
        left_out=tuple(each.locator for each in trimmed),
        recurring=rule.recurring | closings.forms,
    )
    return rule, trimmed


def _apart(
    members: Sequence[ClusterPage], signatures: Signatures, container: Container, place: Locator
) -> set[Locator]:
    """What would be found at the place of the container too, for it, or a box around it, bears more
    names: page builders number their columns, and give all of them the same names."""
    found = set(signatures.apart(container.signature))
    for member in members:
        own = container.elements[member.tree]
        known = {e for each in found for e in each.find(member.tree)}
        others = (e for e in place.find(member.tree) if e != own and e not in known)
        found |= {signatures.locator(signatures.of[member.tree][e]) for e in others}
    return found - {place}


def _stands_alone(members: Sequence[ClusterPage], place: Locator) -> bool:
    """Whether no other element of any page stands at the place of the container, and the pages are
    so many that none of others would."""
    return len(members) >= COMMON_PAGES and all(
        len(place.find(member.tree)) == 1 for member in members
    )
