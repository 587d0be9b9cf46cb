"""`RenderSpider`: draws pages with what they load from the net, by a crawl's manners and guards."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy import Request, Spider

from crawler.config.sites import SiteConfig
from crawler.fetching.browser.answers import Answer, Answers
from crawler.fetching.browser.downloads import Downloads
from crawler.fetching.browser.drawing import Browser, render_in_turn
from crawler.fetching.browser.tab import Limits
from crawler.fetching.failures import failure_reason
from crawler.frontier.scope import OTHER_HOST, Scope
from crawler.reading.urls import url_key
from crawler.spiders.manners import default_user_agent, keep_manners_alone
from crawler.spiders.rendered_pages import DrawnPage, Sink
from crawler.spiders.site import response_error

if TYPE_CHECKING:
    from scrapy.http import Response
    from scrapy.settings import BaseSettings

AT_ONCE = 2
"""Pages that are drawn side by side. Origin: guess; a host's pauses are what takes the time."""


class RenderSpider(Spider):
    """Draws the pages that are given, stored ones and addresses; what comes of them goes to
    `sink`."""

    name = "render"
    site: ClassVar[SiteConfig]
    scope: ClassVar[Scope]
    stored: ClassVar[Iterable[DrawnPage]]
    addresses: ClassVar[Iterable[str]]
    run_id: ClassVar[str]
    sink: ClassVar[Sink]
    failed: ClassVar[dict[str, str]]
    """Addresses that gave no page, with the reason."""
    broken: ClassVar[list[Exception]]
    """What ended the work before its end; Scrapy would only log it."""

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        """The site's manners, and no tables of pages."""
        super().update_settings(settings)
        keep_manners_alone(cls.site, settings)

    async def start(self) -> AsyncIterator[Any]:
        """Draw all of them; there is nothing else to ask for."""
        try:
            await self._draw_all()
        except Exception as problem:
            self.broken.append(problem)
        no_requests: tuple[Request, ...] = ()
        for request in no_requests:
            yield request

    async def _draw_all(self) -> None:
        downloads = Downloads(self.crawler, self.scope.is_own)
        browser = Browser(
            at_once=AT_ONCE,
            settles=True,
            user_agent=self.site.user_agent or default_user_agent(),
            limits=Limits(
                seconds=self.site.timeout_seconds, max_bytes=4 * self.site.max_page_bytes
            ),
        )
        async with browser:
            fetched = [page for url in self.addresses if (page := await self._fetch(url))]
            for pages in (self.stored, fetched):
                waiting: list[DrawnPage] = []
                asked = _asked(pages, downloads, waiting)
                async for outcome in render_in_turn(browser, asked, AT_ONCE):
                    type(self).sink(waiting.pop(0), outcome)

    async def _fetch(self, url: str) -> DrawnPage | None:
        """The document of an address; None, and a reason in `failed`, if there is none."""
        assert self.crawler.engine is not None
        request = Request(url, dont_filter=True)
        try:
            response: Response = await self.crawler.engine.download_async(request)
        except Exception as problem:
            self.failed[url] = failure_reason(problem)
            return None
        if error := response_error(response):
            self.failed[url] = error
            return None
        content_type = (response.headers.get("Content-Type") or b"").decode("latin-1")
        return DrawnPage(
            run_id=self.run_id,
            url_key=url_key(response.url, self.site.index_name),
            url=response.url,
            day=datetime.now(UTC).date(),
            document=Answer(body=response.body, content_type=content_type),
        )

    def refuse_redirect(self, request: Request, target: str) -> str | None:
        """Why a redirect is not followed: of documents to another host, of all to what is no
        address of the web."""
        refusal = self.scope.refusal(target) or ""
        wrong = ("not ",) if "kind" in request.cb_kwargs else ("not ", OTHER_HOST)
        return refusal if refusal.startswith(wrong) else None


def _asked(
    pages: Iterable[DrawnPage], downloads: Downloads, waiting: list[DrawnPage]
) -> Iterator[tuple[str, Answers]]:
    """Address and answers of each page; those on their way stand in `waiting`, in order."""
    for page in pages:
        waiting.append(page)
        yield page.url, downloads.of_page(page.url, page.document)


def make_render_spider(
    site: SiteConfig,
    run_id: str,
    sink: Sink,
    stored: Iterable[DrawnPage] = (),
    addresses: Iterable[str] = (),
) -> type[RenderSpider]:
    """The spider class that draws pages of one site; once it has run, `failed` and `broken` tell
    what went wrong."""
    attributes = {
        "site": site,
        "scope": Scope.of_site(site),
        "stored": stored,
        "addresses": addresses,
        "run_id": run_id,
        "sink": staticmethod(sink),
        "failed": {},
        "broken": [],
    }
    return type("Render", (RenderSpider,), attributes)
