import json
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from learner.page.said.metadata import Metadata, read_metadata
from learner.page.said.texts import MOST_LETTERS


def read(head="", attributes=""):
    return read_metadata(html.document_fromstring(f"<html {attributes}><head>{head}</head></html>"))


def ld(content):
    return f'<script type="application/ld+json">{json.dumps(content)}</script>'


def test_a_page_that_says_nothing():
    assert read() == Metadata()


@pytest.mark.parametrize(
    "head",
    [
        '<meta property="article:published_time" content="2010-05-01">',
        '<meta name="DC.date.issued" content=" 2010-05-01 ">',
        '<meta itemprop="datePublished" content="2010-05-01">',
        '<meta name="date" content="2010-05-01"><meta name="pubdate" content="2011-01-01">',
    ],
)
def test_meta_of_publication(head):
    assert read(head).meta_published == "2010-05-01"


def test_meta_of_change_is_another():
    found = read('<meta property="article:modified_time" content="2010-05-01">')
    assert (found.meta_published, found.meta_modified) == ("", "2010-05-01")


def test_authors_are_names():
    addresses = ("https://a.example/ann", "/people/ann", "../../people/ann", "@ann@a.example", "")
    head = "".join(
        f'<meta name="author" content="{text}">'
        for text in ("Ann  Lee", *addresses, "Ann Lee", "AFP/Bob")
    )
    assert read(head).authors == ("Ann Lee", "AFP/Bob")


def test_the_titles_of_the_pages_around():
    head = "".join(
        f'<link rel={rel} href={n}.html title="{title}">'
        for n, (rel, title) in enumerate(
            [("prev", "2.1.\n Rain"), ("NEXT", "2.3. Snow"), ("up", ""), ("alternate", "Atom")]
        )
    )
    assert read(head).neighbours == {"2.1. Rain", "2.3. Snow"}


def test_each_author_of_a_paper_has_an_element():
    head = '<meta name="citation_author" content="{}">'
    assert read(head.format("Ann Lee") + head.format("Bob")).authors == ("Ann Lee", "Bob")


def test_json_ld_comes_first():
    head = '<meta name="author" content="The Site">' + ld(
        {"@type": "Article", "datePublished": "2010-05-01T10:00Z", "author": {"name": "Ann"}}
    )
    assert read(head).authors == ("Ann",)
    assert read(head).json_published == "2010-05-01T10:00Z"


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ({"@graph": [{"@type": "CollectionPage"}, {"@type": "WebSite"}]}, True),
        ({"@type": ["WebPage", "SearchResultsPage"]}, True),
        ({"@type": "ProfilePage", "mainEntity": {"@type": "Person"}}, True),
        ({"@type": "Person", "name": "Ann"}, True),
        ({"@graph": [{"@type": "Article"}, {"@type": "Person"}]}, False),
        ({"@type": "Article", "author": {"@type": "Person"}}, False),
        ({"@type": {"@type": "CollectionPage"}}, False),
        ({}, False),
    ],
)
def test_pages_of_collections_and_persons(said, answer):
    assert read(ld(said)).is_list is answer


@pytest.mark.parametrize(
    "author",
    [
        "Ann",
        ["Ann"],
        {"@type": "Person", "name": "Ann"},
        [{"name": ["Ann"]}],
        {"@id": "#ann"},
    ],
)
def test_forms_of_json_ld_authors(author):
    graph = [{"@id": "#ann", "name": "Ann"}, {"@type": "Article", "author": author}]
    assert read(ld({"@graph": graph})).json_authors == ("Ann",)


@pytest.mark.parametrize(
    "script",
    ["{", "[]", "null", "3", '{"author": 3, "datePublished": []}', "[" * 5000, "[[[[[[[[{}"],
)
def test_broken_json_says_nothing(script):
    assert read(f'<script type="application/ld+json">{script}</script>') == Metadata()


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["author", "name", "@id", "@graph", "datePublished"]), inner
        )
    ),
    max_leaves=12,
)


@given(json_values)
def test_any_json_is_read(value):
    found = read(ld(value).replace("</", "<\\/").replace("<\\/script>", "</script>"))
    assert all(isinstance(name, str) for name in found.authors)


def test_no_fact_is_longer_than_one():
    facts = read(f"<title>{'x' * 5_000}</title><meta name=date content='{'5' * 5_000}'>")
    assert (len(facts.title), len(facts.meta_published)) == (1_000, 1_000)
    many = [f"Ann {'a' * n}" for n in range(1, 400)]
    assert read(tags_of_authors(many)).authors == tuple(many[:20])
    assert read(tags_of_authors(["a" * 201])).authors == ()


def tags_of_authors(names):
    return "".join(f'<meta name=author content="{name}">' for name in names)


def test_authors_of_json_ld_are_found_by_their_ids():
    nodes = [{"author": {"@id": "x"}}] * 2_000
    script = json.dumps(
        {"@graph": [*nodes, {"@id": "x", "name": "Ann"}, {"@id": "x", "name": "Bob"}]}
    )
    begun = process_time()
    assert read(f'<script type="application/ld+json">{script}</script>').authors == ("Ann",)
    assert process_time() - begun < 2


def test_half_a_character_of_json_is_none():
    assert read(ld({"author": "Ann \ud800Lee"})).authors == ("Ann ?Lee",)


def test_languages():
    assert read(attributes='lang="pt-BR"').language == "pt-BR"
    assert read('<meta http-equiv="Content-Language" content="nl">').language == "nl"
    assert read('<meta name="language" content="nl">', 'lang="en"').language == "en"


ARTICLE = {"@type": "NewsArticle", "headline": "Rain at last", "datePublished": "2022-06-08"}


def published(*scripts, url="https://a.example/rain.html", title="Rain at last - The Site"):
    """What is said of publication by a page with some JSON-LD scripts."""
    head = f"<title>{title}</title>" + "".join(map(ld, scripts))
    root = html.document_fromstring(f"<html><head>{head}</head></html>")
    return read_metadata(root, url).json_published


@pytest.mark.parametrize(
    "other",
    [
        {"@type": "WebSite", "datePublished": "2001-01-01"},
        {"@type": "WebPage", "datePublished": "2001-01-01", "author": "Bob"},
        {"@type": "NewsMediaOrganization", "datePublished": "2001-01-01"},
        {"@type": "Comment", "datePublished": "2001-01-01", "author": "Bob"},
        {"@type": "Article", "headline": "Snow", "url": "/snow", "datePublished": "2001-01-01"},
        {"@type": "Book", "name": "Rain at last", "datePublished": "2001-01-01"},
        {"@type": "Article", "datePublished": "2001-01-01"},
    ],
)
def test_the_article_of_the_page_says_when(other):
    assert published(other, ARTICLE) == published({"@graph": [other, ARTICLE]}) == "2022-06-08"
    undated = {name: said for name, said in ARTICLE.items() if name != "datePublished"}
    assert published({"@graph": [other, undated]}) == ""


@pytest.mark.parametrize(
    "said",
    [
        {"url": "https://a.example/rain.html"},
        {"mainEntityOfPage": {"@type": "WebPage", "@id": "http://www.a.example/rain.html#top"}},
        {"@id": "https://a.example/rain.html#article"},
    ],
)
def test_an_article_is_known_by_its_address(said):
    own = {"@type": "BlogPosting", "headline": "Floods", "datePublished": "2022-06-08", **said}
    other = {**own, "url": "/b.html", "mainEntityOfPage": "/b.html", "@id": "/b.html"}
    assert published(other | {"datePublished": "2001-01-01"}, own) == "2022-06-08"
    assert published(other) == ""


def test_a_page_without_an_article_is_what_it_says_of_itself():
    assert published({"@type": "WebPage", "datePublished": "2022-06-08"}) == "2022-06-08"


def test_a_name_in_another_script():
    author = {"@type": "Person", "@id": "#ann", "name": "Ann"}
    head = ld({**ARTICLE, "author": {"@id": "#ann"}}) + ld(author)
    assert read(head).json_authors == ("Ann",)


def test_texts_that_json_ld_repeats_from_the_page():
    reply = {
        "@type": "Comment",
        "text": "I saw &lt;b&gt;snow&lt;/b&gt;.",
        "comment": {"text": "So did I."},
    }
    found = read(
        ld({"@graph": [{"@type": "Article", "articleBody": "It rained.", "comment": [reply]}]})
        + ld({"@type": "Product", "description": "An umbrella.", "review": {"reviewBody": "Dry."}})
    )
    assert found.json_body == "It rained."
    assert found.json_about == "An umbrella."
    assert found.json_replies.split() == "I saw snow . So did I. Dry.".split()


def test_endless_texts_in_json_ld_are_cut_off():
    deep = {"text": "Rain"}
    for _ in range(100):
        deep = {"comment": deep}
    found = read(ld(deep) + ld([{"text": "x" * 1_000}] * 150) * 20)
    assert found.json_replies == ""
    assert len(found.json_body) <= MOST_LETTERS * 1.01


def test_organizations_are_told_from_persons():
    found = read(
        ld(
            {
                "@type": "Article",
                "headline": "Rain &amp; snow",
                "author": [
                    {"@type": "Person", "name": "Ann"},
                    {"@type": "Organization", "name": "Air"},
                ],
                "publisher": {"@type": ["Person", "Organization"], "name": "Bob"},
            }
        )
    )
    assert found.json_organizations == ("Air",)
    assert found.json_title == "Rain & snow"
