"""The generated site and its server."""

from http.client import HTTPConnection
from statistics import median

import pytest

from benchmarks.material.bigsite import HOST, BigSite, serve
from crawler.reading.html import parse_html
from crawler.reading.links import page_links


@pytest.mark.parametrize("n_pages", [1, 2, 31, 400])
def test_links_lead_to_every_page_and_to_nothing_else(n_pages: int) -> None:
    site = BigSite(n_pages)
    seen, waiting = {"/"}, ["/"]
    while waiting:
        body = site.body(waiting.pop())
        assert body is not None
        for link in page_links(parse_html(body), "http://x.example/"):
            path = link.url.removeprefix("http://x.example")
            if path not in seen:
                seen.add(path)
                waiting.append(path)
    assert seen == {site.path(number) for number in range(n_pages)}


def test_pages_are_of_the_size_that_real_ones_have() -> None:
    site = BigSite(5000)
    bodies = [site.body(site.path(number)) or b"" for number in range(0, 5000, 50)]
    assert 18_000 < median(map(len, bodies)) < 27_000
    assert 40 < median(body.count(b"<a ") for body in bodies) < 55


def test_a_page_is_the_same_each_time_and_others_are_not() -> None:
    first, second = (BigSite(100).body(BigSite(100).path(number)) for number in (50, 51))
    assert first == BigSite(100).body(BigSite(100).path(50)) != second


@pytest.mark.parametrize("path", ["/news/", "/news/01/story-50/", "/list/0/", "/list/900/", "/x"])
def test_there_is_nothing_at_other_paths(path: str) -> None:
    assert BigSite(100).body(path) is None


def test_it_is_served_over_one_connection_and_counted() -> None:
    with serve(BigSite(40)) as served:
        connection = HTTPConnection(HOST, served.port, timeout=20)
        answers = []
        for path in ("/", "/robots.txt", served.site.path(20)):
            connection.request("GET", path)
            response = connection.getresponse()
            answers.append((response.status, response.read()))
        connection.close()
        assert [status for status, _ in answers] == [200, 404, 200]
        assert answers[2][1] == served.site.body(served.site.path(20))
        assert served.n_served == 2
