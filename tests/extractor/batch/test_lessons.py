"""Learned patterns teach only where they and the page agree."""

from datetime import date

import pytest

from extractor.batch.lessons import pattern_lessons
from learner.dom.teaching.training import Lesson
from learner.induction.steps import learn_patterns
from learner.page.pages import Page
from learner.patterns.pattern import PatternSet
from tests.handmade import Story, article, framed, listing, site, stories

NEW = Story(40)


@pytest.fixture(scope="module")
def patterns() -> PatternSet:
    return learn_patterns(site())


def taught(patterns: PatternSet, *pages: Page) -> list[Lesson]:
    return list(pattern_lessons("site", pages, patterns))


def new_page(head_title: str | None = None, published: str = "") -> Page:
    meta = f"<meta property='article:published_time' content='{published}'></head>"
    html = framed(NEW, article(NEW), head_title=head_title).replace("</head>", meta)
    return Page(url=NEW.url, html=html.encode())


def test_a_page_that_calls_itself_so_is_taught_from(patterns: PatternSet) -> None:
    (lesson,) = taught(patterns, new_page(published=f"{NEW.day}T10:00:00Z"))
    assert (lesson.type, lesson.title, lesson.body) == ("article", NEW.title, NEW.body)
    assert lesson.published == date.fromisoformat(NEW.day)


def test_a_page_that_calls_itself_something_else_is_not(patterns: PatternSet) -> None:
    assert taught(patterns, new_page(head_title="Another name altogether")) == []


def test_a_day_that_the_page_denies_is_not_taught(patterns: PatternSet) -> None:
    (lesson,) = taught(patterns, new_page(published="1999-01-01T10:00:00Z"))
    assert lesson.published is None


def test_a_list_is_taught_as_one(patterns: PatternSet) -> None:
    (lesson,) = taught(patterns, listing(4, stories(4, 20)))
    assert (lesson.type, lesson.body) == ("list", "")
