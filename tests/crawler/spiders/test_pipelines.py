"""Rows on their way to storage, as many items at once bring them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from scrapy.utils.test import get_crawler

from crawler.config.sites import Config, SiteConfig
from crawler.spiders.items import CrawledPage, visits_of_page
from crawler.spiders.pipelines import ParquetPipeline
from crawler.spiders.site import SiteSpider, make_spider
from crawler.storage.partitions import Storage
from tests.tables import NOW, page, read_keys

PAGES = 24


@dataclass(frozen=True)
class SlowStorage(Storage):
    """Takes its time for a part, and notes how many are written at once."""

    under_way: list[None] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)

    def write_part(self, *arguments: Any) -> str:
        self.under_way.append(None)
        self.counts.append(len(self.under_way))
        time.sleep(0.02)
        path = Storage.write_part(self, *arguments)
        self.under_way.pop()
        return path


@pytest.fixture
def spider(tmp_path: Path) -> Iterator[SiteSpider]:
    site = SiteConfig(name="a", start_urls=("http://a/",))
    config = Config(storage=f"{tmp_path}/data", state=f"{tmp_path}/state", sites=(site,))
    crawler = get_crawler(make_spider(config, site), {"PART_FLUSH_BYTES": 1500})
    opened = crawler.spidercls.from_crawler(crawler)
    assert isinstance(opened, SiteSpider)
    crawler.spider = opened
    opened.storage = SlowStorage(f"{tmp_path}/data")
    opened.run = opened.database.begin_run("r1", NOW, max_depth=1, scope="")
    yield opened
    opened._stopped()


def items() -> Iterator[CrawledPage]:
    for number in range(PAGES):
        row = page(number)
        yield CrawledPage(page=row, visits=visits_of_page(row, {}, expanded=True))


async def bring(pipeline: ParquetPipeline, rows: Iterator[CrawledPage]) -> None:
    """Items one after another, as one of several that share them."""
    for item in rows:
        await pipeline.process_item(item)


def test_parts_are_written_one_at_a_time_and_all_before_the_end(spider: SiteSpider) -> None:
    async def crawl() -> None:
        pipeline = ParquetPipeline(spider.crawler)
        rows = items()
        await asyncio.gather(*(bring(pipeline, rows) for _ in range(4)))
        await pipeline.close_spider()

    asyncio.run(crawl())
    assert isinstance(spider.storage, SlowStorage)
    assert max(spider.storage.counts) == 1
    assert len(read_keys(spider.storage)) == PAGES
    assert spider.database.counts() == {"done": PAGES}
