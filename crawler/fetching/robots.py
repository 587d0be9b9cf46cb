"""What Scrapy 2.19 leaves undone about robots.txt: hosts that do not give it, Crawl-delay, and a
host's first requests."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

from scrapy import signals
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.exceptions import IgnoreRequest
from scrapy.utils.httpobj import urlparse_cached
from twisted.internet.defer import Deferred

from crawler.fetching.failures import failure_reason, is_outage
from crawler.fetching.hosts import PrivateAddressError
from crawler.fetching.pace import slow_down

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.robotstxt import RobotParser

logger = logging.getLogger(__name__)

UNREACHABLE = "robots.txt unreachable: "
"""How the reason of a page begins whose host did not give its robots.txt."""

OBEYS_NOTHING = "dont_obey_robotstxt"
"""Key in `request.meta` of a request that is for robots.txt itself, as Scrapy and we set it."""

_REDIRECTS, _CLIENT_ERRORS = 300, 400


class _WithoutTraceback(logging.Filter):
    """A robots.txt that does not come (no such host, refused) is told below, in one line."""

    def filter(self, record: logging.LogRecord) -> bool:
        return record.exc_info is None


logging.getLogger(RobotsTxtMiddleware.__module__).addFilter(_WithoutTraceback())


class RobotsTxtUnreachableError(IgnoreRequest):
    """A host did not tell what it forbids, so nothing of it is fetched for now."""

    def __init__(self, problem: str) -> None:
        super().__init__(f"{UNREACHABLE}{problem}")


def leaves_rules_open(status: int) -> bool:
    """Whether a host that answers so when it is asked for its robots.txt may have rules.

    So it is with errors of the server (RFC 9309, 2.3.1.4), with a redirect that leads nowhere, and
    with 429, which tells of the asking, not of the rules; any other error says that there are none
    (2.3.1.3).

    >>> [status for status in (200, 302, 404, 429, 503) if leaves_rules_open(status)]
    [302, 429, 503]
    """
    return _REDIRECTS <= status < _CLIENT_ERRORS or is_outage(status, None)


class ObeyRobotsTxt(RobotsTxtMiddleware):
    """Downloader middleware: robots.txt holds for all requests, and all wait until it can be had.

    Where it could not be had nothing of the host is fetched; Scrapy takes every failure for a
    permission. Its redirects are followed to any host, and what is found there holds for the host
    that was asked (RFC 9309, 2.3.1.2). A host that itself may not be asked, for its address is
    private, is left to the requests: they are refused too, each with a row that says why.

    In Scrapy 2.19 the first of the requests that wait for it together consumes the parser: the
    Deferred is turned into a Future, and gives None, "all allowed", to the rest (since
    scrapy/scrapy#6802).
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._unreachable: dict[str, str] = {}
        """Hosts (with port) that did not give their robots.txt, with the reason."""

    async def robot_parser(self, request: Request) -> RobotParser | None:
        """The parser of the request's host; None if it has no robots.txt.

        RobotsTxtUnreachableError if it may have one.
        """
        await super().robot_parser(request)
        netloc = urlparse_cached(request).netloc
        if netloc in self._unreachable:
            self._stats.inc_value("robotstxt/unreachable")
            raise RobotsTxtUnreachableError(self._unreachable[netloc])
        parser = self._parsers[netloc]
        assert not isinstance(parser, Deferred)
        return parser

    async def _parse_robots(self, response: Response, netloc: str, request: Request) -> None:
        if leaves_rules_open(response.status):
            self._refuse(netloc, f"http {response.status}")
        await super()._parse_robots(response, netloc, request)

    def _robots_error(self, exc: Exception, netloc: str) -> None:
        if not _is_refusal_of(netloc, exc):
            self._refuse(netloc, failure_reason(exc))
        super()._robots_error(exc, netloc)

    def _refuse(self, netloc: str, problem: str) -> None:
        logger.warning(
            "robots.txt of %s: expected rules, got %s; nothing of the host is fetched until the "
            "next run",
            netloc,
            problem,
        )
        self._unreachable[netloc] = problem


def _is_refusal_of(netloc: str, problem: Exception) -> bool:
    """Whether this very host may not be asked; that its redirect leads to such a one is another
    matter."""
    host = urlsplit(f"//{netloc}").hostname
    return isinstance(problem, PrivateAddressError) and problem.host == host


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
            logger.info("robots.txt of %s: one request every %g s", host, delay)
            slow_down(self._crawler, host, delay)
