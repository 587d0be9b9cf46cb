"""What a page in the browser asks for, and who answers."""

from __future__ import annotations

import mimetypes
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from urllib.parse import quote, unquote, urlsplit

from crawler.reading.html import detect_charset


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request that a page makes."""

    url: str
    """Absolute, without a fragment."""
    kind: str
    """As browsers name it: `document`, `stylesheet`, `script`, `image`, `xhr`..."""
    method: str = "GET"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a request gets: the end of its redirects."""

    body: bytes
    content_type: str = ""
    """Empty: the browser guesses."""
    status: int = 200
    has_scripts: bool = True
    """Whether the scripts of a document run; not of one that was drawn already."""


class Answers(Protocol):
    """Gives the answer to a request; None refuses it."""

    async def __call__(self, asked: Asked, /) -> Answer | None: ...


StoredBytes = Callable[[str], bytes | None]
"""The body of an address; None if it is not there."""


def stored_answers(body_of: StoredBytes) -> Answers:
    """Answers from what is stored, of any host; all else is refused."""

    async def answer(asked: Asked) -> Answer | None:
        if asked.method != "GET":
            return None
        body = body_of(asked.url)
        if body is None and "?" in asked.url:
            # Archives keep style sheets without their `?ver=6.1`.
            body = body_of(asked.url.partition("?")[0])
        return None if body is None else Answer(body=body, content_type=media_type(asked, body))

    return answer


_OF_BROWSERS = {
    "big5hkscs": "big5-hkscs",
    "cp874": "windows-874",
    "cp932": "shift_jis",
    "cp949": "euc-kr",
    "euc_jp": "euc-jp",
    "euc_kr": "euc-kr",
    "iso2022_jp": "iso-2022-jp",
    "mac-cyrillic": "x-mac-cyrillic",
    "mac-roman": "macintosh",
    "utf-16-be": "utf-16be",
    "utf-16-le": "utf-16le",
}
"""Codecs of Python whose names browsers do not know (WHATWG encoding standard, 4.2)."""


def html_type(charset: str) -> str:
    """The media type of a document in a charset, which Python names; a browser that does not know
    the name would guess.

    >>> html_type("cp932")
    'text/html; charset=shift_jis'
    """
    return f"text/html; charset={_OF_BROWSERS.get(charset, charset)}"


FILES = "http://files.invalid/"
"""Where files stand for the browser: a host that there is not (RFC 2606)."""


def address_of_file(file: Path) -> str:
    """The address under which `folder_answers` of its folder gives a file."""
    return f"{FILES}{quote(file.name)}"


def folder_answers(folder: Path) -> Answers:
    """Answers from the files beside and below each other in a folder; nothing outside of it."""
    root = folder.resolve()

    def body_of(url: str) -> bytes | None:
        if not url.startswith(FILES):
            return None
        path = root.joinpath(unquote(url.removeprefix(FILES))).resolve()
        return path.read_bytes() if path.is_relative_to(root) and path.is_file() else None

    return stored_answers(body_of)


def media_type(asked: Asked, body: bytes) -> str:
    """The media type of a stored body, by what it is asked for and its name, and the charset of a
    document by its bytes; it keeps no header.

    >>> media_type(Asked(url="http://a/style.css?v=1", kind="stylesheet"), b"")
    'text/css'
    >>> media_type(Asked(url="http://a/page.php", kind="document"), b"<meta charset=sjis>")
    'text/html; charset=shift_jis'
    """
    if asked.kind == "document":
        return html_type(detect_charset(body).name)
    if asked.kind == "stylesheet":
        return "text/css"
    if asked.kind == "script":
        return "text/javascript"
    return mimetypes.guess_type(urlsplit(asked.url).path)[0] or ""
