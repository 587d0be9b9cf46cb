"""What a killed run left in storage: rows on disk that the URL database does not know of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pyarrow.compute as pc

from crawler.config.sites import SiteConfig
from crawler.frontier.urldb import Run, UrlDatabase, Visit
from crawler.reading.urls import url_key
from crawler.spiders.items import visits_of_page
from crawler.storage.partitions import Storage
from crawler.storage.records import PageRecord, rows_of

_PAGE_COLUMNS = [
    "run_id", "url", "final_url", "url_key", "fetched_at", "status", "depth", "redirects",
    "etag", "last_modified", "body_sha256", "unchanged", "error",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Leftovers:
    """Rows of an unfinished run that are on disk."""

    visits: tuple[Visit, ...] = ()
    """Visits of all its page rows."""
    link_sources: frozenset[str] = frozenset()
    """Keys of feeds, sitemaps and pages whose links are on disk; of pages, those without a row."""

    @property
    def page_count(self) -> int:
        """Number of pages that came, without errors and redirects."""
        return sum(visit.error is None for visit in self.visits)

    def record(self, database: UrlDatabase) -> None:
        """Mark done what is stored."""
        database.record_visits(
            [visit for visit in self.visits if not database.is_settled(visit.url_key)]
        )


def recover_run(storage: Storage, site: SiteConfig, run: Run) -> Leftovers:
    """Read which pages and links of `run` are in storage.

    A part file is renamed into place before its pages are marked done, links before pages: a kill
    in between leaves them here.
    """
    since = run.started_at.date()
    this_run = [("run_id", "==", run.run_id)]
    visits = tuple(
        visit
        for row in rows_of(storage.read("pages", site.name, since, None, _PAGE_COLUMNS, this_run))
        for visit in _visits(row, site)
    )
    sources = frozenset(
        key
        for batch in storage.read("links", site.name, since, None, ["src_url_key"], this_run)
        for key in pc.unique(batch.column(0)).to_pylist()
    )
    return Leftovers(visits, sources.difference(visit.url_key for visit in visits))


def _visits(row: dict[str, Any], site: SiteConfig) -> tuple[Visit, ...]:
    page = PageRecord(**{**row, "redirects": tuple(row["redirects"])})
    chain = {url_key(url, site.index_name): url for url in (page.url, *page.redirects)}
    # A page's links are in the URL database before its row can be on disk.
    expanded = page.depth < site.depth and page.error is None and page.status != 304
    return visits_of_page(page, chain, expanded=expanded)
