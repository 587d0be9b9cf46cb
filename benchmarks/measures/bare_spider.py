"""The crawl that ours is compared with: Scrapy's own settings, the spider of its tutorial.

It follows every link and yields an item for every page, which nobody takes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scrapy import Request, Spider
from scrapy.http import Response, TextResponse


class BareSpider(Spider):
    """`scrapy runspider benchmarks/measures/bare_spider.py -a url=URL`"""

    name = "bare"

    def __init__(self, url: str, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.start_urls = [url]

    def parse(self, response: Response, **_: Any) -> Iterator[Request | dict[str, Any]]:
        """An item, and a request for each link."""
        assert isinstance(response, TextResponse)
        yield {"url": response.url, "html": response.body}
        yield from response.follow_all(css="a", callback=self.parse)
