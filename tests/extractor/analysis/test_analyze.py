"""One page, one answer."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from lxml import etree

from crawler.reading.html import parse_html, text_content
from extractor.analysis import analyze as module
from extractor.analysis.analysis import Analysis
from extractor.analysis.analyze import analyze
from extractor.analysis.shown import shown_lines
from learner.induction.steps import learn_patterns
from learner.page.pages import Page
from learner.patterns.pattern import PatternSet
from tests.handmade import Story, words

URL = "https://news.example/2022/04/flood"
STORY = Story(7, n_paragraphs=8, n_words=50)
AUTHOR, DAY = "Mia Dahl", datetime(2022, 4, 9, 8, 30, tzinfo=UTC)
SAID = {
    "@type": "NewsArticle", "headline": STORY.title, "datePublished": DAY.isoformat(),
    "author": {"@type": "Person", "name": AUTHOR}, "image": "/flood.jpg",
    "description": "What came of it.", "keywords": ["rain", "rivers"],
}  # fmt: skip


def page(story: Story = STORY, head: str = "") -> bytes:
    menu = "".join(f"<li><a href=/{n}>{words(n, 1)}</a></li>" for n in range(6))
    return (
        f"<html lang=en><head><title>{story.title} | News</title>{head}</head><body>"
        f"<ul class=menu>{menu}</ul><article><h1>{story.title}</h1>"
        f"<p class=byline>By <a rel=author href=/mia>{AUTHOR}</a>, 9 April 2022</p>"
        f"<div class=text>{story.html}<p><img src=/p.png alt=Bridge> {words(3, 30)}.</p></div>"
        f"</article><p class=end>{words('footer', 4)}</p></body></html>"
    ).encode()


def in_json(said: object) -> str:
    return f"<script type='application/ld+json'>{json.dumps(said)}</script>"


def shown_at(html: bytes, analysis: Analysis, name: str) -> str:
    """What the element says that a field names."""
    xpath = analysis.fields[name].xpath
    assert xpath is not None
    (element,) = parse_html(html).xpath(xpath)
    assert isinstance(element, etree._Element)
    return text_content(element)


def test_what_the_page_model_reads() -> None:
    html = page()
    found = analyze(html, url=URL)
    assert (found.type, found.title, found.authors) == ("article", STORY.title, (AUTHOR,))
    assert found.date == datetime(2022, 4, 9, tzinfo=UTC)
    assert found.language == "en"
    assert found.text is not None
    assert found.text.startswith(STORY.body)
    assert found.html is not None
    assert "<p>" in found.html
    assert [each.url for each in found.images] == ["https://news.example/p.png"]
    assert found.fields["title"].source == found.fields["text"].source == "model"
    assert shown_at(html, found, "title") == STORY.title
    assert AUTHOR in shown_at(html, found, "authors")
    assert STORY.body.splitlines()[0] in shown_at(html, found, "text")
    assert all(0 <= each.probability <= 1 for each in found.fields.values())
    assert found.remarks == ()


def test_what_is_said_for_machines_is_named_as_the_source() -> None:
    html = page(head=in_json(SAID))
    found = analyze(html, url=URL)
    sources = {name: each.source for name, each in found.fields.items()}
    assert sources["title"] == sources["date"] == sources["authors"] == "jsonld"
    assert found.date == DAY
    assert found.image == "https://news.example/flood.jpg"
    assert (found.description, found.tags) == ("What came of it.", ("rain", "rivers"))
    assert shown_at(html, found, "title") == STORY.title


def test_a_headline_that_the_page_does_not_show_is_not_its_title() -> None:
    found = analyze(page(head=in_json({**SAID, "headline": words("other", 6)})), url=URL)
    assert found.title == STORY.title


@pytest.fixture(scope="module")
def patterns() -> PatternSet:
    stories = [Story(n) for n in range(20, 28)]
    pages = [Page(url=f"https://news.example/{s.number}", html=page(s)) for s in stories]
    return learn_patterns(pages)


def test_a_pattern_comes_first(patterns: PatternSet) -> None:
    html = page(head=in_json(SAID))
    found = analyze(html, url=URL, patterns=patterns)
    assert found.fields["title"].source == found.fields["text"].source == "pattern"
    assert (found.title, found.type) == (STORY.title, "article")
    assert shown_at(html, found, "title") == STORY.title
    assert STORY.body.splitlines()[0] in shown_at(html, found, "text")
    assert found.description == "What came of it."


def test_patterns_that_do_not_fit_change_nothing(patterns: PatternSet) -> None:
    html = f"<title>a</title><div><h2>{STORY.title}</h2>{STORY.html}</div>".encode()
    assert analyze(html, patterns=patterns) == analyze(html)


def test_a_product() -> None:
    said = {
        "@type": "Product", "name": "Blue cup", "sku": "c1", "brand": "Ann",
        "offers": {"price": 1299, "priceCurrency": "EUR", "availability": "https://schema.org/InStock"},
    }  # fmt: skip
    html = (
        f"<title>Blue cup</title>{in_json(said)}<h1>Blue cup</h1><p>€ 1.299,00</p>"
        f"<p>{words('cup', 40)}.</p><button>Add</button>"
    ).encode()
    found = analyze(html, url="https://shop.example/p/blue-cup")
    assert found.product is not None
    assert (found.product.name, found.product.offers[0].price) == ("Blue cup", "1299")
    assert shown_at(html, found, "product.price") == "€ 1.299,00"
    assert found.fields["product.availability"].value == "InStock"


def test_open_graph_tells_a_price() -> None:
    head = "<meta property=og:title content=Cup><meta property=product:price:amount content='9,50'>"
    found = analyze(f"<title>Cup</title>{head}<h1>Cup</h1><p>9.50</p>")
    assert found.product is not None
    assert (found.product.source, found.product.offers[0].price) == ("opengraph", "9.50")


def test_as_json() -> None:
    told = analyze(page(head=in_json(SAID)), url=URL).as_dict()
    assert json.loads(json.dumps(told)) == told
    assert told["date"] == told["fields"]["date"]["value"] == "2022-04-09T08:30:00+00:00"
    assert told["types"]["article"] > 0.5


def test_targets(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_bytes(page())
    wanted = analyze(Page(url=URL, html=page()))
    assert analyze(page(), url=URL) == wanted
    assert analyze(page().decode(), url=URL) == wanted
    assert analyze(path, url=URL) == analyze(str(path), url=URL) == wanted
    with pytest.raises(FileNotFoundError):
        analyze(tmp_path / "none.html")


def test_a_saved_page_tells_where_it_stood() -> None:
    found = analyze(page(head=f"<link rel=canonical href={URL}>"))
    assert (found.url, found.canonical_url) == ("", URL)
    assert [each.url for each in found.images] == ["https://news.example/p.png"]


HOSTILE = {
    "empty": b"",
    "nul": b"\0" * 100,
    "noise": bytes(range(256)) * 100,
    "deep": b"<div>" * 20_000 + b"x",
    "unknown tags": b"<x-a><p>word</p>" * 2_000,
    "json": in_json([[{"@type": "Product", "name": ["a"], "offers": [[{}], 3]}]]).encode(),
    "crumbs": b"<div class=breadcrumb>" * 2_000 + b"<a href=/>x</a>",
    "items": b"<div itemscope itemprop='a b' itemtype=Product>" * 2_000,
    "frames": b"<frameset><frame src=x></frameset>",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_no_page_raises(name: str) -> None:
    found = analyze(HOSTILE[name], url="http://[")
    json.dumps(found.as_dict())
    assert found.remarks == ()


def test_the_limit_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST_PAGE", 10_000)
    html = page() + b"<p>" + b"x" * 10_000
    found = analyze(html, url=URL)
    assert found.title == STORY.title
    assert found.remarks == (f"of {len(html)} bytes only the first 10000 are read",)


def test_what_cannot_be_read_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: object) -> None:
        raise RecursionError("too deep")

    monkeypatch.setattr(module, "parse_html", broken)
    found = analyze(page(), url=URL)
    assert (found.url, found.type, found.remarks) == (
        URL,
        "other",
        ("not read: RecursionError: too deep",),
    )


def test_shown_to_a_person() -> None:
    lines = list(shown_lines("a.html", analyze(page(head=in_json(SAID)), url=URL), 80))
    assert lines[0] == URL
    assert max(map(len, lines[: lines.index("")])) <= 80
    title = next(line for line in lines if line.startswith("title "))
    assert title.split()[-2] == "jsonld"
    assert STORY.body.splitlines()[0] in lines
