"""What links are compared by: the page of a static site that an address leads to."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import urljoin, urlsplit

MOST_LINKS = 50_000
"""Links whose pages are remembered: menus repeat on every page. Origin: guess, 15 MB."""

_MEDIA = re.compile(r"\.(?:jpe?g|png|gif|webp|svg|ico|pdf|zip|gz|mp3|mp4)$", re.IGNORECASE)

_INDEX = re.compile(r"/index\.[a-z]{3,5}$")


def page_address(url: str) -> str:
    """Host and path of a URL without `www.`, fragment and index file.

    >>> page_address("https://www.example.org/a/index.html#top")
    'example.org/a/'
    """
    parts = urlsplit(url)
    path = _INDEX.sub("/", parts.path or "/")
    query = f"?{parts.query}" if parts.query else ""
    return parts.netloc.lower().removeprefix("www.") + path + query


def is_address(url: str) -> bool:
    """Whether a URL can be taken apart: half of an IPv6 address cannot."""
    try:
        urlsplit(url)
    except ValueError:
        return False
    return True


def page_key(url: str) -> str:
    """The address of a URL without the slash at the end of its path: two links with the same key
    lead to the same page of a static site, which sends the one on to the other.

    >>> page_key("https://www.example.org/a/index.html"), page_key("https://example.org/a?b=/")
    ('example.org/a', 'example.org/a?b=/')
    """
    return key_of(page_address(url))


def key_of(address: str) -> str:
    place, mark, query = address.partition("?")
    host, _, path = place.partition("/")
    return f"{host}/{path.rstrip('/')}{mark}{query}"


@lru_cache(maxsize=MOST_LINKS)
def page_of_link(base: str, href: str) -> str | None:
    """The key of the page that a link leads to; None for a medium or what is no address."""
    try:
        url = urljoin(base, href)
        return None if _MEDIA.search(urlsplit(url).path) else page_key(url)
    except ValueError:
        return None
