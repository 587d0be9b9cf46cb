"""Which pages of an archived site links lead to: worked out apart from the crawler.

Nothing of `crawler/` is used, so that a fault in its links or URL rules shows as a difference.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from http import HTTPStatus
from urllib.parse import parse_qsl, unquote, urldefrag, urljoin, urlsplit

import lxml.html
from protego import Protego

from benchmarks.serving import INDEX_NAMES, ArchivedSite

AGENT = "webstem"

PageKey = tuple[str, tuple[tuple[str, str], ...]]


def page_key(url: str) -> PageKey:
    """What all URLs of one page share: the decoded path without index file, the sorted query."""
    parts = urlsplit(url)
    path = re.sub("/+", "/", unquote(parts.path)) or "/"
    for name in INDEX_NAMES:
        path = path.removesuffix(name) if path.endswith("/" + name) else path
    return path, tuple(sorted(parse_qsl(parts.query, keep_blank_values=True)))


def is_of(site: ArchivedSite, url: str) -> bool:
    """Whether a URL is of one of the site's hosts; what is no URL is of none."""
    try:
        return urlsplit(url).hostname in site.hosts
    except ValueError:  # what an author writes for a host: `http://[name]/`
        return False


class LinkWalk:
    """A breadth-first walk along the links of an archived site, robots.txt obeyed.

    ``found`` holds the final URL of every html page met (status 200), by its `page_key`.
    """

    def __init__(self, site: ArchivedSite) -> None:
        self.site = site
        self.found: dict[PageKey, str] = {}
        self._robots = Protego.parse(site.files.get("robots.txt", b"").decode(errors="replace"))
        self._seen: set[PageKey] = set()

    def start(self, seed: str) -> None:
        """Walk from ``seed`` to everything that was not met yet."""
        queue = deque([seed])
        while queue:
            page = self._visit(queue.popleft())
            if page is not None:
                queue.extend(link for link in outlinks(*page) if self._is_own(link))

    def _is_own(self, link: str) -> bool:
        folder = urlsplit(self.site.base_url).path
        return is_of(self.site, link) and unquote(urlsplit(link).path).startswith(folder)

    def _visit(self, url: str) -> tuple[str, bytes] | None:
        """The page behind ``url`` after redirects; None if it was met before or is no page."""
        if page_key(url) in self._seen:
            return None
        self._seen.add(page_key(url))
        answer = self.site.answer(url)
        while answer.location is not None:
            url = answer.location
            answer = self.site.answer(url)
        self._seen.add(page_key(url))
        is_page = answer.status == HTTPStatus.OK and answer.content_type == "text/html"
        if not is_page or page_key(url) in self.found or not self._robots.can_fetch(url, AGENT):
            return None
        self.found[page_key(url)] = url
        return url, answer.body


def outlinks(url: str, body: bytes) -> Iterator[str]:
    """The absolute http(s) links of a page without their fragments."""
    if not body.strip():
        return
    root = lxml.html.document_fromstring(body, lxml.html.HTMLParser(encoding=_encoding(body)))
    base = next((element.get("href", "") for element in root.iter("base")), "")
    for href in _hrefs(root):
        try:
            link = urldefrag(urljoin(urljoin(url, base), href.strip())).url
        except ValueError:
            continue
        if href and link.startswith(("http://", "https://")):
            yield link


def _encoding(body: bytes) -> str | None:
    """UTF-8 where the bytes are that, declared or not; else libxml2 shall find out."""
    try:
        body.decode()
    except UnicodeDecodeError:
        return None
    return "utf-8"


def _hrefs(root: lxml.html.HtmlElement) -> Iterator[str]:
    """Links, image maps, frames, and where a page sends its reader by itself."""
    for element in root.iter("a", "area", "frame"):
        yield element.get("src" if element.tag == "frame" else "href", "")
    for element in root.iter("meta"):
        if element.get("http-equiv", "").lower() == "refresh":
            yield element.get("content", "").partition("=")[2].strip("'\" ")


def seeds_for(site: ArchivedSite) -> tuple[str, ...]:
    """The base URL, then every list page (in URL order) that the seeds before it do not reach."""
    walk = LinkWalk(site)
    walk.start(site.base_url)
    seeds = [site.base_url]
    for url in sorted(page["url"] for page in site.gold if page["kind"] == "list"):
        if page_key(url) not in walk.found:
            seeds.append(url)
            walk.start(url)
    return tuple(seeds)


def reachable_pages(site: ArchivedSite, seeds: tuple[str, ...]) -> dict[PageKey, str]:
    """Final URL of every html page that links lead to from the seeds."""
    walk = LinkWalk(site)
    for seed in seeds:
        walk.start(seed)
    return walk.found
