"""Proposals are the elements that show what pattern or model reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date

import pytest
from lxml import etree
from lxml.html import document_fromstring

from extractor.batch.labelling import proposals
from extractor.batch.labelling.extents import extents_of
from extractor.batch.labelling.proposals import leave_unseen, propose
from learner.dom.model import TYPES
from learner.dom.reading import Reading, read_tree
from learner.induction.steps import learn_patterns
from learner.page.tree import LayoutTree, build_tree
from learner.patterns.pattern import PatternSet
from tests.handmade import Story, article, framed, listing, site, stories
from tests.learner.dom.pages import article_html, lessons
from tests.learner.vision.products.test_products import page_of

NEW = Story(40)
NOTHING = PatternSet()
Seen = Callable[[etree._Element], bool]


@pytest.fixture(scope="module")
def patterns() -> PatternSet:
    return learn_patterns(site())


class Drawn:
    """A page as if it had been drawn; what bears the class `old` is struck out."""

    def __init__(self, html: str | bytes, is_seen: Seen = lambda _: True) -> None:
        self.root = document_fromstring(html)
        self._is_seen = is_seen

    def is_seen(self, element: etree._Element) -> bool:
        return self._is_seen(element)

    def is_struck(self, element: etree._Element) -> bool:
        return element.get("class") == "old"


def proposed(html: str | bytes, patterns: PatternSet, url: str = NEW.url) -> dict[str, list[str]]:
    """What the proposed elements say, by label."""
    found: dict[str, list[str]] = {}
    for each in propose(Drawn(html), url, patterns).elements:
        found.setdefault(each.label, []).append(said(each.element))
    return found


def said(element: etree._Element) -> str:
    return " ".join("".join(map(str, element.itertext())).split())


def test_a_pattern_tells_title_text_and_date(patterns: PatternSet) -> None:
    found = propose(Drawn(framed(NEW, article(NEW))), NEW.url, patterns)
    assert found.page_type == "article"
    assert [(each.label, each.element.tag) for each in found.elements] == [
        ("title", "h1"), ("date", "p"), ("body", "div")
    ]  # fmt: skip
    (date,) = (each for each in found.elements if each.label == "date")
    assert (said(date.element), date.value) == (NEW.day, NEW.day)
    (body,) = (each for each in found.elements if each.label == "body")
    assert body.element.get("class") == "text"


def shared(story: Story) -> str:
    """The plain template with a box in the text."""
    box = "</p><ul class=share><li>Share this story with your friends</ul><p>"
    return article(story).replace("</p><p>", box, 1)


def test_what_stands_in_the_text_and_is_none_of_it_parts_it() -> None:
    found = proposed(framed(NEW, shared(NEW)), learn_patterns(site(shared)))
    (body,), (share,) = found["body"], found["boilerplate"]
    assert share == "Share this story with your friends" and share in body


def test_a_list_has_no_proposals(patterns: PatternSet) -> None:
    page = listing(4, stories(4, 20))
    found = propose(Drawn(page.html), page.url, patterns)
    assert (found.page_type, found.elements) == ("list", ())


def test_without_a_pattern_the_page_model_tells() -> None:
    lesson = next(each for each in lessons(3) if each.type == "article")
    html = lesson.page.html.decode()
    found = propose(Drawn(html), lesson.page.url, NOTHING)
    values = {each.label: each.value for each in found.elements}
    assert lesson.published and values["date"] == lesson.published.isoformat()
    assert values["author"] == lesson.authors[0]
    texts = proposed(html, NOTHING, lesson.page.url)
    assert texts["title"] == [lesson.title]
    assert lesson.body.split("\n")[1] in " ".join(texts["body"])


def as_product(tree: LayoutTree) -> Reading:
    """The reading of a page as if it were surely a product's."""
    return replace(read_tree(tree), types=dict.fromkeys(TYPES, 0.0) | {"product": 1.0})


def test_a_product_has_name_price_and_image(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proposals, "read_tree", as_product)
    found = proposed(page_of("Desk lamp, brass", "35.50", "brass-lamp", "$"), NOTHING)
    assert (found["name"], found["price"]) == (["Desk lamp, brass"], ["$35.50"])
    assert len(found["image"]) == 1 and "body" not in found


def test_what_a_page_says_for_machines_makes_it_a_product() -> None:
    page = page_of("Desk lamp, brass", "35.50", "brass-lamp", "$")
    said = b"""<script type="application/ld+json">{"@type": "Product", "name": "Desk lamp, brass",
        "offers": {"price": "35.50", "priceCurrency": "USD"}}</script>"""
    found = propose(Drawn(page), NEW.url, NOTHING, page + said)
    assert found.page_type == "product"
    assert [each.label for each in found.elements] == ["name", "price", "image"]
    other = said.replace(b"brass", b"steel")
    found = propose(Drawn(page), NEW.url, NOTHING, page + other)
    assert found.page_type != "product"


def test_a_page_without_text_has_none() -> None:
    found = propose(Drawn("<html><body></body></html>"), NEW.url, NOTHING)
    assert (found.page_type, found.elements) == ("other", ())


def test_author_and_date_of_one_line_have_elements_of_their_own() -> None:
    html = article_html(NEW, 1, date(2021, 3, 5), "Ann Lee")
    html = html.replace("By Ann Lee, 2021-03-05", "By <b>Ann Lee</b>, <i>2021-03-05</i>")
    found = propose(Drawn(html), "https://a.example/x", NOTHING)
    tags = {each.label: each.element.tag for each in found.elements}
    assert (tags["author"], tags["date"]) == ("b", "i")


def test_what_nobody_sees_is_not_proposed() -> None:
    html = article_html(NEW, 1, date(2021, 3, 5), "Ann Lee")
    html = html.replace("<h1>", f"<p id=crumb>{NEW.title}</p><h1>", 1)

    def titles(is_seen: Seen) -> list[str]:
        found = propose(Drawn(html, is_seen), "https://a.example/x", NOTHING)
        return [str(each.element.tag) for each in found.elements if each.label == "title"]

    assert titles(lambda element: True) == ["h1"]
    assert titles(lambda element: element.tag != "h1") == ["p"]
    assert titles(lambda element: False) == []


def test_a_byline_in_the_lines_of_the_whole_text_has_no_element() -> None:
    html = article_html(NEW, 1, date(2021, 3, 5), "Ann Lee")
    inline = html.replace("<p class='byline'>By Ann Lee, 2021-03-05</p>", "By Ann Lee, 2021-03-05")
    assert inline != html
    found = proposed(inline, NOTHING, "https://a.example/x")
    assert "author" not in found and found["title"] == [NEW.title]


def test_what_is_struck_out_or_unseen_sells_nothing() -> None:
    html = "<p><b class=old>$3</b><i>$4</i><u>$5</u><s><img></s></p>"
    page = Drawn(html, lambda element: element.tag not in ("u", "img", "s"))
    leave_unseen(page)
    assert [each.tag for each in page.root.iter("*")][-6:] == [
        "p", "template", "i", "template", "s", "img"
    ]  # fmt: skip


def test_the_place_of_a_picture_that_is_not_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proposals, "read_tree", as_product)
    page = Drawn(page_of("Desk lamp, brass", "35.50", "brass-lamp", "$"), lambda e: e.tag != "img")
    found = propose(page, NEW.url, NOTHING)
    (image,) = (each.element for each in found.elements if each.label == "image")
    assert image.tag == "a" and len(image) == 1


@pytest.mark.parametrize(
    ("html", "wanted", "allowed", "tags"),
    [
        ("<div><p>a</p><p>b</p></div><p>c</p>", "ab", "", "div"),
        ("<main><h1>a</h1><div><p>b</p><p>c</p></div></main>", "bc", "a", "div"),
        ("<div><p>a</p><p>b</p></div><p>c</p>", "ac", "", "p p"),
        ("<div>aaaa<br>bbbb<br>c</div><p>d</p>", "aaaa bbbb", "", "div"),
        ("<div>a<br>bbbb<br>cccc</div><p>d</p>", "a", "", ""),
        ("<div>aaaa<ul><li>b</li><li>c</li></ul></div>", "aaaa b", "", "div"),
    ],
)
def test_elements_that_hold_the_text_and_little_else(
    html: str, wanted: str, allowed: str, tags: str
) -> None:
    tree = build_tree(document_fromstring(f"<html><body>{html}<p>end</p></body></html>"))

    def blocks(texts: str) -> list[str]:
        return texts.split() if " " in texts or len(texts) > 3 else list(texts)

    ours = [block for block in tree.blocks if block.text in blocks(wanted)]
    fine = [block for block in tree.blocks if block.text in blocks(allowed)]
    found = extents_of(tree, ours, fine)
    assert " ".join(tree.tags[e] for e in found.inside) == tags
    assert found.outside == ()
