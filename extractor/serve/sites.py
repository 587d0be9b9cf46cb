"""The sites of the project, and how each is; read anew from time to time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from http import HTTPStatus
from time import monotonic
from typing import Generic, TypeVar

from anyio import Lock, to_thread

from crawler.config.sites import Config, SiteConfig
from crawler.config.yamlfile import ConfigError
from crawler.storage.partitions import Storage, is_site_name
from extractor.report.overview import Overview, overviews
from extractor.serve.requests.problems import Problem
from extractor.serve.workers import Workers

T = TypeVar("T")

KNOWN_SECONDS = 60.0
"""For so long pipelines.yaml and the health of the sites are not read again. Origin: guess; nights
change them."""

JUDGING_SECONDS = 60.0
"""For judging all sites. Origin: guess; a site takes some hundredths of a second."""


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
                self._found = monotonic(), await self._find()
            return self._found[1]


class Sites:
    """What pipelines.yaml says of the sites, and the tables of how they are."""

    def __init__(self, read: Callable[[], Config], workers: Workers) -> None:
        self._read = read
        self._workers = workers
        self._config = _Kept(self._read_config)
        self._overviews = _Kept(self._judge)

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
        config = await self.config()
        return await self._workers.run(_overviews, config, seconds=JUDGING_SECONDS)


def _overviews(config: Config) -> list[Overview]:
    return overviews(Storage(config.storage), config, datetime.now(UTC))
