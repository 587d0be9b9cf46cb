"""The last months of a site as its tables tell them, each table read once."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property

from crawler.storage.partitions import Storage
from crawler.storage.runs import RunRecord, read_runs
from extractor.health.crawls import is_telling
from extractor.health.stats import SiteStats, read_stats

WINDOW_DAYS = 90
"""Days that are looked at. Origin: guess; an older trouble is known from the last judgement."""


@dataclass(frozen=True)
class Window:
    """The days up to one on which a site is judged."""

    storage: Storage
    site: str
    today: date

    @property
    def since(self) -> date:
        """The first of the days."""
        return self.today - timedelta(days=WINDOW_DAYS)

    @cached_property
    def runs(self) -> list[RunRecord]:
        """What worked on the site, by its start."""
        return read_runs(self.storage, self.site, self.since, self.today)

    @cached_property
    def crawls(self) -> list[RunRecord]:
        """The crawls among them that tell something."""
        return [run for run in self.runs if run.command == "crawl" and is_telling(run)]

    @cached_property
    def stats(self) -> list[SiteStats]:
        """The figures of the days, by day."""
        return read_stats(self.storage, self.site, self.since, self.today)
