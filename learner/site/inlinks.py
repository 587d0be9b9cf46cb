"""Texts of the links that lead to each page, joined from the links table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from datetime import date

import pyarrow as pa
import pyarrow.compute as pc

from crawler.config.sites import SiteConfig
from crawler.reading.html import parse_html
from crawler.reading.links import page_links
from crawler.reading.urls import url_key
from crawler.spiders.items import ALREADY_CRAWLED, redirect_target
from crawler.storage.partitions import Storage

MAX_TEXTS = 50
"""Distinct texts kept per page, the first in order of letters: bounds memory, and does not depend
on the order of rows. Origin: guess; a page has one to five, a home page some dozens."""

MAX_STEPS = 10
"""Redirects followed from one URL to the page. Origin: as many as a crawl follows at once."""

_ALIAS_COLUMNS = ("url", "url_key", "redirects", "error")
_BODY_COLUMNS = ("final_url", "charset", "html", "error")
_COLUMNS = ("dst_url_key", "anchor_text")
_NEW_BODY = [("unchanged", "==", False)]


class Inlinks:
    """Inlink anchor texts of pages, each with how often it occurs."""

    def __init__(self, wanted: Collection[str], aliases: Mapping[str, str] | None = None) -> None:
        """`wanted` are the `url_key`s to collect texts for; `aliases` leads the keys of URLs that
        redirect to the keys of the pages they lead to, which may redirect themselves."""
        self._wanted = wanted
        aliases = aliases or {}
        self._aliases = {key: _last_target(key, aliases) for key in aliases}
        self._counts: dict[str, Counter[str]] = {}

    def add(self, key: str, text: str, count: int) -> None:
        """Count a text of links to the URL `key`."""
        key = self._aliases.get(key, key)
        text = " ".join(text.split())
        if key not in self._wanted or not text:
            return
        counts = self._counts.setdefault(key, Counter())
        counts[text] += count
        if len(counts) > MAX_TEXTS:
            del counts[max(counts)]

    def texts(self, key: str) -> tuple[str, ...]:
        """Distinct texts of the links to a page, the most frequent first."""
        counts = self._counts.get(key)
        if not counts:
            return ()
        return tuple(sorted(counts, key=lambda text: (-counts[text], text)))


def _last_target(key: str, aliases: Mapping[str, str]) -> str:
    """Where `key` leads in the end; in a circle the last before it comes back."""
    target = key
    for _ in range(MAX_STEPS):
        following = aliases.get(target, key)
        if following == key:
            break
        target = following
    return target


def read_inlinks(
    storage: Storage,
    site: SiteConfig,
    wanted: Collection[str],
    since: date | None = None,
    until: date | None = None,
) -> Inlinks:
    """The texts of all stored links to the `wanted` pages in the partitions of these days.

    A link to a URL that redirects counts for the page it leads to.
    """
    inlinks = Inlinks(wanted, dict(_aliases(storage, site, since, until)))
    for batch in storage.read("links", site.name, since, until, _COLUMNS):
        named = pa.Table.from_batches([batch.filter(pc.is_valid(batch["anchor_text"]))])
        for row in named.group_by(list(_COLUMNS)).aggregate([([], "count_all")]).to_pylist():
            inlinks.add(row["dst_url_key"], row["anchor_text"], row["count_all"])
    return inlinks


def _aliases(
    storage: Storage, site: SiteConfig, since: date | None, until: date | None
) -> Iterator[tuple[str, str]]:
    """Pairs of keys: of a URL that redirects, and of the page that it leads to."""
    for batch in storage.read("pages", site.name, since, until, _ALIAS_COLUMNS):
        led = pc.greater(pc.list_value_length(batch["redirects"]), 0)
        led = pc.or_(led, pc.fill_null(pc.starts_with(batch["error"], ALREADY_CRAWLED), False))
        for row in batch.filter(led).to_pylist():
            target = redirect_target(row["error"])
            page = url_key(target, site.index_name) if target else row["url_key"]
            for url in (row["url"], *row["redirects"]):
                key = url_key(url, site.index_name)
                if key != page:
                    yield key, page


def inlinks_of_pages(
    storage: Storage,
    site: SiteConfig,
    wanted: Collection[str],
    since: date | None = None,
    until: date | None = None,
) -> Inlinks:
    """The same from the stored pages themselves, for a site whose links are not stored."""
    inlinks = Inlinks(wanted, dict(_aliases(storage, site, since, until)))
    for batch in storage.read("pages", site.name, since, until, _BODY_COLUMNS, _NEW_BODY):
        for row in batch.to_pylist():
            if row["html"] is not None and row["error"] is None:
                root = parse_html(row["html"], row["charset"])
                for link in page_links(root, row["final_url"], row["charset"] or "utf-8"):
                    inlinks.add(url_key(link.url, site.index_name), link.text or "", 1)
    return inlinks
