"""Single pages, fetched with the manners and guards of a crawl, from any thread of any program.

A crawl's guards hold for a whole process, and its reactor runs once. So a process beside this one
crawls (`crawler.spiders.one_page`): it is told URLs, a line each, and answers with what came. It is
begun when it is first needed, and anew from time to time, for what it knows of robots.txt and of
names is forgotten then. It ends with this process.
"""

from __future__ import annotations

import atexit
import json
import subprocess
import sys
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from threading import Lock, Thread
from time import monotonic
from typing import Any

from crawler.config.sites import SiteConfig
from crawler.reading.urls import MAX_URL_LENGTH

SESSION_SECONDS = 600.0
"""After so long another process takes over. Origin: guess; a host that could not give its
robots.txt is asked again then, and RFC 9309 (2.4) lets it be known for a day."""

MOST_SESSIONS = 4
"""Processes at once, one for each site with manners of its own. Origin: guess, 80 MB each."""

LONGEST_WAIT = 60.0
"""Seconds for a page with its robots.txt, redirects and pauses. Origin: that of a crawl's
download."""

ANY_SITE = SiteConfig(name="one-page", start_urls=("https://one-page.invalid/",))
"""The manners towards sites that nobody has configured: those of `defaults` without a file. A site
must name a start; nobody asks for this one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedPage:
    """A page that came."""

    url: str
    """As asked for."""
    final_url: str
    """Where it stands, redirects followed."""
    html: bytes
    """Its body, unpacked."""
    charset: str
    """Name of its encoding, by what its server and it say, or by its bytes."""
    content_type: str | None
    """As its server has it."""
    fetched_at: datetime
    """Aware UTC."""


class FetchError(Exception):
    """A page that did not come; `url` and `reason` say which and why, in the words of a crawl:
    `timeout`, `http 404`, `private address ...`, `Forbidden by robots.txt`, `not html: ...`."""

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(f"{url}: {reason}")
        self.url = url
        self.reason = reason


def fetch_page(
    url: str, site: SiteConfig | None = None, seconds: float = LONGEST_WAIT
) -> FetchedPage:
    """One page, asked for as a crawl of `site` would: robots.txt obeyed, pauses between requests to
    a host, at most `max_page_bytes`, private addresses refused wherever a name or a redirect leads
    to them, unless `private_hosts` names them. Without a site redirects are followed to any host;
    with one, within its scope.

    Waits at most `seconds`. May be called from several threads at once. FetchError if no page came.
    """
    if len(url) > MAX_URL_LENGTH:
        raise FetchError(url, f"too long: {len(url)} characters")
    if not url.lower().startswith(("http://", "https://")):
        raise FetchError(url, "not http: expected http://... or https://...")
    head, body = _sessions.ask(url, site or ANY_SITE, seconds)
    if "reason" in head:
        raise FetchError(url, head["reason"])
    return FetchedPage(
        url=url,
        final_url=head["final_url"],
        html=body,
        charset=head["charset"],
        content_type=head["content_type"],
        fetched_at=datetime.now(UTC),
    )


Answer = tuple[dict[str, Any], bytes]
"""What is known of a page, or the reason why there is none; and its body."""


class _Session:
    """One process that fetches, and what is asked of it."""

    def __init__(self, site: SiteConfig) -> None:
        self.began = monotonic()
        self._numbers = count()
        self._lock = Lock()
        self._waiting: dict[int, Future[Answer]] = {}
        command = [sys.executable, "-m", "crawler.spiders.one_page"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._orders, self._answers = self._process.stdin, self._process.stdout
        self._write(site.model_dump(mode="json"))
        self._reader = Thread(target=self._read, name="fetched pages", daemon=True)
        self._reader.start()

    @property
    def is_fresh(self) -> bool:
        """Whether it may be asked for more."""
        is_young = monotonic() - self.began < SESSION_SECONDS
        return is_young and self._reader.is_alive()

    def ask(self, url: str) -> tuple[int, Future[Answer]]:
        """Ask for a page: under which number, and what will come."""
        future: Future[Answer] = Future()
        with self._lock:
            number = next(self._numbers)
            self._waiting[number] = future
            self._write({"number": number, "url": url})
        return number, future

    def forget(self, number: int) -> None:
        """Wait no longer for a page."""
        self._waiting.pop(number, None)

    def _write(self, value: Any) -> None:
        try:
            self._orders.write(json.dumps(value).encode() + b"\n")
            self._orders.flush()
        except (BrokenPipeError, ValueError):  # it has ended; its reader tells those who wait
            pass

    def _read(self) -> None:
        """Hand out answers until the process ends."""
        while line := self._answers.readline():
            head = json.loads(line)
            body = self._answers.read(head["n_bytes"])
            if future := self._waiting.pop(head["number"], None):
                future.set_result((head, body))
        for number in list(self._waiting):
            if future := self._waiting.pop(number, None):
                future.set_result(({"reason": "the process that fetches has ended"}, b""))

    @property
    def has_ended(self) -> bool:
        """Whether its process runs no more."""
        return self._process.poll() is not None

    def close(self) -> None:
        """Ask for nothing more; the process ends when all that was asked for has come."""
        with self._lock:
            self._orders.close()

    def wait(self, seconds: float) -> None:
        """Wait for its end; a process that takes longer is ended."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join()
        self._answers.close()


class _Sessions:
    """The processes that fetch, by the manners of their sites."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._open: dict[str, _Session] = {}
        self._closed: list[_Session] = []

    def ask(self, url: str, site: SiteConfig, seconds: float) -> Answer:
        """What comes of a URL, within so many seconds."""
        with self._lock:
            session = self._of(site)
            number, future = session.ask(url)
        try:
            return future.result(seconds)
        except TimeoutError:
            session.forget(number)
            return {"reason": "timeout"}, b""

    def _of(self, site: SiteConfig) -> _Session:
        key = site.model_dump_json()
        session = self._open.pop(key, None)
        if session and not session.is_fresh:
            self._close(session)
            session = None
        self._open[key] = session or _Session(site)
        if len(self._open) > MOST_SESSIONS:
            self._close(self._open.pop(next(iter(self._open))))
        return self._open[key]

    def _close(self, session: _Session) -> None:
        """Let a process end by itself; those that have ended by now are forgotten."""
        session.close()
        ended = [each for each in self._closed if each.has_ended]
        for each in ended:
            each.wait(0)
            self._closed.remove(each)
        self._closed.append(session)

    def close(self) -> None:
        """End all."""
        with self._lock:
            sessions = [*self._closed, *self._open.values()]
            self._closed, self._open = [], {}
            for session in sessions:
                session.close()
        for session in sessions:
            session.wait(1.0)


_sessions = _Sessions()
atexit.register(_sessions.close)
