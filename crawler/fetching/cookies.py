"""Cookies of a site from a file in Mozilla's cookies.txt format."""

from __future__ import annotations

from http.cookiejar import LoadError, MozillaCookieJar
from typing import TYPE_CHECKING, Self

from scrapy.downloadermiddlewares import cookies
from tldextract import TLDExtract

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

# Scrapy's own fetches the list of public suffixes at the first cookie, from hosts that no site
# names and past the guard of addresses; the snapshot that comes with the library will do.
cookies._split_domain = TLDExtract(
    suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True
)


class CookiesFileError(ValueError):
    """A cookies file cannot be read; `path` says which."""

    def __init__(self, path: str, problem: object) -> None:
        super().__init__(
            f"{path}: expected a cookies.txt in Mozilla's format (first line "
            f"'# Netscape HTTP Cookie File'), got {problem}; export it again or unset cookies_file"
        )
        self.path = path


class CookiesFileMiddleware(cookies.CookiesMiddleware):
    """Scrapy's cookies middleware, its jar filled from the site's `cookies_file`."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        middleware = super().from_crawler(crawler)
        site = getattr(crawler.spidercls, "site", None)
        if site and site.cookies_file:
            for cookie in read_cookies(site.cookies_file):
                middleware.jars[None].jar.set_cookie(cookie)
        return middleware


def read_cookies(path: str) -> MozillaCookieJar:
    """The unexpired cookies of a cookies.txt, session cookies too; CookiesFileError if none."""
    jar = MozillaCookieJar(path)
    try:
        jar.load(ignore_discard=True)
    except (OSError, LoadError, ValueError) as problem:
        raise CookiesFileError(path, problem) from problem
    return jar
