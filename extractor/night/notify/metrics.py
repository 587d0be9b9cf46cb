"""The state of all sites for Prometheus, as the node exporter's textfile collector reads it."""

from __future__ import annotations

from collections.abc import Iterable

from prometheus_client import CollectorRegistry, Gauge, write_to_textfile

from extractor.health.state import State
from extractor.report.overview import Overview


def write_metrics(path: str, sites: Iterable[Overview]) -> None:
    """Write the file, whole or not at all."""
    registry = CollectorRegistry()

    def gauge(name: str, meaning: str, *labels: str) -> Gauge:
        return Gauge(name, meaning, ["site", *labels], registry=registry)

    state = gauge("webstem_site_state", "1 for the state of a site", "state")
    articles = gauge("webstem_new_articles_30_days", "New articles of 30 days")
    matched = gauge("webstem_match_rate", "Share of the pages that are articles as they should")
    crawled = gauge("webstem_last_crawl_timestamp_seconds", "When the last crawl began")
    ended = Gauge("webstem_last_night_timestamp_seconds", "When it ended", registry=registry)
    ended.set_to_current_time()
    for site in sites:
        for each in State:
            state.labels(site.site, str(each)).set(each is site.health.state)
        articles.labels(site.site).set(sum(site.new_articles))
        if site.match_rate is not None:
            matched.labels(site.site).set(site.match_rate)
        if site.last_crawl is not None:
            crawled.labels(site.site).set(site.last_crawl.started_at.timestamp())
    write_to_textfile(path, registry)
