"""What Scrapy 2.19 leaves undone about robots.txt: Crawl-delay, and a host's first requests."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

from scrapy import signals
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.extensions.throttle import AutoThrottle
from scrapy.utils.httpobj import urlparse_cached
from twisted.internet.defer import Deferred

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.robotstxt import RobotParser

logger = logging.getLogger(__name__)


class _WithoutTraceback(logging.Filter):
    """A robots.txt that does not come (no such host, refused) is told in one line."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.exc_info = None
        return True


logging.getLogger(RobotsTxtMiddleware.__module__).addFilter(_WithoutTraceback())


class RobotsTxtForAll(RobotsTxtMiddleware):
    """Downloader middleware: robots.txt holds for requests too that wait for it together.

    In Scrapy 2.19 the first of them that waits consumes the parser: the Deferred is turned into a
    Future, and gives None, "all allowed", to the rest (since scrapy/scrapy#6802).
    """

    async def robot_parser(self, request: Request) -> RobotParser | None:
        """The parser of the request's host; None if it has no robots.txt that could be read."""
        await super().robot_parser(request)
        parser = self._parsers[urlparse_cached(request).netloc]
        assert not isinstance(parser, Deferred)
        return parser


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
