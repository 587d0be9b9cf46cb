"""What a page says of its article beside title, text, date and author."""

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from extractor.fields.facts import Facts, find_facts
from learner.topics.rule import TopicRule
from tests.handmade import block_of, layout, match_on

BASE = "https://site.example/news/one.html"
DAY = datetime(2021, 5, 3, tzinfo=UTC)


def facts(head="", pictures=(), published=None, **topics):
    tree = layout("<h1>Title</h1><p>Text.</p>", head=head, url=BASE)
    match = match_on(tree, block_of(tree, "Title"), topics=TopicRule(**topics))
    match = replace(match, title="Title")
    return find_facts(tree, match, pictures, BASE, published)


def meta(**said):
    return "".join(
        f'<meta property="{n.replace("_", ":", 1)}" content="{v}">' for n, v in said.items()
    )


def ld(**said):
    node = {"@type": "NewsArticle", "headline": "Title", **said}
    return f'<script type="application/ld+json">{json.dumps(node)}</script>'


def test_a_page_that_says_nothing_gives_nothing():
    assert facts() == Facts()


@pytest.mark.parametrize(
    ("head", "name", "value", "source"),
    [
        (meta(og_image="/i.png"), "image", "https://site.example/i.png", "meta"),
        (ld(image=["j.png", "k.png"]), "image", "https://site.example/news/j.png", "json-ld"),
        (ld(image={"@type": "ImageObject", "url": "/l.png", "name": "L"}), "image",
         "https://site.example/l.png", "json-ld"),
        (meta(og_description="It  rains."), "description", "It rains.", "meta"),
        (ld(articleSection="Sport"), "section", "Sport", "json-ld"),
        (meta(article_section="Sport"), "section", "Sport", "meta"),
        (meta(keywords="rain, wind"), "tags", ("rain", "wind"), "meta"),
        (ld(keywords=["rain", "wind"]), "tags", ("rain", "wind"), "json-ld"),
        (meta(og_site_name="The Site"), "site_name", "The Site", "meta"),
        (ld(publisher={"@type": "Organization", "name": "P", "url": "/"}), "site_name", "P",
         "json-ld"),
        (ld(dateModified="2021-05-03"), "date_modified", DAY, "json-ld"),
    ],
)  # fmt: skip
def test_what_is_said_for_machines(head, name, value, source):
    found = facts(head)
    assert getattr(found, name) == value
    assert found.sources == {name: source}


def test_what_many_pages_say_is_the_templates():
    head = meta(og_image="/logo.png", og_description="A site.", keywords="a, b")
    found = facts(head, template_facts=frozenset({"/logo.png", "A site.", "a, b"}))
    assert found == Facts()


def test_the_first_picture_of_the_text_serves_if_none_is_named():
    assert facts(pictures=["https://site.example/p.png"]).sources == {"image": "text"}
    named = facts(meta(og_image="/i.png"), pictures=["https://site.example/p.png"])
    assert named.image == "https://site.example/i.png"


def test_a_change_before_the_publication_is_none():
    head = ld(dateModified="2021-05-03")
    assert facts(head, published=DAY).date_modified is None
    assert facts(head, published=datetime(2021, 5, 2, tzinfo=UTC)).date_modified == DAY


def test_the_innermost_page_above_is_the_section():
    crumbs = [
        {"position": n, "name": name} for n, name in enumerate(("Home", "Sport", "Rain", "Title"))
    ]
    node = {"@type": "BreadcrumbList", "itemListElement": crumbs[::-1]}
    head = f'<script type="application/ld+json">{json.dumps(node)}</script>'
    assert facts(head).section == "Rain"


@pytest.mark.parametrize(
    "value", [None, 3, [], {}, [[]], {"name": {"name": 1}}, [None], "", {"@type": []}]
)
def test_any_json_is_read(value):
    names = ("image", "description", "articleSection", "keywords", "publisher", "dateModified")
    assert facts(ld(**dict.fromkeys(names, value))) == Facts()
    crumbs = {"@type": "BreadcrumbList", "itemListElement": value}
    assert facts(f'<script type="application/ld+json">{json.dumps(crumbs)}</script>') == Facts()
