from dataclasses import dataclass
from math import log1p

import pytest

from learner.kinds import rule
from learner.site import link_counts
from learner.site.link_counts import LinkCounts, Standing
from tests.handmade import HOST, Story, extract, layout, page, site, tags, words

MENU = '<p><a href="/">Home</a> <a href="/news/">News</a></p>'


def lines(tree):
    return [line for _, line in tree.linked]


def links_to(*names):
    return "".join(f'<p><a href="/{name}">{name}</a></p>' for name in names)


def layouts(*bodies):
    return [layout(body, "", f"{HOST}/news/{n}.html") for n, body in enumerate(bodies)]


def test_a_page_of_the_menu_is_a_hub_whether_it_was_learned_or_not():
    found = LinkCounts.find(layouts(*[MENU] * 4))
    news, other = layout("", "", f"{HOST}/news/"), layout("", "", f"{HOST}/air/")
    assert found.standing(news, ()).inlinks == pytest.approx(log1p(4))
    assert found.standing(other, ()) == Standing(inlinks=0, pages_below=0, rare_links=0)


def test_two_links_make_no_hub():
    found = LinkCounts.find(layouts(*[links_to("rain")] * 2, "", ""))
    assert found.standing(layout("", "", f"{HOST}/rain"), ()).inlinks == 0


def test_what_lies_below_a_page_is_counted_be_it_known_from_links_only():
    found = LinkCounts.find(layouts(links_to("air/1", "air/2", "air/x/3"), ""))
    assert found.standing(layout("", "", f"{HOST}/air/"), ()).pages_below == pytest.approx(log1p(3))
    assert found.standing(layout("", "", f"{HOST}/news/"), ()).pages_below == pytest.approx(
        log1p(2)
    )
    assert found.standing(layout("", "", f"{HOST}/"), ()).pages_below == 0  # all others do


def test_links_to_hubs_are_not_rare():
    found = LinkCounts.find(layouts(*[MENU + links_to(f"{n}") for n in range(4)]))
    new = layout(MENU + links_to("2", "3", "new"), "", f"{HOST}/list")
    assert found.standing(new, lines(new)).rare_links == pytest.approx(log1p(3))


def test_the_hubs_that_most_pages_link_to_are_kept(monkeypatch):
    monkeypatch.setattr(link_counts, "MOST_HUBS", 1)
    found = LinkCounts.find(layouts(*[links_to("rain", "sun")] * 3, links_to("sun")))
    assert found.standing(layout("", "", f"{HOST}/sun"), ()).inlinks == pytest.approx(log1p(4))
    assert found.standing(layout("", "", f"{HOST}/rain"), ()).inlinks == 0


def test_the_same_pages_in_any_order_have_the_same_hubs():
    trees = layouts(*[MENU + links_to(f"{n}") for n in range(4)])
    assert LinkCounts.find(trees) == LinkCounts.find(trees[::-1])


@dataclass(frozen=True)
class Overview(Story):
    """A list in the layout of articles: a line on each of many pages."""

    @property
    def html(self):
        rows = (f'{words(n, 6)} <a href="/{n}.html">{words(n, 1)}</a>' for n in range(99))
        return tags("p", rows)


def test_a_page_that_links_to_many_pages_that_no_other_links_to_is_a_list(monkeypatch):
    learned = site()
    assert extract(page(Overview(99)), learned).status == "list"
    monkeypatch.setattr(rule, "STANDING_EVIDENCE", 0.0)
    assert extract(page(Overview(99)), learned).status == "ok"
