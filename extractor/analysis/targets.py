"""What somebody names to be read, as a page: an address, a file, HTML."""

from __future__ import annotations

import os
from pathlib import Path

from crawler.config.sites import SiteConfig
from crawler.fetching.one_page import fetch_page
from learner.page.pages import Page

Target = Page | bytes | str | os.PathLike[str]
"""A page; its HTML as bytes, or as text with a `<`; where it stands, as a text that begins with
`http://` or `https://`; a file, as any other text or a path."""


def page_of(target: Target, url: str = "", site: SiteConfig | None = None) -> Page:
    """The page that is named; `url` is where one stands that comes as HTML or from a file, `site`
    whose manners and limits hold where one is fetched.

    FetchError (`crawler.fetching.one_page`) if a page does not come, OSError if a file cannot be
    read. Nothing but an address is asked for from the network.

    >>> page_of("<p>a", "https://a.example/").html
    b'<p>a'
    """
    if isinstance(target, Page):
        return target
    if isinstance(target, bytes):
        return Page(url=url, html=target)
    if isinstance(target, str) and is_address(target):
        return fetched(target, site)
    if isinstance(target, str) and "<" in target:
        return Page(url=url, html=target.encode("utf-8", "replace"), charset="utf-8")
    return Page(url=url, html=Path(target).read_bytes())


def is_address(target: str) -> bool:
    """Whether a text is an address of the web.

    >>> is_address("https://a.example/"), is_address("a.html"), is_address("<p>")
    (True, False, False)
    """
    return target.lower().startswith(("http://", "https://"))


def fetched(url: str, site: SiteConfig | None = None) -> Page:
    """The page at an address, asked for as a crawl would."""
    came = fetch_page(url, site)
    return Page(
        url=came.final_url, html=came.html, charset=came.charset, fetched_at=came.fetched_at
    )
