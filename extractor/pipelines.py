"""`ArticlePipeline`: applies the current patterns to new pages while the crawl goes on."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import sys
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from crawler.config import SiteConfig
from crawler.partitions import Storage
from crawler.pipelines import all_parts_written, part_written
from crawler.spiders.site import SiteSpider
from extractor.job import ExtractSummary, extract_day
from extractor.worker import Order, day_spool
from learner.job import current_patterns
from learner.patterns import PatternSet

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)


class ArticlePipeline:
    """Item pipeline stage that turns stored pages into article records.

    Each part file of pages, once on disk, is extracted by a process of its own, so the crawl does
    not wait. When the crawl ends, the records of its days are written by the same function as
    `scrapy extract` uses, which extracts what the process did not get to. A site without patterns
    gets no records.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._patterns = PatternSet()
        self._days: set[date] = set()
        self._parts: asyncio.Queue[str | None] = asyncio.Queue()
        self._work: asyncio.Task[None] | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        pipeline = cls(crawler)
        crawler.signals.connect(pipeline.part_written, part_written)
        crawler.signals.connect(pipeline.all_parts_written, all_parts_written)
        return pipeline

    async def open_spider(self) -> None:
        """Read the current patterns."""
        spider = self._crawler.spider
        assert isinstance(spider, SiteSpider)
        self._storage = spider.storage
        self._site = spider.site
        self._spool_folder = Path(spider.state_folder, f"{spider.site.name}.articles")
        shutil.rmtree(self._spool_folder, ignore_errors=True)
        self._patterns = await asyncio.to_thread(current_patterns, self._storage, self._site.name)

    def process_item(self, item: Any) -> Any:
        """Pass the item on: extraction begins when its part file is on disk."""
        return item

    def part_written(self, table: str, path: str, day: date) -> None:
        """Put a new part file of pages on the list."""
        if table != "pages" or not len(self._patterns):
            return
        self._days.add(day)
        self._parts.put_nowait(path)
        if self._work is None:
            self._work = asyncio.create_task(self._feed_worker())

    async def _feed_worker(self) -> None:
        try:
            await self._run_worker()
        except Exception:
            logger.exception("extraction beside the crawl stopped; it is done at the end instead")

    async def _run_worker(self) -> None:
        worker = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "extractor.worker"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            # Ctrl-C is for the crawl, which then ends its worker.
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        assert worker.stdin is not None and worker.stdout is not None
        order = Order(
            storage_root=self._storage.root,
            site=self._site,
            spool_folder=str(self._spool_folder),
        )
        worker.stdin.write(f"{order.to_json()}\n".encode())
        while (path := await self._parts.get()) is not None:
            worker.stdin.write(f"{path}\n".encode())
            await worker.stdin.drain()
            if not await worker.stdout.readline():
                raise RuntimeError(f"the worker ended at {path} with code {await worker.wait()}")
        worker.stdin.close()
        await worker.wait()

    async def all_parts_written(self) -> None:
        """Wait for the process, then write the articles of the days that got pages."""
        if self._work is not None:
            self._parts.put_nowait(None)
            await self._work
        self._days |= self._days_of_resumed_run()
        for day in sorted(self._days):
            summary = await asyncio.to_thread(
                finish_day, self._storage, self._site, day, self._patterns, self._spool_folder
            )
            for status, count in summary.statuses.items():
                self._crawler.stats.inc_value(f"articles/{status}", count)
        shutil.rmtree(self._spool_folder, ignore_errors=True)

    def _days_of_resumed_run(self) -> set[date]:
        """The killed process may have stored pages on days that this one did not touch."""
        spider = self._crawler.spider
        assert isinstance(spider, SiteSpider)
        if not len(self._patterns) or not spider.run.resumed:
            return set()
        days = self._storage.dates("pages", self._site.name)
        return {day for day in days if day >= spider.run.started_at.date()}


def finish_day(
    storage: Storage, site: SiteConfig, day: date, patterns: PatternSet, spool_folder: Path
) -> ExtractSummary:
    """Write a partition's articles from what is in its spool and what is still to extract."""
    summary = ExtractSummary(site=site.name)
    spool = day_spool(spool_folder, day.isoformat())
    extract_day(storage, site, day, patterns, spool, summary)
    return summary
