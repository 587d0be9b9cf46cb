"""Sitemaps (https://www.sitemaps.org/protocol.html), read as a stream and as they come.

No XML parser: real sitemaps hold bare ampersands, entities of HTML, tags in titles and wrong
declarations, after which one drops every address that follows, or every entity in it. Of markup
only the few elements count that name a page.
"""

from __future__ import annotations

import html as entities_of_html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain

from crawler.reading.links import Link, resolve
from crawler.reading.sources.entries import (
    MAX_TITLE_SOURCE,
    SHOWN_BYTES,
    Entries,
    UnreadableSourceError,
    plain_text,
)
from crawler.reading.sources.pieces import decoded

MAX_SITEMAP_URLS = 50_000
"""URLs read from one sitemap. Origin: the limit of sitemaps.org."""

MAX_OPEN_MARKUP = 2**20
"""Characters after which a tag, comment or CDATA section that is not closed is taken for text.
Origin: guess; it bounds what is kept while one is read."""

_SITEMAP_ENDS = (".xml", ".xml.gz")
_ENTRIES = ("url", "sitemap")
_ROOTS = ("urlset", "sitemapindex")
_ASIDES = ("image", "video", "news")
# What is not closed takes all that follows, so that no character is looked at twice.
_TOKEN = re.compile(
    r"<!\[CDATA\[(?P<cdata>.*?)(?:\]\]>|(?P<cut>\Z))"
    r"|<!--.*?(?:-->|(?P<cut_comment>\Z))"
    r"|<(?P<end>/?)(?:[\w.-]++:)?(?P<name>urlset|sitemapindex|url|sitemap|loc|title|image|video|news)"
    r"(?=[\s/>])[^<>]*>",
    re.DOTALL | re.IGNORECASE,
)
_REFERENCE = re.compile(r"&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|\w{2,32});")


def sitemap_entries(pieces: Iterable[bytes], url: str) -> Entries:
    """The pages of a sitemap with the titles of news sitemaps, and the sitemaps of an index; of a
    text file the address of each line.

    UnreadableSourceError if it is no sitemap. `pieces` may raise it, too: then `fault` tells it,
    and what stood before counts.
    """
    entries, reader = Entries(), _Reader()
    try:
        for name, location, title in reader.read(decoded(pieces)):
            if len(entries.links) + len(entries.sitemaps) == MAX_SITEMAP_URLS:
                entries.left_out[f"more than {MAX_SITEMAP_URLS} addresses of a sitemap"] += 1
            else:
                _add(entries, name, resolve(url, location), title)
    except UnreadableSourceError as problem:
        if not entries.links and not entries.sitemaps:
            raise
        entries.fault = str(problem)
    if not entries.links and not entries.sitemaps and not reader.has_root:
        raise UnreadableSourceError(f"expected a sitemap, got {reader.begin.encode()!r}")
    return entries


def _add(entries: Entries, name: str, target: str | None, title: str) -> None:
    if target and (name == "sitemap" or _is_sitemap(target)):
        entries.sitemaps.append(target)
    elif target:
        position = len(entries.links)
        link = Link(url=target, text=plain_text(title), position=position, source="sitemap")
        entries.links.append(link)


def _is_sitemap(address: str) -> bool:
    """Whether a page ends like a sitemap: some list theirs as pages.

    >>> _is_sitemap("https://a.example/news.xml.gz?page=2"), _is_sitemap("https://a.example/xml")
    (True, False)
    """
    return address.partition("?")[0].lower().endswith(_SITEMAP_ENDS)


@dataclass(slots=True)
class _Reader:
    """Where in a sitemap the reading stands."""

    begin: str = ""
    """The first characters of all."""
    has_root: bool = False
    entry: str = ""
    """The entry that is open, `url` or `sitemap`; empty outside."""
    aside: str = ""
    """The image, video or news that is open in it: their `loc` and `title` are not the page's."""
    wanted: str = ""
    """What the text that comes is: `loc` or `title`."""
    text: list[str] = field(default_factory=list)
    found: dict[str, str] = field(default_factory=dict)

    def read(self, texts: Iterator[str]) -> Iterator[tuple[str, str, str]]:
        """(`url` or `sitemap`, loc, title) of each entry."""
        first = next(texts, "")
        self.begin = first[:SHOWN_BYTES]
        texts = chain((first,), texts)
        if first.lstrip("\ufeff \t\r\n")[:8].lower().startswith(("http://", "https://")):
            yield from _lines(texts)
            return
        for said, markup in _tokens(texts):
            if self.wanted:
                self._keep(said)
            if markup is None:
                continue
            if markup["cdata"] is not None:
                self._keep(markup["cdata"].replace("&", "&amp;"))
            elif markup["name"]:
                yield from self._tag(markup["name"].lower(), markup[0], bool(markup["end"]))
        yield from self._close()

    def _keep(self, said: str) -> None:
        if self.wanted and sum(map(len, self.text)) < MAX_TITLE_SOURCE:
            self.text.append(said[:MAX_TITLE_SOURCE])

    def _tag(self, name: str, tag: str, is_end: bool) -> Iterator[tuple[str, str, str]]:
        if self.wanted:
            said = "".join(self.text)
            # Of an address that is not closed, what stands before the next element.
            said = said if self.wanted == "title" else said.partition("<")[0]
            self.found.setdefault(self.wanted, _unescaped(said).strip())
            self.wanted, self.text = "", []
        if name in _ENTRIES:
            yield from self._close()
            self.entry = "" if is_end else name
        elif name in _ROOTS:
            self.has_root = True
        elif name in _ASIDES:
            self.aside = "" if is_end or tag.endswith("/>") else name
        elif not is_end and self.entry and self.aside == ("news" if name == "title" else ""):
            self.wanted = name

    def _close(self) -> Iterator[tuple[str, str, str]]:
        """The entry that is open ends here."""
        if self.found.get("loc"):
            yield self.entry, self.found["loc"], self.found.get("title", "")
        self.entry, self.aside, self.found = "", "", {}


def _tokens(texts: Iterator[str]) -> Iterator[tuple[str, re.Match[str] | None]]:
    """A stream as markup that counts, each with the text before it; None after the last text.

    What a piece begins and does not end is kept until the next one, up to `MAX_OPEN_MARKUP`.
    """
    rest = ""
    for text in chain(texts, ("",)):
        whole, place = rest + text, 0
        may_go_on = bool(text) and len(rest) < MAX_OPEN_MARKUP
        end = len(whole)
        for markup in _TOKEN.finditer(whole):
            is_cut = markup["cut"] is not None or markup["cut_comment"] is not None
            if is_cut and may_go_on:
                end = markup.start()
                break
            yield whole[place : markup.start()], markup
            place = markup.end()
        else:
            opened = whole.rfind("<", place)
            if may_go_on and opened >= 0 and whole.find(">", opened) < 0:
                end = opened
        yield whole[place:end], None
        rest = whole[end:]


def _lines(texts: Iterator[str]) -> Iterator[tuple[str, str, str]]:
    """The addresses of a text file, one a line."""
    rest = ""
    for text in texts:
        *lines, rest = (rest + text).splitlines(keepends=True) or [""]
        rest = rest[:MAX_OPEN_MARKUP]
        yield from (("url", line.strip(), "") for line in lines)
    yield "url", rest.strip(), ""


def _unescaped(text: str) -> str:
    """Text with its references, HTML's too, as characters; what only looks like one stays.

    >>> _unescaped("/a?b=1&copy=2&amp;c=&eacute;&#65;")
    '/a?b=1&copy=2&c=éA'
    """
    return _REFERENCE.sub(lambda match: entities_of_html.unescape(match[0]), text)
