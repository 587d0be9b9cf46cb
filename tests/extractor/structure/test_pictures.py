"""Which pictures are an article's."""

import pytest

from extractor.structure.pictures import Picture, find_pictures, without_repeats
from extractor.structure.place import TextPlace
from learner.topics.rule import TopicRule
from tests.handmade import block_of, layout, match_on

BASE = "https://site.example/"


def pictures(html, leave_out=(), **rules):
    tree = layout(html, url=BASE)
    body = [block for block in tree.blocks if block.text not in ("Title", *leave_out)]
    title = block_of(tree, "Title") if "Title" in html else None
    found = find_pictures(tree, TextPlace.of(match_on(tree, title, **rules)), body, BASE)
    return [each.url.removeprefix(BASE) for each in without_repeats(found)]


@pytest.mark.parametrize(
    ("image", "expected"),
    [
        ("<img src=a.png>", ["a.png"]),
        ("<img src='data:image/gif;base64,R' data-src=/b.jpg>", ["b.jpg"]),
        ("<img src=wait.gif data-lazy-original='/b.jpg?w=3'>", ["b.jpg?w=3"]),
        ("<img srcset='c.webp 2x, d.webp 3x'>", ["c.webp"]),
        ("<picture><source srcset=e.avif><img src=f.jpg></picture>", ["f.jpg"]),
        ("<img src=a.png width=1 height=1>", []),
        ("<img src=a.png width=20px>", []),
        ("<img src=a.png width='100%'>", ["a.png"]),
        ("<img src='javascript:x'>", []),
        ("<img>", []),
    ],
)
def test_the_address_of_a_picture(image, expected):
    assert pictures(f"<p>a</p><p>{image}</p><p>b</p>") == expected


def test_a_picture_belongs_to_a_text_that_it_stands_beside():
    html = "<p><img src=a.png></p><h1>Title</h1><p><img src=b.png></p><p>by</p><p>text</p>"
    assert pictures(html, leave_out=("by",)) == ["b.png"]


def test_behind_the_text_a_picture_that_leads_to_a_page_is_that_pages():
    html = "<p>text</p><p><a href=/zoom.jpg><img src=a.png></a></p><p>{}</p>"
    assert pictures(html.format("<img src=b.png>")) == ["a.png", "b.png"]
    assert pictures(html.format("<a href=/other.html><img src=b.png></a>")) == ["a.png"]


def test_a_picture_on_many_pages_is_decoration():
    rule = TopicRule(template_facts=frozenset({"a.png"}))
    assert pictures("<p>a<img src=a.png><img src=b.png></p>", topics=rule) == ["b.png"]


def test_a_caption_is_that_of_the_figure_or_of_what_is_named_for_it():
    for box in ("figure", "div class=wp-caption"):
        tree = layout(f"<p>a</p><{box}><img src=i.png><p>of it</p></{box.split()[0]}><p>b</p>")
        found = find_pictures(tree, TextPlace.of(match_on(tree)), tree.blocks, BASE)
        assert without_repeats(found) == (Picture(url=f"{BASE}i.png", caption="of it"),)
