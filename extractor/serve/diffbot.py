"""`/v3/article` and `/v3/product`: what `/v1/analyze` answers, in the names that Diffbot has for it
(docs.diffbot.com, Extract API, version 3), for clients that were written for that.

What Diffbot alone has, such as `diffbotUri`, sentiment or entities, is left out.
"""

from __future__ import annotations

from email.utils import format_datetime
from typing import Any

from pydantic import TypeAdapter
from typing_extensions import TypedDict

from extractor.analysis.analysis import Analysis
from extractor.serve.analyses import FETCHING, SENDING, WHERE, analysis_of, source_of
from extractor.serve.operations import Call, Operation, to_json
from extractor.serve.requests.parameters import URL, Parameter
from extractor.serve.sources import Source

TOKEN = Parameter(
    name="token",
    meaning="the token of the server, if it asks for one",
    schema={"type": "string", "pattern": "^[!-~]+$", "maxLength": 200},
)


class DiffbotRequest(TypedDict, total=False):
    """What was asked."""

    pageUrl: str
    resolvedPageUrl: str
    """Where the page stands if it was moved."""
    api: str
    version: int


class DiffbotAuthor(TypedDict):
    """Somebody who wrote it."""

    name: str


class DiffbotImage(TypedDict, total=False):
    """A picture of the text."""

    url: str
    title: str
    primary: bool


class DiffbotTag(TypedDict):
    """What it is about."""

    label: str


class DiffbotCrumb(TypedDict, total=False):
    """A page above it."""

    name: str
    link: str


class DiffbotPrice(TypedDict):
    """What it costs."""

    amount: float
    text: str
    symbol: str


class DiffbotObject(TypedDict, total=False):
    """The article, or the product. What the page does not say is missing."""

    type: str
    pageUrl: str
    resolvedPageUrl: str
    title: str
    text: str
    html: str
    date: str
    author: str
    authors: list[DiffbotAuthor]
    siteName: str
    humanLanguage: str
    images: list[DiffbotImage]
    tags: list[DiffbotTag]
    breadcrumb: list[DiffbotCrumb]
    brand: str
    offerPrice: str
    offerPriceDetails: DiffbotPrice
    availability: bool
    sku: str
    upc: str


class DiffbotAnswer(TypedDict):
    """One object, or none if the page has no such thing."""

    request: DiffbotRequest
    objects: list[DiffbotObject]


_SCHEMA = TypeAdapter(DiffbotAnswer).json_schema(mode="serialization")


def diffbot_answer(kind: str, asked: str, found: Analysis) -> dict[str, Any]:
    """What Diffbot would answer; `kind` is `article` or `product`."""
    where = {"pageUrl": asked} | ({"resolvedPageUrl": found.url} if found.url != asked else {})
    is_there = bool(found.text or found.title)
    if kind == "product":
        is_there = found.product is not None or found.type == "product"
    object_ = {**_common(found), **(_article(found) if kind == "article" else _product(found))}
    said = {name: value for name, value in object_.items() if value not in (None, "", [])}
    return {
        "request": {**where, "api": kind, "version": 3},
        "objects": [{"type": kind, **where, **said}] if is_there else [],
    }


def _common(found: Analysis) -> dict[str, Any]:
    return {
        "title": found.title,
        "text": found.text,
        "siteName": found.site_name,
        "humanLanguage": found.language,
        "images": _images(found),
        "tags": [{"label": tag} for tag in found.tags],
        "breadcrumb": [
            {"name": crumb.name} | ({"link": crumb.url} if crumb.url else {})
            for crumb in found.breadcrumbs
        ],
    }


def _article(found: Analysis) -> dict[str, Any]:
    return {
        "html": found.html,
        "date": format_datetime(found.date, usegmt=True) if found.date else None,
        "author": ", ".join(found.authors),
        "authors": [{"name": name} for name in found.authors],
    }


def _product(found: Analysis) -> dict[str, Any]:
    product = found.product
    if product is None:
        return {}
    offer = product.offers[0] if product.offers else None
    pictures = [{"url": url, "primary": not n} for n, url in enumerate(product.images)]
    return {
        "title": product.name or found.title,
        "text": product.description or found.text,
        "brand": product.brand,
        "sku": product.sku,
        "upc": product.gtin,
        "images": pictures or _images(found),
        "availability": offer.availability == "InStock" if offer and offer.availability else None,
        **(_price(offer.price, offer.currency or "") if offer and offer.price else {}),
    }


def _price(amount: str, currency: str) -> dict[str, Any]:
    text = f"{currency} {amount}".strip()
    details = {"amount": float(amount), "text": text, "symbol": currency}
    return {"offerPrice": text, "offerPriceDetails": details}


def _images(found: Analysis) -> list[dict[str, Any]]:
    """The pictures of the text; the first is that which stands for the page."""
    titles = {each.url: each.caption or each.alt for each in found.images}
    urls = dict.fromkeys(filter(None, (found.image, *titles)))
    return [
        {"url": url, "primary": not n} | ({"title": titles[url]} if titles.get(url) else {})
        for n, url in enumerate(urls)
    ]


async def _do(kind: str, call: Call) -> bytes:
    source = await source_of(call)
    asked = call.values["url"] or ""
    return await call.service.workers.run(_answer_json, kind, asked, source)


def _answer_json(kind: str, asked: str, source: Source) -> bytes:
    return to_json(diffbot_answer(kind, asked, analysis_of(source)))


async def _do_article(call: Call) -> bytes:
    return await _do("article", call)


async def _do_product(call: Call) -> bytes:
    return await _do("product", call)


DIFFBOT = tuple(
    Operation(
        path=f"/v3/{kind}",
        method=method,
        summary=f"The {kind} of a page that is {came}, in the names that Diffbot has for it.",
        parameters=(where, TOKEN),
        takes_html=method == "POST",
        answer=_SCHEMA,
        problems=problems,
        do=do,
    )
    for kind, do in (("article", _do_article), ("product", _do_product))
    for method, came, where, problems in (
        ("GET", "fetched", URL, FETCHING),
        ("POST", "sent", WHERE, SENDING),
    )
)
