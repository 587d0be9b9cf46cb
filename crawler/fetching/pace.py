"""The pace of requests to a host, in Scrapy's downloader."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from scrapy.extensions.throttle import AutoThrottle
from scrapy.utils.asyncio import call_later
from twisted.python.failure import Failure

if TYPE_CHECKING:
    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response


class HostThrottle(AutoThrottle):
    """Extension: Scrapy's AutoThrottle, whose least delay is that of each host by itself.

    Scrapy's has one for all, so that a slow host of images or of a feed would slow the site.
    """

    def _response_downloaded(self, response: Response, request: Request, spider: Spider) -> None:
        told = _told_delay(self.crawler, request.meta.get("download_slot", ""))
        self.mindelay = max(self._min_delay(), told)
        super()._response_downloaded(response, request, spider)


def _told_delay(crawler: Crawler, host: str) -> float:
    """Seconds that a host was slowed down to; 0 if it was not."""
    assert crawler.engine is not None
    slot = crawler.engine.downloader.per_slot_settings.get(host, {})
    return float(slot.get("delay", 0.0))


def slow_down(crawler: Crawler, host: str, delay: float) -> None:
    """From now on leave at least so many seconds between two requests to a host."""
    assert crawler.engine is not None
    downloader = crawler.engine.downloader
    delay = max(delay, _told_delay(crawler, host))
    # Slots are dropped when idle and made again: both the present and the next must know.
    downloader.per_slot_settings[host] = {"delay": delay, "jitter": 0}
    if slot := downloader.slots.get(host):
        slot.delay, slot.jitter = delay, 0


def hold(crawler: Crawler, host: str, seconds: float) -> None:
    """Send nothing to a host for so long, what waits for its turn included."""
    assert crawler.engine is not None
    downloader = crawler.engine.downloader
    if slot := downloader.slots.get(host):
        slot.close()
        # An idle slot is dropped, and what holds it back.
        slot.lastseen = monotonic() + seconds - slot.delay
        slot.latercall = call_later(seconds, downloader._latercall, slot)


def turn_away(crawler: Crawler, host: str, problem: Exception) -> None:
    """Let what waits for its turn at a host fail unsent."""
    assert crawler.engine is not None
    slot = crawler.engine.downloader.slots.get(host)
    while slot and slot.queue:
        _, waiting = slot.queue.popleft()
        waiting.errback(Failure(problem))  # type: ignore[no-untyped-call]
