"""What somebody names to be read, as a page: an address, a file, HTML; as a browser draws it."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

from crawler.config.sites import SiteConfig
from crawler.fetching.one_page import fetch_page
from crawler.reading.html import decode_html
from learner.page.pages import Page

SECONDS_TO_DRAW = 120.0
"""For a page with all that it loads, and for the browser's start. Origin: guess, twice what a page
may take to be fetched."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnTarget:
    """A page, and how a browser draws it."""

    page: Page
    """With the document after its scripts; as it was sent, if it could not be drawn."""
    snapshot: bytes | None
    """For `learner.vision.snapshots`; None if it was not drawn, or without its style sheets,
    without which its boxes mean nothing."""
    remarks: tuple[str, ...] = ()
    """What kept it from being drawn as readers see it."""


def drawn(target: Target, page: Page, site: SiteConfig | None = None) -> DrawnTarget:
    """The page that was named by `target`, drawn from its HTML.

    What it refers to is fetched, as `page_of` has fetched it, if an address was named; of a file
    what lies beside it is read; of HTML nothing. BrowserMissingError
    (`crawler.fetching.browser.launch`) without a browser.
    """
    # Whoever renders nothing loads nothing of it.
    from crawler.fetching.browser.answers import FILES, address_of_file
    from crawler.fetching.browser.tab import RenderingError
    from crawler.fetching.one_drawing import draw_page

    place, folder, manners = f"{FILES}page.html", None, None
    if isinstance(target, str) and is_address(target):
        place = page.url
        manners = site or SiteConfig(name="one-page", start_urls=(page.url,))
    elif isinstance(target, os.PathLike) or (isinstance(target, str) and "<" not in target):
        file = Path(target).resolve()
        place, folder = address_of_file(file), file.parent
    try:
        html = decode_html(page.html, page.charset)
        drawing = draw_page(place, html, site=manners, folder=folder, seconds=SECONDS_TO_DRAW)
    except RenderingError as problem:
        return DrawnTarget(page=page, snapshot=None, remarks=(f"not drawn: {problem.problem}",))
    return DrawnTarget(
        page=replace(page, html=drawing.html.encode("utf-8", "replace"), charset="utf-8"),
        snapshot=drawing.snapshot if drawing.styled else None,
        remarks=() if drawing.styled else ("drawn without its style sheets",),
    )
