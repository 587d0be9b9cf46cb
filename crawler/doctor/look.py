"""`LookSpider`: what the answers of a site that is not configured yet tell of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar, Literal
from urllib.parse import urljoin, urlsplit

from scrapy import Request
from scrapy.robotstxt import ProtegoRobotParser

from crawler.config.sites import SiteConfig
from crawler.fetching.browser.shells import is_shell
from crawler.fetching.failures import failure_reason
from crawler.fetching.robots import OBEYS_NOTHING, leaves_rules_open
from crawler.reading.html import detect_charset, parse_html
from crawler.reading.links import feed_urls, page_links, resolve
from crawler.reading.sources.entries import UnreadableSourceError
from crawler.reading.sources.source import max_bytes_of, read_source
from crawler.spiders.manners import PassingSpider
from crawler.spiders.site import response_error

if TYPE_CHECKING:
    from lxml import etree
    from scrapy.http import Response
    from twisted.python.failure import Failure

USUAL_FEEDS = ("/feed.xml", "/feed/", "/rss.xml", "/atom.xml", "/index.xml", "/rss")
"""Where feeds stand that no page names. Origin: the defaults of WordPress, Jekyll, Hugo, Hexo."""
USUAL_SITEMAPS = ("/sitemap.xml", "/sitemap_index.xml", "/wp-sitemap.xml", "/news-sitemap.xml")
"""Where sitemaps stand that robots.txt does not name. Origin: the defaults of the same."""

MOST_SOURCES = 8
"""Feeds and sitemaps that are looked at. Origin: guess, what a person would."""

LONGEST = 100
"""Characters kept of what a page says of itself. Origin: guess, what fits in a line."""

Named = Literal["the home page", "robots.txt", "nobody"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A feed or sitemap that can be read."""

    kind: Literal["feed", "sitemap"]
    url: str
    named_by: Named
    n_urls: int
    """Pages, or sitemaps, that it names."""


@dataclass(slots=True, kw_only=True)
class Looked:
    """What is known of a site after a few requests."""

    url: str
    """Where the home page stands, redirects followed."""
    problem: str = ""
    """Why there is nothing to crawl; empty if there is."""
    title: str = ""
    language: str = ""
    charset: str = ""
    generator: str = ""
    is_shell: bool = False
    """Whether scripts seem to draw the home page."""
    other_host: str = ""
    """Another host that most of its links lead to; empty if there is none."""
    pause: float | None = None
    """Seconds between requests that robots.txt asks for."""
    sources: list[Source] = field(default_factory=list)


class LookSpider(PassingSpider):
    """Home page, robots.txt, and what they name as feeds and sitemaps, each asked for once."""

    name = "look"
    looked: ClassVar[Looked]
    """What was found so far; one a class, so that it outlives the spider."""

    async def start(self) -> AsyncIterator[Any]:
        """The home page, if robots.txt allows it."""
        yield Request(self.looked.url, callback=self.read_home, errback=self.home_failed)

    async def read_home(self, response: Response) -> AsyncIterator[Request]:
        """Look at the home page; go on with the robots.txt of the host where it stands."""
        looked = self.looked
        looked.url = response.url
        looked.problem = response_error(response) or ""
        if looked.problem:
            return
        content_type = (response.headers.get("Content-Type") or b"").decode("latin-1")
        charset = detect_charset(response.body, content_type).name
        root = parse_html(response.body, charset)
        looked.charset = charset
        looked.title = _first(root, "//title//text()")
        looked.language = _first(root, "/html/@lang")
        looked.generator = _first(root, "//meta[@name='generator']/@content")
        looked.is_shell = is_shell(root)
        looked.other_host = _other_host(root, response.url, charset)
        yield Request(
            urljoin(response.url, "/robots.txt"),
            callback=self.read_robots,
            errback=self.source_failed,
            cb_kwargs={"feeds": feed_urls(root, response.url)},
            meta={OBEYS_NOTHING: True},
            dont_filter=True,
        )

    async def home_failed(self, failure: Failure) -> None:
        """The home page did not come."""
        self.looked.problem = failure_reason(failure.value)

    async def read_robots(self, response: Response, feeds: list[str]) -> AsyncIterator[Request]:
        """Note what robots.txt asks for; go on with feeds and sitemaps."""
        sitemaps: list[str] = []
        if response.status == 200:
            parser = ProtegoRobotParser(response.body, None)
            self.looked.pause = parser.crawl_delay(self.settings["USER_AGENT"])
            sitemaps = list(islice(parser.rp.sitemaps, MOST_SOURCES))
        if not leaves_rules_open(response.status):
            robots = urljoin(self.looked.url, "/robots.txt")
            named = [url for each in sitemaps if (url := resolve(robots, each))]
            for request in self._source_requests(self._of_site(feeds), named):
                yield request

    def _of_site(self, urls: list[str]) -> list[str]:
        """Feeds that a crawl of the site would read: on its own host."""
        host = host_of(self.looked.url)
        return [url for url in urls if _is_on(host, url)][:MOST_SOURCES]

    def _source_requests(self, feeds: list[str], sitemaps: list[str]) -> Iterator[Request]:
        """Those that are named, else those at the usual places."""
        for kind, named, namer, usual in (
            ("feed", feeds, "the home page", USUAL_FEEDS),
            ("sitemap", sitemaps, "robots.txt", USUAL_SITEMAPS),
        ):
            urls = named or [urljoin(self.looked.url, path) for path in usual]
            for url in urls:
                yield Request(
                    url,
                    callback=self.read_source,
                    errback=self.source_failed,
                    cb_kwargs={"kind": kind, "named_by": namer if named else "nobody"},
                    meta={"download_maxsize": max_bytes_of(kind, self.site.max_page_bytes)},
                )

    async def read_source(
        self, response: Response, kind: Literal["feed", "sitemap"], named_by: Named
    ) -> None:
        """Keep a feed or sitemap that can be read; of those at usual places the first."""
        known = self.looked.sources
        if response.status != 200 or any(
            each.kind == kind and each.named_by == named_by == "nobody" for each in known
        ):
            return
        try:
            named = read_source(response.body, response.url, kind, self.site.max_page_bytes)
        except UnreadableSourceError:
            return
        if n_urls := len(named.links) + len(named.sitemaps):
            known.append(Source(kind=kind, url=response.url, named_by=named_by, n_urls=n_urls))

    async def source_failed(self, failure: Failure) -> None:
        """A feed or sitemap, or robots.txt, did not come: it is none of this site."""


def make_look_spider(site: SiteConfig) -> type[LookSpider]:
    """The spider class that looks at a site's start page; `looked` holds what it found."""
    attributes = {"site": site, "looked": Looked(url=site.start_urls[0])}
    return type("Look", (LookSpider,), attributes)


def host_of(url: str) -> str:
    """The host of a URL without `www.`.

    >>> host_of("https://www.Example.org:8080/blog/")
    'example.org'
    """
    return (urlsplit(url).hostname or "").removeprefix("www.")


def _is_on(host: str, url: str) -> bool:
    """Whether a URL can be asked for on a host, with or without `www.`.

    >>> [_is_on("e.org", url) for url in ("http://www.e.org/", "ftp://e.org/", "http://[")]
    [True, False, False]
    """
    try:
        return urlsplit(url).scheme in ("http", "https") and host_of(url) == host
    except ValueError:
        return False


def _other_host(root: etree._Element, url: str, charset: str) -> str:
    """The host of most links, if it is another one than that of the page."""
    hosts = Counter(host_of(link.url) for link in page_links(root, url, charset))
    host, count = next(iter(hosts.most_common(1)), ("", 0))
    return host if host != host_of(url) and 2 * count > hosts.total() else ""


def _first(root: etree._Element, path: str) -> str:
    found = root.xpath(path)
    said = " ".join(str(found[0]).split()) if isinstance(found, list) and found else ""
    # It is written into pipelines.yaml, where control characters have no place.
    return "".join(filter(str.isprintable, said))[:LONGEST]
