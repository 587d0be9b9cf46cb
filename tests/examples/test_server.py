"""The demo's server speaks HTTP as a static file server does.

Pages: those of examples/site.py. Faults: a redirect, a missing page, a taken port.
"""

from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse

import pytest

from examples.server import HOST, DemoServer, PortTaken
from examples.site import REDIRECT_PATH


@pytest.fixture
def server() -> Iterator[DemoServer]:
    with DemoServer(port=0) as running:
        yield running


def ask(
    server: DemoServer, path: str, headers: dict[str, str] | None = None, method: str = "GET"
) -> tuple[HTTPResponse, bytes]:
    connection = HTTPConnection(server.base_url.removeprefix("http://"), timeout=10)
    try:
        connection.request(method, path, headers=headers or {})
        response = connection.getresponse()
        return response, response.read()
    finally:
        connection.close()


def test_a_page_comes_without_a_charset(server: DemoServer) -> None:
    response, body = ask(server, "/en/")
    assert (response.status, response.headers["Content-Type"]) == (200, "text/html")
    assert body == server.site.resources["/en/"].body


def test_validators_answer_304(server: DemoServer) -> None:
    response, _ = ask(server, "/en/")
    by_tag, body = ask(server, "/en/", {"If-None-Match": response.headers["ETag"]})
    assert (by_tag.status, body) == (304, b"")
    since = {"If-Modified-Since": response.headers["Last-Modified"]}
    assert ask(server, "/en/", since)[0].status == 304
    assert ask(server, "/en/", {"If-None-Match": '"other"', **since})[0].status == 200
    assert ask(server, "/en/", {"If-Modified-Since": "yesterday"})[0].status == 200


def test_an_edition_changes_lists_but_no_article(server: DemoServer) -> None:
    article = server.site.stories[0].path
    tags = {path: ask(server, path)[0].headers["ETag"] for path in ("/en/", article)}
    server.show(2)
    assert ask(server, article, {"If-None-Match": tags[article]})[0].status == 304
    assert ask(server, "/en/", {"If-None-Match": tags["/en/"]})[0].status == 200
    assert ask(server, server.site.stories[0].path)[0].status == 200


def test_redirect_and_missing_page(server: DemoServer) -> None:
    moved, _ = ask(server, REDIRECT_PATH)
    assert (moved.status, moved.headers["Location"]) == (301, "/en/news/2026/09/01/night-ferry/")
    assert ask(server, "/nowhere")[0].status == 404
    assert server.requests["/nowhere", 404] == 1


def test_head_sends_no_body(server: DemoServer) -> None:
    response, body = ask(server, "/en/", method="HEAD")
    assert (response.status, body) == (200, b"")
    assert int(response.headers["Content-Length"]) == len(server.site.resources["/en/"].body)


def test_a_taken_port_is_named(server: DemoServer) -> None:
    port = int(server.base_url.rpartition(":")[2])
    with pytest.raises(PortTaken, match=rf"expected {HOST}:{port} to be free.*stop it") as caught:
        DemoServer(port)
    assert caught.value.port == port
