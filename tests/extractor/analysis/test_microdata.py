"""Microdata as objects of JSON-LD."""

from lxml.html import document_fromstring as parse

from extractor.analysis.microdata import MOST_PROPERTIES, read_items


def test_items_inside_items() -> None:
    (item,) = read_items(
        parse(
            "<div itemscope itemtype=https://schema.org/Product><h1 itemprop=name> A  cup </h1>"
            "<p itemprop=offers itemscope itemtype=https://schema.org/Offer>"
            "<b itemprop=price content=9.5>9,50</b><link itemprop=availability href=/InStock></p>"
            "<img itemprop=image src=/1.png><img itemprop=image src=/2.png></div>"
        )
    )
    offer = {"@type": ["Offer"], "price": "9.5", "availability": "/InStock"}
    assert item == {
        "@type": ["Product"], "name": "A cup", "offers": offer, "image": ["/1.png", "/2.png"]
    }  # fmt: skip
    assert item.places["name"].tag == "h1"


def test_what_is_of_no_item_is_left_out() -> None:
    assert read_items(parse("<p itemprop=name>a</p><p itemprop=''>b</p>")) == []


def test_a_property_of_nothing_is_an_item() -> None:
    page = "<ol itemprop=breadcrumb itemscope itemtype=https://schema.org/BreadcrumbList></ol>"
    assert read_items(parse(page)) == [{"@type": ["BreadcrumbList"]}]


def test_no_page_has_endless_properties() -> None:
    (item,) = read_items(parse("<div itemscope>" + "<p itemprop=a>b" * 2 * MOST_PROPERTIES))
    assert len(item["a"]) == MOST_PROPERTIES - 1
