"""`RenderPages`: pages whose text scripts draw are crawled as a browser shows them.

The page itself comes as any other; the browser gets it from here, and what it loads through the
same downloader (`crawler.fetching.browser.downloads`).
"""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Self

from scrapy import Request, signals
from scrapy.exceptions import IgnoreRequest
from scrapy.http import HtmlResponse, Response

from crawler.fetching.browser.answers import Answer, html_type
from crawler.fetching.browser.downloads import NOT_FOR_TEXT, Downloads
from crawler.fetching.browser.drawing import Browser
from crawler.fetching.browser.launch import BrowserMissingError
from crawler.fetching.browser.shells import count_letters, is_shell
from crawler.fetching.browser.tab import Limits, RenderingError
from crawler.fetching.not_modified import make_unconditional
from crawler.reading.html import detect_charset, parse_html
from crawler.reading.media_type import is_html
from crawler.spiders.manners import default_user_agent
from crawler.spiders.site import RENDERED, SiteSpider
from crawler.storage.runs import HELPS, USELESS, read_runs

if TYPE_CHECKING:
    from lxml import etree
    from scrapy.crawler import Crawler
    from scrapy.statscollectors import StatsCollector

logger = logging.getLogger(__name__)

LEAST_GAIN = 2.0
"""Times the letters that a page has as it is served that it must have as it is drawn, for drawing
to be worth it. Origin: design."""

SAMPLE = 4
"""Shells that are drawn to see whether that brings text; half of them must. Origin: guess."""

AT_ONCE = 2
"""Pages that are drawn side by side. Origin: guess; a tab takes a core while it draws."""

REMEMBERED = timedelta(days=90)
"""How long it is remembered that drawing helps. Origin: guess."""

OK = 200


class NotDrawnError(IgnoreRequest):
    """A page could not be drawn."""

    def __init__(self, problem: str) -> None:
        super().__init__(f"not drawn: {problem}")


class Trial:
    """Whether drawing a site's shells brings text, found out from the first of them.

    >>> trial = Trial()
    >>> for served, drawn in ((0, 900), (10, 15), (5, 800)):
    ...     trial.note(served, drawn)
    >>> trial.helps
    True
    """

    def __init__(self, helps: bool | None = None) -> None:
        self.helps = helps
        """None as long as it is not found out."""
        self._n_drawn = 0
        self._n_gained = 0

    def note(self, served: int, drawn: int) -> None:
        """Count a page by its letters as it is served, and as it is drawn."""
        self._n_drawn += 1
        self._n_gained += has_gained(served, drawn)
        if self.helps is None and 2 * self._n_gained >= SAMPLE:
            self.helps = True
        elif self.helps is None and self._n_drawn >= SAMPLE:
            self.helps = False


def has_gained(served: int, drawn: int) -> bool:
    """Whether a page has so many more letters when it is drawn that drawing it is worth it."""
    return drawn > 0 and drawn >= LEAST_GAIN * served


class RenderPages:
    """Downloader middleware: puts the drawn page in the place of the served one.

    With `render: always` every page is drawn, with `auto` shells, as long as that brings text. As
    long as it is not known whether it does, what cannot be drawn stays as it was served; after that
    it has failed, so that no shell takes the place of a page.
    """

    def __init__(self, crawler: Crawler) -> None:
        spider = crawler.spidercls
        assert issubclass(spider, SiteSpider)
        self._crawler = crawler
        self._site = spider.site
        self._trial = Trial()
        self._browser: Browser | None = None
        self._starting = asyncio.Lock()
        self._downloads = Downloads(crawler, spider.scope.is_own, NOT_FOR_TEXT)
        crawler.signals.connect(self._opened, signals.spider_opened)
        crawler.signals.connect(self._closed, signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def _opened(self, spider: SiteSpider) -> None:
        """Remember what runs before found out."""
        since = datetime.now(UTC).date() - REMEMBERED
        runs = read_runs(spider.storage, self._site.name, since)
        self._trial.helps = any(run.rendering == HELPS for run in runs) or None

    async def _closed(self) -> None:
        if self._browser is not None:
            await self._browser.__aexit__(None, None, None)

    def process_request(self, request: Request) -> None:
        """Ask for the whole page where it is a frame that stays: what scripts put into it may be
        new."""
        if "entry" in request.cb_kwargs and self._is_needed:
            make_unconditional(request)

    @property
    def _is_needed(self) -> bool:
        """Whether the site's pages are known to be nothing as they are served."""
        return self._site.render == "always" or self._trial.helps is True

    async def process_response(self, request: Request, response: Response) -> Response:
        """The page as a browser shows it, where that is wanted and succeeds."""
        content_type = (response.headers.get("Content-Type") or b"").decode("latin-1")
        is_page = "entry" in request.cb_kwargs and response.status == OK
        if not is_page or not is_html(content_type, response.body):
            return response
        charset = detect_charset(response.body, content_type, self._site.default_charset).name
        served = parse_html(response.body, charset)
        if not self._wants(served):
            return response
        try:
            drawn = await self._draw(response, charset)
        except NotDrawnError as problem:
            if self._is_needed:
                raise
            logger.warning("%s: %s; stored as it is served", response.url, problem)
            return response
        if not self._is_better(served, drawn):
            return response
        self._stats.inc_value("rendering/pages")
        headers = response.headers.copy()
        headers["Content-Type"] = "text/html; charset=utf-8"
        return HtmlResponse(
            response.url, status=OK, headers=headers, body=drawn, flags=[RENDERED], request=request
        )

    def _wants(self, served: etree._Element) -> bool:
        if self._site.render == "always":
            return True
        return self._trial.helps is not False and is_shell(served)

    async def _draw(self, response: Response, charset: str) -> bytes:
        """The page after its scripts; NotDrawnError if that fails."""
        document = Answer(body=response.body, content_type=html_type(charset))
        answers = self._downloads.of_page(response.url, document)
        try:
            html = await (await self._started()).load(response.url, answers)
        except BrowserMissingError as problem:
            raise NotDrawnError(str(problem)) from problem
        except RenderingError as problem:
            raise NotDrawnError(problem.problem) from problem
        drawn = html.encode("utf-8", "replace")
        if len(drawn) > self._site.max_page_bytes:
            raise NotDrawnError("it is larger than max_page_bytes then")
        return drawn

    def _is_better(self, served: etree._Element, drawn: bytes) -> bool:
        """Whether the drawn page is to be stored; of a shell it is noted what it gained."""
        if is_shell(served):
            before, after = count_letters(served), count_letters(parse_html(drawn, "utf-8"))
            self._trial.note(before, after)
            self._tell()
            return self._site.render == "always" or has_gained(before, after)
        return True

    async def _started(self) -> Browser:
        """The browser, from the first page on that needs it."""
        async with self._starting:
            if self._browser is None:
                browser = Browser(
                    at_once=AT_ONCE,
                    settles=True,
                    user_agent=self._site.user_agent or default_user_agent(),
                    limits=Limits(
                        seconds=self._site.timeout_seconds, max_bytes=4 * self._site.max_page_bytes
                    ),
                )
                self._browser = await browser.__aenter__()
            return self._browser

    def _tell(self) -> None:
        if self._trial.helps is not None:
            said = HELPS if self._trial.helps else USELESS
            self._stats.set_value("rendering/finding", said)

    @property
    def _stats(self) -> StatsCollector:
        assert self._crawler.stats is not None
        return self._crawler.stats
