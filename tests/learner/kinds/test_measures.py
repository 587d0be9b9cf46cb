from dataclasses import replace
from math import log1p

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learner.kinds.measures import (
    COEFFICIENTS,
    Measures,
    list_evidence,
    measure_pages,
)
from learner.kinds.rule import standing_evidence
from learner.site.frames import frame_texts
from learner.site.link_counts import LinkCounts, Standing
from tests.handmade import HOST, layout, tags

NOTHING = Measures(
    linked_headings=0.0, longest_block=0.0, declared_article=0.0, declared_list=0.0, depth=0.0,
    directory=0.0, titles_of_others=0.0, listed=0.0, linked_text=0.0, slug_length=0.0,
    inlinks=0.0, pages_below=0.0, rare_links=0.0,
)  # fmt: skip


def measure(body, url=f"{HOST}/a.html", head="", others=()):
    """The measures of one page, given (url, title, body) of the other pages of its site."""
    trees = [layout(body, "", url, head)]
    trees += [layout(text, title, address) for address, title, text in others]
    names = [[tree.metadata.title] if tree.metadata.title else [] for tree in trees]
    return measure_pages(trees, names, frozenset({"The Site"}), LinkCounts.find(trees))[0]


def test_frame_texts_stand_on_many_pages_three_at_least():
    trees = [layout(f"<p>Menu</p><p>{n}</p>" + "<p>Twice</p>" * (n < 2)) for n in range(6)]
    assert frame_texts(trees) == {"Menu"}
    assert frame_texts(trees[:2]) == frozenset()


def test_headings_that_lead_to_other_pages_of_the_site():
    headings = (
        "<h2><a href=/b>Leads</a></h2><h2>Does not</h2><h2><a href=https://x.example/>Away</a></h2>"
        "<h3><a href=#part>Here</a></h3><h1><a href=/>The Site</a></h1>"
    )
    assert measure(headings).linked_headings == 1 / 4
    assert measure("<p>None</p>").linked_headings == 0
    dated = "<h2><div>1 May 2001</div><div><a href=/b>Leads</a></div></h2><h2>Does not</h2>"
    assert measure(dated).linked_headings == 1 / 2


def test_a_card_whose_picture_leads_on_counts_as_a_linked_heading():
    card = "<div><a href=/b><img src=x></a><h3>Card</h3></div>"
    assert measure(card).linked_headings == 1.0


def test_the_link_over_a_card_may_lie_outside_the_head_of_it():
    card = (
        "<section><header><h2>One</h2></header><p>More</p><a href=/one></a></section>"
        "<section><header><h2>Two</h2></header><p>More</p></section>"
    )
    assert measure(card).linked_headings == 1 / 2


def test_a_picture_that_leads_on_above_a_text_is_no_card():
    logo, text = "<a href=/b><img src=x></a>", "<p>And so on.</p>" * 9
    assert measure(f"{logo}<h1>Rain</h1>{text}").linked_headings == 0.0
    two = "<div><a href=/b><img src=x></a><h3>One</h3><h3>Two</h3></div>"
    assert measure(two).linked_headings == 0.0


def test_the_longest_block_is_measured_outside_links():
    body = "<p>four</p><p>sixsix <a href=/b>and a long link that does not count</a></p>"
    assert measure(body).longest_block == pytest.approx(log1p(6))
    assert measure("<p>The Site</p>").longest_block == 0  # the frame is left out


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("", 0.0),
        ('<meta property="og:type" content="article">', 1.0),
        ('<meta property="og:type" content="website">', 0.0),
        ('<meta property="article:published_time" content="2020-01-01">', 1.0),
    ],
)
def test_what_the_page_declares(head, expected):
    assert measure("<p>x</p>", head=head).declared_article == expected


@pytest.mark.parametrize(("kind", "expected"), [("ProfilePage", 1.0), ("WebPage", 0.0)])
def test_a_page_may_be_declared_one_of_a_list_or_a_person(kind, expected):
    head = f'<script type="application/ld+json">{{"@type": "{kind}"}}</script>'
    assert measure("<p>x</p>", head=head).declared_list == expected


def test_what_the_address_tells():
    others = [(f"{HOST}/news/2.html", "Two", ""), (f"{HOST}/news/x/3.html", "Three", "")]
    home = measure("", f"{HOST}/news/", others=others)
    assert (home.depth, home.directory, home.slug_length) == (1, 1, pytest.approx(log1p(4)))
    page = measure("", f"{HOST}/2021/the-rain.html", others=others)
    assert (page.depth, page.directory, page.slug_length) == (2, 0, pytest.approx(log1p(8)))


def test_how_much_of_the_text_leads_to_other_pages_of_the_site():
    body = "<p>sixsix</p><p><a href=/b>ab</a></p><p><a href=https://x.example/>away</a></p>"
    assert measure(body).linked_text == pytest.approx(2 / 12)
    assert measure("").linked_text == 0


def test_links_are_counted_by_the_pages_they_lead_to():
    line = "<p>By <a href=/ann>Ann</a> in <a href=/rain>Rain</a>, <a href=https://x.example/>x</a>"
    body = f"{line}</p>{line}</p><p><a href=/whole>Whole</a></p><a href=/card><img src=x></a>"
    assert measure(body).rare_links == pytest.approx(log1p(4))


def test_a_link_to_a_page_that_many_lead_to_is_not_rare():
    others = [(f"{HOST}/{n}.html", f"Title {n}", "<p><a href=/ann>Ann</a></p>") for n in range(3)]
    assert measure("<p>By <a href=/ann>Ann</a></p>", others=others).rare_links == 0


def test_a_standing_like_that_of_an_article_says_nothing():
    usual = Standing(inlinks=1.0, pages_below=0.0, rare_links=1.0)
    assert standing_evidence(usual, usual) == 0
    assert standing_evidence(replace(usual, inlinks=0.0, rare_links=0.0), usual) == 0
    assert standing_evidence(replace(usual, rare_links=3.0), usual) > 0


@pytest.mark.parametrize("address", ["{n}/", "news/{n}"])
def test_where_few_addresses_are_those_of_files_a_slash_says_nothing(address):
    others = [(f"{HOST}/{address.format(n=n)}", f"Title {n}", "") for n in range(3)]
    assert measure("", f"{HOST}/x/", others=others).directory == 0


def test_a_page_that_shows_the_titles_of_others():
    others = [(f"{HOST}/{n}.html", f"Title {n}", "<p>x</p>") for n in range(3)]
    shown = "<p>Title 0</p><p>Title 1</p><p>Title 1</p><p>Title 9</p>"
    assert measure(shown, others=others).titles_of_others == pytest.approx(log1p(2))


def test_a_page_that_others_list_by_its_title():
    lister = tags("p", ('<a href="/0.html">Title 0</a>', '<a href="/1.html">More</a>'))
    lister += '<p><a href="/0.html">Read on</a></p>'
    pages = [(f"{HOST}/list", "List", lister), (f"{HOST}/list2", "List 2", lister)]
    trees = [layout(text, title, url) for url, title, text in pages]
    trees += [layout("<p>x</p>", f"Title {n}", f"{HOST}/{n}.html") for n in range(2)]
    names = [[tree.metadata.title] for tree in trees]
    found = measure_pages(trees, names, frozenset(), LinkCounts.find(trees))
    assert [each.listed for each in found] == [0, 0, pytest.approx(log1p(2)), 0]


def test_evidence_has_the_sign_of_its_coefficient():
    for name in ("linked_headings", "linked_text", "rare_links", "titles_of_others"):
        assert getattr(COEFFICIENTS, name) > 0
        high, low = list_evidence([replaced(**{name: 1.0}), NOTHING])
        assert high > low
    for name in ("longest_block", "declared_article", "listed", "depth", "slug_length"):
        assert getattr(COEFFICIENTS, name) < 0
        high, low = list_evidence([replaced(**{name: 1.0}), NOTHING])
        assert high < low


def replaced(**values):
    return Measures(**{**dict.fromkeys(Measures.__dataclass_fields__, 0.0), **values})


@given(st.lists(st.floats(0, 3), min_size=1, max_size=6), st.floats(-5, 5))
def test_what_all_pages_of_a_site_share_says_nothing(lengths, offset):
    """One site declares `article` on every page, another has long texts on its lists."""
    plain = list_evidence([replaced(depth=value) for value in lengths])
    moved = list_evidence([replaced(depth=value + offset, directory=1.0) for value in lengths])
    assert moved == pytest.approx(plain)
