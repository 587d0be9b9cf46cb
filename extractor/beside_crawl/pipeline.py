"""`ArticlePipeline`: applies the current patterns to new pages while the crawl goes on."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import sys
from asyncio.subprocess import PIPE, Process
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from scrapy.exceptions import NotConfigured

from crawler.spiders.pipelines import all_parts_written, part_written
from crawler.spiders.site import SiteSpider
from extractor.beside_crawl.messages import Answer, Job, Order

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

ANSWER_BYTES = 2**16
"""Bytes read of an answer at a time. Origin: guess; a pipe holds as many."""


class JobFailedError(RuntimeError):
    """A job was not done: storage did not let the process, or it ended, its own words on stderr."""


class ExtractionWorker:
    """The extraction process, as the crawl sees it."""

    def __init__(self, order: Order) -> None:
        self._order = order
        self._process: Process | None = None

    async def ask(self, job: Job) -> Answer:
        """Have a job done, starting the process if need be.

        JobFailedError if it was not done; after a process that ended the next job gets a new one.
        """
        process = self._process or await self._start()
        assert process.stdin is not None and process.stdout is not None
        try:
            process.stdin.write(f"{job.to_json()}\n".encode())
            await process.stdin.drain()
            answer = await process.stdout.readline()
        except OSError:
            answer = b""
        if not answer:
            self._process = None
            raise JobFailedError(f"exit code {await process.wait()} at {job}")
        told = Answer.from_json(answer)
        if told.problem:
            raise JobFailedError(told.problem)
        return told

    async def _start(self) -> Process:
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "extractor.beside_crawl.worker"),
            stdin=PIPE,
            stdout=PIPE,
            limit=ANSWER_BYTES,
            # Ctrl-C is for the crawl, which then ends its worker.
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        assert self._process.stdin is not None
        self._process.stdin.write(f"{self._order.to_json()}\n".encode())
        return self._process

    async def stop(self) -> None:
        """End the process by ending its input."""
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
            await self._process.wait()


class ArticlePipeline:
    """Item pipeline stage that turns stored pages into article records.

    Each part file of pages, once on disk, is extracted by a process of its own, so the crawl does
    not wait. When the crawl ends, that process writes the articles of the days that got pages, by
    the function that `scrapy extract` uses. A site without patterns gets no records.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._has_patterns = False
        self._days: set[date] = set()
        self._parts: asyncio.Queue[str | None] = asyncio.Queue()
        self._extraction: asyncio.Task[None] | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if not issubclass(crawler.spidercls, SiteSpider):
            raise NotConfigured
        pipeline = cls(crawler)
        crawler.signals.connect(pipeline.part_written, part_written)
        crawler.signals.connect(pipeline.all_parts_written, all_parts_written)
        return pipeline

    @property
    def _spider(self) -> SiteSpider:
        spider = self._crawler.spider
        assert isinstance(spider, SiteSpider)
        return spider

    async def open_spider(self) -> None:
        """See whether there are patterns to apply."""
        spider = self._spider
        folder = Path(spider.state_folder, f"{spider.site.name}.articles")
        shutil.rmtree(folder, ignore_errors=True)
        # Its own, for the worker of a killed crawl may still be at its last part.
        self._spool_folder = folder / str(os.getpid())
        self._worker = ExtractionWorker(
            Order(
                storage_root=spider.storage.root,
                site=spider.site,
                spool_folder=str(self._spool_folder),
            )
        )
        dates = await asyncio.to_thread(spider.storage.dates, "patterns", spider.site.name)
        self._has_patterns = bool(dates)

    def process_item(self, item: Any) -> Any:
        """Pass the item on: extraction begins when its part file is on disk."""
        return item

    def part_written(self, table: str, path: str, day: date) -> None:
        """Put a new part file of pages on the list."""
        if table != "pages" or not self._has_patterns:
            return
        self._days.add(day)
        self._parts.put_nowait(path)
        if self._extraction is None:
            self._extraction = asyncio.create_task(self._extract_parts())

    async def _extract_parts(self) -> None:
        while (path := await self._parts.get()) is not None:
            try:
                await self._worker.ask(Job(part=path))
            except JobFailedError as problem:
                # Finishing the day extracts what is missing.
                logger.warning("extraction beside the crawl stopped: %s", problem)
                return

    async def all_parts_written(self) -> None:
        """Wait for the process, then have it write the articles of the days that got pages."""
        if self._extraction is not None:
            self._parts.put_nowait(None)
            await self._extraction
        for day in sorted(self._days | self._days_of_resumed_run()):
            await self._finish_day(day)
        await self._worker.stop()
        shutil.rmtree(self._spool_folder.parent, ignore_errors=True)

    async def _finish_day(self, day: date) -> None:
        assert self._crawler.stats is not None
        try:
            answer = await self._worker.ask(Job(day=day.isoformat()))
        except JobFailedError as problem:
            logger.error("articles of %s not written: %s", day, problem)
            self._crawler.stats.set_value("articles/failed", True)
            return
        for status, count in answer.statuses.items():
            self._crawler.stats.inc_value(f"articles/{status}", count)
        self._crawler.stats.inc_value("articles/new", answer.articles_new)
        self._crawler.stats.inc_value("articles/edited", answer.articles_edited)
        if answer.drift:
            logger.warning("%s", answer.drift)
            self._crawler.stats.set_value("drift/flags", answer.flags)

    def _days_of_resumed_run(self) -> set[date]:
        """The killed process may have stored pages on days that this one did not touch."""
        spider = self._spider
        if not self._has_patterns or not spider.run.resumed:
            return set()
        days = spider.storage.dates("pages", spider.site.name)
        return {day for day in days if day >= spider.run.started_at.date()}
