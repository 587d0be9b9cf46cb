"""One form of each host name, whatever letters it is written in: the one that is sent."""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit, urlunsplit

import idna

MAX_HOST_LENGTH = 253
"""Characters of a host name. Origin: RFC 1035, 2.3.4: 255 octets with their lengths."""

_NO_HOST_SIGN = re.compile(r"[\s/?#@:\[\]\\<>^|%]")
_SENT_LABEL = re.compile(r"\bxn--[a-z0-9-]+", re.IGNORECASE)


def ascii_host(name: str) -> str:
    """A host name in lower-case ASCII, as browsers send it (UTS 46, non-transitional).

    ValueError if it is none. What IDNA 2008 knows not (RFC 5892: symbols) is sent as before it.

    >>> ascii_host("BÜCHER.example"), ascii_host("stra%C3%9Fe.example")
    ('xn--bcher-kva.example', 'xn--strae-oqa.example')
    """
    name = unquote(name, errors="strict")
    if len(name) > MAX_HOST_LENGTH:
        raise ValueError(f"host name: expected at most {MAX_HOST_LENGTH} characters")
    if not name.isascii():
        name = ".".join(map(_ascii_label, idna.uts46_remap(name, std3_rules=False).split(".")))
    if _NO_HOST_SIGN.search(name):
        raise ValueError(f"host name: expected letters and dots, got {name!r}")
    return name.lower()


def _ascii_label(label: str) -> str:
    if label.isascii():
        return label
    try:
        return idna.alabel(label).decode("ascii")
    except idna.IDNAError:
        return label.encode("idna").decode("ascii")


def with_ascii_host(url: str) -> str:
    """`url` with its host as `ascii_host` has it, all else as it is; ValueError if it has none.

    >>> with_ascii_host("http://bücher.example:81/ä")
    'http://xn--bcher-kva.example:81/ä'
    """
    netloc = urlsplit(url).netloc
    if (netloc.isascii() and "%" not in netloc) or netloc.startswith("["):
        return url
    user, at, place = netloc.rpartition("@")
    host, colon, port = place.partition(":")
    return urlunsplit(urlsplit(url)._replace(netloc=f"{user}{at}{ascii_host(host)}{colon}{port}"))


def readable(url: str) -> str:
    """`url` as a person would write it: letters in place of their codes; itself if there are none.

    >>> readable("http://xn--bcher-kva.example/%C3%A4?q=%E4")
    'http://bücher.example/ä?q=\\ufffd'
    """
    return unquote(_SENT_LABEL.sub(_written_label, url))


def _written_label(match: re.Match[str]) -> str:
    try:
        return idna.ulabel(match[0])
    except (idna.IDNAError, UnicodeError):
        return match[0]
