"""Pages that were fetched elsewhere into the tables, as a crawl would have written them."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from typing import Any

from crawler.config.sites import SiteConfig
from crawler.exchange.archives import Found, FoundAnchors, FoundPage, PassedOver
from crawler.frontier.scope import Scope
from crawler.frontier.urldb import Found as FoundUrl
from crawler.frontier.urldb import UrlDatabase, Visit
from crawler.reading.html import Charset, detect_charset, parse_html
from crawler.reading.links import page_links
from crawler.reading.urls import url_key
from crawler.spiders.items import CrawledPage
from crawler.spiders.pipelines import write_rows
from crawler.storage.partitions import Condition, Storage
from crawler.storage.records import LINK_SCHEMA, LinkRecord, PageRecord, records_to_table

FLUSH_BYTES = 16 * 2**20
"""Rows buffered before a part is written. Origin: that of a crawl."""

FLUSH_PAGES = 1000
"""Pages that wait for the URL database at most. Origin: guess, 1 MB."""


@dataclass(slots=True)
class ImportSummary:
    """What came of an import."""

    pages: int = 0
    """Pages stored."""
    known: int = 0
    """Captures that are stored already: same run, URL, time and body."""
    links: int = 0
    """Links and anchor texts stored."""
    passed_over: Counter[str] = field(default_factory=Counter)
    """Reason -> how many; the first words of a reason."""
    examples: dict[str, str] = field(default_factory=dict)
    """Reason -> the first that it befell."""

    def pass_over(self, name: str, reason: str) -> None:
        """Count something that is not stored."""
        kind = reason.partition(":")[0]
        self.passed_over[kind] += 1
        self.examples.setdefault(kind, f"{name}: {reason}")


def import_pages(
    storage: Storage,
    database: UrlDatabase,
    site: SiteConfig,
    found: Iterable[Found],
    run_id: str,
) -> ImportSummary:
    """Store pages and links under the dates they were fetched on, as the run `run_id`.

    The pages are entered in the URL database, so that a crawl does not store them again unless
    they changed. It still reads those for links that lie above the site's depth.

    Pages outside the site's scope and rules are passed over. What an earlier import of the same
    run stored is left alone, so that an import can be repeated: a page fetched from the same URL at
    the same time with the same body, an anchor text with its target on the same day. A run may so
    have several captures of a page, also from several files. Where an archive brings anchor texts,
    they are the links; else the links of the pages are read. `ArchiveError` of a reader passes
    through; what came before it is stored.
    """
    importer = _Importer(storage, database, site, run_id)
    try:
        for each in found:
            importer.take(each)
    finally:
        importer.close()
    return importer.summary


Capture = tuple[str, datetime, str]
"""What makes a page row of a run known: `url_key`, `fetched_at` and `body_sha256`."""


class _Importer:
    def __init__(
        self, storage: Storage, database: UrlDatabase, site: SiteConfig, run_id: str
    ) -> None:
        self.summary = ImportSummary()
        self._storage = storage
        self._database = database
        self._site = site
        self._run_id = run_id
        self._scope = Scope.of_site(site)
        self._known: dict[date, set[Capture]] = {}
        self._linked: dict[date, set[str]] = {}
        self._visits: list[Visit] = []
        self._items: list[CrawledPage] = []
        self._size_bytes = 0
        self._anchors: dict[date, list[LinkRecord]] = {}
        self._brings_anchors = False

    def take(self, found: Found) -> None:
        """Store one thing, soon."""
        if isinstance(found, PassedOver):
            self.summary.pass_over(found.name, found.reason)
        elif isinstance(found, FoundAnchors):
            self._brings_anchors = True
            if self._site.linkinfo:
                self._take_anchors(found)
        else:
            self._take_page(found)

    def close(self) -> None:
        """Write what waits, then merge the parts."""
        self._write_anchors()
        self._flush()
        for day in self._known:
            for table in ("links", "pages"):
                self._storage.merge_parts(table, self._site.name, day)

    def _take_page(self, found: FoundPage) -> None:
        refusal = self._scope.refusal(found.url)
        if refusal:
            self.summary.pass_over(found.url, refusal)
            return
        self._write_anchors()
        key, day = url_key(found.url, self._site.index_name), found.fetched_at.date()
        digest = hashlib.sha256(found.body).hexdigest()
        known, capture = self._known_captures(day), (key, found.fetched_at, digest)
        if capture in known:
            self.summary.known += 1
        else:
            known.add(capture)
            self._store(self._item(found, key, digest))
        self._visits.append(self._visit(found, key, digest))
        # Only when both wait: a visit that is entered says that its page is on disk.
        if len(self._visits) >= FLUSH_PAGES or self._size_bytes >= FLUSH_BYTES:
            self._flush()

    def _item(self, found: FoundPage, key: str, digest: str) -> CrawledPage:
        """The row of a page, with those of its links if they are read from it."""
        charset = detect_charset(found.body, found.content_type, self._site.default_charset)
        page = self._page(found, key, charset, digest)
        has_links = self._brings_anchors or key in self._linked[found.fetched_at.date()]
        reads_links = self._site.linkinfo and not has_links
        return CrawledPage(page=page, links=tuple(self._links(page)) if reads_links else ())

    def _store(self, item: CrawledPage) -> None:
        """Store the rows of a page, soon."""
        self.summary.pages += 1
        self.summary.links += len(item.links)
        self._items.append(item)
        self._size_bytes += item.size_bytes

    def _visit(self, found: FoundPage, key: str, digest: str) -> Visit:
        """What the URL database is told: a stored page as far from the seeds as any may be."""
        return Visit(
            url_key=key,
            url=found.url,
            depth=self._site.depth,
            visited_at=found.fetched_at,
            status=200,
            digest=digest,
        )

    def _page(self, found: FoundPage, key: str, charset: Charset, digest: str) -> PageRecord:
        return PageRecord(
            run_id=self._run_id,
            url=found.url,
            final_url=found.url,
            url_key=key,
            fetched_at=found.fetched_at,
            status=200,
            content_type=found.content_type,
            charset=charset.name,
            charset_source=charset.source,
            body_len=len(found.body),
            body_sha256=digest,
            html=found.body,
        )

    def _links(self, page: PageRecord) -> Iterator[LinkRecord]:
        root = parse_html(page.html or b"", page.charset)
        for link in page_links(root, page.final_url, page.charset or "utf-8"):
            yield replace(
                self._link(link.url, link.text, page.url_key),
                position=link.position,
                rel=link.rel,
            )

    def _link(self, url: str, text: str | None, source_key: str) -> LinkRecord:
        return LinkRecord(
            run_id=self._run_id,
            src_url_key=source_key,
            dst_url=url,
            dst_url_key=url_key(url, self._site.index_name),
            anchor_text=text,
            in_scope=self._scope.refusal(url) is None,
        )

    def _take_anchors(self, found: FoundAnchors) -> None:
        """Anchor texts of an archive do not tell on which page they stand."""
        rows = self._anchors.setdefault(found.fetched_at.date(), [])
        texts = (" ".join(text.split()) for text in found.texts)
        rows += (self._link(found.url, text, "") for text in texts if text)

    def _write_anchors(self) -> None:
        """All that are not stored yet. Equal ones of one archive, links on several pages, stay."""
        anchors, self._anchors = self._anchors, {}
        for day, rows in anchors.items():
            self._known_captures(day)
            columns = ["dst_url", "anchor_text"]
            known = set(self._stored("links", columns, day, [("src_url_key", "==", "")]))
            new = [row for row in rows if (row.dst_url, row.anchor_text) not in known]
            if new:
                table = records_to_table(new, LINK_SCHEMA)
                self._storage.write_part("links", self._site.name, day, table)
                self.summary.links += len(new)

    def _known_captures(self, day: date) -> set[Capture]:
        """The captures of a day that this run already stored.

        Links are stored before their pages: a kill in between left those in `_linked`. Where
        another capture of the page is stored they may be its links: they are stored once more.
        """
        if day not in self._known:
            columns = ["url_key", "fetched_at", "body_sha256"]
            self._known[day] = set(self._stored("pages", columns, day))
            sources = {key for (key,) in self._stored("links", ["src_url_key"], day)}
            self._linked[day] = sources - {key for key, _, _ in self._known[day]}
        return self._known[day]

    def _stored(
        self, table: str, columns: list[str], day: date, conditions: Sequence[Condition] = ()
    ) -> Iterator[Any]:
        """The values of these columns in each row of a day that this run already stored."""
        own = [("run_id", "==", self._run_id), *conditions]
        for batch in self._storage.read(table, self._site.name, day, day, columns, own):
            yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)

    def _flush(self) -> None:
        """Store the pages that wait, then tell the URL database, as a crawl does."""
        items, self._items, self._size_bytes = self._items, [], 0
        visits, self._visits = self._visits, []
        if items:
            write_rows(self._storage, self._site.name, items)
        visits.sort(key=lambda visit: visit.visited_at)  # of several captures the last one counts
        self._enter([visit for visit in visits if self._is_newest(visit)])

    def _is_newest(self, visit: Visit) -> bool:
        known = self._database.find(visit.url_key)
        return known is None or known.visited_at is None or known.visited_at <= visit.visited_at

    def _enter(self, visits: list[Visit]) -> None:
        urls = [FoundUrl(url_key=each.url_key, url=each.url, source="import") for each in visits]
        self._database.add_links(urls, self._site.depth, None, datetime.now(UTC))
        self._database.record_visits(visits)
