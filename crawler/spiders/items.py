"""What the spider hands to the item pipelines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from crawler.fetching.failures import is_outage
from crawler.frontier.urldb import Visit
from crawler.storage.records import LinkRecord, PageRecord

FAILED_PAGES = "pages/failed/"
"""How the stats begin that count failed pages by reason."""
FAILED_STARTS = "pages/failed_starts"
"""The stat that counts the start URLs among them."""
LEFT_PAGES = "pages/left"
"""The stat that counts the pages left to the next run, for their host asked to wait."""
LOST_BEFORE = "pages/lost_before"
"""The stat that counts the pages that earlier runs lost to the server or the network of late, and
that were not due in this one."""
UNWANTED = "noindex: the page asks robots not to index it"
"""The error of a page that is not stored, for `obey_noindex` is set."""

ALREADY_CRAWLED = "redirects to a page already crawled: "
"""How the error of a URL begins whose target has its row under its own URL; the target follows."""


def redirect_target(error: str | None) -> str | None:
    """Where a URL leads whose page row has this error; None if it is another error."""
    is_redirect = error is not None and error.startswith(ALREADY_CRAWLED)
    return error.removeprefix(ALREADY_CRAWLED) if error and is_redirect else None


def reason_of(error: str) -> str:
    """The kind of an error: what stands before the first colon.

    >>> reason_of("http 404"), reason_of("not html: text/plain")
    ('http 404', 'not html')
    """
    return error.partition(":")[0]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CrawledPage:
    """All that one response, feed or failed request brought."""

    page: PageRecord | None = None
    """The page row; None for a feed or sitemap, which are no pages."""
    links: tuple[LinkRecord, ...] = ()
    """Outlinks of the page, or entries of the feed or sitemap."""
    visits: tuple[Visit, ...] = ()
    """What the URL database records once the rows are on disk: the page's URL, and those that
    redirected to it."""

    def __repr__(self) -> str:
        # Scrapy logs items: a body of megabytes has no place there.
        url = self.page.url if self.page else self.links[0].src_url_key if self.links else None
        return f"CrawledPage({url!r}, {len(self.links)} links)"

    @property
    def size_bytes(self) -> int:
        """About the memory that the rows hold."""
        body = len(self.page.html or b"") if self.page else 0
        return body + 1000 + 300 * len(self.links)


def visits_of_page(
    page: PageRecord, chain: Mapping[str, str], *, expanded: bool, has_brought: bool = False
) -> tuple[Visit, ...]:
    """The visits that a page row stands for: its own URL's, and one for each other of its chain.

    `chain` leads from the `url_key`s of `page.url` and its redirects to their URLs; `expanded`
    tells whether the page's links were put in the frontier, `has_brought` whether one was new.
    """
    own = Visit(
        url_key=page.url_key,
        url=page.final_url,
        depth=page.depth,
        visited_at=page.fetched_at,
        status=page.status,
        error=page.error,
        digest=page.body_sha256 if page.error is None else None,
        etag=page.etag,
        last_modified=page.last_modified,
        unchanged=page.unchanged,
        expanded=expanded,
        has_brought=has_brought,
        is_outage=page.error is not None and is_outage(page.status, page.error),
    )
    others = tuple(
        Visit(
            url_key=key,
            url=url,
            depth=page.depth,
            visited_at=page.fetched_at,
            status=page.status,
            error=page.error or f"redirects to {page.final_url}",
            is_outage=page.error is not None and is_outage(page.status, page.error),
        )
        for key, url in chain.items()
        if key != page.url_key
    )
    return (own, *others)
