"""The history of a site's patterns: since when each applies, until when, and what replaced it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime

from learner.patterns.pattern import Pattern, PatternSet


def take_over(learned: PatternSet, before: PatternSet, now: datetime) -> PatternSet:
    """The learned patterns with their history: those that applied `before` keep what is known of
    them, and a new one names the pattern that it replaces."""
    known = {each.pattern_id: each for each in before}
    replaced = retire(before, learned, now)
    return learned.with_patterns(
        _continued(each, known[each.pattern_id], now)
        if each.pattern_id in known
        else replace(
            each, learned_at=now, valid_from=now, parent_pattern_id=find_parent(each, replaced)
        )
        for each in learned
    )


def retire(
    before: PatternSet, learned: PatternSet, now: datetime, gone: Collection[str] = ()
) -> list[Pattern]:
    """The patterns that applied before and were not learned again: they applied until `now`. Of
    those `gone` no page has the layout any more."""
    ids = {each.pattern_id for each in learned}
    return [
        replace(each, valid_until=now, is_gone=each.pattern_id in gone)
        for each in before
        if each.pattern_id not in ids
    ]


def find_parent(pattern: Pattern, replaced: Sequence[Pattern]) -> str | None:
    """The id of the pattern that this one replaces: of its kind the one with the same places of
    title and main text, then the one that most of the same pages taught; None if there is none."""
    nearest = max(replaced, key=lambda each: _kinship(pattern, each), default=None)
    return nearest.pattern_id if nearest and any(_kinship(pattern, nearest)[:2]) else None


def _kinship(pattern: Pattern, other: Pattern) -> tuple[bool, int, str]:
    if pattern.kind is not other.kind:
        return False, 0, ""
    places = _places(pattern)
    n_shared = len({*pattern.example_urls} & {*other.example_urls})
    return any(places) and places == _places(other), n_shared, other.pattern_id


def _places(pattern: Pattern) -> list[str | None]:
    paths = [section.path for section in pattern.sections]
    return [None if index is None else paths[index] for index in (pattern.title, pattern.main)]


def _continued(again: Pattern, known: Pattern, now: datetime) -> Pattern:
    """A pattern learned again, as it was if other pages teach nothing new of it."""
    parent = known.parent_pattern_id
    again = replace(again, valid_from=known.valid_from, parent_pattern_id=parent)
    same = replace(again, learned_at=known.learned_at) == known
    return known if same else replace(again, learned_at=now)
