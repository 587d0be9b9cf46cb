"""When what was learned anew takes the place of what was known."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from crawler.reading.html import parse_html
from learner.induction.steps import learn_patterns
from learner.page.pages import Page
from learner.page.tree import build_tree
from learner.patterns.acceptance import accept, explains
from learner.patterns.matching import match_page
from learner.patterns.pattern import PatternSet
from tests.handmade import Story, page, site, stories, tags

NOW = datetime(2026, 11, 20, tzinfo=UTC)


def other(story: Story) -> str:
    """Another layout of the same site."""
    text = tags("p", story.paragraphs)
    return f'<section class="note"><h2>{story.title}</h2><div class="told">{text}</div></section>'


def dated(pages: list[Page], days: int) -> list[Page]:
    return [replace(each, fetched_at=NOW + timedelta(days=days)) for each in pages]


OLD = dated([page(story) for story in stories(10)], 0)
NEW = dated([page(story, other, "two") for story in stories(10, first=30)], 5)
LISTS = dated(site()[-3:], 0)


def ids(patterns: PatternSet) -> set[str]:
    return {each.pattern_id for each in patterns}


def is_known(patterns: PatternSet, page: Page) -> bool:
    tree = build_tree(parse_html(page.html, page.charset), page.url)
    return explains(patterns, tree, match_page(tree, patterns))


def test_what_explains_more_is_accepted() -> None:
    before = learn_patterns([*OLD, *LISTS])
    learned = learn_patterns([*OLD, *NEW, *LISTS])
    verdict = accept(learned, before, [*OLD, *NEW, *LISTS])
    assert (verdict.patterns, verdict.refused, verdict.kept) == (learned, "", 0)


def test_a_layout_that_is_still_in_use_goes_on() -> None:
    before = learn_patterns([*OLD, *LISTS])
    learned = learn_patterns(NEW)  # a sample that missed the old layout
    assert not is_known(learned, OLD[0])
    verdict = accept(learned, before, [*OLD[:2], *NEW])
    assert verdict.kept == 1 and not verdict.refused
    assert ids(learned) < ids(verdict.patterns)
    assert all(is_known(verdict.patterns, each) for each in (OLD[5], NEW[5]))
    # The table keeps it as it is, with what the site told of its family.
    again = PatternSet.from_table(verdict.patterns.to_table())
    assert is_known(again, OLD[5]) and again == verdict.patterns
    assert accept(learned, before, [*OLD[:1], *NEW]).kept == 0


def test_a_layout_that_no_page_has_any_more_is_gone() -> None:
    before = learn_patterns([*OLD, *LISTS])
    learned = learn_patterns(NEW)
    assert accept(learned, before, NEW).gone == ids(before.with_patterns(before.articles))
    assert not accept(learned, before, [*OLD[:1], *NEW]).gone


def test_what_explains_less_of_the_newest_pages_is_refused() -> None:
    before = learn_patterns([*OLD, *NEW, *LISTS])
    learned = learn_patterns([*OLD, *LISTS])
    verdict = accept(learned, before, [*OLD, *NEW])
    assert verdict.patterns is before
    assert verdict.refused.startswith("of the 20 pages fetched last they explain 1")


def test_nothing_known_and_nothing_learned() -> None:
    learned = learn_patterns([*OLD, *LISTS])
    assert accept(learned, PatternSet(), OLD).patterns is learned
    assert accept(PatternSet(), learned, OLD).patterns == PatternSet()
