"""`scrapy schedule`: each site's night at its own time, for as long as the process lives."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Lock

from crawler.config.sites import Config, SiteConfig
from crawler.engine.side_by_side import Crew, sites_at_once
from crawler.engine.steps import LOGS, Steps
from extractor.night.site_night import SiteNight, SiteReport

ASK_SECONDS = 15.0
"""How often it is asked what is due. Origin: guess; a cron expression knows minutes."""


class Daemon:
    """Starts what is due and not under way; what it must know it reads from the tables, so that it
    can be ended and started at any time, and a clock may be set.

    `load` reads the configuration, again and again: a change of it holds at once. `told` gets what
    came of each site, one after the other, from threads; `measured` comes after some were done.
    """

    def __init__(
        self,
        load: Callable[[], Config],
        told: Callable[[SiteReport], None],
        measured: Callable[[Config], None],
    ) -> None:
        self._load = load
        self._told = told
        self._measured = measured
        self._has_news = False
        self._config = load()
        night = self._config.night
        self._steps = Steps(Path(self._config.state, LOGS), 60 * night.stage_minutes)
        self._over = Event()
        self._lock = Lock()
        self._next: dict[str, tuple[SiteConfig, datetime]] = {}
        """When each site is due next, as it is configured, as far as it was asked."""
        self._clock = _wall_clock()

    def run(self) -> None:
        """Work until `stop`; then end what runs, so that it stores what it has."""
        with Crew(self._config.night.at_once or sites_at_once(), self._work) as crew:
            asked = -ASK_SECONDS
            try:
                while not self._over.is_set():
                    if time.monotonic() - asked >= ASK_SECONDS:
                        asked = time.monotonic()
                        self._add_due(crew)
                        if self._has_news:
                            self._has_news = False
                            self._measured(self._config)
                    crew.look()
            finally:
                self._steps.stop()

    def stop(self) -> None:
        """End, from a signal's handler or another thread."""
        self._over.set()

    def _add_due(self, crew: Crew) -> None:
        self._config = self._load()
        now, clock = datetime.now(UTC), _wall_clock()
        if abs(clock - self._clock) > ASK_SECONDS:
            self._next.clear()
        self._clock = clock
        for site in self._config.sites:
            if not crew.has(site.name) and self._due(site, now) <= now:
                crew.add(site, random.uniform(0, 60 * site.jitter_minutes))

    def _due(self, site: SiteConfig, now: datetime) -> datetime:
        """When a site is due, which only its own nights and its configuration change."""
        known, due = self._next.get(site.name, (None, now))
        if known != site:
            due = SiteNight(self._config, site, self._steps).next_crawl(now)
            self._next[site.name] = site, due
        return due

    def _work(self, site: SiteConfig) -> float | None:
        night = SiteNight(self._config, site, self._steps)
        again = night.live()
        self._next.pop(site.name, None)
        with self._lock:
            self._told(night.report)
            self._has_news = True
        return again


def _wall_clock() -> float:
    """What the time of day is ahead of the time that passes: it changes if the clock is set."""
    return time.time() - time.monotonic()
