"""Answers that break the rules of HTTP, as browsers forgive it: types, header names, 304."""

from collections import Counter
from collections.abc import Mapping
from email.message import Message

from tests.project import Project
from tests.server import Answer, TestSite

PAGE = b"<!doctype html><title>A page</title><p>With a text of its own"
FEED = b"<?xml version='1.0'?><rss version='2.0'><channel><title>t</title></channel></rss>"

TYPES: Mapping[str, tuple[str, bytes]] = {
    "spaced": ("text/html charset=utf-8", PAGE),
    "doubled": ("text/html, text/html; charset=utf-8", PAGE),
    "parameter": ("charset=utf-8", PAGE),
    "any": ("*/*", b"\xef\xbb\xbf\n<!-- a remark -->" + PAGE),
    "unknown": ("unknown/unknown", PAGE),
    "misspelt": ("text/htm", PAGE),
    "xhtml": ("text/xml; charset=utf-8", b"<?xml version='1.0'?>" + PAGE),
    "none": ("", PAGE),
    "pdf": ("unknown/unknown", b"%PDF-1.4 " + PAGE),
    "json": ("charset=utf-8", b'{"html": "<p>a</p>"}'),
    "feed": ("text/xml", FEED),
    "plain": ("text/plain", PAGE),
}


class SiteOfOddAnswers(TestSite):
    """`/type/NAME` of `TYPES`; `/header` with odd header names; `/cached/N` says 304 N times."""

    def answer(self, target: str, headers: Message) -> Answer:
        if target == "/":
            paths = [*(f"type/{name}" for name in TYPES), "header", "cached/1", "cached/9"]
            links = "".join(f"<a href=/{path}>{path}</a>" for path in paths)
            return 200, {"Content-Type": "text/html"}, links.encode()
        kind, _, name = target.strip("/").partition("/")
        if kind == "type":
            content_type, body = TYPES[name]
            return 200, {"Content-Type": content_type} if content_type else {}, body
        if kind == "header":
            return 200, {"Content-Type ": "text/html", "X Odd": "1", "": "2"}, PAGE
        if kind == "cached":
            asked = Counter(self.paths())[target]
            return (
                (304, {}, b"") if asked <= int(name) else (200, {"Content-Type": "text/html"}, PAGE)
            )
        return super().answer(target, headers)


def test_pages_are_told_by_their_first_bytes_where_the_type_does_not_tell(
    project: Project,
) -> None:
    with SiteOfOddAnswers() as site:
        project.configure(start_urls=[site.url])
        project.crawl()
        sent = [headers["Cache-Control"] for path, headers in site.requests if "/cached/9" in path]
    rows = {
        url.removeprefix(site.url).removeprefix("type/"): (html, error)
        for url, html, error in project.query("select url, html, error from {pages}")
    }
    errors = {name: error for name, (_, error) in rows.items() if error}
    assert errors == {
        "pdf": "not html: unknown/unknown",
        "json": "not html: charset=utf-8",
        "feed": "not html: text/xml",
        "plain": "not html: text/plain",
        "cached/9": "http 304",
    }
    stored = {name for name, (html, _) in rows.items() if html}
    assert stored == TYPES.keys() - errors.keys() | {"", "cached/1", "header"}
    assert sent == [None, "no-cache"]
    unchanged = project.query("select count(*) from {pages} where unchanged")
    assert unchanged == [(0,)]
