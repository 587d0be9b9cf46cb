"""Pages from files: Webstemmer's crawl archives, WARC files, folders and lists of HTML files.

Readers give what they find one by one and never hold an archive in memory. What is hostile (a
path with `..`, a bomb, an endless line) is refused as a whole with `ArchiveError`; what is just no
page is passed over with a reason.
"""

from __future__ import annotations

import ast
import lzma
import os
import re
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from io import BytesIO
from itertools import dropwhile
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO
from urllib.parse import quote, urljoin

from fastwarc.stream_io import BrotliReader, ChunkedReader, GzipReader, ZstdReader
from fastwarc.warc import ArchiveIterator, HeaderMap, WarcRecord, WarcRecordType

from crawler.config.sites import SiteConfig
from crawler.frontier.scope import Directory, Scope, is_media
from crawler.storage.outfile import whole_file

MAX_ENTRIES = 1_000_000
"""Files of one archive. Origin: guess."""

MAX_INFLATION = 200
"""Inflated size of an archive to its size on disk; HTML deflates 3 to 30 times. Origin: guess."""

SMALL_ARCHIVE_BYTES = 256 * 2**20
"""Up to this inflated size any archive is read, whatever its inflation. Origin: guess."""

MAX_LINE_BYTES = 4 * 2**20
"""Longest line of a linkinfo: the anchor texts of one page. Origin: guess."""

FETCH_YEARS = range(1990, 2100)
"""Years that a page can have been fetched in; a time of another one is taken for none. Origin: the
first web server ran in 1990; the end is a guess."""

LINKINFO = "linkinfo"
"""Name under which Webstemmer stores the anchor texts in its archives."""

_READERS: dict[str, Callable[[Any], Any]] = {
    "gzip": GzipReader,
    "x-gzip": GzipReader,
    "deflate": partial(GzipReader, zlib=True),
    "br": BrotliReader,
    "zstd": ZstdReader,
}
"""What undoes a Content-Encoding; a body with another one is taken as it is."""

_UNSOUND_ZIP = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    UnicodeDecodeError,
    NotImplementedError,
    RuntimeError,
    EOFError,
    OSError,
)
"""What `zipfile` raises for one that is damaged, of an unknown kind or encrypted."""

_TIMESTAMP = re.compile(r"\d{12}")


class ArchiveError(ValueError):
    """A file that is not read: says which, what was expected and what was got."""

    def __init__(
        self, path: str, expected: str, got: str, advice: str = "nothing more of it is read"
    ) -> None:
        self.path = path
        super().__init__(f"{path}: expected {expected}, got {got}; {advice}")


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPage:
    """One page of an archive."""

    url: str
    body: bytes
    fetched_at: datetime
    """Aware UTC: from the archive, or of the file."""
    content_type: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundAnchors:
    """Texts of the links to one page, wherever they stand."""

    url: str
    texts: tuple[str, ...]
    fetched_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PassedOver:
    """Something that is no page."""

    name: str
    reason: str


Found = FoundPage | FoundAnchors | PassedOver


def read_archive(path: str, site: SiteConfig, linkinfo: str = LINKINFO) -> Iterator[Found]:
    """What a file or folder holds, by its kind; `-` is a list of files on stdin.

    `linkinfo` names the anchor texts of a Webstemmer archive; empty: they are not read. Raises
    `ArchiveError`, also in the middle.
    """
    source = Path(path)
    if path == "-":
        return _read_list(path, sys.stdin.buffer, site)
    if source.is_dir():
        return _read_files(_files_below(source), source, site)
    if not source.is_file():
        raise ArchiveError(path, "a file or folder", "none", "look at the name")
    name = source.name.lower()
    if name.endswith(".zip"):
        return read_crawl_zip(source, site, linkinfo)
    if name.endswith((".warc", ".warc.gz", ".warc.zst", ".warc.lz4")):
        return _read_warc(source, site)
    if name.endswith(".list"):
        return _read_list(path, source.open("rb"), site)
    if name.endswith((".html", ".htm", ".xhtml")):
        return _read_files([source], source.parent, site)
    kinds = "a .zip, .warc, .warc.gz, .list, .html file or a folder"
    raise ArchiveError(path, kinds, f"the name {source.name!r}", "rename it")


# Webstemmer's archives


def entry_name(url: str, timestamp: str) -> str:
    """The name of a page in a Webstemmer archive.

    >>> entry_name("https://example.com/news/?id=1", "200501010000")
    '200501010000/example.com/news/?id=1'
    """
    return f"{timestamp}/{url.partition('://')[2].partition('#')[0]}"


def entry_url(name: str, scheme: str = "http") -> str:
    """The URL of a page in a Webstemmer archive; its names do not tell the scheme.

    >>> entry_url("200501010000/example.com/news/")
    'http://example.com/news/'
    """
    return f"{scheme}://{name.partition('/')[2]}"


def read_crawl_zip(path: Path, site: SiteConfig, linkinfo: str = LINKINFO) -> Iterator[Found]:
    """The anchor texts and pages of an archive of `timestamp/host/path` entries."""
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
            _check_entries(path, entries)
            scheme = _scheme(site)
            for entry in entries:
                if linkinfo and entry.filename == linkinfo:
                    yield from _read_linkinfo(path, archive, entry, scheme)
            for entry in entries:
                # A page of a URL that ends in a slash looks like a folder, but has a body.
                if entry.filename != linkinfo and (entry.file_size or not entry.is_dir()):
                    yield _read_entry(archive, entry, scheme, site.max_page_bytes)
    except _UNSOUND_ZIP as error:
        got = f"{type(error).__name__}: {error}"
        raise ArchiveError(str(path), "a sound zip without a password", got) from error


def _check_entries(path: Path, entries: list[zipfile.ZipInfo]) -> None:
    """Refuse an archive that is made to do harm, before anything of it is read."""
    if len(entries) > MAX_ENTRIES:
        raise ArchiveError(str(path), f"at most {MAX_ENTRIES:,} entries", f"{len(entries):,}")
    for entry in entries:
        _check_name(str(path), entry.filename)
    inflated, size = sum(entry.file_size for entry in entries), path.stat().st_size
    if inflated > max(SMALL_ARCHIVE_BYTES, MAX_INFLATION * size):
        limit = f"at most {MAX_INFLATION} times its {size:,} bytes"
        raise ArchiveError(str(path), limit, f"{inflated:,} when inflated: a zip bomb")


def _check_name(path: str, name: str) -> None:
    """Nothing is ever written under such a name, but none that leads elsewhere is sincere."""
    if ".." in name.replace("\\", "/").split("/") or name.startswith("/") or "\0" in name:
        raise ArchiveError(path, "names of pages, such as 200501010000/host/path", repr(name))


def _read_entry(
    archive: zipfile.ZipFile, entry: zipfile.ZipInfo, scheme: str, max_bytes: int
) -> Found:
    name = entry.filename
    if name.count("/") < 2:
        return PassedOver(name=name, reason="no name of the form timestamp/host/path")
    with archive.open(entry) as file:
        body = file.read(max_bytes + 1)
    if len(body) > max_bytes:
        return PassedOver(name=name, reason=f"larger than {max_bytes:,} bytes (max_page_bytes)")
    return FoundPage(url=entry_url(name, scheme), body=body, fetched_at=_entry_time(name, entry))


def _entry_time(name: str, entry: zipfile.ZipInfo) -> datetime:
    """When a crawl began, from the name; when the entry was written, if that is no timestamp."""
    try:
        return _time_of(name.partition("/")[0]) or datetime(*entry.date_time, tzinfo=UTC)
    except ValueError:
        return datetime(1980, 1, 1, tzinfo=UTC)  # the zip format's own beginning of time


def _time_of(timestamp: str) -> datetime | None:
    if not _TIMESTAMP.fullmatch(timestamp):
        return None
    try:
        time = datetime.strptime(timestamp, "%Y%m%d%H%M").replace(tzinfo=UTC)
    except ValueError:
        return None
    return time if time.year in FETCH_YEARS else None


def _read_linkinfo(
    path: Path, archive: zipfile.ZipFile, entry: zipfile.ZipInfo, scheme: str
) -> Iterator[FoundAnchors]:
    """Lines of `('timestamp/host/path', ['anchor text', ...])`: Python, but never evaluated."""
    with archive.open(entry) as file:
        number = 0
        while line := file.readline(MAX_LINE_BYTES + 1):
            number += 1
            where = f"{path}:{entry.filename}:{number}"
            if len(line) > MAX_LINE_BYTES:
                raise ArchiveError(where, f"lines of {MAX_LINE_BYTES:,} bytes at most", "a longer")
            if line.strip():
                name, texts = _anchor_line(line, where)
                time = _entry_time(name, entry)
                yield FoundAnchors(url=entry_url(name, scheme), texts=texts, fetched_at=time)


def _anchor_line(line: bytes, where: str) -> tuple[str, tuple[str, ...]]:
    try:
        name, texts = ast.literal_eval(line.decode("utf-8", "replace").strip())
        if isinstance(name, str) and all(isinstance(text, str) for text in texts):
            return name, tuple(texts)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        pass
    raise ArchiveError(where, "('timestamp/host/path', ['text', ...])", repr(line[:80]))


@contextmanager
def crawl_zip(path: Path) -> Iterator[CrawlZipWriter]:
    """An archive to fill with pages and anchor texts; a file when the block ends well."""
    with whole_file(path) as hidden, zipfile.ZipFile(hidden, "w", zipfile.ZIP_DEFLATED) as archive:
        writer = CrawlZipWriter(archive)
        yield writer
        writer.add_linkinfo()


class CrawlZipWriter:
    """Writes pages and anchor texts as Webstemmer's crawler does."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._anchors: dict[str, list[str]] = {}
        self._names: set[str] = set()

    def add_page(self, url: str, timestamp: str, body: bytes, written: datetime) -> bool:
        """Add a page; False if the archive has one of this name."""
        name = entry_name(url, timestamp)
        if name in self._names:
            return False
        self._names.add(name)
        earliest = max(written, datetime(1980, 1, 1, tzinfo=UTC))
        entry = zipfile.ZipInfo(name, earliest.timetuple()[:6])
        self._archive.writestr(entry, body, zipfile.ZIP_DEFLATED)
        return True

    def add_anchor(self, url: str, timestamp: str, text: str) -> None:
        """Add the text of a link to a page."""
        self._anchors.setdefault(entry_name(url, timestamp), []).append(text)

    def add_linkinfo(self) -> None:
        """Write the anchor texts, once all are known."""
        lines = (ascii(each) + "\n" for each in self._anchors.items())
        self._archive.writestr(LINKINFO, "".join(lines))


# WARC


def _read_warc(path: Path, site: SiteConfig) -> Iterator[Found]:
    """The HTML responses of a WARC file, their transfer and content encodings undone.

    One without a date has that of the file: the same, however often it is read.
    """
    try:
        written = datetime.fromtimestamp(path.stat().st_mtime, UTC)
        records = ArchiveIterator(
            str(path),
            record_types=WarcRecordType.response,
            parse_http=True,
            fsspec_args=False,
        )
        for record in records:
            yield _read_response(record, written, site.max_page_bytes)
    except (OSError, ValueError, RuntimeError, EOFError) as error:
        got = f"{type(error).__name__}: {error}"
        raise ArchiveError(str(path), "a sound WARC file", got) from error


def _read_response(record: WarcRecord, written: datetime, max_bytes: int) -> Found:
    url = (record.headers.get("WARC-Target-URI") or "").strip("<>")
    http = record.http_headers
    if http is None or http.status_code != 200:
        return PassedOver(name=url, reason="no response with status 200")
    content_type = http.get("Content-Type")
    if content_type and "html" not in content_type.lower():
        return PassedOver(name=url, reason="not HTML")
    body = record.reader.read(max_bytes + 1)
    if len(body) < min(record.content_length, max_bytes + 1):
        return PassedOver(name=url, reason="cut off")
    try:
        body = _decoded(body, http, max_bytes)
    except (OSError, ValueError, EOFError) as error:
        return PassedOver(name=url, reason=f"its encoding cannot be undone: {error}")
    if len(body) > max_bytes:
        return PassedOver(name=url, reason=f"larger than {max_bytes:,} bytes (max_page_bytes)")
    time = record.record_date
    return FoundPage(
        url=url,
        body=body,
        fetched_at=time.astimezone(UTC) if time and time.year in FETCH_YEARS else written,
        content_type=content_type,
    )


def _decoded(body: bytes, http: HeaderMap, max_bytes: int) -> bytes:
    """The body without its transfer and content encodings; at most `max_bytes` and one more.

    Not by the iterator: it loses its place in the file after a body that it cannot decode, or that
    is not read to its end.
    """
    chunked = "chunked" in (http.get("Transfer-Encoding") or "").lower()
    encodings = (http.get("Content-Encoding") or "").lower().split(",")
    readers = [_READERS.get(name.strip()) for name in reversed(encodings)]
    stream: Any = BytesIO(body)
    for reader in (ChunkedReader if chunked else None, *readers):
        stream = reader(stream) if reader else stream
    decoded: bytes = stream.read(max_bytes + 1)
    return decoded


# Folders and lists


def _files_below(folder: Path) -> Iterator[Path]:
    """All files of a folder in the order of their names, without following links."""
    for parent, folders, names in os.walk(folder, followlinks=False):
        folders.sort()
        yield from (Path(parent, name) for name in sorted(names))


def _read_list(path: str, file: BinaryIO, site: SiteConfig) -> Iterator[Found]:
    """The files that a list names, a line each, as `find` prints them."""
    with file:
        names: list[Path] = []
        while line := file.readline(MAX_LINE_BYTES + 1):
            name = os.fsdecode(line.rstrip(b"\r\n"))
            if len(line) > MAX_LINE_BYTES or len(names) >= MAX_ENTRIES:
                limits = f"{MAX_ENTRIES:,} names, {MAX_LINE_BYTES:,} bytes each, at most"
                raise ArchiveError(path, limits, "more")
            if ".." in PurePosixPath(name).parts:
                raise ArchiveError(path, "names of files without ..", repr(name))
            if name:
                names.append(Path(name))
    yield from _read_files(names, Path(), site)


def _read_files(files: Iterable[Path], base: Path, site: SiteConfig) -> Iterator[Found]:
    for file in files:
        if file.is_symlink() or not file.is_file():
            yield PassedOver(name=str(file), reason="no plain file")
        elif is_media(f"http://host/{quote(os.fsencode(file.name))}"):
            yield PassedOver(name=str(file), reason="media file")
        else:
            try:
                yield _read_file(file, base, site)
            except OSError as problem:
                yield PassedOver(name=str(file), reason=f"not read: {problem.strerror}")


def _read_file(file: Path, base: Path, site: SiteConfig) -> Found:
    with file.open("rb") as opened:
        body = opened.read(site.max_page_bytes + 1)
    if len(body) > site.max_page_bytes:
        limit = f"larger than {site.max_page_bytes:,} bytes (max_page_bytes)"
        return PassedOver(name=str(file), reason=limit)
    times = filter(None, map(_time_of, file.parts))
    written = datetime.fromtimestamp(file.stat().st_mtime, UTC)
    return FoundPage(url=file_url(file, base, site), body=body, fetched_at=next(times, written))


def file_url(file: Path, base: Path, site: SiteConfig) -> str:
    """The URL that a saved file had.

    A folder named like one of the site's hosts starts its URL, as in the mirrors of wget; without
    one, the file lies under the site's first URL as it lies under `base`.
    """
    hosts = Scope.of_site(site).hosts
    from_host = list(dropwhile(lambda part: _bare_host(part) not in hosts, file.absolute().parts))
    if len(from_host) > 1:
        return f"{_scheme(site)}://{_quoted(from_host)}"
    parts = file.relative_to(base).parts if file.is_relative_to(base) else (file.name,)
    return urljoin(_first_url(site), _quoted(parts))


def _bare_host(part: str) -> str:
    try:
        return Directory.of(f"http://{part}/").host
    except ValueError:
        return ""


def _quoted(parts: Iterable[str]) -> str:
    """The path of a URL; what mirrors leave unescaped of a query stays one.

    Of the bytes of a name, for those of old sites are often no UTF-8.
    """
    return quote(os.fsencode("/".join(parts)), safe="/%:?&=+,;@~!$'()*")


def _first_url(site: SiteConfig) -> str:
    return (*site.start_urls, *site.feeds, *site.sitemaps)[0]


def _scheme(site: SiteConfig) -> str:
    return _first_url(site).partition("://")[0]
