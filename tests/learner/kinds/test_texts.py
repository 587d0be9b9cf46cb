"""What a text says of the kind of its page."""

from math import log1p

import pytest

from learner.kinds.measures import (
    linked_share,
)
from learner.kinds.texts import are_articles, are_lists, body_evidence, likeness
from tests.handmade import HOST, layout, members


def shown(body):
    tree = layout(body, "", f"{HOST}/a.html")
    return tree, tree.blocks


def test_text_is_like_an_article_and_linked_headings_are_not():
    text, linked = "<p>" + "word " * 40 + "</p>", "<h2><a href=/b>Other</a></h2>"
    assert likeness(*shown(text)) == pytest.approx(log1p(160))
    assert likeness(*shown(f"<h2>Own</h2>{linked}{text}")) == pytest.approx(log1p(160) - 2)
    declared = layout(text, head='<meta property="og:type" content="article">')
    assert likeness(declared, declared.blocks) == pytest.approx(log1p(160) + 1)


def test_a_long_text_above_linked_headings_is_like_an_article():
    long, linked = "<p>" + "word " * 40 + "</p>", "<h2><a href=/b>Other</a></h2>"
    assert likeness(*shown(f"{long}{linked}<p>short</p>")) == pytest.approx(log1p(160))
    summary = "<p>" + "word " * 16 + "</p>"
    assert likeness(*shown(f"{summary}{linked}{long}")) == pytest.approx(log1p(160) - 4)


def test_lists_alone_hold_no_articles_though_some_are_more_like_them():
    excerpt, linked = "<p>" + "word " * 16 + "</p>", "<h2><a href=/b>Other</a></h2>"
    lists = [excerpt + "<h2>Own</h2>" * own + linked * 3 for own in (9, 1, 0)]
    found = [(1, likeness(*shown(body))) for body in lists]
    assert not are_articles(found)
    assert are_articles(found[:1])
    assert not are_articles([(1, likeness(*shown("<p>seven</p>")))])


def test_the_share_of_text_that_leads_to_other_pages():
    assert linked_share(*shown("<p>four</p><p><a href=/b>four</a></p>")) == 0.5
    assert linked_share(*shown("<p><a href=https://x.example/>Away</a></p>")) == 0
    assert linked_share(layout(""), []) == 0


def test_a_long_text_with_few_links_speaks_for_an_article():
    long = "<p>" + "word " * 40 + "</p>"
    assert body_evidence(*shown(long)) < 0
    assert body_evidence(*shown(long + "<p><a href=/b>" + "word " * 7 + "</a></p>")) == 0


def test_links_speak_for_a_list_the_more_they_are():
    half, all_links = (
        body_evidence(*shown("<p>word</p>" * n + "<p><a href=/b>word</a></p>" * 4)) for n in (4, 0)
    )
    assert 0 < half < all_links


def test_members_of_a_class_with_their_signatures_are_a_list():
    members = "<ul>" + "<li><a href=/b>close</a>(): bool</li>" * 5 + "</ul>"
    assert body_evidence(*shown(members)) > 0
    assert body_evidence(*shown(members.replace("/b", "https://x.example/"))) == 0


@pytest.mark.parametrize(
    ("page", "answer"),
    [
        ("<main><p>A long text of its own.</p></main>", False),
        ("<main><p><a href=/b>Another one</a></p><p>Text</p></main>", True),
        (
            "<main><p>Tag</p></main>" + "<p>What stands on the lists of other tags too.</p>" * 3,
            True,
        ),
        (
            "<main><p>Is this not a question of its own?</p></main>"
            + "<p>Ten answers or more</p>" * 40,
            False,
        ),
        ("<main><p>Tag</p></main>" + "<p>The Site</p>" * 20, False),
    ],
    ids=["text", "links", "next to nothing of the page", "short", "all but the frame"],
)
def test_pages_whose_text_is_links_or_next_to_nothing_are_lists(page, answer):
    cluster = members([layout(f"<h1>Title {n}</h1>{page}") for n in range(3)])
    bodies = [m.tree.inside(2) for m in cluster]
    assert all(m.tree.tags[2] == "main" for m in cluster)
    assert are_lists(cluster, bodies, frozenset({"The Site"})) is answer
