"""Which pages a large site is learned from: as many as tell its layouts, whatever its size.

Learning holds what it learns from and compares pages with each other. A template shows on some
dozens of its pages, so a sample says what all pages would. It is drawn by a hash of the address:
the same pages whatever their order, nearly the same ones when pages are added, and each kind of
page in its proportion. A part is drawn from the days fetched last, for a new layout shows on few
pages at first.

A layout that few pages have would be lost. So more pages are drawn than learned from, and a part of
the sample are those among them that bear names which the others lack: bytes are searched for
`class` attributes, nothing is parsed.
"""

from __future__ import annotations

import heapq
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from hashlib import blake2b
from itertools import islice
from typing import TypeVar

from learner.page.pages import Page

DRAWN = 5
"""Pages that are drawn for each that is learned from. Origin: guess; 600 pages for 120 have 3 of a
layout that one page in 200 has, and to search one takes 0.1 ms."""

RARE_SHARE = 0.1
"""Share of the sample that is kept for pages whose names are rare in it. Origin: measured, see
docs/decisions.md."""

LEAST_NAMED = 3
"""Pages that a name needs among those drawn, so that it is not the name of a page. Origin: pages
that the default preset needs to learn."""

ENOUGH_NAMED = 5
"""Pages of the sample with a name from which on it is not rare. Origin: measured, see
docs/decisions.md."""

RECENT_SHARE = 0.2
"""Share of the pages drawn that are from the days fetched last. Origin: guess; 120 of 600 pages
hold those of several nights."""

MAX_NAME_BYTES = 500
"""Bytes read of a name; what comes after them tells no layouts apart. Origin: measured, see
docs/decisions.md."""

MOST_NAMES = 10_000
"""Names whose form without digits is remembered: pages of a site have the same. Origin: measured,
see docs/decisions.md."""

_CLASS = re.compile(rb"""class=["']?([^"'>]{0,%d})""" % MAX_NAME_BYTES)
_DIGITS = re.compile(rb"\d+")


def rank(key: str) -> int:
    """A number that has nothing to do with what an address says."""
    return int.from_bytes(blake2b(key.encode("utf-8", "replace"), digest_size=8).digest(), "big")


def draw_keys(fetched: Mapping[str, datetime], size: int) -> frozenset[str]:
    """The keys of the pages that a sample of `size` (0: all) is taken from, given when each was
    fetched."""
    if not size:
        return frozenset(fetched)
    by_rank = sorted(fetched, key=_key_order)
    newest = sorted(by_rank, key=lambda key: fetched[key].date(), reverse=True)
    drawn = dict.fromkeys([*newest[: round(RECENT_SHARE * DRAWN * size)], *by_rank])
    return frozenset(islice(drawn, DRAWN * size))


def sample_pages(pages: Iterable[Page], size: int) -> Iterable[Page]:
    """At most `size` of the pages (0: all), holding no more than are drawn for them.

    >>> pages = [Page(url=f"https://a.example/{n}", html=b"") for n in range(9)]
    >>> sample_pages(pages, 3) == sample_pages(pages[::-1], 3)
    True
    """
    if not size:
        return pages
    drawn = heapq.nsmallest(DRAWN * size, pages, key=_page_order)
    if len(drawn) <= size:
        return drawn
    names = [written_names(page.html) for page in drawn]
    n_common = size - round(RARE_SHARE * size)
    rare = _with_rare_names(names, n_common, size - n_common)
    chosen = dict.fromkeys([*range(n_common), *rare, *range(n_common, len(drawn))])
    return [drawn[n] for n in islice(chosen, size)]


def written_names(html: bytes) -> frozenset[bytes]:
    """The values of the `class` attributes of a page as they are written, digits as `0`.

    >>> sorted(written_names(b"<p class='a b'><p class=post-12>"))
    [b'a b', b'post-0']
    """
    return frozenset(map(_without_digits, set(_CLASS.findall(html))))


@lru_cache(maxsize=MOST_NAMES)
def _without_digits(name: bytes) -> bytes:
    return _DIGITS.sub(b"0", name)


def _with_rare_names(names: Sequence[frozenset[bytes]], n_sampled: int, most: int) -> Iterator[int]:
    """Of the pages after the first `n_sampled` at most so many, one after another those with most
    names that the sample has too rarely.

    >>> common, old = frozenset({b"post"}), frozenset({b"post", b"old"})
    >>> list(_with_rare_names([common, old, common, old, old], 1, most=3))
    [1, 3, 4]
    """
    in_sample = Counter(name for page in names[:n_sampled] for name in page)
    in_all = Counter(name for page in names for name in page)
    rare = {name for name, n in in_all.items() if n >= LEAST_NAMED}
    lacking = {n: names[n] & rare for n in range(n_sampled, len(names))}
    for _ in range(most):
        rare = {name for name in rare if in_sample[name] < ENOUGH_NAMED}
        lacking = {n: left for n, some in lacking.items() if (left := some & rare)}
        if not lacking:
            return
        best = max(lacking, key=lambda n: len(lacking[n]))  # of equal ones the first drawn
        yield best
        in_sample.update(lacking.pop(best))


def _key_order(key: str) -> tuple[int, str]:
    return rank(key), key


def _page_order(page: Page) -> tuple[int, str, bytes]:
    key = page.url_key or page.url
    return rank(key), key, page.html


T = TypeVar("T")


def evenly_spaced(items: Sequence[T], size: int) -> Sequence[T]:
    """At most `size` of the items, spread over all; 0 = all of them.

    >>> evenly_spaced("abcdefgh", 3)
    ['a', 'c', 'f']
    """
    if not size or len(items) <= size:
        return items
    return [items[len(items) * i // size] for i in range(size)]
