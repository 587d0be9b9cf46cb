"""Which pages a large site is learned from: as many as tell its layouts, whatever its size.

Learning holds what it learns from and compares pages with each other. A template shows on some
dozens of its pages, so a sample says what all pages would. It is drawn by a hash of the address:
the same pages whatever their order, nearly the same ones when pages are added, and each kind of
page in its proportion. A part is drawn from the days fetched last, for a new layout shows on few
pages at first.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping
from datetime import datetime
from hashlib import blake2b
from itertools import islice

from learner.pages import Page

RECENT_SHARE = 0.2
"""Share of the sample that is drawn from the days fetched last. Origin: guess; 200 of 1,000 pages
hold those of several nights."""


def rank(key: str) -> int:
    """A number that has nothing to do with what an address says."""
    return int.from_bytes(blake2b(key.encode("utf-8", "replace"), digest_size=8).digest(), "big")


def sample_keys(fetched: Mapping[str, datetime], size: int) -> frozenset[str]:
    """At most `size` (0: all) of the keys of pages, given when each was fetched.

    Of pages that were all fetched on one day, those that `sample_pages` would take.
    """
    if not size:
        return frozenset(fetched)
    by_rank = sorted(fetched, key=_key_order)
    newest = sorted(by_rank, key=lambda key: fetched[key].date(), reverse=True)
    chosen = dict.fromkeys([*newest[: round(RECENT_SHARE * size)], *by_rank])
    return frozenset(islice(chosen, size))


def sample_pages(pages: Iterable[Page], size: int) -> Iterable[Page]:
    """At most `size` of the pages (0: all), holding no others.

    >>> pages = [Page(url=f"https://a.example/{n}", html=b"") for n in range(9)]
    >>> sample_pages(pages, 3) == sample_pages(pages[::-1], 3)
    True
    """
    return pages if not size else heapq.nsmallest(size, pages, key=_page_order)


def _key_order(key: str) -> tuple[int, str]:
    return rank(key), key


def _page_order(page: Page) -> tuple[int, str, bytes]:
    key = page.url_key or page.url
    return rank(key), key, page.html
