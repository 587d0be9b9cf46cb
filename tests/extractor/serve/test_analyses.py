"""What a page says, over HTTP."""

from __future__ import annotations

import httpx
import pytest

from tests.handmade import Story, page
from tests.server import TestSite

HTML = {"Content-Type": "text/html"}
NEW = page(Story(99))


def test_html_of_a_learned_site_is_read_by_its_pattern(client: httpx.Client) -> None:
    sent = {"content": NEW.html, "headers": HTML}
    told = client.post("/v1/analyze", params={"url": NEW.url}, **sent).json()
    assert (told["title"], told["text"]) == (Story(99).title, Story(99).body)
    assert told["fields"]["text"]["source"] == "pattern"
    assert told["fields"]["title"]["xpath"].endswith("/h1")


def test_html_from_nowhere_is_read_by_the_page_model(client: httpx.Client) -> None:
    told = client.post("/v1/analyze", content=NEW.html, headers=HTML).json()
    assert told["title"] == Story(99).title
    assert told["fields"]["text"]["source"] == "model"
    assert sum(told["types"].values()) == pytest.approx(1)


def test_the_charset_of_the_request_counts(client: httpx.Client) -> None:
    html = "<title>x</title><h1>\u0391\u03b2\u03b3</h1>".encode("iso-8859-7")
    headers = {"Content-Type": "text/html; charset=iso-8859-7"}
    assert "Αβγ" in str(client.post("/v1/analyze", content=html, headers=headers).json())


def test_an_address_is_fetched_with_the_manners_of_its_site(
    client: httpx.Client, elsewhere: TestSite
) -> None:
    told = client.get("/v1/analyze", params={"url": f"{elsewhere.url}p/1"}).json()
    assert told["url"] == f"{elsewhere.url}p/1" and told["text"]
    refused = client.get("/v1/analyze", params={"url": f"{elsewhere.url}private/1"})
    assert refused.status_code == 403 and "robots.txt" in refused.json()["detail"]


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("missing", 502, "http 404"),
        ("moved", 200, ""),
        ("file", 502, "not html"),
        ("into-private", 403, "robots.txt"),
    ],
)
def test_what_kept_a_page_from_coming_is_told(
    client: httpx.Client, elsewhere: TestSite, path: str, status: int, said: str
) -> None:
    answer = client.get("/v1/analyze", params={"url": elsewhere.url + path})
    assert answer.status_code == status
    assert said in answer.json().get("detail", "")


@pytest.mark.parametrize("host", ["127.0.0.2", "localhost", "0.0.0.0", "2130706433", "[::1]"])
def test_private_addresses_are_refused(
    client: httpx.Client, elsewhere: TestSite, host: str
) -> None:
    n_before = len(elsewhere.requests)
    answer = client.get("/v1/analyze", params={"url": f"http://{host}:{elsewhere.port}/p/1"})
    assert answer.status_code in (400, 403, 502)
    assert len(elsewhere.requests) == n_before


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("", "url: expected the address of a page, http or https, got nothing"),
        ("url=ftp://a.example/", "url: expected the address"),
        ("url=/etc/passwd", "url: expected the address"),
        ("url=http://a.example/%0a", "url: expected the address"),
        ("url=file:///etc/passwd", "url: expected the address"),
        ("url=http://a.example/&url=http://b.example/", "url: expected once"),
        ("uri=http://a.example/", "unknown parameter 'uri'; did you mean 'url'?"),
        ("url=http://a.example/&depth=2", "unknown parameter 'depth'; expected url"),
    ],
)
def test_wrong_parameters_are_told(client: httpx.Client, query: str, said: str) -> None:
    answer = client.get(f"/v1/analyze?{query}")
    assert answer.status_code == 400
    assert answer.headers["content-type"] == "application/problem+json"
    assert said in answer.json()["detail"]


def test_what_is_sent_must_be_html(client: httpx.Client) -> None:
    wrong = client.post("/v1/analyze", content=b"{}", headers={"Content-Type": "application/json"})
    assert wrong.status_code == 415 and "text/html" in wrong.json()["detail"]
    assert client.post("/v1/analyze", headers=HTML).status_code == 400


def test_nothing_is_at_other_paths_and_methods(client: httpx.Client) -> None:
    assert client.get("/v1/nothing").status_code == 404
    answer = client.delete("/v1/analyze")
    assert answer.status_code == 405 and set(answer.headers["allow"].split(", ")) >= {"GET", "POST"}


@pytest.mark.parametrize(
    "html", [b"<", b"\0" * 100, b"<div>" * 50_000, b"\xff\xfe\xff" * 1000, b"<!--" * 1000]
)
def test_broken_pages_are_answered(client: httpx.Client, html: bytes) -> None:
    assert client.post("/v1/analyze", content=html, headers=HTML).status_code == 200
