"""What a page sells, where it only shows it: as the model of products reads it."""

from __future__ import annotations

from lxml import etree

from extractor.analysis.found import Found
from extractor.analysis.product import Offer, Product
from learner.vision.products.scorer import Found as Field
from learner.vision.products.scorer import find_product

LEAST_PROBABILITY = 0.5
"""Of a name and of a price, below which nothing is said of what a page sells. Origin: guess, as
likely as not."""

SOURCE = "model"


def add_shown_product(found: Found, root: etree._Element, base: str) -> Product | None:
    """The product whose name and price the page shows; None if the page is of another type, or what
    it shows is not clear."""
    if found.value("type") != "product":
        return None
    seen = find_product(root, base)
    if not (_is_likely(seen.name) and _is_likely(seen.price)):
        return None
    assert seen.name and seen.price and seen.price.candidate.price
    price = seen.price.candidate.price
    offer = Offer(price=str(price.amount), currency=price.currency)
    _add(found, "name", seen.name.candidate.text, seen.name)
    _add(found, "price", offer.price, seen.price)
    _add(found, "currency", offer.currency, seen.price)
    return Product(
        name=seen.name.candidate.text,
        images=(seen.picture.candidate.text,) if seen.picture else (),
        offers=(offer,),
        source=SOURCE,
    )


def _is_likely(field: Field | None) -> bool:
    return field is not None and field.probability >= LEAST_PROBABILITY


def _add(found: Found, name: str, value: str | None, field: Field) -> None:
    xpath = found.xpaths.of(field.candidate.element)
    found.add(f"product.{name}", value, SOURCE, field.probability, None, xpath)
