"""Nights of a site whose footer counts its visitors: each article is stored once."""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import pytest

from tests.handmade import HOST, Story, page, site
from tests.project import Project

N_ARTICLES = 12


class Site(ThreadingHTTPServer):
    """The handmade site; `say` changes the text of a page."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.base_url = f"http://127.0.0.1:{self.server_address[1]}"
        self.visits = itertools.count()
        pages = site(n_articles=N_ARTICLES)
        self.pages = {urlsplit(each.url).path: each.html for each in pages}
        copy, original = page(Story(2)), urlsplit(Story(2).url).path
        self.pages["/print/2"] = copy.html
        others = ("/page/2/", "/page/3/", "/print/2", "/gone")
        links = "".join(f'<a href="{HOST}{path}">{path}</a>' for path in others)
        self.say("/", b"</body>", f"{links}</body>".encode())
        self.original = original

    def say(self, path: str, old: bytes, new: bytes) -> None:
        assert old in self.pages[path]
        self.pages[path] = self.pages[path].replace(old, new)

    def body(self, path: str) -> bytes | None:
        """A page of the site, with how many came before."""
        if path not in self.pages:
            return None
        html = self.pages[path].replace(HOST.encode(), self.base_url.encode())
        counter = f"<footer>You are visitor no. {next(self.visits)}</footer>".encode()
        return html.replace(b"</body>", counter + b"</body>")


class _Handler(BaseHTTPRequestHandler):
    server: Site

    def do_GET(self) -> None:
        body = self.server.body(self.path)
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body or b"")))
        self.end_headers()
        self.wfile.write(body or b"")

    def log_message(self, format: str, *args: object) -> None:
        """No lines on stderr."""


@pytest.fixture
def server() -> Iterator[Site]:
    with Site() as running:
        thread = threading.Thread(target=running.serve_forever, daemon=True)
        thread.start()
        yield running
        running.shutdown()


def night(project: Project) -> None:
    for command in ("crawl", "learn", "extract"):
        done = project.run(command, "site")
        assert (done.returncode, done.stdout) == (0, ""), done.stderr


def counts(project: Project) -> tuple[int, ...]:
    query = "select count(*), count(distinct url), count(distinct text_sha256) from {articles}"
    return project.query(query)[0]


def test_over_four_nights(project: Project, server: Site) -> None:
    project.configure(start_urls=[f"{server.base_url}/"], depth=3)
    night(project)
    assert counts(project) == (N_ARTICLES,) * 3
    others = project.query("select url, other_urls from {articles} where len(other_urls) > 0")
    addresses = {f"{server.base_url}/print/2", server.base_url + server.original}
    assert [{url, *more} for url, more in others] == [addresses]
    missing = project.query("select count(*) from {pages} where status = 404")[0][0]
    assert missing and not project.query("select 1 from {outcomes} where status = 'error'")
    night(project)
    assert counts(project) == (N_ARTICLES,) * 3
    runs = "select sum(articles_new), sum(articles_edited) from {runs} where command <> 'learn'"
    assert project.query(runs) == [(N_ARTICLES, 0)]
    changed = "select sum(pages_changed) from {runs}"
    assert project.query(changed)[0][0] >= N_ARTICLES

    path = urlsplit(Story(5).url).path
    first, *_ = Story(5).paragraphs
    server.say(path, first.encode(), b"This was wrong, and is corrected: " + first.encode())
    for _ in range(2):
        # The stories are of long ago: pages that are fetched again once.
        assert project.run("urldb", "site", "--forget", f"{server.base_url}/*").returncode == 0
        project.crawl()
        assert counts(project) == (N_ARTICLES,) * 3
    edited = "select url, version, body from {articles} where changed_at is not null"
    ((url, version, body),) = project.query(edited)
    assert (url, version) == (server.base_url + path, 2) and "is corrected" in body
    texts = project.query("select version, body from {article_versions} order by version")
    assert [(number, "is corrected" in text) for number, text in texts] == [(1, False), (2, True)]

    shown = project.run("articles", "site", "--json", "--limit", "1000")
    assert len(json.loads(shown.stdout)) == N_ARTICLES
    shown = project.run("articles", "site", "--versions", "--json")
    assert [row["version"] for row in json.loads(shown.stdout)] == [2, 1]
    done = project.run("export", "--all", "--by-date", "out", "--json")
    assert json.loads(done.stdout)[0]["articles"] == N_ARTICLES
