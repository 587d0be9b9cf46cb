"""The spider loader: one spider class for each site of pipelines.yaml."""

from __future__ import annotations

import builtins
import sys
from typing import TYPE_CHECKING, Self

from crawler.command import tell_wrong_sites
from crawler.config.sites import Config, find_config, load_config
from crawler.config.yamlfile import ConfigError
from crawler.spiders.site import SiteSpider, make_spider
from crawler.usage.exitcodes import EXIT_CONFIG

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.settings import BaseSettings


class SiteLoader:
    """Scrapy's `SPIDER_LOADER_CLASS`: `scrapy list` lists the sites, `scrapy crawl` takes one."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._spiders = {site.name: make_spider(config, site) for site in config.sites}

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Self:
        """The loader for the configuration file; on a fault of it, its message and exit code."""
        try:
            return cls(load_config(find_config(), leave_out=True))
        except ConfigError as problem:
            # Scrapy would show a traceback: this is the first that any command calls.
            print(problem, file=sys.stderr)
            raise SystemExit(EXIT_CONFIG) from None

    def load(self, spider_name: str) -> type[SiteSpider]:
        """The spider of a site; UnknownSiteError, a KeyError, says which sites there are."""
        return self._spiders[self._config.site(spider_name).name]

    def list(self) -> list[str]:
        """Names of the sites, in the file's order; entries that are wrong are named on stderr."""
        tell_wrong_sites(self._config)
        return builtins.list(self._spiders)

    def find_by_request(self, request: Request) -> builtins.list[str]:
        """Names of the sites whose scope holds the request's URL."""
        return [
            name
            for name, spider in self._spiders.items()
            if spider.scope.refusal(request.url) is None
        ]
