"""A site behind a real proxy that asks for a password; its own manners arrive."""

from __future__ import annotations

import base64
import http.client
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import pytest

from tests.project import Project
from tests.server import TestSite

PASSWORD = base64.b64encode(b"ada:secret").decode()


class ForwardingProxy(ThreadingHTTPServer):
    """Forwards plain HTTP to one server, whatever host is asked for; 407 without the password."""

    daemon_threads = True

    def __init__(self, target: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.target = urlsplit(target).netloc
        self.asked: list[tuple[str, dict[str, str]]] = []
        """Absolute URLs that were let pass, with their headers."""


class _Handler(BaseHTTPRequestHandler):
    server: ForwardingProxy

    def do_GET(self) -> None:
        if self.headers.get("Proxy-Authorization") != f"Basic {PASSWORD}":
            self.send_response(407)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        self.server.asked.append((self.path, dict(self.headers)))
        parts = urlsplit(self.path)
        upstream = http.client.HTTPConnection(self.server.target)
        upstream.request("GET", parts.path or "/", headers={"Connection": "close"})
        answer = upstream.getresponse()
        body = answer.read()
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.getheader("Content-Type") or "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        upstream.close()

    def log_message(self, format: str, *args: object) -> None:
        """No lines on stderr."""


@pytest.fixture
def proxy() -> Iterator[ForwardingProxy]:
    with TestSite(pages=3) as site, ForwardingProxy(site.url) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield running
        running.shutdown()


def test_all_requests_of_a_site_go_through_its_proxy(
    project: Project, proxy: ForwardingProxy
) -> None:
    port = proxy.server_address[1]
    project.configure(
        start_urls=["http://paper.example/p/0"],
        proxy=f"http://ada:secret@127.0.0.1:{port}",
        headers={"Accept-Language": "ja"},
        user_agent="reader/1.0",
    )
    project.crawl()
    asked = [url for url, _ in proxy.asked]
    assert "http://paper.example/robots.txt" in asked and "http://paper.example/p/0" in asked
    for _, headers in proxy.asked:
        assert (headers["User-Agent"], headers["Accept-Language"]) == ("reader/1.0", "ja")
    stored = project.query("select count(*) from {pages} where html is not null")
    assert stored[0][0] >= 1


def test_a_wrong_password_is_told(project: Project, proxy: ForwardingProxy) -> None:
    port = proxy.server_address[1]
    project.configure(
        start_urls=["http://paper.example/"], proxy=f"http://ada:wrong@127.0.0.1:{port}"
    )
    done = project.run("crawl", "site", "-s", "RETRY_TIMES=0")
    assert done.returncode == 1 and "http 407" in done.stderr
    assert not proxy.asked
