"""What pages in the browser load comes through Scrapy's downloader, as the pages themselves do."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from scrapy import Request
from scrapy.http import Response

from crawler.fetching.browser.answers import Answer, Answers, Asked

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

KEPT_KINDS = frozenset({"script", "stylesheet"})
"""What pages of a site share, and one download serves."""

MOST_KEPT_BYTES = 64 * 2**20
"""Bytes of scripts and style sheets that are kept. Origin: guess; a site has 1 to 5 MB."""

NOT_FOR_TEXT = frozenset({"image", "media", "font"})
"""What says nothing of a page's text and links, and is not asked for in a crawl."""

OK = 200


class Downloads:
    """Answers from the net, by the downloader of a running crawl.

    So robots.txt, pauses, sizes, time and the guard of private addresses hold for what a page loads
    as for the page. Only GET is sent on; documents in frames come from the site's own hosts alone.
    """

    def __init__(
        self, crawler: Crawler, is_own: Callable[[str], bool], left_out: Collection[str] = ()
    ) -> None:
        self._crawler = crawler
        self._is_own = is_own
        self._left_out = left_out
        self._kept: dict[str, asyncio.Task[Answer | None]] = {}
        self._kept_bytes = 0

    def of_page(self, url: str, document: Answer) -> Answers:
        """The answers for a page whose document is here already."""

        async def answer(asked: Asked) -> Answer | None:
            is_document = asked.kind == "document" and asked.url == url
            return document if is_document else await self._answer(asked)

        return answer

    async def _answer(self, asked: Asked) -> Answer | None:
        if asked.method != "GET" or asked.kind in self._left_out:
            return None
        if asked.kind == "document" and not self._is_own(asked.url):
            return None
        if asked.kind not in KEPT_KINDS:
            return await self._download(asked)
        known = self._kept.get(asked.url)
        if known is None:
            known = self._kept[asked.url] = asyncio.ensure_future(self._download(asked))
            known.add_done_callback(lambda task: self._weigh(asked.url, task))
        return await asyncio.shield(known)

    def _weigh(self, url: str, task: asyncio.Task[Answer | None]) -> None:
        """Forget all that is kept once it is too much."""
        answer = None if task.cancelled() else task.result()
        self._kept_bytes += len(answer.body) if answer else 0
        if self._kept_bytes > MOST_KEPT_BYTES:
            self._kept, self._kept_bytes = {}, 0

    async def _download(self, asked: Asked) -> Answer | None:
        engine = self._crawler.engine
        assert engine is not None
        # What is no document may be redirected to other hosts, as a feed may (`refuse_redirect`).
        kinds = {} if asked.kind == "document" else {"kind": asked.kind}
        request = Request(asked.url, dont_filter=True, cb_kwargs=kinds)
        try:
            response: Response = await engine.download_async(request)
        except Exception as problem:
            logger.debug("%s: not loaded for a page: %s", asked.url, problem)
            return None
        if response.status != OK:
            return None
        content_type = (response.headers.get("Content-Type") or b"").decode("latin-1")
        return Answer(body=response.body, content_type=content_type)
