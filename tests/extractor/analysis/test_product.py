"""What a page sells."""

from typing import Any

import pytest

from extractor.analysis.objects import Said
from extractor.analysis.product import Offer, decimal_text, find_product, read_product

BASE = "https://shop.example/cups/"


def said(**node: Any) -> Said:
    return Said({"@type": "Product", "name": "Cup", **node}, "jsonld")


def offers(**node: Any) -> tuple[Offer, ...]:
    return read_product(said(**node), BASE).offers


def test_facts() -> None:
    product = read_product(
        said(brand={"@type": "Brand", "name": "Ann"}, sku="c 1", gtin13="400", image=["1.png", ""]),
        BASE,
    )
    assert (product.name, product.brand, product.sku, product.gtin) == ("Cup", "Ann", "c 1", "400")
    assert product.images == ("https://shop.example/cups/1.png",)
    assert product.offers == ()


@pytest.mark.parametrize(
    ("node", "price"),
    [
        ({"price": 9.5, "priceCurrency": "EUR"}, "9.5"),
        ({"price": "1.299,00"}, "1299.00"),
        ([{"price": "3"}, {"price": "4"}], "3"),
        ({"lowPrice": "3", "highPrice": "4"}, "3"),
        ({"priceSpecification": {"price": "5"}}, "5"),
        ({"@type": "AggregateOffer", "offers": [{"price": "6"}]}, "6"),
    ],
)
def test_prices(node: Any, price: str) -> None:
    assert offers(offers=node)[0].price == price


def test_offers_of_variants() -> None:
    variants = [{"offers": {"price": "3"}}, {"offers": {"price": "4"}}, "x"]
    assert [each.price for each in offers(hasVariant=variants)] == ["3", "4"]


def test_availability_has_its_bare_name() -> None:
    for value in (
        "https://schema.org/InStock",
        "InStock",
        "In Stock",
        {"@id": "x", "name": "InStock"},
    ):
        assert offers(offers={"availability": value})[0].availability == "InStock"


@pytest.mark.parametrize("odd", [None, "x", 3, [], [[]], {"price": {"a": 1}}, {"price": True}])
def test_what_says_nothing_is_no_offer(odd: Any) -> None:
    assert offers(offers=odd) == ()


def test_numbers() -> None:
    written = ["1 299,90 kr", "1'299.90", "12.345.678", "0.42", "1,5", "0", "9.999,-", "9" * 50]
    wanted = ["1299.90", "1299.90", "12345678", "0.42", "1.5", "0", "9999", "9" * 40]
    assert [decimal_text(each) for each in written] == wanted


def test_the_product_is_the_one_that_the_page_is_called_by() -> None:
    cup, pot = said(), said(name="Pot", offers={"price": "1"})
    assert find_product([cup, pot], ["Pot | Shop"], is_alone=False) is pot
    assert find_product([cup, pot], ["All that we have"], is_alone=True) is None
    assert find_product([pot], ["All that we have"], is_alone=True) is pot
    assert find_product([pot], ["All that we have"], is_alone=False) is None


def test_the_one_with_a_price_counts() -> None:
    bare, priced = said(), said(offers={"price": "1"})
    assert find_product([bare, priced], ["Cup"], is_alone=True) is priced
