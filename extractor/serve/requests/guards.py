"""Who may ask, from where, and what a browser may do with the answers."""

from __future__ import annotations

import base64
import binascii
import hmac
from collections.abc import Collection
from contextlib import suppress
from http import HTTPStatus
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from extractor.serve.requests.problems import Problem, problem_response

OPEN = "/health"
"""The path that needs no token: what watches over the server has none."""

MOST_PARAMETERS = 20
"""Parameters among which a token is looked for. Origin: guess; operations take four."""

OWN_PAGES = ("none", "same-origin")
"""What a browser says (Sec-Fetch-Site) of requests that its user or the server's own pages make."""

SECURITY_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; "
    "img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}

CHALLENGE = {"WWW-Authenticate": 'Bearer, Basic realm="webstem", charset="UTF-8"'}


class Guard:
    """Stands before the application: a request that it does not let pass gets a problem."""

    def __init__(self, app: ASGIApp, token: str | None, hosts: Collection[str] | None) -> None:
        self._app = app
        self._token = token.encode() if token else None
        self._hosts = hosts
        """Names under which the server may be asked; None for all."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(SECURITY_HEADERS)
            await send(message)

        headers = Headers(scope=scope)
        problem = self._of_host(headers) or _of_origin(scope, headers) or self._of_token(scope)
        if problem:
            await problem_response(scope["path"], problem)(scope, receive, guarded)
        else:
            await self._app(scope, receive, guarded)

    def _of_host(self, headers: Headers) -> Problem | None:
        """A page elsewhere whose name was made to lead here may not ask (DNS rebinding)."""
        if self._hosts is None or _host_name(headers.get("host", "")) in self._hosts:
            return None
        detail = f"expected one of {', '.join(self._hosts)} as host, got {headers.get('host')!r}"
        return Problem(HTTPStatus.MISDIRECTED_REQUEST, detail)

    def _of_token(self, scope: Scope) -> Problem | None:
        if self._token is None or scope["path"] == OPEN:
            return None
        if any(hmac.compare_digest(each, self._token) for each in _tokens(scope)):
            return None
        detail = "expected the server's token (Authorization: Bearer ...)"
        return Problem(HTTPStatus.UNAUTHORIZED, detail, CHALLENGE)


def _of_origin(scope: Scope, headers: Headers) -> Problem | None:
    """Pages of other sites may lead to this server's first page, and ask for nothing: what they
    make a browser send would be fetched, even if they may not read the answer."""
    is_first_page = scope["method"] == "GET" and scope["path"] == "/" and not scope["query_string"]
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    is_own = site in OWN_PAGES if site else _is_same(origin, headers.get("host", ""))
    if is_own or is_first_page:
        return None
    return Problem(HTTPStatus.FORBIDDEN, "asked for by a page of another site")


def _is_same(origin: str | None, host: str) -> bool:
    """Whether a request is of this server's pages, or of no page at all. Own forms say `null`: the
    pages ask browsers not to tell where they are."""
    return origin in (None, "null") or urlsplit(origin or "").netloc == host


def _host_name(host: str) -> str:
    """The name in a Host header, without the port.

    >>> [_host_name(host) for host in ("LOCALHOST:80", "[::1]:80", "[::1]", "a.example")]
    ['localhost', '[::1]', '[::1]', 'a.example']
    """
    end = host.find("]") + 1
    return (host[:end] if end else host.partition(":")[0]).lower()


def _tokens(scope: Scope) -> list[bytes]:
    """All that a request gives as token: of a bearer, as password, or as clients of Diffbot do."""
    kind, _, given = Headers(scope=scope).get("authorization", "").partition(" ")
    found = [given.strip().encode()] if kind.lower() == "bearer" else []
    if kind.lower() == "basic":
        with suppress(binascii.Error):
            found.append(base64.b64decode(given, validate=True).partition(b":")[2])
    if scope["path"].startswith("/v3/"):
        found += [each.encode() for each in _query(scope).get("token", [])]
    return found


def _query(scope: Scope) -> dict[str, list[str]]:
    try:
        return parse_qs(scope["query_string"].decode("latin-1"), max_num_fields=MOST_PARAMETERS)
    except ValueError:  # more than these
        return {}
