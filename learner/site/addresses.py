"""What the address of a page tells of its kind: where it lies and what it is called there.

Sites keep pages of one kind in one folder (`/tag/`, `/2021/05/`) and write them alike (`/a/b/`,
`/a/b.html`). Digits collapse, so that one folder a year is one folder.
"""

from __future__ import annotations

import re
from urllib.parse import unquote
from zlib import crc32

_DIGITS = re.compile(r"\d+")
_EXTENSION = re.compile(r"\.\w+$")
_WORD_BEFORE = re.compile(r"[^\W\d_]+[:_]")


def _path(key: str) -> str:
    return key.partition("?")[0].partition("/")[2]


def folder(key: str) -> str:
    """The path of a page's key (`learner.page.page_keys.page_key`) before its last segment, as it
    is read, digits collapsed; empty at the root of the site.

    >>> folder("a.example/2021/05/rain.html"), folder("a.example/tag/rain/"), folder("a.example/")
    ('0/0', 'tag', '')
    """
    path = _path(key).rstrip("/")
    return _DIGITS.sub("0", unquote(path.rpartition("/")[0]))


def slug(key: str) -> str:
    """The last segment of a page's path, as it is read, without its extension.

    >>> slug("a.example/2021/the-rain.html"), slug("a.example/tag/rain/"), slug("a.example/")
    ('the-rain', 'rain', '')
    """
    path = _path(key).rstrip("/")
    return _EXTENSION.sub("", unquote(path.rpartition("/")[2]))


def mark(key: str) -> str:
    """What the address of a page says of it before its name or beside it: a word with a colon or a
    low line behind it, or a query, digits collapsed; empty if neither is there.

    >>> mark("a.example/Category:Rain"), mark("a.example/rain?do=recent"), mark("a.example/rain")
    ('Category:', '?do=recent', '')
    """
    query = key.partition("?")[2]
    if query:
        return f"?{_DIGITS.sub('0', unquote(query))}"
    word = _WORD_BEFORE.match(slug(key))
    return word[0] if word else ""


def address_features(key: str) -> dict[int, str]:
    """What an address looks like, hashed, each with what it stands for: how it ends, how many parts
    it has, and its folder.

    >>> list(address_features("a.example/tag/rain/").values())
    ['address ends in /', 'address has 2 parts', 'address in tag/']
    >>> list(address_features("a.example/rain.html").values())
    ['address ends in .html', 'address has 1 part', 'address in /']
    """
    path = _path(key)
    extension = _EXTENSION.search(path)
    n_parts = sum(1 for part in path.split("/") if part)
    told = (
        "ends in " + ("/" if path.endswith("/") or not path else extension[0] if extension else ""),
        f"has {n_parts} part{'s' * (n_parts != 1)}",
        f"in {folder(key)}/",
    )
    named = [f"address {each}" for each in told]
    return {crc32(name.encode()): name for name in named}
