"""The names that clients of Diffbot look for."""

from __future__ import annotations

from datetime import UTC, datetime

import httpx

from extractor.analysis.analysis import Analysis
from extractor.analysis.analyze import analyze
from extractor.serve.diffbot import diffbot_answer

ASKED = "http://shop.example/1"

SHOP = """<html lang="en"><title>A cup</title><script type="application/ld+json">
{"@type": "Product", "name": "A cup", "brand": {"name": "Kiln"}, "sku": "c1",
 "image": "/cup.jpg", "description": "Holds tea.",
 "offers": {"@type": "Offer", "price": 12.5, "priceCurrency": "EUR",
            "availability": "https://schema.org/InStock"}}
</script><h1>A cup</h1><p>Holds tea, and is blue.</p>"""


def test_a_product() -> None:
    told = diffbot_answer("product", ASKED, analyze(SHOP, url=ASKED))
    assert told["request"] == {"pageUrl": ASKED, "api": "product", "version": 3}
    (product,) = told["objects"]
    assert product == product | {
        "type": "product", "pageUrl": ASKED, "title": "A cup", "brand": "Kiln", "sku": "c1",
        "text": "Holds tea.", "offerPrice": "EUR 12.5", "availability": True,
        "offerPriceDetails": {"amount": 12.5, "text": "EUR 12.5", "symbol": "EUR"},
        "images": [{"url": "http://shop.example/cup.jpg", "primary": True}],
    }  # fmt: skip


def test_an_article_that_was_moved() -> None:
    found = Analysis(
        url="http://a.example/new", type="article", types={"article": 1.0}, title="T", text="One.",
        html="<p>One.</p>", authors=("Ann Lee", "Bo"), date=datetime(2013, 12, 18, tzinfo=UTC),
        language="en", tags=("tea",),
    )  # fmt: skip
    told = diffbot_answer("article", "http://a.example/old", found)
    (article,) = told["objects"]
    assert article == {
        "type": "article", "pageUrl": "http://a.example/old",
        "resolvedPageUrl": "http://a.example/new", "title": "T", "text": "One.",
        "html": "<p>One.</p>", "date": "Wed, 18 Dec 2013 00:00:00 GMT", "author": "Ann Lee, Bo",
        "authors": [{"name": "Ann Lee"}, {"name": "Bo"}], "humanLanguage": "en",
        "tags": [{"label": "tea"}],
    }  # fmt: skip


def test_a_page_without_a_product_has_none() -> None:
    found = Analysis(url=ASKED, type="article", types={"article": 1.0}, title="T", text="One.")
    assert diffbot_answer("product", ASKED, found)["objects"] == []


def test_over_http(client: httpx.Client) -> None:
    headers = {"Content-Type": "text/html"}
    answer = client.post("/v3/product", params={"url": ASKED}, content=SHOP, headers=headers)
    assert answer.json()["objects"][0]["offerPrice"] == "EUR 12.5"
    wrong = client.get("/v3/article", params={"token": "mine"}).json()
    assert (wrong["errorCode"], wrong["status"]) == (400, 400) and wrong["error"]
