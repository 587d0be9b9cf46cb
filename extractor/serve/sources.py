"""The page that a request is about, and what the project knows of its site."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus

from anyio import to_thread

from crawler.config.sites import Config, SiteConfig
from crawler.fetching.one_page import FetchError
from crawler.storage.partitions import Storage
from extractor.analysis.known import site_of
from extractor.analysis.targets import fetched
from extractor.serve.requests.problems import Problem
from extractor.serve.service import Service
from learner.page.pages import Page
from learner.patterns.pattern import PatternSet
from learner.patterns.stored import current_patterns

REFUSED = ("private address", "Forbidden by robots.txt", "redirect refused")
"""How the reasons begin for which a page is not asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A page, and where the patterns of its site are."""

    page: Page
    storage: str = ""
    site: str | None = None
    """None if no site of pipelines.yaml has the page's address."""

    def patterns(self) -> PatternSet:
        """Those learned last; none if nothing was learned."""
        return current_patterns(Storage(self.storage), self.site) if self.site else PatternSet()


async def fetched_source(service: Service, url: str) -> Source:
    """The page at an address, asked for as a crawl would; Problem if it does not come."""
    config = await service.sites.config()
    return await to_thread.run_sync(
        _fetched, config, url, abandon_on_cancel=True, limiter=service.threads
    )


def _fetched(config: Config, url: str) -> Source:
    try:
        site = site_of(config, url)
        return _source(config, site, fetched(url, site))
    except FetchError as problem:
        raise Problem(_status(problem.reason), f"no page from {url}: {problem.reason}") from None
    except ValueError as problem:  # an address that no parser takes
        raise Problem(HTTPStatus.BAD_GATEWAY, f"no page from {url}: {problem}") from None


def _status(reason: str) -> HTTPStatus:
    if reason.startswith(REFUSED):
        return HTTPStatus.FORBIDDEN
    return HTTPStatus.GATEWAY_TIMEOUT if reason == "timeout" else HTTPStatus.BAD_GATEWAY


async def given_source(service: Service, page: Page) -> Source:
    """A page that was sent."""
    config = await service.sites.config()
    site = await to_thread.run_sync(site_of, config, page.url) if page.url else None
    return _source(config, site, page)


def _source(config: Config, site: SiteConfig | None, page: Page) -> Source:
    return Source(page=page, storage=config.storage, site=site.name if site else None)
