"""How a site is asked: its pauses, limits and headers as settings of Scrapy."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from crawler.config.sites import SiteConfig
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


def default_user_agent() -> str:
    """webstem's own name and version."""
    try:
        return f"webstem/{version('webstem')}"
    except PackageNotFoundError:
        return "webstem"
