"""A real HTTP server on loopback for crawl tests; every request is logged.

Pages (a *tree*: page n links to 2n+1 and 2n+2, to its parent and to the home page):

    /                      home, names the feed, links to /p/0 and to all faults
    /p/<n>                 page n of `pages`; ETag and 304; text of its own, about 2 kB
    /feed.xml              RSS with /fed/1 (title "From the feed")
    /fed/1                 a page that only the feed names
    /sitemap.xml           sitemap index of /sitemap-1.xml.gz
    /sitemap-1.xml.gz      gzipped sitemap with /mapped/1
    /mapped/1              a page that only the sitemap names
    /robots.txt            disallows /private/; `crawl_delay` if set, the sitemap if `names_sitemap`
    /private/1             must never be asked for
    /cookie                shows the Cookie header it got
    /sjis                  Shift_JIS without declaration
    /query?b=2&a=1, /query?a=1&b=2   one page under two URLs

Faults, each linked from the home page or, where it says so, from the last page of the tree:

    /missing               404
    /broken                500, always
    /slow                  answers after `slow_seconds`
    /big                   a page of 3 MB
    /moved                 301 to /p/0, which is crawled under its own URL
    /away                  302 to http://other.example/
    /into-private          302 to /private/1, which only the last page names
    /into-private-2        302 to /private/2, which the home page names; named by the last page
    /loop                  302 to itself, for ever
    /to-cookie-check       302 to /cookie-check, which sets a cookie and sends back
    /file                  application/pdf without a telling suffix
    /picture.png           a media suffix
    /nul                   NUL bytes and broken markup
    /empty                 200 with no body
    /trap/x/x/x/x/x        repeated segments
    http://127.0.0.2:<port>/   a private address that is not named in private_hosts
"""

from __future__ import annotations

import gzip
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from email.message import Message
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

FAULTS = (
    "missing", "broken", "slow", "big", "moved", "away", "into-private", "loop",
    "to-cookie-check", "file", "picture.png", "nul", "empty", "trap/x/x/x/x/x",
)  # fmt: skip

Answer = tuple[int, dict[str, str], bytes]


@dataclass
class TestSite:
    """The running server; a context manager."""

    __test__ = False

    pages: int = 30
    has_faults: bool = False
    delay_seconds: float = 0.0
    slow_seconds: float = 4.0
    crawl_delay: float | None = None
    names_sitemap: bool = False
    address: str = ""
    """Where it listens; empty: on all IPv4 addresses of this machine, `url` is the loopback's."""
    requests: list[tuple[str, Message]] = field(default_factory=list)
    """Path with query, and headers, of every request."""
    changed: set[int] = field(default_factory=set)
    """Pages of the tree whose text is another than at first."""

    def __enter__(self) -> Self:
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_GET(self) -> None:
                site.requests.append((self.path, self.headers))
                status, headers, body = site.answer(self.path, self.headers)
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                if body:
                    self.wfile.write(body)

            def log_message(self, *arguments: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            address_family = socket.AF_INET6 if ":" in site.address else socket.AF_INET

        self._server = Server((self.address, 0), Handler)
        self._server.daemon_threads = True
        self._server.handle_error = lambda *arguments: None  # type: ignore[method-assign]
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        """The home page."""
        host = f"[{self.address}]" if ":" in self.address else self.address or "127.0.0.1"
        return f"http://{host}:{self.port}/"

    def paths(self) -> list[str]:
        """Paths asked for, in order, robots.txt left out."""
        return [path for path, _ in list(self.requests) if path != "/robots.txt"]

    def answer(self, target: str, headers: Message) -> Answer:
        path = urlsplit(target).path
        if path.startswith("/p/") and path[3:].isdigit() and int(path[3:]) < self.pages:
            return self._tree_page(int(path[3:]), headers)
        routes: dict[str, Callable[[], Answer]] = {
            "/": self._home,
            "/robots.txt": self._robots,
            "/feed.xml": lambda: (200, {"Content-Type": "application/rss+xml"}, self._feed()),
            "/fed/1": lambda: _page("Fed", "only in the feed"),
            "/sitemap.xml": lambda: _xml(
                f"<sitemapindex><sitemap><loc>{self.url}sitemap-1.xml.gz</loc></sitemap>"
                "</sitemapindex>"
            ),
            "/sitemap-1.xml.gz": self._gzipped_sitemap,
            "/mapped/1": lambda: _page("Mapped", "only in the sitemap"),
            "/private/1": lambda: _page("Private", "nobody may see this"),
            "/cookie": lambda: _page("Cookie", headers.get("Cookie", "no cookie")),
            "/sjis": lambda: (200, {"Content-Type": "text/html"}, _SHIFT_JIS),
            "/query": lambda: _page("Query", "one page, two URLs"),
            "/broken": lambda: (500, {"Content-Type": "text/html"}, b"broken"),
            "/slow": self._slow,
            "/big": lambda: _page("Big", "x" * 3_000_000),
            "/moved": lambda: (301, {"Location": "/p/0"}, b""),
            "/away": lambda: (302, {"Location": "http://other.example/"}, b""),
            "/into-private": lambda: (302, {"Location": "/private/1"}, b""),
            "/into-private-2": lambda: (302, {"Location": "/private/2"}, b""),
            "/loop": lambda: (302, {"Location": "/loop?again"}, b""),
            "/to-cookie-check": lambda: self._cookie_check(headers),
            "/cookie-check": lambda: (
                302,
                {"Location": "/to-cookie-check", "Set-Cookie": "seen=1"},
                b"",
            ),
            "/file": lambda: (200, {"Content-Type": "application/pdf"}, b"%PDF-1.4 " * 1000),
            "/picture.png": lambda: (200, {"Content-Type": "image/png"}, b"\x89PNG"),
            "/nul": lambda: (200, {"Content-Type": "text/html"}, b"<p>a\0b<div><p>\xff<a href"),
            "/empty": lambda: (200, {"Content-Type": "text/html"}, b""),
        }
        route = routes.get(path)
        return route() if route else (404, {"Content-Type": "text/html"}, b"missing")

    def _home(self) -> Answer:
        links = ['<link rel="alternate" type="application/rss+xml" href="/feed.xml">']
        links += ['<a href="/p/0">First page</a>', '<a href="/p/0">The first page again</a>']
        if self.has_faults:
            links += ['<a href="/private/2">private</a>']
            links += [f'<a href="/{name}">{name}</a>' for name in FAULTS]
            links += [
                '<a href="/sjis">sjis</a>',
                '<a href="/cookie">cookie</a>',
                '<a href="/query?b=2&amp;a=1#part">one</a> <a href="/query?a=1&amp;b=2">two</a>',
                f'<a href="http://127.0.0.2:{self.port}/">inside</a>',
                '<a href="http://other.example/x">elsewhere</a>',
            ]
        return _page("Home", " ".join(links))

    def _tree_page(self, number: int, headers: Message) -> Answer:
        time.sleep(self.delay_seconds)
        text = f"page {number} says {sha256(str(number).encode()).hexdigest() * 20}"
        if number in self.changed:
            text += " and more"
        near = [n for n in (2 * number + 1, 2 * number + 2, (number - 1) // 2) if n >= 0]
        links = [f'<a href="/p/{n}">Page number {n}</a>' for n in near if n < self.pages]
        if self.has_faults and number == self.pages - 1:
            links += ['<a href="/private/1">private</a> <a href="/into-private-2">private</a>']
        status, fields, body = _page(f"Page {number}", f"<p>{text}</p>{' '.join(links)}")
        etag = f'"{sha256(body).hexdigest()[:12]}"'
        if headers.get("If-None-Match") == etag:
            return 304, {"ETag": etag}, b""
        return status, {**fields, "ETag": etag}, body

    def _robots(self) -> Answer:
        lines = ["User-agent: *", "Disallow: /private/"]
        if self.crawl_delay:
            lines.append(f"Crawl-delay: {self.crawl_delay}")
        if self.names_sitemap:
            lines.append(f"Sitemap: {self.url}sitemap.xml")
        return 200, {"Content-Type": "text/plain"}, "\n".join(lines).encode()

    def _feed(self) -> bytes:
        return (
            "<rss version='2.0'><channel><title>t</title><item><title>From the feed</title>"
            f"<link>{self.url}fed/1</link></item></channel></rss>"
        ).encode()

    def _gzipped_sitemap(self) -> Answer:
        body = f"<urlset><url><loc>{self.url}mapped/1</loc></url></urlset>".encode()
        return 200, {"Content-Type": "application/gzip"}, gzip.compress(body)

    def _slow(self) -> Answer:
        time.sleep(self.slow_seconds)
        return _page("Slow", "at last")

    def _cookie_check(self, headers: Message) -> Answer:
        if "seen=1" in headers.get("Cookie", ""):
            return _page("Checked", "the cookie came back")
        return 302, {"Location": "/cookie-check"}, b""


_SHIFT_JIS = (
    "<title>試験</title><p>これは文字コードを書かない日本語のページです。".encode("shift_jis") * 5
)


def _page(title: str, body: str) -> Answer:
    html = f"<!doctype html><html><head><title>{title}</title></head><body>{body}</body></html>"
    return 200, {"Content-Type": "text/html; charset=utf-8"}, html.encode()


def _xml(body: str) -> Answer:
    return 200, {"Content-Type": "application/xml"}, f"<?xml version='1.0'?>{body}".encode()
