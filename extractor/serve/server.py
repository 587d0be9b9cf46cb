"""The server: where it listens, for whom, until when."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable
from ipaddress import ip_address

import uvicorn
from starlette.types import ASGIApp

from crawler.config.sites import Config
from extractor.serve.app import create_app
from extractor.serve.service import Limits

OWN_HOSTS = ("localhost", "127.0.0.1", "[::1]")
"""Names under which a server on loopback may be asked."""

SHORTEST_TOKEN = 16
"""Characters. Origin: guess; 80 bits in base 32."""

MOST_CONNECTIONS = 500
"""At once, idle ones included; further ones are refused. Origin: guess; a process may mostly have
1,024 files open."""

IDLE_SECONDS = 5
"""A connection without a request is closed after so long. Origin: uvicorn's own."""

ENDING_SECONDS = 5
"""What is under way has so long to end. Origin: guess."""


class BindError(Exception):
    """The server may not, or cannot, listen where it should; the message tells what to do."""


def bind(host: str, port: int, token: str | None, token_name: str) -> socket.socket:
    """A socket that listens; BindError if its address is taken, or others may reach it and there is
    no token (environment variable `token_name`), or one that could be guessed."""
    if token is not None and len(token) < SHORTEST_TOKEN:
        raise BindError(f"${token_name}: expected {SHORTEST_TOKEN} characters or more")
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        if token is None and not ip_address(address[0]).is_loopback:
            raise BindError(
                f"{host} can be reached by others: put a token into the environment variable "
                f"{token_name} (such as `python -c 'import secrets; print(secrets.token_hex())'` "
                "makes), which all requests must bear, or leave --host out"
            )
        return socket.create_server(address[:2], family=family)
    except OSError as problem:
        said = problem.strerror or problem
        raise BindError(f"{host}:{port}: {said}; choose another --host or --port") from problem


def serve(
    listening: socket.socket,
    read_config: Callable[[], Config],
    token: str | None,
    tell: Callable[[str], None],
) -> None:
    """Answer requests until SIGINT or SIGTERM; `tell` gets the address once it is listened at."""
    host, port = listening.getsockname()[:2]
    is_loopback = ip_address(host).is_loopback
    app = create_app(read_config, Limits(), token, OWN_HOSTS if is_loopback else None)
    # uvicorn gives the signals that ended it to whom they belonged before.
    for kind in (signal.SIGINT, signal.SIGTERM):
        signal.signal(kind, lambda *_: None)
    shown = f"[{host}]" if ":" in host else host
    tell(f"http://{shown}:{port}/")
    server_of(app).run(sockets=[listening])


def server_of(app: ASGIApp) -> uvicorn.Server:
    """What speaks HTTP for an application."""
    config = uvicorn.Config(
        app,
        http="h11",
        ws="none",
        log_level="error",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=ENDING_SECONDS,
    )
    return uvicorn.Server(config)
