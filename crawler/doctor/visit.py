"""`VisitSpider`: asks a site once for all that a crawl begins with, and stores nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import urljoin, urlsplit

from scrapy import Request

from crawler.config.sites import SiteConfig
from crawler.doctor.answers import (
    certificate_finding,
    clock_finding,
    failure_finding,
    page_finding,
    robots_finding,
    source_finding,
)
from crawler.doctor.finding import Finding
from crawler.fetching.failures import failure_reason
from crawler.fetching.robots import OBEYS_NOTHING, leaves_rules_open
from crawler.frontier.scope import Scope
from crawler.reading.sources.source import max_bytes_of
from crawler.spiders.manners import PassingSpider

if TYPE_CHECKING:
    from scrapy.http import Response
    from twisted.python.failure import Failure


class VisitSpider(PassingSpider):
    """Robots.txt, start pages, feeds and sitemaps of a site, each asked for once."""

    scope: ClassVar[Scope]
    findings: ClassVar[list[Finding]]
    """What was found so far; one list a class, so that it outlives the spider."""

    async def start(self) -> AsyncIterator[Any]:
        """The robots.txt of each host; the host's pages are asked for once that is read."""
        site = self.site
        wanted: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for subject, urls in (
            ("start page", site.start_urls),
            ("feed", site.feeds),
            ("sitemap", site.sitemaps),
        ):
            for url in urls:
                wanted[urljoin(url, "/robots.txt")].append((subject, url))
        for robots, pages in wanted.items():
            yield Request(
                robots,
                callback=self.read_robots,
                errback=self.failed,
                cb_kwargs={"subject": "robots.txt", "pages": pages},
                meta={OBEYS_NOTHING: True},
            )

    def refuse_redirect(self, request: Request, target: str) -> str | None:
        """Why a redirect to `target` is not followed, as a crawl would."""
        refusal = self.scope.refusal(target)
        if request.cb_kwargs.get("subject") != "start page":
            # A feed or sitemap may stand elsewhere.
            refusal = refusal if refusal and refusal.startswith("not ") else None
        return f"redirect refused, {refusal}: {target}" if refusal else None

    async def read_robots(
        self, response: Response, subject: str, pages: list[tuple[str, str]]
    ) -> AsyncIterator[Request]:
        """Look at robots.txt and its connection; go on if pages may be asked for."""
        self.findings.append(robots_finding(response, self.site, self.settings["USER_AGENT"]))
        now = datetime.now(UTC)
        if clock := clock_finding(response, now, self.name):
            self.findings.append(clock)
        if response.certificate is not None:
            ends = response.certificate.original.to_cryptography().not_valid_after_utc
            host = urlsplit(response.url).netloc
            self.findings.append(certificate_finding(host, ends, now, self.name))
        if not leaves_rules_open(response.status):
            for page, url in pages:
                callback = self.read_page if page == "start page" else self.read_source
                yield Request(
                    url,
                    callback=callback,
                    errback=self.failed,
                    cb_kwargs={"subject": page},
                    meta={"download_maxsize": max_bytes_of(page, self.site.max_page_bytes)},
                )

    async def read_page(self, response: Response, subject: str) -> None:
        """Look at a start page."""
        self._note(response, subject, partial(page_finding, response, self.site, self.scope))

    async def read_source(self, response: Response, subject: str) -> None:
        """Look at a feed or sitemap."""
        look = partial(source_finding, response, subject, self.site, self.scope)
        self._note(response, subject, look)

    def _note(self, response: Response, subject: str, look: Callable[[], Finding]) -> None:
        """Keep what is found; what cannot be read is a finding too, not a check left out."""
        try:
            found = look()
        except Exception as problem:
            found = failure_finding(subject, response.url, f"internal: {problem!r}", self.name)
        self.findings.append(found)

    async def failed(self, failure: Failure) -> None:
        """Something did not come."""
        request: Request = failure.request  # type: ignore[attr-defined]
        subject, reason = request.cb_kwargs["subject"], failure_reason(failure.value)
        self.findings.append(failure_finding(subject, request.url, reason, self.name))


def make_visitor(site: SiteConfig) -> type[VisitSpider]:
    """The spider class that visits one site; `findings` holds what it found once it has run."""
    scope = Scope.of_site(site)
    attributes = {"name": site.name, "site": site, "scope": scope, "findings": []}
    return type("Visitor", (VisitSpider,), attributes)
