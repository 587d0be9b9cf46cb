from dataclasses import replace

import pytest

from extractor.extraction import extract_article
from extractor.records.articles import Status
from learner.bylines.author_places import AuthorPlace
from learner.bylines.rule import AuthorRule, DateRule
from learner.induction.steps import learn_patterns
from learner.kinds.author_pages import find_profiles
from learner.page.locators import Locator
from tests.handmade import HOST, Story, layout, link, page, site, stories, words

NAMES = ("Ann Lee", "Bob Ray", "Cid Fox", "Dan Poe", "Eva Orr", "Fay Kim")
AUTHORS = AuthorRule(
    places=(AuthorPlace(locator=Locator.parse("body/p.by"), lead="By", fixed=("By",), label="a"),),
)


def signed_by(tree):
    return tree, DateRule(), AUTHORS


def signed(number, folder="people"):
    """An article whose byline leads to one of four authors."""
    name = NAMES[number % 4]
    by = f"<p class=by>By <a href=/{folder}/{number % 4}.html>{name}</a></p>"
    return layout(f"<h1>Story</h1>{by}<p>Text.</p>", url=f"{HOST}/news/{number}.html")


def about(number, folder="people", wrote="/news/7.html"):
    """What a page tells of an author."""
    told = f"<h1>{NAMES[number]}</h1><p>He lives.</p><p><a href={wrote}>Story</a></p>"
    return layout(told, url=f"{HOST}/{folder}/{number}.html")


@pytest.mark.parametrize(
    ("folder", "wrote", "n_signed", "expected"),
    [
        ("people", "/news/7.html", 8, 4),
        ("people", "/news/7.html", 2, 0),  # too few bylines
        ("people", "/contact.html", 8, 0),  # who he is, not what he wrote
        ("news", "/news/7.html", 8, 0),  # beside the articles
    ],
)
def test_authors_pages_are_where_bylines_lead_and_articles_are_listed(
    folder, wrote, n_signed, expected
):
    articles = [signed(10 + number, folder) for number in range(n_signed)]
    authors = [about(number, folder, wrote) for number in range(4)]
    found = find_profiles([*articles, *authors], (), [signed_by(tree) for tree in articles])
    assert found == authors[:expected]


def test_what_the_frame_lists_is_no_author_s():
    articles = [signed(10 + number) for number in range(8)]
    authors = [about(number) for number in range(4)]
    known = [signed_by(tree) for tree in articles]
    assert find_profiles([*articles, *authors], {"Story"}, known) == []


def test_pages_of_authors_that_look_like_articles_are_lists():
    def told(story):
        number = story.number % 6
        by = f"<p class=by>{story.day} by <a href=/people/{number}.html>{NAMES[number]}</a></p>"
        return f"<div class=post><h1>{story.title}</h1>{by}<div class=text>{story.html}</div></div>"

    def profile(number):
        wrote = next(story for story in stories(40) if story.number % 6 == number % 6)
        life = Story(900 + number, n_paragraphs=4)
        name = f"{NAMES[number % 6]} {words(f'of {number}', 2)}"
        told = (
            f"<div class=life><h1>{name}</h1>{life.html}<p>He wrote {link(wrote)} for us.</p></div>"
        )
        return replace(
            page(life, lambda _: told), url=f"{HOST}/people/the-life-of-number-{number}.html"
        )

    pages = [*site(told, 40), *map(profile, range(6))]
    patterns = learn_patterns(pages)
    assert extract_article(page(Story(60), told), patterns).status is Status.OK
    assert extract_article(profile(8), patterns).status is Status.LIST
