"""A night of all sites."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from crawler.config.sites import Config, SiteConfig
from crawler.engine.side_by_side import Crew, sites_at_once
from crawler.engine.steps import LOGS, Steps
from extractor.night.site_night import SiteNight, SiteReport


class Night:
    """What each site of a configuration is due for, done side by side."""

    def __init__(self, config: Config, progress: Callable[[SiteReport], None]) -> None:
        self._config = config
        self._progress = progress
        self._steps = Steps(Path(config.state, LOGS), 60 * config.night.stage_minutes)
        self._nights = {site.name: SiteNight(config, site, self._steps) for site in config.sites}

    def run(self) -> list[SiteReport]:
        """Do it; what came of each site, in their order. `progress` is called from threads."""
        with Crew(self._config.night.at_once or sites_at_once(), self._work) as crew:
            try:
                for site in self._config.sites:
                    crew.add(site)
                while not crew.is_idle:
                    crew.look()
            finally:
                self._steps.stop()
        return [night.report for night in self._nights.values()]

    def _work(self, site: SiteConfig) -> float | None:
        night = self._nights[site.name]
        again = night.live()
        self._progress(night.report)
        return again
