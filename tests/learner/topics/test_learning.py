"""Where section and tags are found, on small sites made by hand: one kind of evidence a test."""

import json

import pytest

from crawler.reading.html import parse_html
from extractor.extraction import extract_article
from learner.induction.steps import learn_patterns
from learner.page.pages import Page
from learner.page.tree import build_tree
from learner.topics.rule import topic_links
from tests.handmade import HOST, Story, article, framed, listing, site, stories

TOPICS = ("Rain", "Wind", "Snow", "東京", "Ice")
SECTIONS = ("Weather", "Sport", "Culture")


def tags_of(story):
    return [TOPICS[story.number % 5], TOPICS[(story.number // 5 + 2) % 5 - 1]]


def section_of(story):
    return SECTIONS[story.number % 3]


def links(folder, names, mark=""):
    return ", ".join(f'<a href="/{folder}/{name.lower()}"{mark}>{name}</a>' for name in names)


def learned(template, said=lambda story: ""):
    """The record of a new story of a site of this template."""
    pages = [page_of(story, template, said) for story in stories(20)]
    lists = [listing(number, stories(20)[number - 1 :: 3]) for number in range(1, 4)]
    record = extract_article(page_of(Story(99), template, said), learn_patterns([*pages, *lists]))
    assert record.body == Story(99).body
    return record


def page_of(story, template, said):
    html = framed(story, template(story)).replace("</head>", f"{said(story)}</head>")
    return Page(url=story.url, html=html.encode())


def below(html_of):
    """The plain template with something below the text."""
    return lambda story: article(story).replace("</article>", f"{html_of(story)}</article>")


def above(html_of):
    """... above the title."""
    return lambda story: article(story).replace("<h1>", f"{html_of(story)}<h1>")


def test_tags_are_marked_as_such():
    tagged = below(lambda s: f"<p class=t>Filed: {links('x', tags_of(s), ' rel=tag')}</p>")
    record = learned(tagged)
    assert record.tags == tuple(dict.fromkeys(tags_of(Story(99))))
    assert record.sources["tags"] == "pattern"


def test_tags_lead_where_links_of_other_pages_lead():
    tagged = below(
        lambda s: f"<ul class=t><li>{links('tag', tags_of(s)).replace(', ', '<li>')}</ul>"
    )
    assert learned(tagged).tags == tuple(dict.fromkeys(tags_of(Story(99))))


def test_what_the_page_says_for_machines_tells_a_section_from_tags():
    shown = below(lambda s: f"<p class=t>{links('x', [section_of(s)])}</p>")

    def said(story):
        node = {"headline": story.title, "articleSection": section_of(story).upper()}
        return f'<script type="application/ld+json">{json.dumps(node)}</script>'

    record = learned(shown, said)
    assert (record.section, record.tags) == ("Weather", ())
    assert record.sources["section"] == "pattern"


def test_a_single_link_is_a_section():
    record = learned(above(lambda s: f"<p class=s>{links('c', [section_of(s)])}</p>"))
    assert (record.section, record.tags) == ("Weather", ())


@pytest.mark.parametrize(
    "html_of",
    [
        lambda s: f"<p class=s>{links('author', [SECTIONS[s.number % 3]])}</p>",
        lambda s: f"<p class=s>{links('2021/0' + str(1 + s.number % 3), ['more'])}</p>",
        lambda s: f"<p class=s>{links('x', ['Always'])}</p>",
        lambda s: f'<p class=s><a href="{Story(1 + s.number % 3).url}">read on</a></p>',
        lambda s: f'<p class=s><a href="https://other.example/x/{s.number % 3}">x</a></p>',
        lambda s: f"<p class=s>{links('x', [f'Topic {s.number}'])}</p>",
    ],
    ids=["author", "month", "menu", "articles", "elsewhere", "never twice"],
)
def test_other_links_are_no_topics(html_of):
    record = learned(above(html_of))
    assert (record.section, record.tags) == (None, ())


def test_the_description_and_the_keywords_of_the_site_are_none_of_an_article():
    def said(story):
        keywords = '<meta name="keywords" content="a, b, c">'
        return f'{keywords}<meta name="description" content="About {story.number % 2}.">'

    record = learned(article, said)
    assert (record.description, record.tags) == (None, ())


def test_a_site_without_topics_has_none():
    record = learned(article)
    assert (record.section, record.tags, record.image) == (None, (), None)


def test_names_of_topics_have_no_marks_around_them():
    tree = build_tree(
        parse_html(b"<p><a href='/t/x'> #Rain, </a><a href='/'>Start</a>"), f"{HOST}/a"
    )
    assert list(topic_links(tree, tree.blocks[0])) == [("Rain", "/t", "site.example/t/x")]


def test_patterns_of_the_plain_site_are_as_they_were():
    rules = [p.rules for p in learn_patterns(site()).articles]
    assert [each.topics.sections for each in rules if each] == [()]
