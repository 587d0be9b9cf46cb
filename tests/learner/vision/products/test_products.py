import json
from decimal import Decimal
from pathlib import Path

import pytest
from lxml import etree

from learner.vision.products.candidates import MOST_CANDIDATES, ProductPage
from learner.vision.products.measures import DIRECTIONS, Around, file_of
from learner.vision.products.scorer import (
    FIELDS,
    MEASURES,
    ProductModelError,
    candidates_of,
    find_product,
    load_weights,
    shipped_weights,
)
from learner.vision.products.teaching import (
    ProductLesson,
    examples_of,
    fit_weights,
    read_without_facts,
)

SHOP = """<title>{name} | Lamp House</title>
<header><a href="/"><img src="/logo.svg" alt="Lamp House"></a><span>Cart: {sign}0.00</span></header>
<ul><li><a href="/a">Lamps</a><li><a href="/b">Shades</a></ul>
<div class="gallery">
<a href="/img/{file}-1200x1200.jpg"><img src="/img/{file}-300x300.jpg"></a></div>
<div class="info"><h1>{name}</h1><p><del>{sign}{old}</del> <ins>{sign}{price}</ins></p>
<form><input name=count value=1><button>Buy</button></form></div>
<h2>Goes with it</h2>
<div class=card><a href="/p/1"><img src="/img/cord.jpg">Cord</a><p>{sign}4.00</p></div>
<div class=card><a href="/p/2"><img src="/img/bulb.jpg">Bulb</a><p>{sign}6.00</p></div>
<footer>Free delivery from {sign}40</footer>"""


def page_of(name: str, price: str, file: str, sign: str = "€", old: str = "99.00") -> bytes:
    return SHOP.format(name=name, price=price, file=file, sign=sign, old=old).encode()


def lesson_of(shop: str, name: str, price: str, file: str, sign: str) -> ProductLesson:
    return ProductLesson(
        shop=shop,
        url=f"https://{shop}.example/{file}",
        html=page_of(name, price, file, sign),
        name=name,
        amount=Decimal(price),
        picture=f"https://{shop}.example/img/{file}.jpg",
    )


@pytest.mark.parametrize("sign", ["€", "$", "৳", "CHF "])
def test_a_product_is_found_between_its_shop_and_others(sign: str) -> None:
    root = read_without_facts(page_of("Desk lamp, brass", "35.50", "brass-lamp", sign))
    found = find_product(root, "https://lamps.example/brass")
    assert found.name and found.name.candidate.text == "Desk lamp, brass"
    assert found.price and found.price.candidate.price
    assert found.price.candidate.price.amount == Decimal("35.50")
    assert found.picture
    assert found.picture.candidate.text == "https://lamps.example/img/brass-lamp-1200x1200.jpg"
    assert all(0 < getattr(found, field).probability <= 1 for field in FIELDS)


def test_what_is_said_for_machines_can_be_taken_away() -> None:
    html = (
        b"<head><meta property=og:title content=x><script type=application/ld+json>{}</script>"
        b"</head><p itemprop=price>3 <script>y</script>tail</p>"
    )
    root = read_without_facts(html)
    assert not root.xpath("//script | //meta | //@itemprop")
    assert "tail" in "".join(root.itertext())


@pytest.mark.parametrize(
    "html",
    [
        b"",
        b"<p>\x00\xff",
        b"<a href='http://[x]/'><img src='http://[y]/'></a>",
        b"<h1>9</h1>" * 5000,
    ],
)
def test_no_page_is_too_odd(html: bytes) -> None:
    page = ProductPage(read_without_facts(html), "https://a.example/")
    assert all(len(candidates_of(page, field)) <= MOST_CANDIDATES for field in FIELDS)
    find_product(read_without_facts(html), "https://a.example/")


def test_a_hidden_price_is_none() -> None:
    html = b"<h1>Cup</h1><p style='display:none'>$1.00</p><p>It is ours for long.</p><p>$2.00</p>"
    found = find_product(read_without_facts(html), "https://a.example/")
    assert found.price and found.price.candidate.text == "$2.00"


def test_each_measure_has_a_weight_and_a_direction() -> None:
    page = ProductPage(read_without_facts(page_of("Lamp", "3.00", "lamp")), "https://a.example/")
    for field in FIELDS:
        names = set(MEASURES[field](Around(page, None), candidates_of(page, field))[0])
        assert names == set(shipped_weights()[field]) <= set(DIRECTIONS)
        for name, weight in shipped_weights()[field].items():
            assert weight * DIRECTIONS[name] >= 0


def test_weights_are_learned_from_shops_and_read_back(tmp_path: Path) -> None:
    lessons = [
        lesson_of(shop, name, price, file, sign)
        for shop, sign in (("one", "$"), ("two", "€"))
        for name, price, file in (("Oak table", "120.00", "oak"), ("Red chair", "45.00", "red"))
    ]
    examples = examples_of(lessons)
    weights = fit_weights(examples, without="two")
    path = tmp_path / "weights.json"
    path.write_text(json.dumps({"weights": weights}))
    for lesson in lessons[2:]:
        found = find_product(read_without_facts(lesson.html), lesson.url, load_weights(path))
        assert found.name and found.name.candidate.text == lesson.name
        assert found.price and found.price.candidate.price
        assert found.price.candidate.price.amount == lesson.amount


@pytest.mark.parametrize("content", ["", "[]", '{"weights": {"name": 3}}', '{"weights": {}}'])
def test_a_file_without_weights_is_told(tmp_path: Path, content: str) -> None:
    path = tmp_path / "weights.json"
    path.write_text(content)
    with pytest.raises(ProductModelError, match=r"weights\.json: expected weights"):
        load_weights(path)


def test_nothing_to_learn_from_is_told() -> None:
    with pytest.raises(ValueError, match="got none"):
        fit_weights(examples_of([]))


@pytest.mark.parametrize(
    ("address", "file"),
    [
        ("https://a.example/x/Cup_{width}x.jpg?v=1", "cup.jpg"),
        ("/x/cup%20blue-300x300.png", "cup blue.png"),
        ("http://[bad/", ""),
    ],
)
def test_a_picture_is_known_by_its_file(address: str, file: str) -> None:
    assert file_of(address) == file


def test_a_page_costs_time_in_proportion() -> None:
    """Boxes in boxes, each with a digit, are climbed a few steps only."""
    root = etree.HTML("<body>" + "<div>1 " * 3000)
    assert find_product(root, "https://a.example/").name is None
