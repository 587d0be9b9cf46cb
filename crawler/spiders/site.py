"""`SiteSpider`: fetches what the URL database asks for and turns responses into records."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, ClassVar, Self

from scrapy import Request, Spider, signals
from scrapy.exceptions import IgnoreRequest, StopDownload
from scrapy.http import Response

from crawler.config.sites import Config, SiteConfig
from crawler.fetching.failures import GIVEN, failure_reason, is_outage
from crawler.fetching.not_modified import NOT_MODIFIED, is_conditional
from crawler.fetching.pauses import GIVEN_UP, HAS_WAITED, HostGivenUpError
from crawler.fetching.redirects import REFUSAL
from crawler.fetching.robots import RobotsTxtUnreachableError
from crawler.frontier.budget import Budget
from crawler.frontier.frontier import Frontier
from crawler.frontier.revisits import LATELY
from crawler.frontier.scope import MEDIA_FILE, OTHER_HOST, Scope, is_media
from crawler.frontier.urldb import Found, FrontierEntry, Run, UrlDatabase
from crawler.reading.html import Charset, detect_charset
from crawler.reading.links import (
    MAX_SOURCES,
    TOO_LONG,
    Link,
    resolve,
)
from crawler.reading.media_type import declares_html, is_html
from crawler.reading.robots_tags import NOFOLLOW, NOINDEX, asks
from crawler.reading.sources.entries import Entries, UnreadableSourceError
from crawler.reading.sources.source import max_bytes_of, read_source
from crawler.reading.urls import CACHE_SIZE, url_key
from crawler.spiders.articles import visits_of_articles
from crawler.spiders.items import (
    ALREADY_CRAWLED,
    FAILED_PAGES,
    FAILED_STARTS,
    LEFT_PAGES,
    LOST_BEFORE,
    UNWANTED,
    CrawledPage,
    reason_of,
    redirect_target,
    visits_of_page,
)
from crawler.spiders.left_out import LeftOut, kind_of, told
from crawler.spiders.manners import manners
from crawler.spiders.read_page import read_page
from crawler.spiders.resume import recover_run
from crawler.storage.locks import SiteLock
from crawler.storage.partitions import Storage
from crawler.storage.records import LinkRecord, PageRecord

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings
    from twisted.python.failure import Failure

logger = logging.getLogger(__name__)

THREAD_BYTES = 200_000
"""Bodies above this are parsed in a thread (about 5 ms of parsing), so that no page holds up the
others. Origin: 2.9 ms for 214 KB measured, and a thread costs .2 ms."""

SEEN_KEYS = 50_000
"""URLs remembered with their depths as recorded in this run, which spares the URL database.
Origin: 10 MB."""

MOST_HOPS_ELSEWHERE = 5
"""Redirects of a feed's entry that may lead from host to host. Origin: RFC 9309, 2.3.1.2, which
follows as many for robots.txt."""

RENDERING = "crawler.spiders.rendering.RenderPages"
"""The middleware of sites whose pages a browser draws; it is loaded for them alone."""

RENDERED = "rendered"
"""The flag of a response that a browser made of what was served."""

NOT_HTML = "not html"
"""How the error of a response begins that is a file."""


class SiteSpider(Spider):
    """Crawls one site of pipelines.yaml; `make_spider` makes a subclass for each."""

    config: ClassVar[Config]
    site: ClassVar[SiteConfig]
    scope: ClassVar[Scope]

    run: Run
    """The run, new or taken up; set when the crawl starts."""

    def __init__(
        self, run_id: str | None = None, max_pages: int | None = None, **arguments: Any
    ) -> None:
        super().__init__(self.site.name, **arguments)
        self.storage = Storage(self.config.storage)
        self.state_folder: str = self.config.state
        self._run_id = run_id or f"{datetime.now(UTC):%Y%m%dT%H%M%S%fZ}"
        self._lock = SiteLock(self.state_folder, self.site.name, "crawl")
        self._lock.acquire()
        self.database = UrlDatabase(
            f"{self.state_folder}/{self.site.name}.sqlite", self.site.revisit
        )
        self._budget = Budget(
            max_pages or self.site.max_pages, self.site.max_minutes, self.site.max_megabytes
        )
        window = 2 * self.site.concurrency + 8
        self.frontier = Frontier(self.database, window, self._budget)
        self._link_sources: frozenset[str] = frozenset()
        self._refusal = lru_cache(maxsize=CACHE_SIZE)(self.scope.refusal)
        self._seen: dict[str, int] = {}
        self._left_out = LeftOut()
        self._strays: set[str] = set()
        """Keys of entries of feeds that lead through other hosts."""
        self._sources_asked: set[str] = set()
        self._sitemaps: dict[str, None] = {}
        """Those that robots.txt names."""
        self._feeds: dict[str, None] = {}
        """Those that start pages name."""
        self._closing: asyncio.Task[None] | None = None

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        """The site's manners and limits as Scrapy settings; `-s NAME=VALUE` still wins."""
        super().update_settings(settings)
        settings.setdict(manners(cls.site, settings), priority="spider")
        if cls.site.render != "never":
            # The last to see a response: what it is made of comes through all others.
            all_of_them = settings.getdict("DOWNLOADER_MIDDLEWARES")
            settings.set("DOWNLOADER_MIDDLEWARES", {**all_of_them, RENDERING: 50}, "spider")

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider._headers_received, signals.headers_received)
        crawler.signals.connect(spider._robots_parsed, signals.robots_parsed)
        crawler.signals.connect(spider._stopped, signals.engine_stopped)
        return spider

    def _stopped(self) -> None:
        assert self.crawler.stats is not None
        try:
            self.crawler.stats.set_value("links/beyond_depth", self.database.beyond_depth())
            self.crawler.stats.set_value("links/waiting", self.database.pending_count())
            before = self.database.failed_before(datetime.now(UTC), LATELY)
            lost = sum(is_outage(status, error) for status, error in before)
            self.crawler.stats.set_value(LOST_BEFORE, lost)
            self.crawler.stats.set_value("links/known", self.database.has_found())
            came = sum(map(self.database.led_to_a_page, self._strays))
            self.crawler.stats.set_value("sources/led_home", came)
        except sqlite3.Error as problem:
            self.note_failure(problem)
        self.crawler.stats.set_value("links/left_out", dict(self._left_out.counts))
        self.crawler.stats.set_value("links/left_out_first", dict(self._left_out.examples))
        self.database.close()
        self._lock.release()

    # What to fetch

    async def start(self) -> AsyncIterator[Any]:
        """Requests of the run: feeds and sitemaps first, then the frontier, depth by depth."""
        try:
            async for request in self._requests():
                yield request
        except (OSError, sqlite3.Error) as problem:
            self.break_off(problem)

    async def _requests(self) -> AsyncIterator[Request]:
        now = datetime.now(UTC)
        self.database.bound_visits(visits_of_articles(self.storage, self.site))
        self.run = self.database.begin_run(
            self._run_id, now, max_depth=self.site.depth, scope=self._scope_text()
        )
        assert self.crawler.stats is not None
        self.crawler.stats.set_value("run/id", self.run.run_id)
        if self.run.resumed:
            logger.info("taking up run %s of %s", self.run.run_id, self.run.started_at)
            leftovers = await asyncio.to_thread(recover_run, self.storage, self.site, self.run)
            leftovers.record(self.database)
            self._link_sources = leftovers.link_sources
            self._inc("pages/recovered", leftovers.page_count)
        seeds = [Found(url_key=self.key(url), url=url, source="seed") for url in self.start_seeds]
        self.database.add_seeds(seeds, now)
        for url in self.site.feeds:
            yield self._source_request(url, "feed")
        for url in self.site.sitemaps:
            yield self._source_request(url, "sitemap")
        async for entry in self.frontier.entries():
            yield self._page_request(entry)

    def break_off(self, problem: Exception) -> None:
        """End the crawl, for storage or the URL database fails.

        What is not stored stays in the frontier: the next run fetches it.
        """
        self.note_failure(problem)
        if self._closing is None:
            assert self.crawler.engine is not None
            # Not awaited: closing waits for the very callback or write that failed.
            self._closing = asyncio.create_task(
                self.crawler.engine.close_spider_async(reason="storage_failed")
            )

    def note_failure(self, problem: Exception) -> None:
        """Keep the run from counting as done; the first problem is told when the process ends."""
        assert self.crawler.stats is not None
        if isinstance(problem, sqlite3.Error):
            advice = (
                "check free space and permissions, then run again"
                if isinstance(problem, sqlite3.OperationalError)
                else "move the file away: the next crawl then fetches everything anew"
            )
            told = f"{self.database.path}: URL database: {problem}; {advice}"
        else:
            told = str(problem)
        self.crawler.stats.set_value(
            "storage/failed", self.crawler.stats.get_value("storage/failed", told)
        )

    @property
    def start_seeds(self) -> tuple[str, ...]:
        """URLs that every run visits."""
        return self.site.start_urls

    def key(self, url: str) -> str:
        """The identity of a URL on this site."""
        return url_key(url, self.site.index_name)

    def _scope_text(self) -> str:
        parts = (
            sorted(self.scope.hosts),
            self.scope.directories,
            self.scope.rules,
            self.site.index_name,
            # Not where it is false, for a hash of before would be another one.
            *("nofollow",) * self.site.obey_nofollow,
        )
        return hashlib.sha256(repr(parts).encode()).hexdigest()

    def _page_request(self, entry: FrontierEntry) -> Request:
        headers = {}
        # A page that did not change would not show its feeds.
        may_be_unchanged = entry.digest and (entry.depth > 0 or not self.site.find_feeds)
        if entry.etag and may_be_unchanged:
            headers["If-None-Match"] = entry.etag
        if entry.last_modified and may_be_unchanged:
            headers["If-Modified-Since"] = entry.last_modified
        return Request(
            entry.url,
            callback=self.parse_page,
            errback=self.page_failed,
            headers=headers,
            cb_kwargs={"entry": entry},
        )

    def refuse_redirect(self, request: Request, target: str) -> str | None:
        """Why a redirect to `target` is not followed; None if it is, as the middleware asks."""
        entry: FrontierEntry | None = request.cb_kwargs.get("entry")
        # Not from the cache of the links: a target may be of any length.
        refusal = self.scope.refusal(target)
        if "kind" in request.cb_kwargs:
            # A feed or sitemap may stand elsewhere: what it names must be the site's. So may what a
            # page loads in a browser.
            return refusal if refusal and refusal.startswith("not ") else None
        if entry is None:
            # Of `scrapy fetch` or `scrapy shell`: no page of the crawl.
            return refusal if refusal and refusal.startswith((OTHER_HOST, "not ")) else None
        if refusal and not (self._may_pass(request, entry) and refusal.startswith(OTHER_HOST)):
            return f"redirect refused, {refusal}: {target}"
        key = self.key(target)
        chain = [entry.url, request.url, *request.meta.get("redirect_urls", ())]
        if key not in {self.key(url) for url in chain}:
            if self.frontier.is_taken(key):
                return f"{ALREADY_CRAWLED}{target}"
            self.frontier.take_target(key)
        return None

    def _may_pass(self, request: Request, entry: FrontierEntry) -> bool:
        """Whether the next redirect may lead to another host: on the way of a feed's entry that
        begins at one."""
        hops: int = request.meta.get("redirect_times", 0)
        return not self.scope.is_own(entry.url) and hops < MOST_HOPS_ELSEWHERE

    # Pages

    def _headers_received(self, headers: Any, body_length: int, request: Request) -> None:
        """Do not download what is no page, or none of the site."""
        if "entry" not in request.cb_kwargs:
            return
        declared = (headers.get("Content-Type") or b"").decode("latin-1")
        if declares_html(declared) is False or not self.scope.is_own(request.url):
            raise StopDownload(fail=False)

    async def parse_page(
        self, response: Response, entry: FrontierEntry
    ) -> AsyncIterator[CrawledPage | Request]:
        """The page row, links and visits of a response; its links go to the URL database."""
        try:
            item = await self._read_response(response, entry)
        except sqlite3.Error as problem:
            self.break_off(problem)
            return
        except Exception as problem:
            logger.exception("%s: not read; its row says so", response.url)
            item = self._failed(entry, response.request, f"internal: {problem!r}", response.status)
        feeds, self._feeds = self._feeds, {}
        for url in filter(self._is_new_source, feeds):
            yield self._source_request(url, "feed")
        sitemaps, self._sitemaps = self._sitemaps, {}
        for url in self._new_sitemaps(sitemaps):
            yield self._source_request(url, "sitemap", self.site.depth)
        self.frontier.settle(entry.url_key)
        self._count(item, entry)
        yield item

    async def page_failed(self, failure: Failure) -> AsyncIterator[CrawledPage]:
        """A row for a page that did not come; none where robots.txt kept from asking."""
        request: Request = failure.request  # type: ignore[attr-defined]
        entry: FrontierEntry = request.cb_kwargs["entry"]
        self.frontier.settle(entry.url_key)
        if isinstance(failure.value, IgnoreRequest) and "robots.txt" in str(failure.value):
            # The target of a redirect too: it was taken from the frontier for this request.
            keys = {*self._chain(entry, request), self.key(request.url)}
            unreachable = isinstance(failure.value, RobotsTxtUnreachableError)
            self._count_failure(entry, "robots.txt" + " unreachable" * unreachable)
            self._skip(keys, str(failure.value) if unreachable else "robots.txt")
            return
        if isinstance(failure.value, HostGivenUpError):
            item = self._put_off(entry, request, failure.value.status)
            if HAS_WAITED not in request.meta:
                self._count_failure(entry, f"http {failure.value.status}")
                return
        else:
            item = self._failed(entry, request, failure_reason(failure.value), None)
        self._count(item, entry)
        yield item

    def _put_off(self, entry: FrontierEntry, request: Request, status: int) -> CrawledPage:
        """Leave a page to the next run, for its host asks to wait; the row if it was asked for."""
        keys = {*self._chain(entry, request), self.key(request.url)}
        self._skip(keys, str(HostGivenUpError(status)))
        self._inc(LEFT_PAGES)
        return replace(self._failed(entry, request, f"http {status}", status), visits=())

    def _skip(self, keys: set[str], reason: str) -> None:
        """These URLs are not fetched in this run; the next one tries again."""
        try:
            for key in keys:
                self.database.skip(key, reason)
        except sqlite3.Error as problem:
            self.break_off(problem)
        self.frontier.close_urls(keys)

    async def _read_response(self, response: Response, entry: FrontierEntry) -> CrawledPage:
        assert response.request is not None
        refusal = response.request.meta.get(REFUSAL)
        error = refusal or self._leads_elsewhere(response) or response_error(response)
        if response.request.meta.get(GIVEN_UP):
            return self._put_off(entry, response.request, response.status)
        if is_media(entry.url) and reason_of(error or NOT_HTML) == NOT_HTML:
            self.database.endings.note(entry.url, is_page=error is None)
        if error:
            return self._failed(entry, response.request, error, response.status, response)
        body = response.body
        content_type = _header(response, "Content-Type")
        if response.status == NOT_MODIFIED:
            page = self._page(response, entry, unchanged=True, body_sha256=entry.digest)
            return self._crawled(page, (), entry)
        charset = detect_charset(body, content_type, self.site.default_charset)
        tags = [each.decode("latin-1") for each in response.headers.getlist("X-Robots-Tag")]
        agent = self.settings["USER_AGENT"]
        read = partial(
            read_page, body, charset, response.url, tags, agent,
            wants_feeds=self.site.find_feeds and not entry.depth,
            wants_words=self.database.twins.wants(self.key(response.url)),
        )  # fmt: skip
        said = await asyncio.to_thread(read) if len(body) > THREAD_BYTES else read()
        self._count_left_out(response.url, said.links)
        self._note_feeds(said.feeds)
        if self.site.obey_noindex and asks(said.robots, NOINDEX):
            page = self._page(response, entry, error=UNWANTED, robots=said.robots)
        else:
            page = self._stored(response, entry, charset, said.robots)
        if said.words is not None:
            self.database.twins.note(page.url_key, said.words)
        return self._crawled(page, said.links.links, entry)

    def _stored(
        self, response: Response, entry: FrontierEntry, charset: Charset, robots: str | None
    ) -> PageRecord:
        digest = hashlib.sha256(response.body).hexdigest()
        known = self._known_digest(response, entry)
        if digest != known:
            self._inc("pages/changed" if known else "pages/new")
        return self._page(
            response,
            entry,
            charset=charset.name,
            charset_source=charset.source,
            body_sha256=digest,
            unchanged=digest == known,
            html=None if digest == known else response.body,
            robots=robots,
        )

    def _leads_elsewhere(self, response: Response) -> str | None:
        """Why an answer is none of the site's: an entry of a feed ends there."""
        if response.status not in GIVEN or self.scope.is_own(response.url):
            return None
        return f"leads elsewhere: {response.url}"

    def _known_digest(self, response: Response, entry: FrontierEntry) -> str | None:
        key = self.key(response.url)
        return entry.digest if key == entry.url_key else self.database.digest(key)

    def _page(self, response: Response, entry: FrontierEntry, **values: Any) -> PageRecord:
        """The row of a response; `values` are what its body told."""
        assert response.request is not None
        latency = response.request.meta.get("download_latency")
        return PageRecord(
            run_id=self.run.run_id,
            url=entry.url,
            final_url=response.url,
            url_key=self.key(response.url),
            fetched_at=datetime.now(UTC),
            status=response.status,
            depth=entry.depth,
            referrer=entry.referrer,
            redirects=tuple(response.request.meta.get("redirect_urls", ())),
            etag=_header(response, "ETag"),
            last_modified=_header(response, "Last-Modified"),
            content_type=_header(response, "Content-Type"),
            body_len=len(response.body),
            rendered=RENDERED in response.flags,
            fetch_ms=round(latency * 1000) if latency is not None else None,
            **values,
        )

    def _crawled(
        self, page: PageRecord, links: Iterable[Link], entry: FrontierEntry
    ) -> CrawledPage:
        records = self._link_records(page.url_key, links)
        expands = entry.depth < self.site.depth and page.status != NOT_MODIFIED
        followed = records if not self.site.obey_nofollow else _without_nofollow(records, page)
        has_brought = page.status != NOT_MODIFIED and self._add_links(followed, entry)
        stored = records if self._wants_links(page.url_key) else ()
        chain = self._chain(entry, None, page.redirects)
        visits = visits_of_page(page, chain, expanded=expands, has_brought=has_brought)
        return CrawledPage(page=page, links=stored, visits=visits)

    def _failed(
        self,
        entry: FrontierEntry,
        request: Request | None,
        error: str,
        status: int | None,
        response: Response | None = None,
    ) -> CrawledPage:
        """The row of a URL without a usable body."""
        redirects = tuple(request.meta.get("redirect_urls", ())) if request else ()
        final_url = request.url if request else entry.url
        page = PageRecord(
            run_id=self.run.run_id,
            url=entry.url,
            final_url=final_url,
            url_key=self.key(final_url),
            fetched_at=datetime.now(UTC),
            status=status,
            depth=entry.depth,
            referrer=entry.referrer,
            redirects=redirects,
            content_type=_header(response, "Content-Type") if response else None,
            error=error,
        )
        chain = self._chain(entry, request, redirects)
        return CrawledPage(page=page, visits=visits_of_page(page, chain, expanded=False))

    def _chain(
        self, entry: FrontierEntry, request: Request | None, redirects: tuple[str, ...] = ()
    ) -> dict[str, str]:
        """All URLs that one request went through, by their keys."""
        asked = redirects or tuple(request.meta.get("redirect_urls", ()) if request else ())
        return {entry.url_key: entry.url, **{self.key(url): url for url in asked}}

    def _count(self, item: CrawledPage, entry: FrontierEntry) -> None:
        """Stats that the end of the run is judged by."""
        assert item.page is not None
        self._budget.take_bytes(item.page.body_len)
        if item.page.error is not None:
            kind = "errors"
            if item.page.error == UNWANTED:
                self._inc(f"{FAILED_PAGES}{reason_of(UNWANTED)}")
            elif is_media(entry.url) and reason_of(item.page.error) == NOT_HTML:
                self._left_out.add(MEDIA_FILE, entry.url)
            elif not redirect_target(item.page.error):
                self._count_failure(entry, reason_of(item.page.error))
        else:
            kind = "unchanged" if item.page.unchanged else "stored"
        self._inc(f"pages/{kind}")

    def _count_failure(self, entry: FrontierEntry, reason: str) -> None:
        self._inc(f"{FAILED_PAGES}{reason}")
        if entry.url in self.start_seeds:
            self._inc(FAILED_STARTS)

    def _inc(self, stat: str, count: int = 1) -> None:
        assert self.crawler.stats is not None
        self.crawler.stats.inc_value(stat, count)

    # Links

    def _link_records(
        self, source_key: str, links: Iterable[Link], may_stray: bool = False
    ) -> tuple[LinkRecord, ...]:
        return tuple(
            LinkRecord(
                run_id=self.run.run_id,
                src_url_key=source_key,
                dst_url=link.url,
                dst_url_key=self.key(link.url),
                anchor_text=link.text,
                position=link.position,
                rel=link.rel,
                in_scope=self._is_wanted(link, may_stray),
                source=link.source,
            )
            for link in links
        )

    def _is_wanted(self, link: Link, may_stray: bool) -> bool:
        """Whether a link may be followed; if not, it is counted. An entry of a feed that the user
        named may stand on another host: a counter there may redirect to the site."""
        refusal = self._refusal(link.url)
        if refusal in (None, MEDIA_FILE) and is_media(link.url):
            wanted = self.database.endings.wants(link, is_allowed=refusal is None)
            refusal = None if wanted else MEDIA_FILE
        if refusal is None:
            return True
        if may_stray and refusal.startswith(OTHER_HOST):
            self._strays.add(self.key(link.url))
            return True
        self._left_out.add(refusal, link.url)
        return False

    def _wants_links(self, source_key: str) -> bool:
        """False if links are not stored at all, or a killed process of this run stored these."""
        return self.site.linkinfo and source_key not in self._link_sources

    def _add_links(self, records: Iterable[LinkRecord], entry: FrontierEntry) -> bool:
        """Put a page's links in the frontier, or note that they lie beyond the site's depth;
        whether one that will be fetched was new."""
        depth = entry.depth + 1
        found = list(self._unseen(records, "link", depth))
        if not found:
            return False
        if depth > self.site.depth:
            self.database.add_beyond(found, depth, entry.url, datetime.now(UTC))
            return False
        return self.database.add_links(found, depth, entry.url, datetime.now(UTC)) > 0

    def _unseen(self, records: Iterable[LinkRecord], source: str, depth: int) -> Iterator[Found]:
        """The links in scope that the URL database did not get yet, or only at a greater depth."""
        if len(self._seen) > SEEN_KEYS:
            self._seen.clear()
        for record in records:
            if record.in_scope and self._seen.get(record.dst_url_key, depth + 1) > depth:
                self._seen[record.dst_url_key] = depth
                yield Found(url_key=record.dst_url_key, url=record.dst_url, source=source)

    # Feeds and sitemaps

    def _robots_parsed(self, robotparser: Any, request: Request) -> None:
        """Remember the sitemaps that a robots.txt of the site names, on any host (sitemaps.org,
        "Sitemaps & Cross Submits")."""
        if self.site.find_sitemaps and self.scope.is_own(request.url):
            for named in robotparser.rp.sitemaps:
                if url := resolve(request.url, named):
                    self._sitemaps[url] = None

    def _source_request(self, url: str, kind: str, depth: int = 0) -> Request:
        """The request of a feed or sitemap, whose URLs are so far from a seed."""
        self._sources_asked.add(url)
        self._inc("sources/asked")
        self.frontier.hold(_source_key(url))
        return Request(
            url,
            callback=self.parse_source,
            errback=self.source_failed,
            cb_kwargs={"kind": kind, "url": url, "depth": depth},
            meta={"download_maxsize": max_bytes_of(kind, self.site.max_page_bytes)},
        )

    async def parse_source(
        self, response: Response, kind: str, url: str, depth: int
    ) -> AsyncIterator[CrawledPage | Request]:
        """Entries of a feed or sitemap: seeds, their titles as anchor texts."""
        try:
            if response.status not in GIVEN:
                logger.warning(
                    "%s: expected a %s, got status %d", response.url, kind, response.status
                )
                return
            named = await asyncio.to_thread(
                read_source, response.body, response.url, kind, self.site.max_page_bytes
            )
            self._inc("sources/read")
            self._tell_what_is_left(response.url, kind, named)
            for sitemap in self._new_sitemaps(named.sitemaps):
                yield self._source_request(sitemap, "sitemap", depth)
            may_stray = url in self.site.feeds
            records = self._link_records(self.key(response.url), named.links, may_stray)
            self._tell_what_it_names(response.url, records)
            entries = self._unseen(records, kind, depth)
            self.database.add_links(entries, depth, response.url, datetime.now(UTC))
            if self._wants_links(self.key(response.url)):
                yield CrawledPage(links=records)
        except sqlite3.Error as problem:
            self.break_off(problem)
        except UnreadableSourceError as problem:
            logger.warning("%s: %s not read, %s", response.url, kind, problem)
        except Exception:
            logger.exception("%s: %s not read", response.url, kind)
        finally:
            self.frontier.settle(_source_key(url))

    def _tell_what_is_left(self, url: str, kind: str, named: Entries) -> None:
        if not named.links and not named.sitemaps:
            logger.warning("%s: expected a %s, got no entry", url, kind)
        if named.fault:
            logger.warning("%s: %s read as far as it goes, %s", url, kind, named.fault)
        self._count_left_out(url, named)

    def _count_left_out(self, url: str, named: Entries) -> None:
        """Count what a limit cuts; a flood is told, too."""
        for reason, count in named.left_out.items():
            self._left_out.add_many(reason, url, count)
            if reason != TOO_LONG:
                logger.warning("%s: %d addresses left out: %s", url, count, reason)

    def _tell_what_it_names(self, url: str, records: Collection[LinkRecord]) -> None:
        """Count the addresses of the site; a source that names others alone is told."""
        strays = sum(each.dst_url_key in self._strays for each in records)
        followed = sum(each.in_scope for each in records)
        self._inc("sources/named", len(records))
        self._inc("sources/own", followed - strays)
        if records and not followed:
            reasons = Counter(kind_of(self._refusal(each.dst_url) or "") for each in records)
            said = told(reasons, len(reasons))
            logger.warning("%s: names %d addresses, none of the site: %s", url, len(records), said)

    async def source_failed(self, failure: Failure) -> None:
        """A feed or sitemap did not come; the crawl goes on without it."""
        url = failure.request.cb_kwargs["url"]  # type: ignore[attr-defined]
        logger.warning("%s: not fetched: %s", url, failure_reason(failure.value))
        self.frontier.settle(_source_key(url))

    def _note_feeds(self, urls: Iterable[str]) -> None:
        """Remember the feeds that a start page names, on hosts of the site."""
        for url in urls:
            if self.scope.is_own(url):
                self._feeds[url] = None
            else:
                self._left_out.add("feed on another host", url)

    def _new_sitemaps(self, urls: Iterable[str]) -> Iterator[str]:
        """Those that are not read yet, on any host: they are named by the site or its sitemaps."""
        left_out = []
        for url in dict.fromkeys(urls):
            if self._is_new_source(url):
                yield url
            elif url not in self._sources_asked:
                left_out.append(url)
        if left_out:
            count = len(left_out)
            self._left_out.add_many(f"more than {MAX_SOURCES} sitemaps", left_out[0], count)
            logger.warning("%d sitemaps left out: a run reads at most %d", count, MAX_SOURCES)

    def _is_new_source(self, url: str) -> bool:
        return url not in self._sources_asked and len(self._sources_asked) < MAX_SOURCES


def make_spider(config: Config, site: SiteConfig) -> type[SiteSpider]:
    """The spider class of one site."""
    attributes = {
        "name": site.name,
        "config": config,
        "site": site,
        "scope": Scope.of_site(site),
        "__doc__": f"Crawls {', '.join(site.start_urls or site.feeds or site.sitemaps)}.",
    }
    title = "".join(part.capitalize() for part in re.split("[-_.]", site.name))
    return type(f"{title}Spider", (SiteSpider,), attributes)


def _without_nofollow(links: Sequence[LinkRecord], page: PageRecord) -> Sequence[LinkRecord]:
    """The links that a page lets robots follow."""
    if asks(page.robots, NOFOLLOW):
        return ()
    return [link for link in links if not asks(link.rel, NOFOLLOW)]


def _source_key(url: str) -> str:
    """Name of a feed or sitemap in flight; no page is called so."""
    return f"source {url}"


def response_error(response: Response) -> str | None:
    """Why a response is no page; None if it is one."""
    assert response.request is not None
    if response.status == NOT_MODIFIED and is_conditional(response.request):
        return None
    if response.status not in GIVEN:
        return f"http {response.status}"
    content_type = _header(response, "Content-Type")
    if not is_html(content_type, response.body):
        return f"{NOT_HTML}: {content_type or 'no Content-Type'}"
    return None


def _header(response: Response, name: str) -> str | None:
    value = response.headers.get(name)
    return value.decode("latin-1") if value else None
