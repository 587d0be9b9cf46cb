"""The identity of URLs: which of them name the same page."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from urllib.parse import urlsplit, urlunsplit

from w3lib.url import canonicalize_url

from crawler.reading.hostnames import with_ascii_host
from crawler.reading.sessions import without_session_ids

MAX_URL_LENGTH = 2000
"""Characters; longer URLs are traps or sessions: links to them are left out, no cache holds them.
Origin: the length all browsers accept."""

TRACKING_PREFIXES = ("utm_", "mtm_", "hsa_")
"""How names of query parameters begin that tell where a reader came from. Origin: the campaign
parameters of Google, Matomo and HubSpot."""

TRACKING_NAMES = frozenset(
    """
    _ga _gl _hsenc _hsmi dclid fbclid gbraid gclid gclsrc igshid jsessionid mc_cid mc_eid msclkid
    oly_anon_id oly_enc_id phpsessid twclid vero_id wbraid xtor yclid ysclid
    """.split()
)
"""Lower-case names of other parameters that say nothing about the page: whole names that no site
gives to pages of its own, for a page more is stored twice, but a page that shares another's key is
lost (`eid` is the article in some blog systems, `keyword` the page in some wikis)."""

DOUBTFUL_PREFIXES = ("pk_",)
"""How names begin that are Matomo's of old on some sites, and primary keys on others."""

DOUBTFUL_NAMES = frozenset("campaign ref referer referrer session sessionid source".split())
"""Lower-case names that tell where a reader came from on some sites, and name the page on others:
the session of a parliament, the passage of a book. They count; which of them change nothing on a
site is learned there (`crawler.frontier.twins`)."""

_SLASHES = re.compile(r"(?<!:)/{2,}")
_SESSION = re.compile(r";jsessionid=[^/\\?#]*", re.IGNORECASE)

CACHE_SIZE = 16_384
"""URLs whose key, scope or resolved form is remembered, each. Those that stand on every page of a
site are many fewer, and others come back too late for any cache. Origin: 7 MB each, so that the
memory of a crawl is the same after 5,000 pages as after 50,000."""

DEFAULT_PORTS = {"http": 80, "https": 443}


def url_key(url: str, index_name: str = "") -> str:
    """The canonical form of `url`, equal for URLs of one page; for identity, never fetched.

    Tracking parameters, session ids, fragments, names and passwords, default ports, repeated
    slashes, the order of the query and the letters of the host do not count. With `index_name`
    (such as `index.html`) a folder and its index file are one page.

    >>> url_key("HTTP://Example.org:80/a?utm_source=x&b=2&a=1#top")
    'http://example.org/a?a=1&b=2'
    >>> url_key("http://example.org/a/index.html", "index.html")
    'http://example.org/a/'
    """
    return _key(url, index_name) if len(url) > MAX_URL_LENGTH else _cached_key(url, index_name)


def _key(url: str, index_name: str) -> str:
    try:
        location, mark, query = url.partition("?")
        plain = merge_slashes(with_ascii_host(_SESSION.sub("", location) + mark + query))
        # Again, for backslashes become slashes.
        parts = urlsplit(merge_slashes(canonicalize_url(plain)))
        host, port = parts.netloc.rpartition("@")[2], parts.port
    except ValueError:
        # What no URL parser reads (a broken IPv6 host) is only itself.
        return url
    path, query = without_session_ids(parts.path, parts.query)
    if port is not None and port == DEFAULT_PORTS.get(parts.scheme):
        host = host.removesuffix(f":{port}")
    if index_name and path.endswith(f"/{index_name}"):
        path = path[: -len(index_name)]
    query = "&".join(each for each in query.split("&") if not _is_tracking(each))
    return urlunsplit((parts.scheme, host, path, query, ""))


_cached_key = lru_cache(maxsize=CACHE_SIZE)(_key)


def _is_tracking(parameter: str) -> bool:
    name = parameter.partition("=")[0].lower()
    return name in TRACKING_NAMES or name.startswith(TRACKING_PREFIXES)


def doubtful_names(key: str) -> frozenset[str]:
    """The names in a key's query, lower case, that may change nothing.

    >>> sorted(doubtful_names("http://example.org/a?Ref=1&id=2&pk_kwd=3"))
    ['pk_kwd', 'ref']
    """
    names = {each.partition("=")[0].lower() for each in key.partition("?")[2].split("&")}
    return frozenset(
        name for name in names if name in DOUBTFUL_NAMES or name.startswith(DOUBTFUL_PREFIXES)
    )


def without_names(key: str, names: Collection[str]) -> str:
    """A key without the parameters of these names, which are lower case.

    >>> without_names("http://example.org/a?id=2&ref=1", {"ref"})
    'http://example.org/a?id=2'
    """
    location, _, query = key.partition("?")
    left = [each for each in query.split("&") if each.partition("=")[0].lower() not in names]
    return f"{location}?{'&'.join(left)}" if any(left) else location


def merge_slashes(url: str) -> str:
    """`url` with one slash for each run of them in its path; in a URL inside it `://` stays.

    >>> merge_slashes("http://example.org//a///b?c=//d")
    'http://example.org/a/b?c=//d'
    >>> merge_slashes("http://example.org/web/2005/http://example.com//")
    'http://example.org/web/2005/http://example.com/'
    """
    if url.find("//", url.find("://") + 3) < 0:
        return url
    parts = urlsplit(url)
    return urlunsplit(parts._replace(path=_SLASHES.sub("/", parts.path)))


def without_user(url: str) -> str:
    """`url` without a name and password before its host, with which nothing can be fetched.

    ValueError if no parser reads it.

    >>> without_user("http://name:password@example.org/@name")
    'http://example.org/@name'
    """
    if "@" not in url:
        return url
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
