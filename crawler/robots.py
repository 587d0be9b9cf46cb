"""Crawl-delay of robots.txt, which Scrapy reads but does not honour."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

from scrapy import signals
from scrapy.extensions.throttle import AutoThrottle

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)


class CrawlDelay:
    """Extension: a host's Crawl-delay is the least pause between two requests to it.

    Delays above the site's `max_delay_seconds` are cut to it, with a warning.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        crawler.signals.connect(self.robots_parsed, signals.robots_parsed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def robots_parsed(self, robotparser: Any, request: Request) -> None:
        """Set the pause of the host whose robots.txt was read."""
        agent = self._crawler.settings["USER_AGENT"]
        asked = robotparser.crawl_delay(agent)
        if not asked:
            return
        host = urlsplit(request.url).hostname or ""
        longest = self._crawler.settings.getfloat("AUTOTHROTTLE_MAX_DELAY")
        delay = min(float(asked), longest)
        if delay < asked:
            logger.warning(
                "robots.txt of %s asks for a pause of %g s; cut to max_delay_seconds, %g s",
                host,
                asked,
                longest,
            )
        if delay > self._crawler.settings.getfloat("DOWNLOAD_DELAY"):
            self._slow_down(host, delay)

    def _slow_down(self, host: str, delay: float) -> None:
        logger.info("robots.txt of %s: one request every %g s", host, delay)
        assert self._crawler.engine is not None
        downloader = self._crawler.engine.downloader
        # Slots are dropped when idle and made again: both the present and the next must know.
        downloader.per_slot_settings[host] = {"delay": delay, "jitter": 0}
        if slot := downloader.slots.get(host):
            slot.delay, slot.jitter = delay, 0
        throttle = self._crawler.get_extension(AutoThrottle)
        if throttle is not None:
            throttle.mindelay = max(throttle.mindelay, delay)
