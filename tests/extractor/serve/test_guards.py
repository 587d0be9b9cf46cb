"""Who may ask."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from crawler.config.sites import Config
from extractor.serve.server import BindError, bind
from extractor.serve.service import Limits
from tests.extractor.serve.conftest import served

TOKEN = "a-token-of-enough-letters"


@pytest.fixture(scope="module")
def guarded(config: Config) -> Iterator[httpx.Client]:
    with (
        served(config, Limits(workers=1), TOKEN) as url,
        httpx.Client(base_url=url, timeout=60) as asking,
    ):
        yield asking


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "localhost.evil.example", ""])
def test_other_host_names_are_refused(client: httpx.Client, host: str) -> None:
    answer = client.get("/v1/sites", headers={"Host": host})
    assert answer.status_code in (400, 421)


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:99", "127.0.0.1", "[::1]:8477"])
def test_own_host_names_are_not(client: httpx.Client, host: str) -> None:
    assert client.get("/v1/sites", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Sec-Fetch-Site": "same-origin", "Origin": "null"}, 200),
        ({"Sec-Fetch-Site": "none"}, 200),
        ({}, 200),
    ],
)
def test_pages_of_other_sites_may_not_ask(
    client: httpx.Client, headers: dict[str, str], status: int
) -> None:
    assert client.get("/v1/sites", headers=headers).status_code == status
    assert client.get("/", headers=headers).status_code == 200  # a link may lead here
    assert client.get("/?url=x", headers=headers).status_code == (403 if status == 403 else 400)


@pytest.mark.parametrize("path", ["/v1/sites", "/", "/nothing", "/static/page.css"])
def test_every_answer_bears_the_headers(client: httpx.Client, path: str) -> None:
    headers = client.get(path).headers
    assert "script-src 'self'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "access-control-allow-origin" not in headers and "server" not in headers


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/health", {}, 200),
        ("/v1/sites", {}, 401),
        ("/", {}, 401),
        ("/openapi.json", {}, 401),
        ("/static/page.css", {}, 401),
        ("/v1/sites", {"Authorization": f"Bearer {TOKEN}"}, 200),
        ("/v1/sites", {"Authorization": f"bearer {TOKEN}"}, 200),
        ("/v1/sites", {"Authorization": f"Bearer {TOKEN}x"}, 401),
        ("/v1/sites", {"Authorization": "Bearer"}, 401),
        ("/v1/sites", {"Authorization": "Basic !"}, 401),
        (f"/v1/sites?token={TOKEN}", {}, 401),
        (f"/v3/article?token={TOKEN}", {}, 400),
        ("/v3/article?token=other", {}, 401),
        (f"/v3/article?{'token=x&' * 99}token={TOKEN}", {}, 401),
    ],
)
def test_a_token(guarded: httpx.Client, path: str, headers: dict[str, str], status: int) -> None:
    assert guarded.get(path, headers=headers).status_code == status


def test_a_token_as_password(guarded: httpx.Client) -> None:
    assert guarded.get("/", auth=("me", TOKEN)).status_code == 200
    answer = guarded.get("/", auth=("me", "other"))
    assert answer.status_code == 401 and "Basic" in answer.headers["www-authenticate"]


def test_beyond_loopback_a_token_is_needed() -> None:
    with pytest.raises(BindError, match="environment variable THE_TOKEN"):
        bind("0.0.0.0", 0, None, "THE_TOKEN")
    with pytest.raises(BindError, match="16 characters or more"):
        bind("127.0.0.1", 0, "short", "THE_TOKEN")
    bind("0.0.0.0", 0, TOKEN, "THE_TOKEN").close()
    bind("localhost", 0, None, "THE_TOKEN").close()


def test_a_port_that_is_taken_is_told() -> None:
    with bind("127.0.0.1", 0, None, "T") as taken:
        port = taken.getsockname()[1]
        with pytest.raises(BindError, match=rf"127.0.0.1:{port}: .* choose another"):
            bind("127.0.0.1", port, None, "T")
