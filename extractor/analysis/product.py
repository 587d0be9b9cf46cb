"""What a page sells, as it says for machines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from crawler.reading.links import resolve
from extractor.analysis.objects import Said, nodes_in
from learner.page.said.json_ld import MOST_TOPICS, first_text
from learner.page.words import clean_text, word_letters

PRODUCTS = ("Product", "ProductGroup", "ProductModel", "IndividualProduct", "Vehicle", "Car")
"""Types of schema.org for what is sold."""

LONGEST_NUMBER = 40
"""Characters of a price. Origin: guess."""

LONGEST_PRICE = 200
"""Characters of a block that shows a price. Origin: guess."""

_NUMBER = re.compile(r"\d[\d.,'’ \xa0\u202f]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """What something costs."""

    price: str | None = None
    """A decimal number as text, such as `1299.00`; of several offers together the lowest."""
    highest_price: str | None = None
    """Of several offers together the highest."""
    currency: str | None = None
    """As the page names it, mostly ISO 4217."""
    availability: str | None = None
    """`InStock`, `OutOfStock` and the others of schema.org's ItemAvailability."""
    url: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Product:
    """What a page sells."""

    name: str | None = None
    brand: str | None = None
    sku: str | None = None
    gtin: str | None = None
    """Its number for all shops (EAN, UPC, ISBN)."""
    description: str | None = None
    images: tuple[str, ...] = ()
    """Absolute addresses."""
    offers: tuple[Offer, ...] = ()
    source: str
    """`jsonld`, `microdata` or `opengraph`."""


def find_product(objects: Sequence[Said], titles: Sequence[str], is_alone: bool) -> Said | None:
    """The object of the product that a page is about: the one that is called as the page is
    (`titles`), or the only one if the page `is_alone` about a product, as no list is."""
    products = [each for each in objects if each.is_a(*PRODUCTS) and each.text("name")]
    called = [word_letters(title) for title in titles if title]
    named = [each for each in products if _is_called(each, called)]
    is_only = is_alone and len({each.text("name") for each in products}) == 1
    chosen = named or (products if is_only else [])
    return next((each for each in chosen if each.node.get("offers")), next(iter(chosen), None))


def _is_called(said: Said, titles: Sequence[str]) -> bool:
    name = word_letters(said.text("name"))
    return bool(name) and any(name in title or title in name for title in titles)


def read_product(said: Said, base: str) -> Product:
    """The product that an object is; addresses start from `base`."""

    def text(*names: str) -> str | None:
        return clean_text(said.text(*names)) or None

    return Product(
        name=text("name"),
        brand=text("brand", "manufacturer"),
        sku=text("sku", "productID", "mpn"),
        gtin=text("gtin", "gtin13", "gtin12", "gtin14", "gtin8", "isbn"),
        description=text("description"),
        images=_images(said.node.get("image"), base),
        offers=tuple(_offers(said.node, base)),
        source=said.source,
    )


def _images(value: Any, base: str) -> tuple[str, ...]:
    each = value[:MOST_TOPICS] if isinstance(value, list) else [value]
    addresses = (resolve(base, first_text(image)) for image in each)
    return tuple(dict.fromkeys(address for address in addresses if address))


def _offers(node: Any, base: str) -> Iterator[Offer]:
    """The offers of a product; of a group with variants those of the variants."""
    for offer in nodes_in(node.get("offers")):
        found = _offer(offer, base)
        if found.price or found.availability:
            yield found
    if not node.get("offers"):
        for variant in nodes_in(node.get("hasVariant")):
            if variant.get("offers"):
                yield from _offers({"offers": variant["offers"]}, base)


def _offer(offer: Any, base: str) -> Offer:
    asked = [offer, *nodes_in(offer.get("priceSpecification")), *nodes_in(offer.get("offers"))]

    def first(*names: str) -> str:
        said = (first_text(_as_text(each.get(name))) for each in asked for name in names)
        return next(filter(None, said), "")

    return Offer(
        price=decimal_text(first("price", "lowPrice")),
        highest_price=decimal_text(first("highPrice")),
        currency=first("priceCurrency") or None,
        availability="".join(first("availability").rstrip("/").rpartition("/")[2].split()) or None,
        url=resolve(base, first("url")),
    )


def shows_price(text: str, price: str) -> bool:
    """Whether a short text has the number of a price, however its digits are parted.

    >>> [shows_price(text, "6099000") for text in ("$6,099.000", "6099000.00 COP", "16099000")]
    [True, True, False]
    """
    if len(text) > LONGEST_PRICE:
        return False
    wanted = Decimal(price)
    for number in _NUMBER.findall(text):
        read = decimal_text(number)
        if _digits(number) == _digits(price) or (read and Decimal(read) == wanted):
            return True
    return False


def _digits(number: str) -> str:
    return "".join(filter(str.isdecimal, number))


def _as_text(value: Any) -> Any:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return str(value) if is_number else value


def decimal_text(said: str) -> str | None:
    """The number in a text, its decimals behind a point; None if there is none. A sign that stands
    once, with other than three digits behind it, parts decimals, as the last of two does.

    >>> [decimal_text(said) for said in ("1299", "EUR 1.299,90", "1,299.9", "1.299", "2.5", "-")]
    ['1299', '1299.90', '1299.9', '1299', '2.5', None]
    """
    found = _NUMBER.search(said[:LONGEST_NUMBER])
    if found is None:
        return None
    number = re.sub(r"['’\s]", "", found[0]).rstrip(".,")
    signs = [sign for sign in number if sign in ".,"]
    head, _, tail = number.rpartition(signs[-1]) if signs else (number, "", "")
    is_decimal = (
        bool(signs) and (signs.count(signs[-1]) == 1) and (len(set(signs)) == 2 or len(tail) != 3)
    )
    whole = re.sub(r"[.,]", "", head if is_decimal else number)
    return f"{whole}.{tail}" if is_decimal else whole
