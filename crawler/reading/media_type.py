"""Whether a response is a page: by the type that its server declares, and where that says nothing,
by its first bytes, as browsers do (WHATWG MIME Sniffing, 5 and 7.1)."""

from __future__ import annotations

import re

from lxml.html import defs

HEAD_BYTES = 1445
"""Bytes at the start of a body that tell what it is. Origin: WHATWG MIME Sniffing, 5.2."""

_HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
_OPEN_TYPES = frozenset(
    {"", "unknown/unknown", "application/unknown", "*/*", "text/xml", "application/xml"}
)
"""Types that do not tell whether a body is a page; pages of XHTML are sent as XML, too."""

_TYPE = re.compile(r"\s*([-!#$%&'*+.^_`|~\w]+/[-!#$%&'*+.^_`|~\w]+)\s*(?:;|$)", re.ASCII)
# What is not closed takes all that follows, so that no byte is looked at twice.
_BEFORE_MARKUP = re.compile(rb"(?:\xef\xbb\xbf|\s|<\?[^>]*+>|<!--(?:[^-]|-(?!->))*+-->)*+")
_MARKUP = re.compile(rb"<(!--|(?:!doctype\s+html|[a-z][a-z0-9]*)(?=[\s/>]))", re.IGNORECASE)
# What begins with these is an image or a formula.
_ELEMENTS = defs.tags - {"svg", "math"}


def declares_html(content_type: str | None) -> bool | None:
    """Whether a Content-Type says that the body is a page; None where only the body can tell: no
    type, one that is malformed or unknown, and those in which HTML is sent by mistake.

    >>> declares_html("text/html; charset=utf-8"), declares_html("image/png")
    (True, False)
    >>> declares_html("text/html charset=utf-8") is declares_html("text/htm") is None
    True
    """
    kind = _essence(content_type or "")
    if kind in _HTML_TYPES:
        return True
    return None if kind in _OPEN_TYPES or "htm" in kind else False


def is_html(content_type: str | None, body: bytes) -> bool:
    """Whether a response is a page.

    >>> is_html("*/*", b"<!DOCTYPE html><p>a"), is_html("text/xml", b"<?xml version='1.0'?><rss>")
    (True, False)
    """
    declared = declares_html(content_type)
    return _begins_as_html(body[:HEAD_BYTES]) if declared is None else declared


def _essence(content_type: str) -> str:
    """Type and subtype in lower case, of several those that come last; empty if there is none
    (Fetch standard, "extract a MIME type")."""
    for part in reversed(content_type.split(",")):
        found = _TYPE.match(part)
        if found and found[1] != "*/*":
            return found[1].lower()
    return ""


def _begins_as_html(head: bytes) -> bool:
    """Whether the first markup is HTML's. The standard lists 17 elements, for browsers met others
    later; pages begin with any element. An empty page is one, too."""
    found = _MARKUP.match(head, _BEFORE_MARKUP.match(head).end())  # type: ignore[union-attr]
    if found is None:
        return not head
    name = found[1].lower().decode()
    return name.startswith("!") or name in _ELEMENTS
