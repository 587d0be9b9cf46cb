from lxml import etree

from crawler.reading.html import parse_html
from extractor.analysis.found import Found
from extractor.analysis.shown_product import add_shown_product
from extractor.analysis.xpaths import Xpaths
from learner.dom.reading import tree_of

HTML = b"""<title>Clay pot - Garden</title><p>Free delivery from $90</p><h1>Clay pot</h1>
<a href=/big/pot.jpg><img src=/small/pot.jpg></a><p>$12.50</p><button>Buy</button>"""


def found_on(root: etree._Element, page_type: str) -> Found:
    xpaths = Xpaths(root)
    tree = tree_of(root, "https://shop.example/pot")
    xpaths.read(tree)
    found = Found(tree, xpaths)
    found.add("type", page_type, "model", 0.9)
    return found


def test_a_product_that_is_shown_only() -> None:
    root = parse_html(HTML, "utf-8")
    found = found_on(root, "product")
    product = add_shown_product(found, root, "https://shop.example/pot")
    assert product is not None
    assert (product.name, product.source) == ("Clay pot", "model")
    assert (product.offers[0].price, product.offers[0].currency) == ("12.50", "$")
    assert product.images == ("https://shop.example/big/pot.jpg",)
    xpath = found.fields["product.price"].xpath
    assert xpath and parse_html(HTML, "utf-8").xpath(f"string({xpath})") == "$12.50"


def test_an_article_sells_nothing() -> None:
    root = parse_html(HTML, "utf-8")
    assert add_shown_product(found_on(root, "article"), root, "https://shop.example/") is None


def test_what_shows_no_price_is_no_product() -> None:
    root = parse_html(HTML.replace(b"$12.50", b"sold").replace(b"$90", b"us"), "utf-8")
    assert add_shown_product(found_on(root, "product"), root, "https://shop.example/") is None
