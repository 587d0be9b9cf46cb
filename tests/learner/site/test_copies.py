from dataclasses import replace

import pytest

from crawler.reading.html import parse_html
from learner.induction.steps import learn_patterns
from learner.page.tree import build_tree
from learner.site.copies import as_one, group_copies
from tests.handmade import Story, extract, page, site, stories


def read(pages):
    return [(each, build_tree(parse_html(each.html), each.url)) for each in pages]


def kept(pages):
    """The addresses of the pages that are learned from."""
    return sorted(as_one(copies)[0].url for copies in group_copies(read(pages)))


def at(story, query, canonical=""):
    """A second address of a story's page, which may name the first one."""
    found = page(story)
    link = f'<link rel="canonical" href="{canonical}">'.encode() if canonical else b""
    html = found.html.replace(b"</head>", link + b"</head>")
    return replace(found, url=found.url + query, html=html)


def test_pages_that_say_the_same_are_one():
    pages = [at(story, query) for story in stories(3) for query in ("?print=1", "", "?a=2")]
    assert kept(pages) == sorted(story.url for story in stories(3))


def test_of_copies_that_at_the_canonical_address_is_kept():
    story, *others = stories(3)
    long = f"{story.url}/of/a/longer/address"
    pages = [at(story, "", long), at(story, "/of/a/longer/address", long), *map(page, others)]
    assert kept(pages) == sorted([long, *(each.url for each in others)])


def test_copies_with_one_canonical_address_may_differ_in_a_box():
    story, *others = stories(3)
    one, other = (at(story, query, story.url) for query in ("", "?a=1"))
    other = replace(other, html=other.html.replace(b"</body>", b"<p>At 10:30</p></body>"))
    pages = [one, other, *map(page, others)]
    assert kept(pages) == sorted([story.url, *(each.url for each in others)])


def test_pages_that_all_name_the_front_page_are_no_copies():
    pages = [at(story, "", "https://site.example/") for story in stories(4)]
    assert kept(pages) == sorted(each.url for each in pages)


@pytest.mark.parametrize("n_copied", [4, 10])
def test_a_site_with_copies_is_learned_as_without(n_copied):
    pages = site()
    copies = [at(story, "?print=1") for story in stories(n_copied)]
    more = [at(stories(1)[0], f"/slug-{n}") for n in range(60)]
    new = Story(99)
    found = extract(page(new), [*pages, *copies, *more])
    assert (found.status, found.body) == ("ok", new.body)
    assert learn_patterns([*pages, *copies, *more]).articles[0].n_pages == 10
