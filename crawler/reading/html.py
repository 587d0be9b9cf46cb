"""Bytes of a page to an element tree: which charset, which parser.

Everything that reads a page (the crawler's links, the learner's and the extractor's layouts) goes
through :func:`parse_html`, so that one page has one tree.
"""

from __future__ import annotations

import codecs
import hashlib
import math
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from lxml import etree
from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.encoding import detect_encoding
from resiliparse.parse.html import ELEMENT, TEXT, HTMLTree
from w3lib.encoding import (
    html_body_declared_encoding,
    http_content_type_encoding,
    read_bom,
    resolve_encoding,
)

from crawler.reading.treecost import COMMENT, is_costly

if TYPE_CHECKING:
    from crawler.storage.records import CharsetSource

MIN_ELEMENTS_PER_TAG = 0.25
"""Elements in the tree per ``<`` in the bytes below which a page is read a second time with the
HTML5 parser. Measured on 2,000 pages of 35 sites: well read pages have 0.4 to 1."""

MIN_TEXT_SHARE = 0.8
"""Share of the HTML5 parser's text that libxml2's tree must hold to be kept. A guess: the two
differ by a few characters on every page, by nearly everything where libxml2 fails."""

MAX_TEXT_AFTER_END = 100
"""Letters of text after the first ``</body>`` or ``</html>`` above which a page is read with the
HTML5 parser: libxml2 closes all elements there, so that the rest would lie outside its container.
A guess; about 1 page in 700 of 35 sites has as much."""

LIBXML2_MAX_DEPTH = 2000
"""libxml2 stops reading at an element about this deep (2,048 in 2.14)."""

MAX_DEPTH = 512
"""Depth of an HTML5 tree; deeper elements become siblings, as browsers do (Blink's limit)."""

MAX_NODES = 2_000_000
"""Nodes copied from an HTML5 tree; the rest of a page made to exhaust memory is left out."""

MOST_ATTRIBUTES = 100
"""Attributes of an element of an HTML5 tree that are copied: each is looked up among all. A
guess."""

SURE_BYTES = 5
"""Bytes that a page has more than characters if it is read as UTF-8, from which on it is UTF-8
whatever it declares: in other charsets bytes above 127 hardly ever follow each other so. Origin:
reckoned; five characters of Chinese in GB 2312 are UTF-8 by chance in one page of 300,000."""

WITHOUT_MARK = {b"<\0": "utf-16-le", b"\0<": "utf-16-be"}
"""How markup in UTF-16 begins without a byte order mark (XML 1.0, appendix F)."""

_NO_CHARSETS = frozenset(
    "idna punycode undefined unicode-escape raw-unicode-escape utf-7 utf-32 utf-32-le "
    "utf-32-be".split()
)
"""Codecs of Python that browsers know as no charset (WHATWG encoding standard, 4.2); some raise an
error on any bytes."""

_DECLARATION_BYTES = 4096
_UTF8_NAMES = frozenset({"utf-8", "ascii"})
_text_inside = etree.XPath("string()")
_body_text = etree.XPath("//body//text()[not(parent::script or parent::style)]")
_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NAME = re.compile(r"[a-zA-Z_][-.\w]*", re.ASCII)
_END_TAG = re.compile(rb"</(?:[bB][oO][dD][yY]|[hH][tT][mM][lL])")
# What is not closed takes all that follows, so that no byte is looked at twice.
_MARKUP = re.compile(
    COMMENT + rb"|<(script|style)\b[^<]*+(?:<(?!/\1)[^<]*+)*+(?:</\1[^>]*+>?)?"
    rb"|<[a-z/!?][^>]*+>?"
    rb"|\s+",
    re.IGNORECASE,
)
_EMPTY_DOCUMENT = b"<html><body></body></html>"


@dataclass(frozen=True, slots=True)
class Charset:
    """The character encoding of a page.

    ``name`` is a Python codec name (``gb2312`` on the web means ``gb18030``), ``source`` where it
    comes from: the HTTP header, a byte order mark, the document's own declaration, the site's
    default, or detection from the bytes.
    """

    name: str
    source: CharsetSource


def detect_charset(
    body: bytes, content_type: str | None = None, default: str | None = None
) -> Charset:
    """The charset of ``body``: byte order mark, ``content_type`` header, declaration in the
    document, ``default`` of the site, or detection by resiliparse, in this order (Scrapy's and
    the WHATWG encoding standard's). A declaration that the bytes belie is not believed: templates
    that were converted to UTF-8 still say what they were, and servers say UTF-8 of all that they
    have.

    >>> detect_charset(b"x", "text/html; charset=Shift_JIS")
    Charset(name='cp932', source='http')
    >>> detect_charset(b'<meta charset="gb2312">')
    Charset(name='gb18030', source='meta')
    """
    bom, _ = read_bom(body)
    if bom:
        return Charset("utf-8" if bom == "utf-8" else bom, "bom")
    if body[:2] in WITHOUT_MARK:
        return Charset(WITHOUT_MARK[body[:2]], "detected")
    said = list(_declarations(body, content_type))
    for declared in said:
        if declared.name != "utf-8":
            sure_bytes = 1 if any(each.name == "utf-8" for each in said) else SURE_BYTES
            return _unless_belied(declared, body, sure_bytes)
        if not _is_no_utf8(body):
            return declared
    if default:
        return Charset(resolve_encoding(default) or default, "default")
    detected = detect_encoding(body)
    name = (resolve_encoding(detected) if detected else None) or "utf-8"
    return Charset(name if is_charset(name) else "utf-8", "detected")


def decode_html(body: bytes, charset: str | None = None) -> str:
    """``body`` as text; bytes that the charset does not know become U+FFFD, never an error."""
    name = charset or detect_charset(body).name
    if not is_charset(name):
        name = "utf-8"
    if name == "utf-8":
        name = "utf-8-sig"
    return body.decode(name, "replace")


def parse_html(body: bytes, charset: str | None = None) -> etree._Element:
    """The ``html`` element of a page; of an empty page an empty document. Never raises on bytes.

    libxml2 reads the page; where it leaves no ``body``, puts content into ``head``, stops early
    (deep nesting), meets ``</body>`` half way or loses text, an HTML5 parser (lexbor, through
    resiliparse) reads it instead, unless that would take too long.

    >>> text_content(parse_html("<p>caf\\u00e9".encode("latin-1"), "latin-1"))
    'caf\\xe9'
    """
    data = _as_utf8(body, charset)
    if _ends_early(data) and not is_costly(data):
        return _copy_html5(HTMLTree.parse_from_bytes(data, "utf-8"))
    root = _parse_libxml2(data)
    if not _is_suspect(root, data) or is_costly(data):
        return root
    tree = HTMLTree.parse_from_bytes(data, "utf-8")
    html5_text = extract_plain_text(tree, main_content=False, preserve_formatting=False)
    if _text_size(_body_text(root)) >= MIN_TEXT_SHARE * _text_size([html5_text]):
        return root
    return _copy_html5(tree)


def text_content(element: etree._Element) -> str:
    """All text inside an element."""
    return cast("str", _text_inside(element))


def words_digest(root: etree._Element) -> str:
    """SHA-256 of what a page says: the words of its body, whatever stands around them.

    >>> one, two = (parse_html(body) for body in (b"<p>a  b", b"<p id=1>a b<script>2</script>"))
    >>> words_digest(one) == words_digest(two)
    True
    """
    words = " ".join(map(str, cast("list[str]", _body_text(root)))).split()
    return hashlib.sha256(" ".join(words).encode("utf-8", "replace")).hexdigest()


def count_byte(data: bytes, sign: bytes) -> int:
    """How often a byte stands in a page: what `bytes.count` says, in a third of its time.

    >>> count_byte(b"<p><b>", b"<")
    2
    """
    return int(np.count_nonzero(np.frombuffer(data, np.uint8) == ord(sign)))


def is_charset(name: str) -> bool:
    """Whether a name is that of a charset that a page may have.

    >>> is_charset("shift_jis"), is_charset("base64"), is_charset("idna")
    (True, False, False)
    """
    try:
        codec = codecs.lookup(name)
    except (LookupError, ValueError):
        return False
    return codec._is_text_encoding and codec.name.replace("_", "-") not in _NO_CHARSETS


def _declarations(body: bytes, content_type: str | None) -> Iterator[Charset]:
    """What the server says, then what the document says of itself."""
    http = http_content_type_encoding(content_type)
    if http and is_charset(http):
        yield Charset(http, "http")
    declared = html_body_declared_encoding(body[:_DECLARATION_BYTES])
    if declared and is_charset(declared):
        # A declaration that could be read as ASCII is not UTF-16 (WHATWG, "prescan").
        yield Charset("utf-8" if declared.startswith("utf-16") else declared, "meta")


def _unless_belied(declared: Charset, body: bytes, sure_bytes: int) -> Charset:
    """A declared charset, or UTF-8 if the bytes are that for sure (of which a page that says so
    itself needs few: servers call all that they have ISO 8859-1)."""
    try:
        more_bytes = len(body) - len(body.decode("utf-8"))
    except UnicodeDecodeError:
        return declared
    return Charset("utf-8", "detected") if more_bytes >= sure_bytes else declared


def _is_no_utf8(body: bytes) -> bool:
    """Whether more of what is not ASCII breaks the rules of UTF-8 than keeps them; a single broken
    byte makes a page no other charset's."""
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        text = body.decode("utf-8", "replace")
        broken = text.count("\ufffd") - body.count("\ufffd".encode())
        return broken > len(text) - len(text.encode("ascii", "ignore")) - broken
    return False


def _as_utf8(body: bytes, charset: str | None) -> bytes:
    """The page in UTF-8 without NUL (which ends libxml2's input); valid input is not copied."""
    name = charset or detect_charset(body).name
    if name in _UTF8_NAMES and not body.startswith(codecs.BOM_UTF8):
        try:
            body.decode("utf-8")
        except UnicodeDecodeError:
            body = decode_html(body, name).encode("utf-8")
    else:
        body = decode_html(body, name).encode("utf-8", "replace")
    return body.replace(b"\0", b"") if b"\0" in body else body


def _ends_early(data: bytes) -> bool:
    """Whether more than `MAX_TEXT_AFTER_END` letters follow the first end of the document."""
    end = _END_TAG.search(data)
    if end is None or len(data) - end.end() <= MAX_TEXT_AFTER_END:
        return False
    letters, begin = 0, end.end()
    for markup in _MARKUP.finditer(data, begin):
        letters += len(data[begin : markup.start()].decode("utf-8", "ignore"))
        if letters > MAX_TEXT_AFTER_END:
            return True
        begin = markup.end()
    return letters + len(data[begin:].decode("utf-8", "ignore")) > MAX_TEXT_AFTER_END


class _Parsers(threading.local):
    """A parser for each thread: one is not safe between threads, and making one takes a tenth of
    the parse of a small page. It keeps the log of its last page only."""

    def __init__(self) -> None:
        # That of lxml.html would ask Python for the class of each element that is looked at.
        self.html = etree.HTMLParser(
            encoding="utf-8",
            huge_tree=True,
            remove_comments=True,
            remove_pis=True,
            collect_ids=False,
        )


_parsers = _Parsers()


def _parse_libxml2(data: bytes) -> etree._Element:
    try:
        root = etree.fromstring(data, _parsers.html)
    except (etree.ParserError, etree.XMLSyntaxError, AssertionError):
        root = None
    return etree.fromstring(_EMPTY_DOCUMENT, _parsers.html) if root is None else root


def _is_suspect(root: etree._Element, data: bytes) -> bool:
    """Cheap signs (a twentieth of the parse) that libxml2 may have misread the page."""
    head = root.find("head")
    content = None if head is None else next(head.iter("div", "p", "table"), None)
    if root.find("body") is None or content is not None:
        return True
    if _depth_at_end(root) >= LIBXML2_MAX_DEPTH:
        return True
    return not _has_elements(math.ceil(MIN_ELEMENTS_PER_TAG * count_byte(data, b"<")))(root)


@lru_cache(maxsize=1000)
def _has_elements(number: int) -> etree.XPath:
    """Tells whether a tree has so many elements, without counting those that follow."""
    return etree.XPath(f"boolean(/descendant::*[{max(1, number)}])")


def _depth_at_end(root: etree._Element) -> int:
    """Elements open where the input ended: where libxml2 gave up, its depth limit."""
    depth, element = 1, root
    while len(element):
        depth, element = depth + 1, element[-1]
    return depth


def _text_size(texts: Any) -> int:
    """Characters without white space."""
    return sum(len("".join(text.split())) for text in texts)


def _copy_html5(tree: HTMLTree) -> etree._Element:
    """An lxml copy of a lexbor tree, walked without recursion; names XML forbids are dropped."""
    source: Any = tree.document and tree.document.first_child
    while source is not None and source.type != ELEMENT:
        source = source.next
    if source is None:
        return _parse_libxml2(_EMPTY_DOCUMENT)
    # It joins the pieces of a text and finds its place without looking at what stands before.
    copy: Any = etree.TreeBuilder()  # the stubs know no attributes of text
    copy.start("html", _attributes(source))
    around: list[tuple[Any, str]] = []
    node = source.first_child
    for _ in range(MAX_NODES):
        while node is None and around:
            node, opened = around.pop()
            if opened:
                copy.end(opened)
            node = node.next
        if node is None:
            break
        if node.type == ELEMENT:
            tag = node.tag if _NAME.fullmatch(node.tag or "") else "span"
            copy.start(tag, _attributes(node))
            nests = len(around) < MAX_DEPTH or tag in ("script", "style")
            if not nests:
                # Too deep: the children go beside their parent instead of below it.
                copy.end(tag)
            around.append((node, tag if nests else ""))
            node = node.first_child
            continue
        if node.type == TEXT:
            copy.data(_NOT_XML.sub("", node.value or ""))
        node = node.next
    for _, opened in reversed(around):
        if opened:
            copy.end(opened)
    copy.end("html")
    return cast("etree._Element", copy.close())


def _attributes(node: Any) -> dict[str, str]:
    names = [name for name in (node.attrs or ())[:MOST_ATTRIBUTES] if _NAME.fullmatch(name)]
    return {name: _NOT_XML.sub("", node.getattr(name) or "") for name in names}
