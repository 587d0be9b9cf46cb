"""What the answers of a site tell."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from scrapy.http import HtmlResponse, Request, Response

from crawler.config.sites import SiteConfig
from crawler.doctor.answers import (
    certificate_finding,
    clock_finding,
    page_finding,
    robots_finding,
    source_finding,
)
from crawler.frontier.scope import Scope

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOME = "http://a.example/news/"
SITE = SiteConfig(name="site", start_urls=(HOME,), max_delay_seconds=30)
SCOPE = Scope.of_site(SITE)


def response(body: str, status: int = 200, kind: str = "text/html") -> Response:
    headers = {"Content-Type": kind}
    return Response(HOME, status, headers, body.encode(), request=Request(HOME))


@pytest.mark.parametrize(
    ("body", "status", "state", "words"),
    [
        ("User-agent: *\nDisallow: /x", 200, "well", "gives it"),
        ("gone", 404, "well", "has none"),
        ("oh", 503, "wrong", "http 503"),
        ("User-agent: *\nCrawl-delay: 5", 200, "well", "gives it"),
        ("User-agent: *\nCrawl-delay: 20", 200, "watch", "asks for a pause of 20 s; kept are 20 s"),
        ("User-agent: *\nCrawl-delay: 90", 200, "watch", "at most 960 pages"),
    ],
)
def test_robots(body: str, status: int, state: str, words: str) -> None:
    found = robots_finding(response(body, status), SITE, "webstem")
    assert (found.state, words in str(found)) == (state, True)


@pytest.mark.parametrize(
    ("body", "status", "state", "words"),
    [
        ("<a href=1>One</a> <a href=/other/>Two</a>", 200, "well", "names 1 of the site's pages"),
        ("<div id=app></div>", 200, "wrong", "names no page at all"),
        ("<a href=/other/>Two</a>", 200, "wrong", "outside the directories"),
        ("no", 403, "wrong", "set `user_agent`"),
        ("no", 404, "wrong", "it is gone"),
    ],
)
def test_start_pages(body: str, status: int, state: str, words: str) -> None:
    found = page_finding(response(body, status), SITE, SCOPE)
    assert (found.state, words in str(found)) == (state, True)


RSS = "<rss version='2.0'><channel><item><title>A</title><link>{}</link></item></channel></rss>"


@pytest.mark.parametrize(
    ("body", "status", "state", "words"),
    [
        (RSS.format(HOME + "1"), 200, "well", "names 1 of the site's pages"),
        (RSS.format("http://b.example/"), 200, "watch", "takes those that redirect to the site"),
        (RSS.format("http://a.example/"), 200, "wrong", "none of the site (outside the"),
        ("<html>Not found</html>", 200, "wrong", "cannot be read"),
        ("", 500, "wrong", "ask again later"),
    ],
)
def test_feeds(body: str, status: int, state: str, words: str) -> None:
    found = source_finding(response(body, status, "application/xml"), "feed", SITE, SCOPE)
    assert (found.state, words in str(found)) == (state, True)


@pytest.mark.parametrize(
    ("days", "state", "words"),
    [(90, "well", "good until"), (5, "watch", "ends in 5 days"), (-3, "watch", "ended on")],
)
def test_certificates(days: int, state: str, words: str) -> None:
    found = certificate_finding("a.example", NOW + timedelta(days=days, hours=1), NOW, "site")
    assert (found.state, words in str(found)) == (state, True)


@pytest.mark.parametrize(
    ("minutes", "state", "words"),
    [(1, "well", "agrees"), (-90, "watch", "90 minutes behind"), (90, "watch", "ahead of that")],
)
def test_clocks(minutes: int, state: str, words: str) -> None:
    theirs = format_datetime(NOW - timedelta(minutes=minutes), usegmt=True)
    found = clock_finding(HtmlResponse(HOME, headers={"Date": theirs}), NOW, "site")
    assert found is not None
    assert (found.state, words in str(found)) == (state, True)


@pytest.mark.parametrize("date", [None, "", "yesterday", "Thu, 01 Jan 2026 00:00:00 -0000"])
def test_a_server_without_a_time_tells_nothing(date: str | None) -> None:
    assert clock_finding(HtmlResponse(HOME, headers={"Date": date}), NOW, "site") is None
