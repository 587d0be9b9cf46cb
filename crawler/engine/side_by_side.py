"""Many sites at once, of which those of one host wait for each other."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from crawler.config.sites import SiteConfig

SITE_BYTES = 400 * 2**20
"""Memory that a site takes while it is crawled and extracted. Origin: measured, a crawl takes 150
MB, its extraction 200."""
SITES_PER_CORE = 4
"""A crawl waits most of the time. Origin: guess."""
LOOK_SECONDS = 1.0


def sites_at_once() -> int:
    """As many as half of the memory holds, and a few for each core at most."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    by_memory = memory // 2 // SITE_BYTES
    return max(1, min(by_memory, SITES_PER_CORE * (os.cpu_count() or 1)))


@dataclass(slots=True)
class _Waiting:
    site: SiteConfig
    ready_at: float


class Crew:
    """Works on sites in threads, so many at once; a context manager that waits for what runs.

    `work` returns None, or seconds after which the site is to be worked on again. What it raises
    ends all.
    """

    def __init__(self, at_once: int, work: Callable[[SiteConfig], float | None]) -> None:
        self._at_once = at_once
        self._work = work
        self._pool = ThreadPoolExecutor(at_once)
        self._waiting: list[_Waiting] = []
        self._running: dict[Future[float | None], SiteConfig] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)

    def add(self, site: SiteConfig, seconds: float = 0.0) -> None:
        """Have a site worked on, so many seconds from now at the earliest."""
        self._waiting.append(_Waiting(site, time.monotonic() + seconds))

    def has(self, name: str) -> bool:
        """Whether a site of this name waits or is worked on."""
        sites = (*(each.site for each in self._waiting), *self._running.values())
        return any(site.name == name for site in sites)

    @property
    def is_idle(self) -> bool:
        """Whether nothing waits and nothing runs."""
        return not self._waiting and not self._running

    def look(self) -> None:
        """Start what can be started, and wait a moment for something to end."""
        for each in self._startable():
            self._waiting.remove(each)
            self._running[self._pool.submit(self._work, each.site)] = each.site
        if not self._running:
            time.sleep(LOOK_SECONDS)
            return
        done, _ = wait(self._running, LOOK_SECONDS, return_when=FIRST_COMPLETED)
        for future in done:
            site, again = self._running.pop(future), future.result()
            if again is not None:
                self.add(site, again)

    def _startable(self) -> list[_Waiting]:
        busy = {host for site in self._running.values() for host in hosts_of(site)}
        n_free, chosen = self._at_once - len(self._running), list[_Waiting]()
        for each in self._waiting:
            hosts = hosts_of(each.site)
            is_ready = each.ready_at <= time.monotonic() and not hosts & busy
            if is_ready and len(chosen) < n_free:
                chosen.append(each)
                busy |= hosts
        return chosen


def hosts_of(site: SiteConfig) -> set[str]:
    """The hosts, with their ports, that a crawl of the site begins at."""
    urls: Iterable[str] = (*site.start_urls, *site.feeds, *site.sitemaps)
    return {urlsplit(url).netloc for url in urls}
