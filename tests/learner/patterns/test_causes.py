"""Why pages gave no articles."""

import pytest

from learner.induction.steps import learn_patterns
from learner.page.pages import Page
from learner.patterns.causes import Cause, find_cause
from tests.handmade import HOST, listing, site, stories, words

SHELL = "<html><head><title>App</title><script src=/app.js></script></head><body><div id=app></div>"
BLANK = "<html><head><title>Page</title></head><body><img src=a.png></body></html>"
WALL = "<body><h1>Just a moment...</h1><p>We check that your browser is what it says it is."


def page(number: int, html: str) -> Page:
    return Page(url=f"{HOST}/{number}.html", html=html.encode())


def links(number: int) -> str:
    items = "".join(
        f"<li><a href=/{number}/{n}.html>{words(f'{number} {n}', 6)}</a></li>" for n in range(12)
    )
    return f"<title>List {number}</title><body><h1>List {number}</h1><ul>{items}</ul>"


@pytest.mark.parametrize(
    ("html", "cause", "told"),
    [
        (lambda n: SHELL, Cause.SHELLS, "9 of 9 pages have no text: scripts draw it"),
        (lambda n: BLANK, Cause.EMPTY, "9 of 9 pages have no text"),
        (lambda n: WALL, Cause.ONE_TEXT, "9 of 9 pages say one and the same, 'Just a moment..."),
        (links, Cause.LISTS, "9 of 9 pages look like lists"),
    ],
    ids=["shells", "empty", "wall", "lists"],
)
def test_pages_without_articles(html, cause, told) -> None:
    pages = [page(n, html(n)) for n in range(9)]
    found = find_cause(pages, learn_patterns(pages))
    assert found is not None and found.cause is cause
    assert told in str(found)


def test_a_site_of_lists_among_which_patterns_are_found() -> None:
    told = stories(30)
    pages = [listing(n, told[n::9]) for n in range(1, 9)]
    found = find_cause(pages, learn_patterns(pages))
    assert found is not None and found.cause is Cause.LISTS


def test_a_few_shells_are_not_the_cause() -> None:
    pages = [*(page(n, links(n)) for n in range(7)), page(8, SHELL), page(9, SHELL)]
    found = find_cause(pages, learn_patterns(pages))
    assert found is not None and found.cause is Cause.LISTS


def test_a_site_with_articles_has_no_cause() -> None:
    pages = site()
    assert find_cause(pages, learn_patterns(pages)) is None
