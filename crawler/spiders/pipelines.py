"""`ParquetPipeline`: page and link rows into part files, then into the URL database as done."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from time import monotonic
from typing import TYPE_CHECKING, Any, Self

from scrapy.exceptions import NotConfigured

from crawler.spiders.items import CrawledPage
from crawler.spiders.site import SiteSpider
from crawler.storage.partitions import Storage
from crawler.storage.records import (
    LINK_SCHEMA,
    PAGE_SCHEMA,
    LinkRecord,
    PageRecord,
    records_to_table,
)

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

part_written = object()
"""Scrapy signal: a part file is on disk; sent with `table`, `path` and `day`."""

all_parts_written = object()
"""Scrapy signal: no more parts will come, and those on disk are not merged yet. The run ends when
its handlers, which may be coroutines, are done."""


@dataclass(slots=True)
class Buffer:
    """Rows that wait for their part file."""

    items: list[CrawledPage] = field(default_factory=list)
    size_bytes: int = 0
    since: float = field(default_factory=monotonic)

    def add(self, item: CrawledPage) -> None:
        self.items.append(item)
        self.size_bytes += item.size_bytes

    def is_due(self, max_bytes: int, max_seconds: float) -> bool:
        """True if a part should be written now."""
        return self.size_bytes >= max_bytes or monotonic() - self.since >= max_seconds


class ParquetPipeline:
    """Item pipeline that stores what the spider found.

    Encoding, compression and fsync happen in a thread, one part at a time; when the next part is
    due before the last is written, the crawl waits. URLs are marked done after their rows are
    durable. At the end of a run its parts are merged.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._max_bytes = crawler.settings.getint("PART_FLUSH_BYTES")
        self._max_seconds = crawler.settings.getfloat("PART_FLUSH_SECONDS")
        self._buffer = Buffer()
        self._writing: asyncio.Task[None] | None = None
        self._turn = asyncio.Lock()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if not issubclass(crawler.spidercls, SiteSpider):
            raise NotConfigured
        return cls(crawler)

    @property
    def _spider(self) -> SiteSpider:
        spider = self._crawler.spider
        assert isinstance(spider, SiteSpider)
        return spider

    async def process_item(self, item: Any) -> Any:
        """Buffer the rows of an item; write a part when enough have come."""
        if isinstance(item, CrawledPage):
            self._buffer.add(item)
            async with self._turn:
                # Who waited for its turn may find its rows in the part of the one before.
                if self._buffer.is_due(self._max_bytes, self._max_seconds):
                    await self._flush()
        return item

    async def close_spider(self) -> None:
        """Write what is left; if nothing is left to fetch, end the run and merge its parts."""
        async with self._turn:
            await self._flush()
        if self._writing is not None:
            await self._writing
        # Scrapy closes all pipelines at once: the next stage waits for this instead.
        await self._crawler.signals.send_catch_log_async(all_parts_written)
        spider = self._spider
        if not spider.frontier.is_exhausted or self._crawler.stats.get_value("storage/failed"):
            return
        since = spider.run.started_at.date()
        try:
            await asyncio.to_thread(merge_run, spider.storage, spider.site.name, since)
            spider.database.finish_run(datetime.now(UTC))
        except (OSError, sqlite3.Error) as problem:
            spider.note_failure(problem)
            return
        self._crawler.stats.set_value("run/finished", True)

    async def _flush(self) -> None:
        """Begin to write what is buffered, when the part before is written; one at a time."""
        if self._writing is not None:
            await self._writing
        buffer, self._buffer = self._buffer, Buffer()
        if buffer.items:
            self._writing = asyncio.create_task(self._write(buffer))

    async def _write(self, buffer: Buffer) -> None:
        spider = self._spider
        visits = [visit for item in buffer.items for visit in item.visits]
        try:
            parts = await asyncio.to_thread(
                write_rows, spider.storage, spider.site.name, buffer.items
            )
            spider.database.record_visits(visits)
        except Exception as problem:
            if not isinstance(problem, OSError | sqlite3.Error):
                logger.exception("rows of %d pages not stored", len(buffer.items))
            spider.break_off(problem)
            return
        spider.frontier.close_urls(visit.url_key for visit in visits)
        for part in parts:
            self._crawler.signals.send_catch_log(
                part_written, table=part.table, path=part.path, day=part.day
            )


@dataclass(frozen=True, slots=True)
class Part:
    """A part file that was written."""

    table: str
    path: str
    day: date


def write_rows(storage: Storage, site: str, items: list[CrawledPage]) -> list[Part]:
    """Write the rows to their days' partitions: links first, for a page row says they are there."""
    links: defaultdict[date, list[LinkRecord]] = defaultdict(list)
    pages: defaultdict[date, list[PageRecord]] = defaultdict(list)
    today = datetime.now(UTC).date()
    for item in items:
        day = item.page.fetched_at.date() if item.page else today
        links[day].extend(item.links)
        if item.page:
            pages[day].append(item.page)
    tables = {
        ("links", day): records_to_table(rows, LINK_SCHEMA) for day, rows in links.items() if rows
    } | {("pages", day): records_to_table(rows, PAGE_SCHEMA) for day, rows in pages.items()}
    return [
        Part(table, storage.write_part(table, site, day, rows), day)
        for (table, day), rows in tables.items()
    ]


def merge_run(storage: Storage, site: str, since: date) -> None:
    """Merge the parts of the days that a run wrote to."""
    for table in ("pages", "links"):
        for day in storage.dates(table, site):
            if day >= since:
                storage.merge_parts(table, site, day)
