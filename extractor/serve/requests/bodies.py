"""What is sent with a request: read as far as the limits allow."""

from __future__ import annotations

from email.message import Message
from http import HTTPStatus

import anyio
from starlette.requests import ClientDisconnect, Request

from extractor.serve.requests.problems import Problem
from extractor.serve.service import Limits

HTML = "text/html"
"""The type of what is read."""

SENDING_SECONDS = 30.0
"""For a body to come. Origin: guess, the largest page at 4 Mbit/s."""


async def read_body(request: Request, limits: Limits, kind: str) -> bytes:
    """The body; Problem if it is of another type (415), too large (413), empty (400), or comes too
    slowly (408)."""
    given = _content_type(request).get_content_type() if "content-type" in request.headers else ""
    if given != kind:
        detail = f"expected a body of the type {kind}, got {given or 'none'!r}"
        raise Problem(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, detail)
    try:
        with anyio.fail_after(SENDING_SECONDS):
            body = await _read(request, limits.body_bytes)
    except TimeoutError:
        detail = f"expected the body within {SENDING_SECONDS:g} s"
        raise Problem(HTTPStatus.REQUEST_TIMEOUT, detail) from None
    except ClientDisconnect:
        raise Problem(HTTPStatus.BAD_REQUEST, "the body ended early") from None
    if not body:
        raise Problem(HTTPStatus.BAD_REQUEST, "expected a body, got an empty one")
    return body


async def _read(request: Request, most: int) -> bytes:
    too_large = Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"expected {most} bytes at most")
    length = request.headers.get("content-length", "0")
    if length.isdecimal() and int(length) > most:
        raise too_large
    parts: list[bytes] = []
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > most:
            raise too_large
        parts.append(part)
    return b"".join(parts)


def charset_of(request: Request) -> str | None:
    """The encoding that the request names."""
    return _content_type(request).get_content_charset()


def _content_type(request: Request) -> Message:
    message = Message()
    message["content-type"] = request.headers.get("content-type", "")
    return message
