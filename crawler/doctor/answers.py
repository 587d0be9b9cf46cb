"""What a site's answers tell: robots.txt, start pages, feeds, sitemaps, certificate and clock."""

from __future__ import annotations

from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from scrapy.robotstxt import ProtegoRobotParser

from crawler.config.sites import SiteConfig
from crawler.doctor.finding import Finding
from crawler.fetching.failures import GIVEN
from crawler.fetching.redirects import REFUSAL
from crawler.fetching.robots import leaves_rules_open
from crawler.frontier.scope import OTHER_HOST, Scope
from crawler.reading.html import detect_charset
from crawler.reading.sources.entries import UnreadableSourceError
from crawler.reading.sources.source import read_source
from crawler.spiders.read_page import read_links
from crawler.spiders.site import response_error

if TYPE_CHECKING:
    from scrapy.http import Response

CERTIFICATE_DAYS = 14
"""Days before its end at which a certificate is told. Origin: guess; renewed are they at 30."""

CLOCK_SECONDS = 300
"""Seconds by which this clock may differ from a server's. Origin: guess; NTP keeps it below one."""

LONG_PAUSE_SECONDS = 10.0
"""A pause that robots.txt asks for and that makes nights long. Origin: guess; 10 s are 2,880 pages
in 8 hours."""

_ADVICE = {
    "http 403": "the site refuses this crawler: set `user_agent`, or ask its owner",
    "http 404": "it is gone: look for its new address",
    "http 410": "it is gone: look for its new address",
    "http 429": "the site finds the crawler too fast: raise `delay_seconds`",
    "host not found": "check the host's name, and this machine's name server",
    "timeout": "the site may be down: ask again, or raise `timeout_seconds`",
    "redirect refused": "name the new address in pipelines.yaml",
    "private address": "",
    "connection refused": "nothing answers there: check host and port",
    "http 5": "the site fails: ask again later",
    "Forbidden by robots.txt": "the site does not want this fetched: take it out of pipelines.yaml",
    "too large": "raise `max_page_bytes`",
    "not html": "a start page must be HTML; feeds and sitemaps have keys of their own",
}
"""First words of what kept a page from coming -> what to do."""


def advice_on(reason: str) -> str:
    """What to do about a page, a feed or a sitemap that did not come.

    >>> advice_on("http 404")
    'it is gone: look for its new address'
    """
    known = (advice for words, advice in _ADVICE.items() if reason.startswith(words))
    return next(known, "open it in a browser; if it comes there, compare what is sent")


def robots_finding(response: Response, site: SiteConfig, user_agent: str) -> Finding:
    """Whether robots.txt can be had, and the pause it asks for. Its rules are tried by the start
    pages, feeds and sitemaps themselves."""
    asked = response.request.meta.get("redirect_urls") if response.request else None
    where = urlsplit(asked[0] if asked else response.url).netloc
    if leaves_rules_open(response.status):
        return failure_finding("robots.txt", where, f"http {response.status}", site.name)
    if response.status not in GIVEN:
        return Finding(subject="robots.txt", said=f"{where} has none", site=site.name)
    pause = ProtegoRobotParser(response.body, None).crawl_delay(user_agent)
    if pause and pause >= LONG_PAUSE_SECONDS:
        waits = min(pause, site.max_delay_seconds)
        return Finding(
            subject="robots.txt",
            state="watch",
            said=f"{where} asks for a pause of {pause:g} s; kept are {waits:g} s",
            advice=f"a night of 8 hours fetches at most {8 * 3600 / waits:,.0f} pages",
            site=site.name,
        )
    return Finding(subject="robots.txt", said=f"{where} gives it", site=site.name)


def page_finding(response: Response, site: SiteConfig, scope: Scope) -> Finding:
    """Whether a start page came, and leads on."""
    error = response.request.meta.get(REFUSAL) if response.request else None
    error = error or response_error(response)
    if error:
        return failure_finding("start page", response.url, error, site.name)
    content_type = response.headers.get("Content-Type", b"") or b""
    charset = detect_charset(response.body, content_type.decode("latin-1"), site.default_charset)
    links = read_links(response.body, charset, response.url).links
    return _links_finding("start page", response.url, [each.url for each in links], site, scope)


def source_finding(response: Response, kind: str, site: SiteConfig, scope: Scope) -> Finding:
    """Whether a feed or sitemap came, can be read, and names pages of the site."""
    if response.status not in GIVEN:
        return failure_finding(kind, response.url, f"http {response.status}", site.name)
    try:
        named = read_source(response.body, response.url, kind, site.max_page_bytes)
    except UnreadableSourceError as problem:
        said = f"{response.url} cannot be read: {problem}"
        advice = f"check that it is a {kind}, or take it out of pipelines.yaml"
        return Finding(subject=kind, state="wrong", said=said, advice=advice, site=site.name)
    if named.sitemaps:
        said = f"{response.url} names {len(named.sitemaps)} sitemaps"
        return Finding(subject=kind, said=said, site=site.name)
    return _links_finding(kind, response.url, [each.url for each in named.links], site, scope)


def failure_finding(subject: str, where: str, reason: str, site: str) -> Finding:
    """Something did not come, for this reason."""
    advice = advice_on(reason)
    if subject == "robots.txt":
        advice = "; ".join(filter(None, (advice, "nothing else of the host was asked for")))
    said = f"{where}: {reason}"
    return Finding(subject=subject, state="wrong", said=said, advice=advice, site=site)


def certificate_finding(host: str, ends: datetime, now: datetime, site: str) -> Finding:
    """How long a certificate is still good. Crawls do not mind one that is not; readers do."""
    left = (ends - now).days
    if left >= CERTIFICATE_DAYS:
        said = f"{host}: good until {ends:%Y-%m-%d}"
        return Finding(subject="certificate", said=said, site=site)
    return Finding(
        subject="certificate",
        state="watch",
        said=f"{host}: " + (f"ends in {left} days" if left >= 0 else f"ended on {ends:%Y-%m-%d}"),
        advice="the site is fetched all the same; tell its owner",
        site=site,
    )


def clock_finding(response: Response, now: datetime, site: str) -> Finding | None:
    """Whether this machine's clock and the server's agree; None if the server tells no time."""
    try:
        theirs = parsedate_to_datetime((response.headers.get("Date") or b"").decode("latin-1"))
        ahead = now - theirs
    except (ValueError, TypeError):  # no date, one that is none, or one without a zone
        return None
    host = urlsplit(response.url).netloc
    if abs(ahead) <= timedelta(seconds=CLOCK_SECONDS):
        return Finding(subject="clock", said=f"agrees with {host}", site=site)
    minutes, way = abs(ahead).total_seconds() / 60, "ahead of" if ahead > timedelta() else "behind"
    return Finding(
        subject="clock",
        state="watch",
        said=f"this machine's is {minutes:,.0f} minutes {way} that of {host}",
        advice="if it is so with other sites, set it: days and revisits go by it",
        site=site,
    )


def _links_finding(
    subject: str, where: str, urls: list[str], site: SiteConfig, scope: Scope
) -> Finding:
    """How many of the URLs that something names are the site's."""
    refusals = [scope.refusal(url) for url in dict.fromkeys(urls)]
    n_own = refusals.count(None)
    said = f"{where} names {n_own} of the site's pages"
    if n_own:
        return Finding(subject=subject, said=said, site=site.name)
    if not urls:
        said = f"{where} names no page at all"
        advice = "it may be empty, drawn by scripts, or a bot wall: open it without scripts"
    else:
        said = f"{where} names {len(refusals)} pages, none of the site ({refusals[0]}: {urls[0]})"
        advice = "check `start_urls` and `rules`"
        if subject == "feed" and all((each or "").startswith(OTHER_HOST) for each in refusals):
            advice = "a crawl follows them, and takes those that redirect to the site"
            return Finding(subject=subject, state="watch", said=said, advice=advice, site=site.name)
    return Finding(subject=subject, state="wrong", said=said, advice=advice, site=site.name)
