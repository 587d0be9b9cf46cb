"""How a site is asked: its pauses, limits and headers as settings of Scrapy, also by spiders that
are no crawl of it."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy import Spider
from scrapy.settings import Settings

from crawler.config.sites import SiteConfig
from crawler.fetching.pauses import MOST_PAUSES
from crawler.fetching.proxy import SETTING

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings


def manners(site: SiteConfig, settings: BaseSettings) -> dict[str, Any]:
    """The settings that the site's entry in pipelines.yaml stands for."""
    values: dict[str, Any] = {
        "DOWNLOAD_DELAY": site.delay_seconds,
        "AUTOTHROTTLE_START_DELAY": site.delay_seconds,
        "AUTOTHROTTLE_MAX_DELAY": site.max_delay_seconds,
        "AUTOTHROTTLE_TARGET_CONCURRENCY": float(site.concurrency),
        "CONCURRENT_REQUESTS_PER_DOMAIN": site.concurrency,
        "CONCURRENT_REQUESTS": max(16, site.concurrency),
        "DOWNLOAD_TIMEOUT": site.timeout_seconds,
        "DOWNLOAD_MAXSIZE": site.max_page_bytes,
        SETTING: site.proxy,
        "USER_AGENT": site.user_agent or default_user_agent(),
    }
    if site.headers:
        common = settings.getdict("DEFAULT_REQUEST_HEADERS")
        values["DEFAULT_REQUEST_HEADERS"] = {**common, **site.headers}
    return values


def keep_manners_alone(site: SiteConfig, settings: BaseSettings) -> None:
    """Set the manners of a site, and nothing that stores or shows what comes of its pages."""
    settings.setdict(manners(site, settings), priority="spider")
    settings.set("ITEM_PIPELINES", {}, priority="spider")


class PassingSpider(Spider):
    """Asks a site for a few pages: in its manners, but it waits for no pause that a host asks for;
    stores nothing."""

    site: ClassVar[SiteConfig]

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        """The manners of the site, and nothing that stores or shows."""
        super().update_settings(settings)
        keep_manners_alone(cls.site, settings)
        settings.set(MOST_PAUSES, 0, priority="spider")


def run_alone(spider: type[Spider], settings: Settings | None = None) -> None:
    """Run a spider that no pipelines.yaml names until it ends, in this process, whose only crawl it
    is; without settings with those of this project, and nothing is logged."""
    from scrapy.crawler import AsyncCrawlerProcess

    if settings is None:
        settings = Settings({"LOG_ENABLED": False})
        settings.setmodule("crawler.settings")
    else:
        settings = settings.copy()
    # There need be no pipelines.yaml for this project's own loader.
    settings.set("SPIDER_LOADER_CLASS", "scrapy.spiderloader.SpiderLoader", "cmdline")
    process = AsyncCrawlerProcess(settings)
    process.crawl(spider)
    process.start()


def default_user_agent() -> str:
    """webstem's own name and version."""
    try:
        return f"webstem/{version('webstem')}"
    except PackageNotFoundError:
        return "webstem"
