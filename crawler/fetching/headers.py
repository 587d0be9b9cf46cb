"""The headers of a site go to its own hosts alone: they may hold a key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from scrapy.downloadermiddlewares.defaultheaders import DefaultHeadersMiddleware

if TYPE_CHECKING:
    from scrapy import Request, Spider
    from scrapy.crawler import Crawler


class SiteHeaders(DefaultHeadersMiddleware):
    """Scrapy's default headers; without those of the site's `headers` where another host is asked,
    for a sitemap of the site that stands there or on the way of a redirect."""

    _own: tuple[str, ...]
    _scope: Any

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        middleware = super().from_crawler(crawler)
        # `scrapy fetch` and `scrapy shell` may run without a site.
        site = getattr(crawler.spidercls, "site", None)
        middleware._own = tuple(site.headers) if site else ()
        middleware._scope = getattr(crawler.spidercls, "scope", None)
        return middleware

    def process_request(self, request: Request, spider: Spider | None = None) -> None:
        """Set the headers that are missing; take away those that are for the site alone."""
        super().process_request(request)
        if self._own and self._scope and not self._scope.is_own(request.url):
            for name in self._own:
                request.headers.pop(name, None)
