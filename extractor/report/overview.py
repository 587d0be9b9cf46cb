"""The figures of a site's last nights, beside its health."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from operator import attrgetter
from typing import Any

import pyarrow.compute as pc

from crawler.config.sites import Config, SiteConfig
from crawler.engine.everysite import fingerprint
from crawler.engine.tasks import attempt
from crawler.storage.partitions import Storage
from crawler.storage.runs import RunRecord
from extractor.health.judging import judge_window, judge_wrong_entries
from extractor.health.state import Cause, Health, State, Trouble
from extractor.health.stats import SiteStats
from extractor.health.window import Window
from extractor.records.articles import Status

SHOWN_DAYS = 30
"""Days that are shown. Origin: guess, a month."""

_READ = ("runs", "site_stats", "articles", "patterns", "health")

WORST_FIRST = (State.DEAD, State.ILL, State.WATCH, State.OK)


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """One site at a glance."""

    health: Health
    last_crawl: RunRecord | None = None
    """The last crawl, however it ended."""
    last_new: date | None = None
    """The last day of `SHOWN_DAYS` on which new articles came."""
    new_articles: tuple[int, ...] = (0,) * SHOWN_DAYS
    """New articles of each of these days, the last one today."""
    guessed: int = 0
    """How many of all of them no pattern read."""
    match_rates: tuple[float | None, ...] = (None,) * SHOWN_DAYS
    """Share of the pages of each day that should be articles and are; None where none should."""

    @property
    def site(self) -> str:
        """Its name."""
        return self.health.site

    @property
    def is_unreadable(self) -> bool:
        """Whether a file of it cannot be read."""
        return self.health.trouble is not None and self.health.trouble.cause is Cause.UNREADABLE

    @property
    def match_rate(self) -> float | None:
        """The last of the rates that is known."""
        return next((rate for rate in reversed(self.match_rates) if rate is not None), None)

    @property
    def order(self) -> tuple[int, date, str]:
        """Worst first, and of those that are equally bad the newest trouble."""
        trouble = self.health.trouble
        since = date.max - (trouble.since if trouble else date.min)
        return (
            WORST_FIRST.index(self.health.state),
            date.min + since,
            self.site,
        )

    def to_row(self) -> dict[str, Any]:
        """What JSON shows."""
        crawl = self.last_crawl
        return {
            "site": self.site,
            **self.health.to_row(),
            "last_crawl": crawl.started_at if crawl else None,
            "last_exit_code": crawl.exit_code if crawl else None,
            "last_new_article": self.last_new,
            "new_articles": list(self.new_articles),
            "guessed": self.guessed,
            "match_rates": list(self.match_rates),
        }


def overviews(storage: Storage, config: Config, now: datetime) -> list[Overview]:
    """How all sites are, those too whose entries are wrong, and were in the last `SHOWN_DAYS`;
    the worst first. One of which a file cannot be read keeps no other from being told."""
    today = now.date()
    shown = [overview_of(storage, site, today) for site in config.sites]
    shown += overviews_of_wrong(storage, config, today)
    return sorted(shown, key=attrgetter("order"))


def overview_of(storage: Storage, site: SiteConfig, today: date) -> Overview:
    """How a site is on a UTC day, and was."""
    window = Window(storage, site.name, today)
    health, problem = attempt(judge_window, (window, site))
    return unreadable(site.name, today, problem) if problem else _looked_at(window, health)


def overviews_of_wrong(storage: Storage, config: Config, today: date) -> list[Overview]:
    """How the sites are whose entries are wrong, and were."""
    return [
        _looked_at(Window(storage, each.site, today), each)
        for each in judge_wrong_entries(config, today)
    ]


def _looked_at(window: Window, health: Health) -> Overview:
    shown, problem = attempt(overview, (window, health))
    return unreadable(health.site, health.day, problem) if problem else shown


def stamp_of(storage: Storage, site: SiteConfig, today: date) -> str:
    """What stands for all that `overview_of` reads: the same while that says the same. No file is
    opened."""
    stamps = [storage.stamps(table, site.name) for table in _READ]
    return fingerprint((today, site, *stamps, storage.dates("pages", site.name)))


def unreadable(site: str, today: date, problem: str) -> Overview:
    """A site of which something cannot be read; `problem` tells the file and, after a semicolon,
    what to do."""
    said, _, advice = problem.partition("; ")
    trouble = Trouble(cause=Cause.UNREADABLE, since=today, said=said, advice=advice)
    return Overview(health=Health(site=site, day=today, trouble=trouble))


def overview(window: Window, health: Health) -> Overview:
    """The last nights of a site that is judged."""
    since = window.today - timedelta(days=SHOWN_DAYS - 1)
    crawls = [run for run in window.crawls if run.started_at.date() >= since]
    new, guessed = _new_articles(window.storage, window.site, since)
    came = [day for day, count in enumerate(new) if count]
    return Overview(
        health=health,
        last_crawl=crawls[-1] if crawls else None,
        last_new=since + timedelta(days=came[-1]) if came else None,
        new_articles=tuple(new),
        guessed=guessed,
        match_rates=_rates([each for each in window.stats if each.day >= since], since),
    )


def _new_articles(storage: Storage, site: str, since: date) -> tuple[list[int], int]:
    """Articles that were first seen on each day, and how many of all of them are guessed."""
    counts, guessed = [0] * SHOWN_DAYS, 0
    for batch in storage.read("articles", site, since, columns=["date", "status"]):
        guessed += pc.sum(pc.equal(batch["status"], Status.GUESSED.value)).as_py() or 0
        for told in pc.value_counts(batch["date"]).to_pylist():
            number = (told["values"] - since).days
            if number < SHOWN_DAYS:
                counts[number] += told["counts"]
    return counts, guessed


def _rates(stats: list[SiteStats], since: date) -> tuple[float | None, ...]:
    rates: list[float | None] = [None] * SHOWN_DAYS
    for each in stats:
        rates[(each.day - since).days] = each.match_rate
    return tuple(rates)
