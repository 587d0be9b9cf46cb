"""The proxy of a site."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

SETTING = "SITE_PROXY"


class SiteProxy:
    """Downloader middleware: all requests of a site go through its proxy, robots.txt too. Stands
    before Scrapy's HttpProxyMiddleware, which sends user name and password."""

    def __init__(self, proxy: str | None) -> None:
        self._proxy = proxy

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler.settings.get(SETTING))

    def process_request(self, request: Request) -> None:
        """Name the proxy to the middlewares that follow."""
        if self._proxy:
            request.meta.setdefault("proxy", self._proxy)
