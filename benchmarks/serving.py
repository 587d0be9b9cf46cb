"""Serve an archived site on loopback under its own host name: `python -m benchmarks.serving ZIP`.

The archive is a zip (or folder) with `pages/`, `site.json` and `gold.jsonl`. A crawler that takes
this server as its HTTP proxy reaches the site through the same code path as a live crawl:

- `GET http://host/...` is answered from the archive's pages;
- `CONNECT host:443` opens a TLS connection with a self-signed certificate made at start;
- the other scheme, and the host with or without `www.`, is moved to the site's own address (301),
  a folder without its slash to the one with it, and a file that is missing answers 404;
- every other host is refused (403), so nothing ever leaves the machine.

Content types are those of a static file server: by the file's suffix, html without a charset.
"""

from __future__ import annotations

import argparse
import json
import mimetypes
import re
import ssl
import tempfile
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from urllib.parse import unquote, urlsplit

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

INDEX_NAMES = ("index.html", "index.htm")
HOST = "127.0.0.1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the site says to one URL; ``location`` is set on redirects only."""

    status: HTTPStatus
    content_type: str = "text/html"
    body: bytes = b""
    location: str | None = None


class ArchivedSite:
    """The pages of one archive, looked up by URL.

    ``files`` maps paths inside `pages/` to their bytes; ``base_url`` is where `pages/` lay
    when the site was online.
    """

    def __init__(self, source: Path) -> None:
        self.source = source
        contents = dict(_read_zip(source) if source.suffix == ".zip" else _read_folder(source))
        self.files = {
            name.removeprefix("pages/"): body
            for name, body in contents.items()
            if name.startswith("pages/")
        }
        self.meta: dict[str, object] = json.loads(contents["site.json"])
        self.gold: tuple[dict[str, str], ...] = tuple(
            json.loads(line) for line in contents["gold.jsonl"].splitlines() if line.strip()
        )
        self.base_url = str(self.meta["base_url"])
        parts = urlsplit(self.base_url)
        self.scheme, self.host, self.folder = parts.scheme, parts.netloc, parts.path
        self.hosts = frozenset({self.host, f"www.{self.host}", self.host.removeprefix("www.")})
        self._paths = {unquote(urlsplit(page["url"]).path): page["path"] for page in self.gold}

    @property
    def index_name(self) -> str:
        """The file that the site's folders stand for."""
        return next((name for name in INDEX_NAMES if name in self.files), INDEX_NAMES[0])

    def answer(self, url: str) -> Answer:
        """The answer to an absolute URL, as the site's own server would give it."""
        parts = urlsplit(url)
        if parts.hostname not in self.hosts:
            return Answer(status=HTTPStatus.FORBIDDEN, body=b"not this site")
        if (parts.scheme, parts.hostname) != (self.scheme, self.host):
            return _moved(parts._replace(scheme=self.scheme, netloc=self.host).geturl())
        name = self.file_name(url)
        if name is not None:
            return Answer(
                status=HTTPStatus.OK, content_type=_content_type(name), body=self.files[name]
            )
        url_with_slash = parts._replace(path=parts.path + "/").geturl()
        if not parts.path.endswith("/") and self.file_name(url_with_slash) is not None:
            return _moved(url_with_slash)
        return Answer(status=HTTPStatus.NOT_FOUND, body=b"<html><h1>404</h1></html>")

    def file_name(self, url: str) -> str | None:
        """The archived file behind a URL: the gold's word first, then the path itself.

        Slashes in a row count as one, as Apache and nginx have it.
        """
        path = re.sub("/+", "/", unquote(urlsplit(url).path)) or "/"
        if path in self._paths:
            return self._paths[path].removeprefix("pages/")
        if path == "/robots.txt":
            return "robots.txt" if "robots.txt" in self.files else None
        if not path.startswith(self.folder):
            return None
        inner = path.removeprefix(self.folder)
        names = [inner] if not inner.endswith("/") and inner else []
        if inner.endswith("/") or not inner:
            names = [inner + index for index in INDEX_NAMES]
        return next((name for name in names if name in self.files), None)


def _moved(location: str) -> Answer:
    return Answer(status=HTTPStatus.MOVED_PERMANENTLY, location=location)


def _content_type(name: str) -> str:
    return mimetypes.guess_type(name)[0] or "application/octet-stream"


def _read_zip(source: Path) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(source) as archive:
        for name in archive.namelist():
            if not name.endswith("/"):
                yield name.split("/", 1)[1], archive.read(name)


def _read_folder(source: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(source.rglob("*")):
        if path.is_file():
            yield path.relative_to(source).as_posix(), path.read_bytes()


class _Proxy(ThreadingHTTPServer):
    daemon_threads = True
    site: ArchivedSite
    tls: ssl.SSLContext
    requests: Counter[tuple[str, int]]


class _ProxyHandler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "archive"
    # Head and body are written apart: with Nagle's algorithm each answer would wait 40 ms.
    disable_nagle_algorithm = True
    server: _Proxy
    _tunnel: str | None = None

    def do_CONNECT(self) -> None:
        """Become the TLS server of the one host that is served here."""
        host = self.path.rpartition(":")[0].lower()
        if host not in self.server.site.hosts:
            self._send(Answer(status=HTTPStatus.FORBIDDEN, body=b"not this site"), self.path)
            return
        self.send_response(HTTPStatus.OK, "Connection established")
        self.end_headers()
        self.connection = self.server.tls.wrap_socket(self.connection, server_side=True)
        self.rfile = self.connection.makefile("rb", -1)
        self.wfile = self.connection.makefile("wb", 0)
        self._tunnel = host
        self.close_connection = False

    def finish(self) -> None:
        """Close the TLS side too: the server knows only the plain socket below it."""
        super().finish()
        if self._tunnel is not None:
            self.connection.close()

    def do_GET(self) -> None:
        url = self.path if self._tunnel is None else f"https://{self._tunnel}{self.path}"
        self._send(self.server.site.answer(url), url)

    do_HEAD = do_GET

    def _send(self, answer: Answer, url: str) -> None:
        self.server.requests[url, answer.status] += 1
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.content_type)
        self.send_header("Content-Length", str(len(answer.body)))
        if answer.location is not None:
            self.send_header("Location", answer.location)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the crawler's log tells what was fetched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedSite:
    """A running proxy; ``requests`` counts what was asked, as ``(url, status)``."""

    site: ArchivedSite
    proxy_url: str
    requests: Counter[tuple[str, int]]

    def environment(self) -> dict[str, str]:
        """The variables that send a crawler's requests through the proxy."""
        names = ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY")
        return {**dict.fromkeys(names, self.proxy_url), "no_proxy": "", "NO_PROXY": ""}


@contextmanager
def serve(site: ArchivedSite) -> Iterator[ServedSite]:
    """Serve the archive on a free loopback port until the block ends."""
    proxy = _Proxy((HOST, 0), _ProxyHandler)
    proxy.site, proxy.tls, proxy.requests = site, _self_signed(site.host, site.hosts), Counter()
    thread = Thread(target=proxy.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        url = f"http://{HOST}:{proxy.server_address[1]}"
        yield ServedSite(site=site, proxy_url=url, requests=proxy.requests)
    finally:
        proxy.shutdown()
        proxy.server_close()
        thread.join()


def _self_signed(host: str, names: Iterable[str]) -> ssl.SSLContext:
    """A TLS context with a certificate for the host names that is valid for one day."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host[:64])])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(subject_name=name, issuer_name=name, public_key=key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.DNSName(n) for n in names]), critical=False
        )
        .sign(key, hashes.SHA256())
    )
    pem = certificate.public_bytes(serialization.Encoding.PEM) + key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with tempfile.NamedTemporaryFile(suffix=".pem") as file:
        file.write(pem)
        file.flush()
        context.load_cert_chain(file.name)
    return context


def main() -> int:
    parser = argparse.ArgumentParser(description="Serve an archived site as an HTTP proxy.")
    parser.add_argument("source", type=Path, help="zip or folder of an archived site")
    site = ArchivedSite(parser.parse_args().source)
    with serve(site) as served:
        print(f"{site.base_url} through the proxy {served.proxy_url} (Ctrl-C ends it)")
        try:
            Event().wait()
        except KeyboardInterrupt:
            print()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
