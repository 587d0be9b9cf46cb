"""An element as a flat run of tags and texts.

Walking an lxml tree in Python makes an object for each node, which costs more than parsing the
page did. Written out as XML by libxml2 and cut at its tags, the same tree is a list of strings at
a fifth of the price, and equal tags are the same string: what they mean is looked up. It is cut at
block-level tags first; the inline tags of a block are read where somebody wants to know of them.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping, Set
from enum import Enum
from functools import lru_cache
from typing import Any

from lxml import etree

from crawler.reading.html import count_byte
from crawler.reading.urls import MAX_URL_LENGTH
from learner.page import hints
from learner.page.calendars.machine import read_moment
from learner.page.words import UNSEEN

MOST_TAGS = 20_000
"""Tags whose meaning is remembered, over all pages. Origin: guess, 10 MB; a site's frame has some
hundreds."""

LONGEST_TAG = 1_000
"""Characters of a tag up to which its meaning is remembered. Origin: guess: a page may bring
megabytes in one attribute."""

MOST_NAMES = 100
"""Class names of an element that are read. Origin: guess; utility classes are some forty."""

LONGEST_NAME = 200
"""Characters of a name of an element. Origin: guess."""

PAINTED_TAGS = frozenset({"table", "td", "th", "tr"})
"""Tags whose background colour counts as a class name: pages without style sheets tell their boxes
apart by it. Origin: measured, see docs/decisions.md."""

INLINE_TAGS = frozenset(
    "a abbr acronym area audio b bdi bdo big button canvas cite code data del dfn em embed font i "
    "img input ins kbd label map mark meter nobr object output picture progress q rb ruby s samp "
    "small source span strike strong sub sup time tt u var video wbr".split()
)
"""Tags that stand inside a line of text (HTML living standard, phrasing content)."""

BLOCK_TAGS = frozenset(
    "address article aside blockquote body br caption center col colgroup dd details dialog dir "
    "div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 header "
    "hgroup hr html legend li listing main marquee menu menuitem nav ol optgroup p plaintext pre "
    "search section summary table tbody td tfoot th thead tr ul xmp".split()
)
"""Tags that end a block on both sides, as a browser ends the line (HTML living standard, 15.3)."""

BLOCKS_INSIDE = BLOCK_TAGS - {"br"}
"""Those that make blocks of the elements which hold them."""

SKIPPED_TAGS = frozenset(
    "applet audio base canvas datalist embed head iframe link math meta noframes noscript object "
    "option rp rt rtc script select style svg template textarea title video".split()
)
"""Tags whose content is no text of the page, or shown only where a player is missing, or how a word
beside it is read."""


READINGS = frozenset({"rp", "rt", "rtc"})
"""Those that stand above a word and do not part it from the next."""


def is_inline(name: str) -> bool:
    """Whether a tag stands inside a line, as all do that no browser knows: `st1:place` of a word
    processor, `x-term` of a script.

    >>> is_inline("b"), is_inline("st1:place"), is_inline("x-term"), is_inline("p")
    (True, True, True, False)
    """
    return name not in BLOCK_TAGS and (name in INLINE_TAGS or name not in SKIPPED_TAGS)


def is_unknown(name: str) -> bool:
    """Whether HTML has no such tag. It stands inside a line, unless it holds what does not.

    >>> is_unknown("x-term"), is_unknown("b"), is_unknown("script")
    (True, False, False)
    """
    return is_inline(name) and name not in INLINE_TAGS and ":" not in name


def _alternatives(words: Iterable[str]) -> str:
    """A regex for these words that looks at the first letter first.

    >>> _alternatives(["ab", "a", "cd"])
    'a(?:b|)|c(?:d)'
    """
    initials: dict[str, list[str]] = {}
    for word in sorted(words, reverse=True):
        initials.setdefault(word[0], []).append(word[1:])
    return "|".join(f"{first}(?:{'|'.join(rests)})" for first, rests in sorted(initials.items()))


_DIGITS = re.compile(r"\d+")
_NUMBERS = re.compile(r"(?<![a-z\d])[a-z]{1,2}-?\d{1,2}(?![a-z\d])|(\d+)")
"""Sizes and levels in a class name ("f12"), and the other numbers. Origin: measured, see
docs/decisions.md."""
_NOT_WORD = re.compile(r"\W")
_SIGNS = re.compile(r"[.#[\]]")
_ATTRIBUTE = re.compile(r' (id|class|rel|itemprop|bgcolor)="([^"]*)"')
_ANY_ATTRIBUTE = re.compile(r' ([\w:.-]+)="([^"]*)"')
_HREF = re.compile(r' href="([^"]*)"')
_MOMENT = re.compile(
    r' (datetime|title|content|data-[\w-]*?(?:time|date|stamp)[\w-]*)="([^"]*)"', re.IGNORECASE
)
MOMENT_SIGNS = (" datetime=", " title=", " content=", " data-")
"""One of these stands in each tag that says a moment."""
_OTHER_MOMENTS = ("ins ", "del ")
"""When an element was edited."""
_NUMBERS_ONLY = re.compile(r"[\dTZ:+. -]{8,35}").fullmatch
_TAG = re.compile(r"<([^>]*)>")
_INLINE = _alternatives(INLINE_TAGS - SKIPPED_TAGS)
_BLOCK_TAG = re.compile(rf"<(?!/?+(?>{_INLINE})[ />])(?!/?+[^ />:]++:)([^>]*+)>")
_RUBY = re.compile(r"</?(?:ruby|rb)(?: [^>]*+)?>")
"""Holds a word and how it is read, in the middle of a line."""
SEPARATOR = "<wbr/>"
"""Stands where something was that is no text: before and after it are two texts."""

_UNSEEN = tuple(mark.encode() for mark in UNSEEN)

FORBIDDEN = "&#xFFFD;"
"""What libxml2 writes for a character that XML forbids."""


class Effect(Enum):
    """What a tag does to the text around it."""

    NOTHING = 0
    """Is nothing of note, or closes it: a picture, a script."""
    OPEN_BLOCK = 1
    CLOSE_BLOCK = 2
    EMPTY_BLOCK = 3
    OPEN_INLINE = 4
    CLOSE_INLINE = 5
    OPEN_LINK = 6
    CLOSE_LINK = 7
    EMPTY_LINK = 8
    BREAK = 9
    """A line break or a rule."""
    SKIPPED = 10
    """Opens what is no text."""


class Tag:
    """What one tag says. Tags that are written alike are one object."""

    __slots__ = (
        "_href", "effect", "is_unknown", "name", "name_bytes", "names", "says_author",
        "says_topic", "source",
    )  # fmt: skip

    def __init__(self, source: str) -> None:
        self.source = source
        """The tag without its brackets."""
        name = source.removeprefix("/").removesuffix("/").partition(" ")[0]
        self.name = _SIGNS.sub("-", name)
        """Without the signs that locators are written with."""
        self.name_bytes = self.name.encode()
        self.is_unknown = is_unknown(self.name)
        """Whether HTML has no such tag."""
        self.effect = _effect(self.name, source.startswith("/"), source.endswith("/"))
        self._href: str | None = ""
        self.names: tuple[str, ...] = ()
        """`#id` and `.class` names as `names_of` gives them; the background of a table's part, too:
        `.bgcolor-ffffff`."""
        self.says_author = False
        self.says_topic = False
        """Whether it is a link to a tag or category (microformat rel-tag)."""
        if found := _ATTRIBUTE.findall(source):
            self._read({name: unescape(value) for name, value in found})

    def _read(self, attributes: Mapping[str, str]) -> None:
        """What its attributes say."""
        self.names = names_of(attributes.get("id"), attributes.get("class"))
        if "bgcolor" in attributes and self.name in PAINTED_TAGS:
            self.names += _painted(attributes["bgcolor"])
        self.says_author = _is_author_card(self.names) or _is_said(attributes)
        self.says_topic = "tag" in attributes.get("rel", "").split()

    @property
    def href(self) -> str | None:
        """Where it leads; read once, for a link may stay open through all of a page."""
        if self._href == "":
            self._href = href_of(self.source)
        return self._href

    def inside(self, outer: Tag) -> Tag:
        """The tag as it is inside of another inline element: what that says of authors and topics
        holds, and so does its name, unless the tag itself says that it leads to a topic."""
        if self.says_topic:
            return self
        if outer.says_author or any(map(hints.names_author, outer.names)):
            return TAGS[f'{self.source} rel="author"']
        is_topic = outer.says_topic and not self.says_author
        return TAGS[f'{self.source} rel="tag"'] if is_topic else self

    @property
    def label(self) -> str:
        """Tag and names, `@author` or `@topic` added where `rel` or `itemprop` say so."""
        said = "@author" if self.says_author else "@topic" if self.says_topic else ""
        return self.name + "".join(self.names) + said


def href_of(source: str) -> str | None:
    """Where a tag leads, given without its brackets; what is too long to be fetched leads nowhere.

    >>> href_of('a class="x" href="/a?b&amp;c"'), href_of('a href=""')
    ('/a?b&c', None)
    """
    found = _HREF.search(source)
    href = unescape(found[1]) if found else ""
    return href if 0 < len(href) <= MAX_URL_LENGTH else None


def attributes_of(source: str) -> dict[str, str]:
    """The attributes of a tag, given without its brackets.

    >>> attributes_of('img src="/a?b&amp;c" alt=""/')
    {'src': '/a?b&c', 'alt': ''}
    """
    return {name: unescape(value) for name, value in _ANY_ATTRIBUTE.findall(source)}


def moment_of(source: str) -> str:
    """The moment that a tag says, given without its brackets; empty for most. Elements of scripts
    have a `datetime` as `time` has it, others say a moment in `title`, `content` or in attributes
    for scripts, beside "3 hours ago".

    >>> moment_of('time datetime="2021-05-03"'), moment_of('ins datetime="2021-05-03"')
    ('2021-05-03', '')
    >>> moment_of('i data-time="1620000000"'), moment_of('abbr title="2021-05-03 is a Monday"')
    ('1620000000', '')
    """
    if source.startswith(_OTHER_MOMENTS):
        return ""
    said = {name: unescape(value).strip() for name, value in _MOMENT.findall(source)}
    if "datetime" in said:
        return said["datetime"]
    return next((text for text in said.values() if _NUMBERS_ONLY(text) and read_moment(text)), "")


def _painted(colour: str) -> tuple[str, ...]:
    """The name that a background colour gives, if it is one."""
    name = _NOT_WORD.sub("", colour.lower())
    return (f".bgcolor-{name}",) if 0 < len(name) <= LONGEST_NAME else ()


def _is_said(attributes: Mapping[str, str]) -> bool:
    """Whether `rel` or `itemprop` say that an element is the author's."""
    return any("author" in attributes.get(name, "").split() for name in ("rel", "itemprop"))


def _is_author_card(names: tuple[str, ...]) -> bool:
    """Whether class names mark an author, as the microformats hAtom and h-entry have it.

    >>> _is_author_card((".post-author", ".vcard")), _is_author_card((".author",))
    (True, False)
    """
    return ".p-author" in names or (".vcard" in names and any("author" in n for n in names))


def names_of(identifier: str | None, classes: str | None) -> tuple[str, ...]:
    """The `#id` and `.class` names of an element. Numbers collapse, for `post-31` is one of many;
    not so one or two digits behind one or two letters of a class, which are a size or a level, nor
    if a hyphen parts them.

    >>> names_of("post31", "Entry  row-3 item7 f14 half-m-9")
    ('#post0', '.entry', '.row-0', '.item0', '.f14', '.half-m-9')
    """
    tokens = []
    if identifier and len(identifier) <= LONGEST_NAME:
        tokens.append("#" + _DIGITS.sub("0", identifier.strip().lower()))
    if classes:
        names = classes.lower().split()[:MOST_NAMES]
        tokens += ["." + _collapsed(name) for name in names if len(name) <= LONGEST_NAME]
    return tuple(tokens)


@lru_cache(maxsize=MOST_TAGS)
def _collapsed(name: str) -> str:
    if not _DIGITS.search(name):  # most have none, and to see that takes a tenth of the time
        return name
    return _NUMBERS.sub(lambda found: "0" if found[1] else found[0], name)


def _effect(name: str, closes: bool, is_empty: bool) -> Effect:
    if name in SKIPPED_TAGS and (closes or is_empty):
        return Effect.NOTHING
    if name in SKIPPED_TAGS:
        return Effect.SKIPPED
    if name in ("br", "hr"):
        return Effect.NOTHING if closes else Effect.BREAK
    if name == "a":
        return Effect.CLOSE_LINK if closes else Effect.EMPTY_LINK if is_empty else Effect.OPEN_LINK
    if is_inline(name):
        return Effect.CLOSE_INLINE if closes else Effect.NOTHING if is_empty else Effect.OPEN_INLINE
    return Effect.CLOSE_BLOCK if closes else Effect.EMPTY_BLOCK if is_empty else Effect.OPEN_BLOCK


class _Tags(dict[str, Tag]):
    """Source of a tag -> what it says; worked out when it is first met."""

    def __missing__(self, source: str) -> Tag:
        tag = Tag(source)
        if len(source) <= LONGEST_TAG:
            if len(self) >= MOST_TAGS:
                self.clear()
            self[source] = tag
        return tag


TAGS = _Tags()
"""The tags that were met, by how they are written without their brackets."""


def unescape(text: str) -> str:
    """Text as it was before it was written as XML.

    >>> unescape("a &lt; b &amp;amp; c")
    'a < b &amp; c'
    """
    if "&" not in text:
        return text
    if "&#" in text:
        return html.unescape(text.replace(FORBIDDEN, " "))
    text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"')
    return text.replace("&amp;", "&")


def cut_blocks(element: etree._Element) -> Iterator[tuple[str, str]]:
    """Each tag inside and around an element that is not inline, with the markup up to the next.

    Tags have no brackets. The element holds no comments (`crawler.reading.html.parse_html`).

    >>> list(cut_blocks(etree.fromstring("<p>a<b>c</b>&lt;<br/>d</p>")))
    [('p', 'a<b>c</b>&lt;'), ('br/', 'd'), ('/p', '')]
    """
    in_bytes = _seen(_written(element))
    written = _RUBY.sub("", in_bytes.decode()) if b"<ruby" in in_bytes else in_bytes.decode()
    if count_byte(in_bytes, b"<") != count_byte(in_bytes, b">"):
        written = _TAG.sub(_without_brackets, written)
    parts = _BLOCK_TAG.split(written)
    unknown = {source for source in set(parts[1::2]) if TAGS[source].is_unknown}
    each = iter(_inlined(parts, unknown) if unknown else parts)
    next(each)
    return zip(each, each, strict=True)


def _inlined(parts: list[str], unknown: Set[str]) -> list[str]:
    """The parts of a page with the tags that HTML does not know as parts of their lines, where they
    hold no block.

    >>> _inlined(["", "p", "a ", "x-b", "c", "/x-b", "", "/p", ""], {"x-b", "/x-b"})
    ['', 'p', 'a <x-b>c</x-b>', '/p', '']
    """
    blocks = _unknown_blocks(parts, unknown)
    found: list[str] = []
    line = [parts[0]]
    for n in range(1, len(parts), 2):
        if parts[n] in unknown and n not in blocks:
            line += f"<{parts[n]}>", parts[n + 1]
        else:
            found += "".join(line), parts[n]
            line = [parts[n + 1]]
    return [*found, "".join(line)]


def _unknown_blocks(parts: list[str], unknown: Set[str]) -> set[int]:
    """The places of the unknown tags that open and close elements with blocks in them."""
    blocks: set[int] = set()
    opened: list[int] = []
    holds = [False]
    for n in range(1, len(parts), 2):
        source = parts[n]
        if source not in unknown:
            holds[-1] = holds[-1] or TAGS[source].name in BLOCKS_INSIDE
        elif not source.startswith("/"):
            if not source.endswith("/"):
                opened.append(n)
                holds.append(False)
        elif opened:
            start, held = opened.pop(), holds.pop()
            holds[-1] = holds[-1] or held
            if held:
                blocks |= {start, n}
    return blocks


def _without_brackets(tag: re.Match[str]) -> str:
    """Names of attributes and elements may hold "<" in HTML: `<div <p>` is one tag."""
    return f"<{tag[1].replace('<', '-')}>"


def cut_tags(markup: str) -> list[str]:
    """A text, the tag that follows it without its brackets, a text, and so on.

    >>> cut_tags("a<b>c</b>")
    ['a', 'b', 'c', '/b', '']
    """
    return markup.replace(">", "<").split("<")


def _seen(written: bytes) -> bytes:
    """Without the marks where a word may be broken (`learner.page.words`)."""
    for mark in _UNSEEN:
        if mark in written:
            written = written.replace(mark, b"")
    return written


def _written(element: etree._Element) -> bytes:
    """The element as XML in UTF-8. Under an XHTML doctype libxml2 would add ids where names are."""
    document: Any = element.getroottree().docinfo  # the stubs lack system_url
    declared = document.public_id, document.system_url
    if declared == (None, None):
        return etree.tostring(element, encoding="UTF-8", with_tail=False, xml_declaration=False)
    document.clear()
    try:
        return etree.tostring(element, encoding="UTF-8", with_tail=False, xml_declaration=False)
    finally:
        document.public_id, document.system_url = declared
