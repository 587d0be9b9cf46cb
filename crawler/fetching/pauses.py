"""Hosts that ask to be left alone for a while: 429, and 503 that says for how long."""

from __future__ import annotations

import logging
from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime
from time import monotonic
from typing import TYPE_CHECKING, Self

from scrapy import signals
from scrapy.exceptions import IgnoreRequest

from crawler.fetching.failures import SERVER_ERROR, TOO_MANY_REQUESTS
from crawler.fetching.pace import hold, slow_down, turn_away
from crawler.fetching.retry_after import seconds_to_wait

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

logger = logging.getLogger(__name__)

UNAVAILABLE = 503

MOST_PAUSES = "HOST_PAUSES"
"""The setting that says after how many pauses in a row, without a good answer between, a host is
asked for nothing more in this run."""

MOST_WAITS = 10
"""Times that one page is told to wait, after which it is the page that fails, not the host. Origin:
guess; by chance a page meets a quarter of the pauses."""

LEAST_WAIT_SECONDS = 1.0
"""Seconds that a host is left alone at least. Origin: RFC 9110 tells whole seconds."""

HAS_WAITED = "told_to_wait"
"""Key in `request.meta`: how often the host answered this request by asking to wait."""


GIVEN_UP = "host_given_up"
"""Key in `request.meta` of a request with whose answer its host was given up, or after it."""


class HostGivenUpError(IgnoreRequest):
    """A host asks to wait again and again; nothing more of it is fetched in this run."""

    def __init__(self, status: int) -> None:
        super().__init__(f"http {status}: the host asks to wait")
        self.status = status


@dataclass(slots=True)
class _Host:
    """What a host has answered so far."""

    until: float = 0.0
    """When its pause ends, by the monotonic clock."""
    pauses: int = 0
    """Pauses in a row."""
    answers: int = 0
    """Good answers since the last pause."""
    longest_told: float = 0.0
    """Seconds that it asked for, at most."""
    refusal: int | None = None
    """The status for which it was given up."""


class HostPauses:
    """Downloader middleware: a host that says so is left alone for as long, up to the site's
    `max_delay_seconds`, and asked at a slower pace from then on (RFC 9110, 10.2.3; RFC 6585, 4).

    What it refused is asked again after the pause, however often that takes, as long as some page
    comes between the pauses. Stands behind Scrapy's own retries, which do not wait.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._longest = crawler.settings.getfloat("AUTOTHROTTLE_MAX_DELAY")
        self._most_pauses = crawler.settings.getint(MOST_PAUSES)
        self._hosts: defaultdict[str, _Host] = defaultdict(_Host)
        # The downloader sends the next request before a middleware sees the response.
        crawler.signals.connect(self._response_downloaded, signals.response_downloaded)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        """Refuse what is of a host that was given up."""
        assert self._crawler.engine is not None
        host = self._crawler.engine.downloader.get_slot_key(request)
        if host in self._hosts and (status := self._hosts[host].refusal):
            raise HostGivenUpError(status)

    def process_response(self, request: Request, response: Response) -> Request | Response:
        """The request once more if it was told to wait, else the response."""
        if _told_seconds(response) is None:
            return response
        # Scrapy's own retries would not wait.
        request.meta["dont_retry"] = True
        if self._hosts[request.meta["download_slot"]].refusal:
            request.meta[GIVEN_UP] = True
            return response
        waits = request.meta.get(HAS_WAITED, 0) + 1
        if waits > MOST_WAITS:
            logger.error("%s: given up, for it was told to wait %d times", request.url, MOST_WAITS)
            self._count("retry/max_reached")
            return response
        meta = {**request.meta, HAS_WAITED: waits, "dont_retry": False}
        return request.replace(meta=meta, dont_filter=True, priority=request.priority - 1)

    def _response_downloaded(self, response: Response, request: Request) -> None:
        name = request.meta["download_slot"]
        host, told = self._hosts[name], _told_seconds(response)
        if told is None:
            if response.status < SERVER_ERROR:
                host.pauses, host.answers = 0, host.answers + 1
        elif not host.refusal:
            self._wait(name, host, response.status, told)

    def _wait(self, name: str, host: _Host, status: int, told: float) -> None:
        now = monotonic()
        # Who does not say how long is left alone twice as long each time.
        seconds = min(max(told or 2.0**host.pauses, LEAST_WAIT_SECONDS), self._longest)
        # Else it answers what was sent before the pause.
        if now >= host.until:
            host.pauses += 1
            if host.pauses > self._most_pauses:
                self._give_up(name, host, status)
                return
            self._slow_down(name, host, seconds)
            self._tell(name, host, status, told, seconds)
        if now + seconds > host.until:
            host.until = now + seconds
            hold(self._crawler, name, seconds)

    def _slow_down(self, name: str, host: _Host, seconds: float) -> None:
        """Spread the pause over the requests that led to it, but no more than double the delay."""
        if not host.answers:
            return
        assert self._crawler.engine is not None
        before = self._crawler.engine.downloader.slots[name].delay
        wanted = min(seconds / host.answers, max(2 * before, LEAST_WAIT_SECONDS), self._longest)
        host.answers = 0
        if wanted > before:
            slow_down(self._crawler, name, wanted)

    def _give_up(self, name: str, host: _Host, status: int) -> None:
        logger.warning(
            "%s: expected pages, got http %d again after %d pauses; nothing of the host is fetched "
            "until the next run: raise `delay_seconds` or `max_delay_seconds` if it stays so",
            name,
            status,
            self._most_pauses,
        )
        host.refusal = status
        turn_away(self._crawler, name, HostGivenUpError(status))

    def _tell(self, name: str, host: _Host, status: int, told: float, seconds: float) -> None:
        self._count("pauses/count")
        logger.info("%s: http %d; nothing is asked for %g s", name, status, seconds)
        if told > max(self._longest, host.longest_told):
            host.longest_told = told
            logger.warning(
                "%s asks to be left alone for %g s; cut to max_delay_seconds, %g s",
                name,
                told,
                self._longest,
            )

    def _count(self, stat: str) -> None:
        assert self._crawler.stats is not None
        self._crawler.stats.inc_value(stat)


def _told_seconds(response: Response) -> float | None:
    """Seconds that a response asks to wait, 0 if it does not say how long; None if it asks for
    nothing of the kind."""
    if response.status not in (UNAVAILABLE, TOO_MANY_REQUESTS):
        return None
    told = seconds_to_wait(
        (response.headers.get("Retry-After") or b"").decode("latin-1"),
        (response.headers.get("Date") or b"").decode("latin-1"),
        datetime.now(UTC),
    )
    return told if response.status == UNAVAILABLE else told or 0.0
