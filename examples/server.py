"""A small real HTTP server for the demo site: `python -m examples.server [--edition 2]`.

It answers conditional requests (ETag, Last-Modified) as a static file server does, and the
edition it shows can be changed while it runs.
"""

from __future__ import annotations

import argparse
import errno
import hashlib
from collections import Counter
from email.utils import format_datetime, parsedate_to_datetime
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from types import TracebackType
from typing import Self
from urllib.parse import unquote, urlsplit

from examples.site import DemoSite, Resource, build_site
from examples.stories import Edition

HOST = "127.0.0.1"
PORT = 8123


class PortTaken(OSError):
    """Another program listens where the demo site should be."""

    def __init__(self, port: int) -> None:
        self.port = port
        super().__init__(
            errno.EADDRINUSE,
            f"examples.server: expected {HOST}:{port} to be free, but another program listens "
            "there; stop it (an earlier demo?) and run the same command again",
        )


class DemoServer:
    """Serves one edition at a time from a thread; use it in a ``with`` statement.

    ``requests`` counts what was asked, as ``(path, status)``.
    """

    def __init__(self, port: int = PORT, edition: Edition = 1) -> None:
        try:
            self._http = _Listener((HOST, port), _Handler)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise PortTaken(port) from error
            raise
        self._http.demo = self
        self.base_url = f"http://{HOST}:{self._http.server_address[1]}"
        self.requests: Counter[tuple[str, int]] = Counter()
        self._site = build_site(edition, self.base_url)
        self._thread = Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.05})

    @property
    def site(self) -> DemoSite:
        """The edition that is shown now."""
        return self._site

    def show(self, edition: Edition) -> None:
        """Publish another edition of the site from the next request on."""
        self._site = build_site(edition, self.base_url)

    def wait(self) -> None:
        """Return when the server stops; Ctrl-C raises KeyboardInterrupt here."""
        self._thread.join()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    demo: DemoServer


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "demo"
    # Head and body are written apart: with Nagle's algorithm each answer would wait 40 ms.
    disable_nagle_algorithm = True
    server: _Listener

    def do_GET(self) -> None:
        self._answer(send_body=True)

    def do_HEAD(self) -> None:
        self._answer(send_body=False)

    def _answer(self, *, send_body: bool) -> None:
        path = unquote(urlsplit(self.path).path)
        resource = self.server.demo.site.resources.get(path)
        status = self._status(resource)
        self.server.demo.requests[path, status] += 1
        found = resource is not None and status == HTTPStatus.OK
        body = resource.body if resource and found else b""
        if status == HTTPStatus.NOT_FOUND:
            body = b"<html><body><h1>Not found</h1></body></html>"
        self.send_response(status)
        if resource is not None:
            self._send_validators(resource)
        if resource is not None and resource.location is not None:
            self.send_header("Location", resource.location)
        if status != HTTPStatus.NOT_MODIFIED:
            self.send_header("Content-Type", resource.content_type if resource else "text/html")
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if send_body:
            self.wfile.write(body)

    def _status(self, resource: Resource | None) -> HTTPStatus:
        if resource is None:
            return HTTPStatus.NOT_FOUND
        if resource.location is not None:
            return HTTPStatus.MOVED_PERMANENTLY
        if self._has_it_already(resource):
            return HTTPStatus.NOT_MODIFIED
        return HTTPStatus.OK

    def _has_it_already(self, resource: Resource) -> bool:
        """RFC 9110, 13.2.2: an entity tag, when sent, decides alone."""
        tags = self.headers.get("If-None-Match")
        if tags is not None:
            return etag(resource) in (tag.strip() for tag in tags.split(","))
        since = self.headers.get("If-Modified-Since")
        if since is None:
            return False
        try:
            return resource.modified <= parsedate_to_datetime(since)
        except (TypeError, ValueError):
            return False

    def _send_validators(self, resource: Resource) -> None:
        self.send_header("ETag", etag(resource))
        self.send_header("Last-Modified", format_datetime(resource.modified, usegmt=True))

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the crawler's log tells what was fetched."""


def etag(resource: Resource) -> str:
    """A strong entity tag made of the content."""
    return f'"{hashlib.sha256(resource.body).hexdigest()[:16]}"'


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--edition", type=int, choices=(1, 2), default=1)
    parser.add_argument("--port", type=int, default=PORT)
    arguments = parser.parse_args()
    try:
        with DemoServer(arguments.port, arguments.edition) as server:
            print(f"edition {arguments.edition} at {server.base_url}/ (Ctrl-C ends it)")
            server.wait()
    except PortTaken as error:
        parser.exit(1, f"{error.strerror}\n")
    except KeyboardInterrupt:
        print()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
