"""The sites of the project, and how each is; read anew from time to time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, date, datetime
from http import HTTPStatus
from operator import attrgetter
from time import monotonic
from typing import Generic, TypeVar

from anyio import Lock, to_thread

from crawler.config.sites import Config, SiteConfig
from crawler.config.yamlfile import ConfigError
from crawler.engine.tasks import attempt
from crawler.storage.partitions import Storage, is_site_name
from extractor.report.overview import Overview, overview_of, overviews_of_wrong, stamp_of
from extractor.serve.requests.problems import Problem
from extractor.serve.workers import Workers

T = TypeVar("T")

KNOWN_SECONDS = 60.0
"""For so long pipelines.yaml and the health of the sites are not read again. Origin: guess; nights
change them."""

JUDGING_SECONDS = 60.0
"""For judging a site. Origin: guess; one of 90 days with all its runs takes half a second."""


class _Kept(Generic[T]):
    """What takes a while to find out, kept for a while."""

    def __init__(self, find: Callable[[], Awaitable[T]]) -> None:
        self._find = find
        self._lock = Lock()
        self._found: tuple[float, T] | None = None

    async def get(self) -> T:
        """It, found out anew if that is long ago; by one of those who ask at once."""
        async with self._lock:
            if self._found is None or monotonic() - self._found[0] > KNOWN_SECONDS:
                found = await self._find()
                self._found = monotonic(), found
            return self._found[1]


class Sites:
    """What pipelines.yaml says of the sites, and the tables of how they are."""

    def __init__(self, read: Callable[[], Config], workers: Workers) -> None:
        self._read = read
        self._workers = workers
        self._config = _Kept(self._read_config)
        self._overviews = _Kept(self._judge)
        self._judged: dict[str, tuple[str, Overview]] = {}
        """Of each site the stamp of its tables, and how it is by them."""

    async def config(self) -> Config:
        """pipelines.yaml, as it is or was a minute ago. Problem (500) if it is wrong."""
        return await self._config.get()

    async def overviews(self) -> list[Overview]:
        """How all sites are, the worst first."""
        return await self._overviews.get()

    async def overview(self, name: str) -> Overview:
        """How one site is; Problem (404) if it was not there when all were judged."""
        shown = next((each for each in await self.overviews() if each.site == name), None)
        if shown is None:
            raise Problem(HTTPStatus.NOT_FOUND, f"site {name!r} is not judged yet")
        return shown

    async def of_name(self, name: str) -> tuple[Config, SiteConfig]:
        """A site, and what it is a part of; Problem (404) if there is none of that name."""
        config = await self.config()
        site = next((each for each in config.sites if each.name == name), None)
        if site is None or not is_site_name(name):
            detail = f"no site {name!r} in pipelines.yaml; /v1/sites names those that are"
            raise Problem(HTTPStatus.NOT_FOUND, detail)
        return config, site

    async def _read_config(self) -> Config:
        try:
            return await to_thread.run_sync(self._read)
        except ConfigError as problem:
            raise Problem(HTTPStatus.INTERNAL_SERVER_ERROR, str(problem)) from None

    async def _judge(self) -> list[Overview]:
        """How all sites are; those are judged anew of which something was written, one after the
        other, so that what else is asked for comes between."""
        config, today = await self.config(), datetime.now(UTC).date()
        for site in config.sites:
            stamp, _ = self._judged.get(site.name, ("", None))
            found = await self._run(_judge_if_new, config.storage, site, today, stamp)
            if found is not None:
                # At once: who asks again after a time-out finds what is judged already.
                self._judged[site.name] = found
        shown = [self._judged[site.name][1] for site in config.sites]
        shown += await self._run(_judge_wrong, config, today) if config.wrong_sites else []
        return sorted(shown, key=attrgetter("order"))

    async def _run(self, function: Callable[..., T], *arguments: object) -> T:
        return await self._workers.run(function, *arguments, seconds=JUDGING_SECONDS)


def _judge_if_new(
    root: str, site: SiteConfig, today: date, known_stamp: str
) -> tuple[str, Overview] | None:
    """Stamp and state of a site; None if the stamp is the known one. Without a stamp if the tables
    cannot be listed."""
    storage = Storage(root)
    stamp, problem = attempt(stamp_of, (storage, site, today))
    if not problem and stamp == known_stamp:
        return None
    return stamp or "", overview_of(storage, site, today)


def _judge_wrong(config: Config, today: date) -> list[Overview]:
    return overviews_of_wrong(Storage(config.storage), config, today)
