"""A site whose pages scripts draw: shells that fetch their content, as single-page apps do.

    /                    shell; its list comes from /api/, the first three entries at once, the
                         others when it is scrolled to its end
    /en/news/...         shells of stories of the demo site; the last paragraph comes late
    /app.js, /app.css    what draws them
    /api/<path>          the content of a page as JSON
    /robots.txt          disallows /private/

`is_static` serves the same pages drawn.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, Self
from urllib.parse import urlsplit

from lxml import html

from examples.stories import stories_of
from examples.templates import news_page

N_STORIES = 12
FIRST = 3
"""Entries of the list that are there at once."""

SHELL = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<link rel="stylesheet" href="/app.css"></head>
<body><div id="app">Loading</div><script src="/app.js"></script></body></html>"""

STATIC = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<link rel="stylesheet" href="/app.css"></head>
<body><div id="app">{content}</div></body></html>"""

APP = """
const app = document.getElementById("app");
fetch("/api" + location.pathname).then(answer => answer.json()).then(page => {
  app.innerHTML = page.content;
  const list = app.querySelector("ul.stories");
  if (list) {
    const rest = [...list.children].slice(%d);
    rest.forEach(each => each.remove());
    addEventListener("scroll", () => rest.forEach(each => list.append(each)), {once: true});
  }
  const last = [...app.querySelectorAll(".story__body > p")].at(-1);
  if (last) {
    const parent = last.parentNode, next = last.nextSibling;
    last.remove();
    setTimeout(() => parent.insertBefore(last, next), 700);
  }
  new Image().src = "http://127.0.0.1:9/counter";
  fetch("/private/counter").catch(() => 0);
  fetch(`http://127.0.0.2:${location.port}/reached`).catch(() => 0);
});
"""


class ScriptedSite:
    """The running server; a context manager."""

    def __init__(self, *, is_static: bool = False) -> None:
        self.is_static = is_static
        self.requests: Counter[str] = Counter()
        """How often each path was asked for."""
        self.pages = dict(_pages())
        self._http = ThreadingHTTPServer(("", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread = Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.05})
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def answer(self, path: str) -> tuple[int, str, str]:
        """Status, media type and body."""
        if path in self.pages:
            title, content = self.pages[path]
            page = STATIC if self.is_static else SHELL
            return 200, "text/html", page.format(title=title, content=content)
        if path.startswith("/api/") and path.removeprefix("/api") in self.pages:
            content = self.pages[path.removeprefix("/api")][1]
            return 200, "application/json", json.dumps({"content": content})
        assets = {
            "/app.js": ("text/javascript", APP % FIRST),
            "/app.css": ("text/css", "ul.stories { min-height: 2000px } body { color: #333 }"),
            "/robots.txt": ("text/plain", "User-agent: *\nDisallow: /private/\n"),
        }
        kind, body = assets.get(path, ("text/plain", "nothing"))
        return 200 if path in assets else 404, kind, body

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                path = urlsplit(self.path).path
                site.requests[path] += 1
                status, kind, text = site.answer(path)
                body = text.encode()
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.send_header("ETag", f'"{len(body)}"')
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *arguments: Any) -> None:
                pass

        return Handler


def _pages() -> Iterator[tuple[str, tuple[str, str]]]:
    """Path, title and content of each page."""
    every = [story for story in stories_of(1) if (story.language, story.layout) == ("en", "news")]
    stories = every[:N_STORIES]
    for story in stories:
        page = html.fromstring(news_page(story, related=(), latest=stories[:3]))
        inner = "".join(html.tostring(each, encoding="unicode") for each in page.body)
        yield story.path, (page.findtext(".//title"), inner)
    entries = "".join(f'<li><a href="{each.path}">{each.title}</a></li>' for each in stories)
    yield "/", ("Stories", f'<h1>Stories</h1><ul class="stories">{entries}</ul>')
