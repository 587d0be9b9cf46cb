"""Many sites at once, of which those of one host wait for each other."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from urllib.parse import urlsplit

from crawler.config.sites import SiteConfig

SITE_BYTES = 400 * 2**20
"""Memory that a site takes while it is crawled and extracted. Origin: measured, a crawl takes 150
MB, its extraction 200."""
SITES_PER_CORE = 4
"""A crawl waits most of the time. Origin: guess."""
LOOK_SECONDS = 1.0


@dataclass(slots=True)
class _Waiting:
    site: SiteConfig
    ready_at: float = 0.0


def sites_at_once() -> int:
    """As many as half of the memory holds, and a few for each core at most."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    by_memory = memory // 2 // SITE_BYTES
    return max(1, min(by_memory, SITES_PER_CORE * (os.cpu_count() or 1)))


def side_by_side(
    sites: Iterable[SiteConfig], at_once: int, work: Callable[[SiteConfig], float | None]
) -> None:
    """Have `work` done on each site, so many at once; it returns None, or seconds after which it is
    to be done again. What it raises ends all.
    """
    waiting = [_Waiting(site) for site in sites]
    running: dict[Future[float | None], SiteConfig] = {}
    with ThreadPoolExecutor(at_once) as pool:
        while waiting or running:
            for each in _startable(waiting, running.values(), at_once - len(running)):
                waiting.remove(each)
                running[pool.submit(work, each.site)] = each.site
            if not running:
                time.sleep(LOOK_SECONDS)
                continue
            done, _ = wait(running, LOOK_SECONDS, return_when=FIRST_COMPLETED)
            for future in done:
                site, again = running.pop(future), future.result()
                if again is not None:
                    waiting.append(_Waiting(site, time.monotonic() + again))


def _startable(
    waiting: Iterable[_Waiting], running: Iterable[SiteConfig], n_free: int
) -> list[_Waiting]:
    busy = {host for site in running for host in hosts_of(site)}
    chosen: list[_Waiting] = []
    for each in waiting:
        if len(chosen) >= n_free:
            break
        hosts = hosts_of(each.site)
        if each.ready_at <= time.monotonic() and not hosts & busy:
            chosen.append(each)
            busy |= hosts
    return chosen


def hosts_of(site: SiteConfig) -> set[str]:
    """The hosts, with their ports, that a crawl of the site begins at."""
    return {urlsplit(url).netloc for url in (*site.start_urls, *site.feeds, *site.sitemaps)}
