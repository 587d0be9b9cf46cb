"""A line on the terminal that says how far the crawl is; silent under cron."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Self

from rich.console import Console
from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import create_looping_call

from crawler.command import is_terminal
from crawler.spiders.site import SiteSpider

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

INTERVAL_SECONDS = 0.5


class CrawlProgress:
    """Extension that shows counts while the crawl runs, and their sums when it ends."""

    def __init__(self, crawler: Crawler) -> None:
        if not is_terminal() or not issubclass(crawler.spidercls, SiteSpider):
            raise NotConfigured
        self._crawler = crawler
        console = Console(stderr=True)
        self._status = console.status("crawling ...")
        self._print = console.print
        self._began = time.monotonic()
        self._loop = create_looping_call(self._update)
        crawler.signals.connect(self._started, signals.engine_started)
        crawler.signals.connect(self._closed, signals.spider_closed)
        crawler.signals.connect(self._stopped, signals.engine_stopped)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def _started(self) -> None:
        self._began = time.monotonic()
        self._status.start()
        self._loop.start(INTERVAL_SECONDS, now=False)

    def _update(self) -> None:
        spider = self._crawler.spider
        waiting = spider.database.pending_count() if isinstance(spider, SiteSpider) else 0
        done, seconds = self._done(), time.monotonic() - self._began
        told = time_left(done, seconds, waiting)
        self._status.update(f"{self._counts()}, {waiting} waiting{told}")

    def _done(self) -> int:
        assert self._crawler.stats is not None
        stats = self._crawler.stats.get_stats()
        return sum(stats.get(f"pages/{kind}", 0) for kind in ("stored", "unchanged", "errors"))

    def _closed(self) -> None:
        if self._loop.running:
            self._loop.stop()

    def _stopped(self) -> None:
        self._status.stop()
        self._print(self._counts(), highlight=False)

    def _counts(self) -> str:
        assert self._crawler.stats is not None
        stats = self._crawler.stats.get_stats()
        pages = ", ".join(
            f"{stats.get(f'pages/{kind}', 0)} {kind}" for kind in ("stored", "unchanged", "errors")
        )
        articles = stats.get("articles/ok")
        return f"{self._crawler.spidercls.name}: pages: {pages}" + (
            f"; {articles} articles" if articles is not None else ""
        )


def time_left(done: int, seconds: float, waiting: int) -> str:
    """The rate of a crawl, and how long what waits would take; empty as long as nothing came.

    >>> time_left(120, 60, 600)
    '; 2.0 pages a second, 5 min left'
    """
    if not done or seconds < 1:
        return ""
    rate = done / seconds
    minutes = waiting / rate / 60
    left = f"{minutes:.0f} min" if minutes >= 1 else "less than a minute"
    return f"; {rate:.1f} pages a second, {left} left"
