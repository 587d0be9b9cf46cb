"""Bytes of a page to an element tree: which charset, which parser.

Everything that reads a page (the crawler's links, the learner's and the extractor's layouts) goes
through :func:`parse_html`, so that one page has one tree.
"""

from __future__ import annotations

import codecs
import re
import threading
from dataclasses import dataclass
from typing import Any, Literal, cast

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

CharsetSource = Literal["http", "bom", "meta", "detected", "default"]

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

_DECLARATION_BYTES = 4096
_TAIL_BYTES = 4096
_UTF8_NAMES = frozenset({"utf-8", "ascii"})
_count_elements = etree.XPath("count(//*)")
_text_inside = etree.XPath("string()")
_body_text = etree.XPath("//body//text()[not(parent::script or parent::style)]")
_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NAME = re.compile(r"[a-zA-Z_][-.\w]*")
_END_TAG = re.compile(rb"</(?:[bB][oO][dD][yY]|[hH][tT][mM][lL])")
_MARKUP = re.compile(rb"<!--.*?-->|<(script|style)\b.*?</\1|<[^>]*>|\s+", re.IGNORECASE | re.DOTALL)
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
    the WHATWG encoding standard's).

    >>> detect_charset(b"x", "text/html; charset=Shift_JIS")
    Charset(name='cp932', source='http')
    >>> detect_charset(b'<meta charset="gb2312">')
    Charset(name='gb18030', source='meta')
    """
    bom, _ = read_bom(body)
    if bom:
        return Charset("utf-8" if bom == "utf-8" else bom, "bom")
    http = http_content_type_encoding(content_type)
    if http and _is_codec(http):
        return Charset(http, "http")
    declared = html_body_declared_encoding(body[:_DECLARATION_BYTES])
    if declared and _is_codec(declared):
        # A declaration that could be read as ASCII is not UTF-16 (WHATWG, "prescan").
        return Charset("utf-8" if declared.startswith("utf-16") else declared, "meta")
    if default:
        return Charset(resolve_encoding(default) or default, "default")
    detected = detect_encoding(body)
    name = (resolve_encoding(detected) if detected else None) or "utf-8"
    return Charset(name if _is_codec(name) else "utf-8", "detected")


def decode_html(body: bytes, charset: str | None = None) -> str:
    """``body`` as text; bytes that the charset does not know become U+FFFD, never an error."""
    name = charset or detect_charset(body).name
    if not _is_codec(name):
        name = "utf-8"
    if name == "utf-8":
        name = "utf-8-sig"
    return body.decode(name, "replace")


def parse_html(body: bytes, charset: str | None = None) -> etree._Element:
    """The ``html`` element of a page; of an empty page an empty document. Never raises on bytes.

    libxml2 reads the page; where it leaves no ``body``, puts content into ``head``, stops early
    (deep nesting), meets ``</body>`` half way or loses text, an HTML5 parser (lexbor, through
    resiliparse) reads it instead.

    >>> text_content(parse_html("<p>caf\\u00e9".encode("latin-1"), "latin-1"))
    'caf\\xe9'
    """
    data = _as_utf8(body, charset)
    if _ends_early(data):
        return _copy_html5(HTMLTree.parse_from_bytes(data, "utf-8"))
    root = _parse_libxml2(data)
    if not _is_suspect(root, data):
        return root
    tree = HTMLTree.parse_from_bytes(data, "utf-8")
    html5_text = extract_plain_text(tree, main_content=False, preserve_formatting=False)
    if _text_size(_body_text(root)) >= MIN_TEXT_SHARE * _text_size([html5_text]):
        return root
    return _copy_html5(tree)


def text_content(element: etree._Element) -> str:
    """All text inside an element."""
    return cast("str", _text_inside(element))


def _is_codec(name: str) -> bool:
    try:
        return codecs.lookup(name)._is_text_encoding
    except (LookupError, ValueError):
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
    rest = _MARKUP.sub(b"", data[end.end() : end.end() + _TAIL_BYTES])
    return len(rest.decode("utf-8", "ignore")) > MAX_TEXT_AFTER_END


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
    elements = cast("float", _count_elements(root))
    if elements >= LIBXML2_MAX_DEPTH and _depth_at_end(root) >= LIBXML2_MAX_DEPTH:
        return True
    return elements < MIN_ELEMENTS_PER_TAG * data.count(b"<")


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
    root = etree.Element("html")
    source: Any = tree.document and tree.document.first_child
    while source is not None and source.type != ELEMENT:
        source = source.next
    if source is None:
        return _parse_libxml2(_EMPTY_DOCUMENT)
    _copy_attributes(source, root)
    stack: list[tuple[Any, etree._Element]] = []
    node, parent = source.first_child, root
    for _ in range(MAX_NODES):
        while node is None and stack:
            node, parent = stack.pop()
            node = node.next
        if node is None:
            break
        if node.type == ELEMENT:
            child = _append_element(parent, node)
            if len(stack) < MAX_DEPTH or node.tag in ("script", "style"):
                stack.append((node, parent))
                node, parent = node.first_child, child
                continue
            # Too deep: the children go beside their parent instead of below it.
            stack.append((node, parent))
            node = node.first_child
            continue
        if node.type == TEXT:
            _append_text(parent, node.value or "")
        node = node.next
    return root


def _append_element(parent: etree._Element, node: Any) -> etree._Element:
    tag = node.tag or ""
    element = etree.Element(tag if _NAME.fullmatch(tag) else "span")
    _copy_attributes(node, element)
    parent.append(element)
    return element


def _copy_attributes(node: Any, element: etree._Element) -> None:
    for name in node.attrs or ():
        if _NAME.fullmatch(name):
            element.set(name, _NOT_XML.sub("", node.getattr(name) or ""))


def _append_text(parent: etree._Element, text: str) -> None:
    text = _NOT_XML.sub("", text)
    if len(parent):
        parent[-1].tail = (parent[-1].tail or "") + text
    else:
        parent.text = (parent.text or "") + text
