"""304 without a question: a broken cache says "not modified" to a request that named no version."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

NOT_MODIFIED = 304

_CONDITIONS = ("If-None-Match", "If-Modified-Since")


def is_conditional(request: Request) -> bool:
    """Whether a request names the version of the page that is known (RFC 9110, 13.1)."""
    return any(name in request.headers for name in _CONDITIONS)


def make_unconditional(request: Request) -> None:
    """Ask for the page, whatever is known of it."""
    for name in _CONDITIONS:
        request.headers.pop(name, None)


class UnaskedNotModified:
    """Downloader middleware: who answers 304 though nobody asked is asked once more, past caches
    (RFC 9111, 5.2.1.4). If it says so again, the spider gets the 304."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def process_response(self, request: Request, response: Response) -> Request | Response:
        """The request once more, or the response if there is nothing wrong with it."""
        is_asked = is_conditional(request) or "Cache-Control" in request.headers
        if response.status != NOT_MODIFIED or is_asked:
            return response
        assert self._crawler.stats is not None
        self._crawler.stats.inc_value("unasked_304/asked_again")
        headers = {**request.headers, "Cache-Control": "no-cache"}
        return request.replace(headers=headers, dont_filter=True)
