"""Hands out the URLs of the URL database, a bounded number at a time, depth by depth."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable

from crawler.frontier.budget import Budget
from crawler.frontier.urldb import FrontierEntry, UrlDatabase

_BATCH = 64


class Frontier:
    """The URLs that are being worked on, between the URL database and the scheduler.

    A URL is *open* from being handed out until its page row is on disk, and *in flight* until
    its links are in the database. Only `window` URLs are in flight, so the scheduler stays small
    however large the site is; and a depth begins only when nothing of the depth before is in
    flight, so that a URL's depth does not depend on the order in which pages arrive.
    """

    def __init__(self, database: UrlDatabase, window: int, budget: Budget | None = None) -> None:
        self._database = database
        self._window = window
        self._budget = budget or Budget()
        self._in_flight: set[str] = set()
        self._open: set[str] = set()
        self._changed = asyncio.Event()
        self.is_exhausted = False
        """True when every URL was handed out, or the budget is spent."""

    async def entries(self) -> AsyncIterator[FrontierEntry]:
        """URLs to fetch now, until no depth has any left."""
        while True:
            has_more = False
            async for entry in self._entries_of_level():
                has_more = True
                yield entry
            # What is in flight may bring seeds to this very depth: wait, then look once more.
            if has_more or self._in_flight:
                await self._wait_for(0)
                continue
            if self._budget.is_spent() or not self._database.next_level():
                self.is_exhausted = True
                return

    async def _entries_of_level(self) -> AsyncIterator[FrontierEntry]:
        while not self._budget.is_spent() and (batch := self._database.next_entries(_BATCH)):
            for entry in batch:
                if self._budget.is_spent():
                    return
                await self._wait_for(self._window - 1)
                # Meanwhile a redirect may have led to it.
                if not self.is_taken(entry.url_key) and not self._database.skip_twin(entry.url_key):
                    self._take(entry.url_key)
                    yield entry

    def _take(self, url_key: str) -> None:
        self._open.add(url_key)
        self._in_flight.add(url_key)
        self._budget.take_page()

    async def _wait_for(self, most: int) -> None:
        """Wait until at most `most` URLs are in flight."""
        while len(self._in_flight) > most:
            self._changed.clear()
            await self._changed.wait()

    def is_taken(self, url_key: str) -> bool:
        """True if this run works on the URL, or has its page already."""
        return url_key in self._open or self._database.is_visited(url_key)

    def take_target(self, url_key: str) -> None:
        """A redirect leads to the URL: it is fetched as part of the redirecting one."""
        self._open.add(url_key)

    def hold(self, source: str) -> None:
        """A feed or sitemap is in flight: the present depth does not end before it is settled."""
        self._in_flight.add(source)

    def settle(self, url_key: str) -> None:
        """The links of a page or source are in the database (or it failed)."""
        self._in_flight.discard(url_key)
        self._changed.set()

    def close_urls(self, keys: Iterable[str]) -> None:
        """The URLs' page rows are on disk and recorded."""
        self._open.difference_update(keys)
