"""Single pages over real HTTP, with the guards of a crawl."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from crawler.config.sites import SiteConfig
from crawler.fetching import one_page
from crawler.fetching.one_page import FetchError, fetch_page
from tests.server import TestSite


@pytest.fixture(scope="module")
def server() -> Iterator[TestSite]:
    with TestSite(has_faults=True, slow_seconds=2.0) as site:
        yield site


@pytest.fixture(scope="module")
def site(server: TestSite) -> SiteConfig:
    """Manners that let loopback be asked; its robots.txt and scope hold."""
    return SiteConfig(
        name="here",
        start_urls=(server.url,),
        private_hosts=("127.0.0.1",),
        delay_seconds=0.0,
        max_delay_seconds=0.0,
        max_page_bytes=2_000_000,
        user_agent="reader/1",
    )


def reason(url: str, site: SiteConfig | None, seconds: float = 30.0) -> str:
    with pytest.raises(FetchError) as problem:
        fetch_page(url, site, seconds)
    assert problem.value.url == url
    return problem.value.reason


def test_a_page(server: TestSite, site: SiteConfig) -> None:
    page = fetch_page(f"{server.url}sjis", site)
    assert page.final_url == page.url == f"{server.url}sjis"
    assert (page.charset, page.content_type) == ("cp932", "text/html")
    assert b"\x93" in page.html
    agents = {headers["User-Agent"] for _, headers in server.requests}
    assert agents == {"reader/1"}


def test_a_redirect_is_followed(server: TestSite, site: SiteConfig) -> None:
    assert fetch_page(f"{server.url}moved", site).final_url == f"{server.url}p/0"
    assert fetch_page(f"{server.url}to-cookie-check", site).html


@pytest.mark.parametrize(
    ("path", "begins"),
    [
        ("missing", "http 404"),
        ("file", "not html: application/pdf"),
        ("big", "too large"),
        ("private/1", "Forbidden by robots.txt"),
        ("into-private", "Forbidden by robots.txt"),
        ("away", "redirect refused, other host: other.example"),
    ],
)
def test_why_none_came(server: TestSite, site: SiteConfig, path: str, begins: str) -> None:
    assert reason(server.url + path, site).startswith(begins)
    assert "/private/1" not in server.paths()


def test_it_waits_no_longer_than_asked(server: TestSite, site: SiteConfig) -> None:
    assert reason(f"{server.url}slow", site, seconds=0.3) == "timeout"


def test_many_threads_at_once(server: TestSite, site: SiteConfig) -> None:
    urls = [f"{server.url}p/{n % 30}" for n in range(60)]
    with ThreadPoolExecutor(20) as pool:
        pages = list(pool.map(lambda url: fetch_page(url, site), urls))
    assert [page.final_url for page in pages] == urls
    assert all(f"Page {n % 30}<".encode() in page.html for n, page in enumerate(pages))


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "0x7f.1", "10.0.0.1"])
def test_private_addresses_are_refused(server: TestSite, host: str) -> None:
    n_asked = len(server.requests)
    assert reason(f"http://{host}:{server.port}/", None).startswith("private address")
    assert len(server.requests) == n_asked


def test_private_addresses_are_refused_after_a_redirect(server: TestSite, site: SiteConfig) -> None:
    """From a host that may be asked to one that may not, in the scope of the site."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status = 404 if self.path == "/robots.txt" else 302
            self.send_response(status)
            self.send_header("Location", f"http://127.0.0.2:{server.port}/p/0")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *arguments: Any) -> None:
            pass

    both = (server.url, f"http://127.0.0.2:{server.port}/")
    wide = site.model_copy(update={"start_urls": both})
    with HTTPServer(("127.0.0.1", 0), Handler) as redirecting:
        threading.Thread(target=redirecting.serve_forever, args=(0.05,), daemon=True).start()
        url = f"http://127.0.0.1:{redirecting.server_port}/"
        assert reason(url, wide).startswith("private address 127.0.0.2")
        redirecting.shutdown()


@pytest.mark.parametrize(
    ("url", "begins"),
    [
        ("file:///etc/passwd", "not http"),
        ("x", "not http"),
        ("http://[", "not a URL"),
        ("http://a.invalid/" + "a" * 3000, "too long"),
        ("http://a.invalid/", "robots.txt unreachable: host not found"),
    ],
)
def test_what_is_no_address_of_a_page(url: str, begins: str) -> None:
    with pytest.raises(FetchError) as problem:
        fetch_page(url)
    assert problem.value.reason.startswith(begins)


@pytest.mark.parametrize("url", ["file:///etc/passwd", "data:text/html,a", "ftp://127.0.0.1/a"])
def test_the_process_itself_fetches_nothing_else(url: str) -> None:
    head, body = one_page._sessions.ask(url, one_page.ANY_SITE, 30.0)
    assert "reason" in head
    assert body == b""


def test_a_process_that_ended_is_begun_anew(server: TestSite, site: SiteConfig) -> None:
    fetch_page(f"{server.url}p/1", site)
    session = one_page._sessions._open[site.model_dump_json()]
    session._process.kill()
    session._reader.join()
    assert fetch_page(f"{server.url}p/1", site).html


def test_a_process_takes_over_in_time(
    server: TestSite, site: SiteConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetch_page(f"{server.url}p/1", site)
    before = one_page._sessions._open[site.model_dump_json()]
    monkeypatch.setattr(one_page, "SESSION_SECONDS", 0.0)
    fetch_page(f"{server.url}p/1", site)
    assert one_page._sessions._open[site.model_dump_json()] is not before
    before.wait(10.0)
    assert before.has_ended
