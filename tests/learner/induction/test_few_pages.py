"""Of few pages only what the page model says, too, is believed."""

from dataclasses import replace

import pytest

from crawler.reading.html import parse_html
from extractor.extraction import extract_article
from extractor.records.articles import Status
from learner.bodies.rule import BodyRule
from learner.induction.few_pages import FEW_PAGES, believed, same_text
from learner.induction.steps import learn_patterns
from learner.page.locators import Locator
from learner.page.pages import Page
from learner.page.tree import build_tree
from tests.handmade import Story, layout, listing, page, site, stories

NEW = Story(99)


@pytest.mark.parametrize("learned", [page(Story(1)), listing(1, stories(6, 10))])
def test_one_page_teaches_no_article(learned):
    patterns = learn_patterns([learned])
    assert patterns.articles == ()
    for each in (page(NEW), learned):
        assert extract_article(each, patterns).status is not Status.OK
    record = extract_article(page(NEW), patterns)
    assert (record.status, record.title, record.body) == (Status.GUESSED, NEW.title, NEW.body)


def test_one_page_twice_is_one():
    again = Page(url="https://site.example/again", html=page(Story(1)).html)
    assert learn_patterns([page(Story(1)), again]).articles == ()


@pytest.mark.parametrize("n_articles", [2, 3, 5])
def test_a_few_that_the_model_reads_alike_teach(n_articles):
    patterns = learn_patterns(site(n_articles=n_articles, n_lists=1))
    record = extract_article(page(NEW), patterns)
    assert (record.status, record.title, record.body) == (Status.OK, NEW.title, NEW.body)
    assert extract_article(listing(4, stories(6, 200)), patterns).status is Status.LIST


def test_how_much_two_texts_are_the_same():
    tree = layout("<p>abcd</p><p>efgh</p><p>ij</p>")
    first, second, third = tree.blocks
    assert same_text([first, second], [second, third]) == pytest.approx(8 / 14)
    assert same_text([], []) == 0.0


def test_what_the_model_contradicts_is_dropped():
    learned = learn_patterns(site())
    (found,) = learned.articles
    right = replace(found, n_pages=2)
    footer = BodyRule(container=Locator.parse("body/div.one-footer"))
    wrong = replace(right, rules=replace(right.rules, body=footer))
    trees = [build_tree(parse_html(page(story).html), story.url) for story in stories(12)]
    for pattern, kept in ((right, (right,)), (wrong, ())):
        patterns = learned.with_patterns([pattern])
        assert believed(patterns, trees[:FEW_PAGES]).articles == kept
        assert believed(patterns, trees) == patterns
        taught_by_many = learned.with_patterns([replace(pattern, n_pages=3)])
        assert believed(taught_by_many, trees[:FEW_PAGES]) == taught_by_many
