"""Whether what was learned anew takes the place of what was known: only if it explains a site's
pages no worse, and without losing a layout that is still in use."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from crawler.reading.html import parse_html
from learner.page.pages import Page
from learner.page.tree import LayoutTree, build_tree
from learner.patterns.matching import Match, is_like_lists, match_page
from learner.patterns.pattern import DEFAULT_PRESET, Pattern, PatternSet

RECENT_PAGES = 40
"""Pages fetched last that the new patterns must explain. Origin: guess; a third of a sample."""
LEAST_LOST = 2
"""Pages of a known layout that no new pattern fits, from which on its pattern is kept. Origin:
guess; one page may be the last of its kind."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is to be in force, and why not all that was learned, if so."""

    patterns: PatternSet
    refused: str = ""
    """Why the patterns of before stay; empty if they do not."""
    kept: int = 0
    """Patterns of before that go on beside the new ones."""
    gone: frozenset[str] = frozenset()
    """Ids of article patterns of before whose layout no page has any more."""


def accept(learned: PatternSet, before: PatternSet, pages: Iterable[Page]) -> Verdict:
    """Compare what was learned with what was known on the pages that it was learned from.

    A page is explained if a pattern gives its text or it is called a list. If fewer of the pages
    fetched last are explained than before, the patterns of before stay. Else a pattern of before
    that gives the text of pages which no new one fits goes on, and one that fits no page is gone.
    """
    if (
        not len(learned)
        or not before.articles
        or {each.preset for each in (*learned, *before)} != {DEFAULT_PRESET}
    ):
        return Verdict(learned)
    recent: list[tuple[datetime, bool, bool]] = []
    lost: dict[str, int] = {}
    gone = {each.pattern_id for each in before.articles}
    for page in pages:
        tree = build_tree(parse_html(page.html, page.charset), page.url)
        known = match_page(tree, before)
        gone -= {known.pattern.pattern_id} if known else set()
        is_explained = explains(learned, tree, match_page(tree, learned))
        was_explained = explains(before, tree, known)
        if page.fetched_at is not None:
            recent.append((page.fetched_at, is_explained, was_explained))
        if known is not None and was_explained and not is_explained:
            pattern_id = known.pattern.pattern_id
            lost[pattern_id] = lost.get(pattern_id, 0) + 1
    last = sorted(recent)[-RECENT_PAGES:]
    now, then = sum(each[1] for each in last), sum(each[2] for each in last)
    if now < then:
        said = f"of the {len(last)} pages fetched last they explain {now}, those of before {then}"
        return Verdict(before, refused=said)
    still = {each.pattern_id for each in learned}
    kept = [
        each
        for each in before.articles
        if lost.get(each.pattern_id, 0) >= LEAST_LOST and each.pattern_id not in still
    ]
    patterns = _with_kept(learned, before, kept)
    return Verdict(patterns, kept=len(kept), gone=frozenset(gone))


def explains(patterns: PatternSet, tree: LayoutTree, match: Match | None) -> bool:
    """Whether the patterns know what a page is, which one of them fits so."""
    if match is None:
        return is_like_lists(tree, patterns)
    return match.is_list or bool(match.body)


def _with_kept(learned: PatternSet, before: PatternSet, kept: list[Pattern]) -> PatternSet:
    """Both in one; a kept pattern's family comes with it."""
    families = list(learned.site.families)
    patterns = list(learned)
    for each in kept:
        assert each.rules is not None
        families.append(before.site.families[each.rules.family])
        rules = replace(each.rules, family=len(families) - 1)
        patterns.append(replace(each, rules=rules))
    return PatternSet(patterns, replace(learned.site, families=tuple(families)))
