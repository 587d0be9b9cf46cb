"""Which URLs belong to a site: its hosts, its folders, its ordered rules."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from ipaddress import IPv6Address
from posixpath import splitext
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

from crawler.reading.hostnames import ascii_host, readable
from crawler.reading.urls import CACHE_SIZE, DEFAULT_PORTS, MAX_URL_LENGTH

if TYPE_CHECKING:
    from crawler.config.sites import Rule, SiteConfig

MAX_SEGMENT_REPEATS = 3
"""Times one path segment may stand in a URL; `/a/b/a/b/a/b/a/b` grows from broken relative links.
Origin: guess; real paths repeat a segment at most twice (`/2024/12/12`)."""

MEDIA_SUFFIXES = frozenset(
    """
    7z aac ai apk avi avif bin bmp bz2 css csv dat deb dmg doc docx eot eps epub exe flac flv
    gif gz ico iso jar jpe jpeg jpg js json lzma m3u8 m4a m4v map mid midi mjs mkv mobi mov
    mp2 mp3 mp4 mpeg mpg msi odp ods odt oga ogg ogv opus otf pdf pkg png pps ppt pptx ps psd
    qt ra ram rar rm rpm rss rtf svg svgz swf tar tgz tif tiff torrent ttf wasm wav webm
    webmanifest webp wma wmv woff woff2 xls xlsx xml xz zip zst
    """.split()
)
"""Lower-case file suffixes of what holds no page: media, archives, documents, style, data."""


OTHER_HOST = "other host"
"""How the refusal of an address begins that is on none of the site's hosts."""

MEDIA_FILE = "media file"
"""Refusal of an address that ends like one."""


@lru_cache(maxsize=CACHE_SIZE)
def is_media(url: str) -> bool:
    """True if the path ends in a suffix of `MEDIA_SUFFIXES`."""
    suffix = splitext(urlsplit(url).path)[1]
    return suffix[1:].lower() in MEDIA_SUFFIXES


def has_repeated_segments(path: str) -> bool:
    """True if a path segment stands more than `MAX_SEGMENT_REPEATS` times in `path`.

    >>> has_repeated_segments("/a/b/a/b/a/b/a/b"), has_repeated_segments("/2024/12/12/a")
    (True, False)
    """
    segments = [segment for segment in path.split("/") if segment]
    if len(segments) <= MAX_SEGMENT_REPEATS:
        return False
    return max(segments.count(segment) for segment in set(segments)) > MAX_SEGMENT_REPEATS


@dataclass(frozen=True, slots=True)
class Directory:
    """A folder of a host: what a start URL opens to the crawl."""

    host: str
    """Host name without a leading `www.`, with its port if that is not the scheme's own."""
    path: str
    """Path up to and with its last slash."""

    @classmethod
    def of(cls, url: str) -> Directory:
        """The folder in which `url` lies."""
        parts = urlsplit(url)
        return cls(_host(parts), parts.path[: parts.path.rfind("/") + 1] or "/")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Which URLs the crawl of a site may fetch.

    A URL must be http(s), on a host of the site's start URLs, feeds or sitemaps (`www.` and the
    scheme do not count), and no trap. Then the site's ordered rules decide, and where none is
    found, whether it lies under the directory of a start URL and does not end like a media file.
    """

    hosts: frozenset[str]
    directories: tuple[Directory, ...]
    rules: tuple[Rule, ...] = ()
    patterns: tuple[re.Pattern[str], ...] = field(default=(), repr=False)

    @classmethod
    def of_site(cls, site: SiteConfig) -> Scope:
        """The scope of a configured site; a site of feeds only is open on their hosts."""
        seeds = (*site.start_urls, *site.feeds, *site.sitemaps)
        hosts = frozenset(Directory.of(url).host for url in seeds)
        folders = [Directory.of(url) for url in site.start_urls]
        folders = folders or [Directory(host, "/") for host in sorted(hosts)]
        return cls(
            hosts=hosts,
            directories=tuple(dict.fromkeys(folders)),
            rules=site.rules,
            patterns=tuple(re.compile(rule.allow or rule.deny or "") for rule in site.rules),
        )

    def is_own(self, url: str) -> bool:
        """Whether a URL stands on a host of the site, whatever the rules say of it."""
        try:
            return _host(urlsplit(url)) in self.hosts
        except ValueError:
            return False

    def refusal(self, url: str) -> str | None:
        """Why `url` may not be fetched; None if it may.

        The first words of a reason are stable: they are counted and shown by `scrapy urldb`.
        """
        if len(url) > MAX_URL_LENGTH:
            return f"too long: {len(url)} characters, at most {MAX_URL_LENGTH}"
        try:
            parts = urlsplit(url)
            host = _host(parts)
        except ValueError as problem:
            return f"not a URL: {problem}"
        if parts.scheme not in DEFAULT_PORTS or not parts.hostname:
            return f"not http: scheme {parts.scheme!r}"
        if host not in self.hosts:
            return f"{OTHER_HOST}: {host}"
        if has_repeated_segments(parts.path):
            return "trap: a path segment repeats"
        return self._refusal_by_rule(url, parts)

    def _refusal_by_rule(self, url: str, parts: SplitResult) -> str | None:
        for rule, pattern in zip(self.rules, self.patterns, strict=True):
            # A rule in letters beyond ASCII is meant for what a reader sees, not for what is sent.
            if pattern.search(url if pattern.pattern.isascii() else readable(url)):
                return None if rule.allows else f"denied by rule {rule.deny!r}"
        path, host = parts.path or "/", _host(parts)
        for directory in self.directories:
            if host == directory.host and path.startswith(directory.path):
                return MEDIA_FILE if is_media(url) else None
        return "outside the directories of the start URLs"


def _host(parts: SplitResult) -> str:
    """Host as scopes compare it; ValueError if the port, the host or its IPv6 address is none."""
    host = parts.hostname or ""
    if not host.isascii() or "%" in host:
        host = ascii_host(host)
    host = host.removeprefix("www.")
    if ":" in host:
        host = f"[{IPv6Address(host)}]"
    if parts.port in (None, DEFAULT_PORTS.get(parts.scheme)):
        return host
    return f"{host}:{parts.port}"
