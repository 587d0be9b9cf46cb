"""One line of a text as HTML: its emphasis, code and links, and nothing that runs."""

from __future__ import annotations

import html
import re
from urllib.parse import quote

from crawler.reading.links import resolve
from extractor.structure.pictures import Picture, as_html
from learner.page.lines import Line
from learner.page.markup import FORBIDDEN, cut_tags, href_of, unescape

KEPT = {
    **{name: name for name in "abbr b bdi bdo cite code del dfn em i ins kbd mark q".split()},
    **{name: name for name in "s samp small strong sub sup u var".split()},
    "acronym": "abbr",
    "strike": "s",
    "tt": "code",
}
"""Inline elements that say something of their text, and what they are written as."""

_WORD = re.compile(r"\w")
_BLANKS = re.compile(r"[\t-\r] *| [\t-\r ]+")
_SAFE_FRAGMENT = "!$&'()*+,;=:@/?%-._~"


def absolute(base: str, href: str) -> str | None:
    """Where a link leads, an absolute http(s) URL with its fragment; None for anything else.

    >>> absolute("https://a.example/x/", "y#z"), absolute("https://a.example/x", "#top")
    ('https://a.example/x/y#z', 'https://a.example/x#top')
    >>> absolute("https://a.example/", "javascript:alert(1)")
    """
    target, mark, fragment = href.strip().partition("#")
    url = resolve(base, target) if target else resolve(base, base)
    return f"{url}#{quote(fragment, _SAFE_FRAGMENT)}" if url and mark and fragment else url


def write_line(line: Line, base: str, pictures: dict[str, Picture]) -> str:
    """A line as HTML, links made absolute, with those of its pictures that are in `pictures`, by
    their source.

    >>> line = Line('See <b onclick="x()">the <a href="/a">page</a></b> &lt;1&gt;<a href="#">#</a>')
    >>> write_line(line, "https://a.example/", {})
    'See <b>the <a href="https://a.example/a">page</a></b> &lt;1&gt;'
    """
    if "<" not in line.markup and not line.around:
        return html.escape(line.text, quote=False) if "&" in line.markup else line.text
    writer = _LineWriter(base, pictures)
    for tag in line.around:
        if tag:
            writer.open(tag.name, tag.source)
    parts = iter(cut_tags(line.markup.replace(FORBIDDEN, " ")))
    writer.add(next(parts))
    for source, text in zip(parts, parts, strict=True):
        writer.read(source)
        writer.add(text)
    return _on_one_line(writer.close())


def _on_one_line(written: str) -> str:
    """White space collapsed, but for blanks that no browser collapses."""
    return _BLANKS.sub(" ", written).strip(" ")


class _LineWriter:
    """Writes the tags that are kept, each closed where its parent ends."""

    def __init__(self, base: str, pictures: dict[str, Picture]) -> None:
        self._base = base
        self._pictures = pictures
        self._parts: list[str] = []
        self._open: list[tuple[str, str, int]] = []
        """For each open element its name in the source, what closes it, and where it begins."""

    def add(self, text: str) -> None:
        """A text, written as XML: nothing in it is a tag."""
        self._parts.append(text)

    def read(self, source: str) -> None:
        """A tag, without its brackets."""
        if source[0] == "/":
            self._close(source[1:])
            return
        name = source.partition(" ")[0].removesuffix("/")
        if name == "img":
            if source in self._pictures:
                self._parts.append(as_html(self._pictures[source]))
        elif not source.endswith("/"):
            self.open(name, source)

    def open(self, name: str, source: str) -> None:
        """An element that stays open until it is closed."""
        opens, closes = "", ""
        if name == "a":
            href = href_of(source)
            url = absolute(self._base, href) if href else None
            if url and not any(end == "</a>" for _, end, _ in self._open):
                opens, closes = f'<a href="{html.escape(url)}">', "</a>"
        elif name in KEPT:
            opens, closes = f"<{KEPT[name]}>", f"</{KEPT[name]}>"
        self._open.append((name, closes, len(self._parts)))
        self._parts.append(opens)

    def _close(self, name: str) -> None:
        if not any(each[0] == name for each in self._open):
            return
        while self._open:
            opened, closes, start = self._open.pop()
            self._end(opened, closes, start)
            if opened == name:
                return

    def _end(self, name: str, closes: str, start: int) -> None:
        """Close an element; without words it is none, and a link without any is no text."""
        inside = self._parts[start + 1 :]
        if name == "a" and not _has_words(inside):
            pictures = "".join(part for part in inside if part.startswith("<img "))
            self._parts[start:] = [pictures or " "]
        elif closes and not any(part.strip() for part in inside):
            self._parts[start:] = inside
        else:
            self._parts.append(closes)

    def close(self) -> str:
        """All that was written, with everything closed."""
        while self._open:
            self._end(*self._open.pop())
        return "".join(self._parts)


def _has_words(parts: list[str]) -> bool:
    return any(_WORD.search(unescape(part)) for part in parts if not part.startswith("<"))
