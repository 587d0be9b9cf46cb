"""Where a date of publication comes from, one source a test."""

from datetime import UTC, datetime

import pytest

from extractor.fields.dates import find_publication
from learner.bylines.rule import DatePlace, DateRule
from learner.page.locators import Locator
from tests.handmade import block_of, layout, match_on

SHOWN = DateRule(places=(DatePlace(locator=Locator.parse("body/p.date")),), order="mdy")
UNKNOWN = DateRule()

JSON_LD = '<script type="application/ld+json">{"datePublished": "2011-02-03T04:05+09:00"}</script>'
META = '<meta property="article:published_time" content="2012-02-03">'
TIME = "<p><time datetime=2013-02-03T10:00:00Z>long ago</time></p>"
TEXT = "<p>February 3, 2015</p>"
URL = "https://a.example/2014/02/03/news.html"


def find(body="", head="", url="https://a.example/news", dates=UNKNOWN):
    tree = layout(f"<h1>Title</h1>{body}<p>Text.</p>", head=head, url=url)
    found = find_publication(tree, match_on(tree, block_of(tree, "Title"), dates=dates))
    return found and (found.source, f"{found.moment:%Y-%m-%d %H:%M}", found.raw)


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (("<p class=date>2/3/2010</p>", JSON_LD), ("pattern", "2010-02-03 00:00", "2/3/2010")),
        ((TIME, META + JSON_LD, URL), ("json-ld", "2011-02-02 19:05", "2011-02-03T04:05+09:00")),
        ((TIME, META, URL), ("meta", "2012-02-03 00:00", "2012-02-03")),
        ((TIME, "", URL), ("time", "2013-02-03 10:00", "2013-02-03T10:00:00Z")),
        ((TEXT, "", URL), ("url", "2014-02-03 00:00", "2014/02/03")),
        ((TEXT,), ("text", "2015-02-03 00:00", "February 3, 2015")),
        (("<p>Yesterday</p>",), None),
        (("<p>February 2015</p>",), None),
        (("", "", "https://a.example/2014/02/news.html"), None),
    ],
)
def test_the_surest_source_is_taken(page, expected):
    assert find(*page, dates=SHOWN) == expected


def test_a_clock_that_is_shown_is_kept():
    found = find("<p class=date>2/3/2010 11:34 pm</p>", dates=SHOWN)
    assert found == ("pattern", "2010-02-03 23:34", "2/3/2010")


def test_what_cannot_be_a_date_is_passed_over():
    assert find("<p class=date>31/31/2010</p>", META, dates=SHOWN)[0] == "meta"
    assert find("", '<meta name=date content="soon">' + JSON_LD)[0] == "json-ld"


def test_moments_are_aware():
    tree = layout(TEXT)
    found = find_publication(tree, match_on(tree))
    assert found.moment == datetime(2015, 2, 3, tzinfo=UTC)
    assert found.block is block_of(tree, "February 3, 2015")


def test_a_date_alone_below_the_container_is_that_of_the_footer():
    tree = layout(f"<h1>Title</h1><div><p>Text.</p></div><footer>{TEXT}</footer>")
    title, whole, text_only = block_of(tree, "Title"), 0, tree.tags.index("div")
    assert find_publication(tree, match_on(tree, title, whole)).source == "text"
    assert find_publication(tree, match_on(tree, title, text_only)) is None
