"""What a page says of itself for machines, and whether it shows the same."""

from __future__ import annotations

from collections.abc import Sequence

from crawler.reading.links import resolve
from extractor.analysis.breadcrumbs import find_crumbs
from extractor.analysis.found import Found
from extractor.analysis.objects import Said
from extractor.analysis.product import Product, find_product, read_product, shows_price
from extractor.fields.language import find_language
from learner.page.tree import TreeBlock

SAID = 0.9
"""Probability of what a page says for machines and shows nowhere. Origin: guess."""

SHOWN = 0.97
"""... of what it says for machines and shows, too. Origin: guess."""


def add_metadata(found: Found, base: str) -> None:
    """What the page says of itself for machines alone."""
    said = found.tree.metadata
    for name, in_json, in_meta in (
        ("description", said.json_description, said.meta_description),
        ("image", said.json_image, said.meta_image),
        ("tags", said.json_tags, said.meta_tags),
        ("site_name", said.json_site_name, said.meta_site_name),
    ):
        for value, source in (in_json, "jsonld"), (in_meta, "meta"):
            found.add(name, resolve(base, str(value)) if name == "image" else value, source, SAID)
    found.add("canonical_url", resolve(base, said.canonical), "link", SAID)


def add_language(found: Found) -> None:
    """What the page declares, if its letters can be of it; else what they say."""
    declared = found.tree.metadata.language
    text = found.value("text") or "\n".join(block.text for block in found.tree.blocks[:100])
    language = find_language(declared, text)
    is_declared = bool(language) and declared.lower().startswith(language or "-")
    found.add(
        "language", language, "html" if is_declared else "text", SHOWN if is_declared else SAID
    )


def add_crumbs(found: Found, objects: Sequence[Said], base: str) -> None:
    """The pages above the page."""
    crumbs = find_crumbs(objects, found.tree, base)
    if crumbs:
        found.add("breadcrumbs", crumbs.crumbs, crumbs.source, SAID, crumbs.element)


def add_product(found: Found, objects: Sequence[Said], base: str) -> Product | None:
    """What the page sells, if it says so for machines."""
    titles = found.value("title") or "", found.tree.metadata.title
    said = find_product(objects, titles, found.value("type") == "product")
    if said is None:
        return None
    product = read_product(said, base)
    for name, value in (("name", product.name), ("brand", product.brand), ("sku", product.sku)):
        _add_fact(found, said, name, value, found.block_of(value or ""))
    for offer in product.offers[:1]:
        _add_fact(found, said, "price", offer.price, _price_block(found, offer.price))
        _add_fact(found, said, "currency", offer.currency, None)
        _add_fact(found, said, "availability", offer.availability, None)
    return product


def _add_fact(
    found: Found, said: Said, name: str, value: str | None, block: TreeBlock | None
) -> None:
    """One fact of a product; microdata marks where it stands."""
    place = said.place(name)
    xpath = found.xpaths.of(place) if place is not None else None
    element = block.element if block else None
    probability = SHOWN if block else SAID
    found.add(f"product.{name}", value, said.source, probability, element, xpath)


def _price_block(found: Found, price: str | None) -> TreeBlock | None:
    """The first block that shows a price."""
    if price is None:
        return None
    return next((block for block in found.tree.blocks if shows_price(block.text, price)), None)
