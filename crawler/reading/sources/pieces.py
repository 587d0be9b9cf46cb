"""The body of a feed or sitemap piece by piece: inflated, decoded, never whole in memory twice."""

from __future__ import annotations

import codecs
import zlib
from collections.abc import Iterable, Iterator

from w3lib.encoding import html_body_declared_encoding, read_bom

from crawler.reading.html import WITHOUT_MARK, is_charset
from crawler.reading.sources.entries import UnreadableSourceError

PIECE_BYTES = 2**16
"""Bytes that are worked on at once. Origin: guess; 16 KB and 1 MB take the same time."""

GZIP_MAGIC = b"\x1f\x8b\x08"
_GZIP = zlib.MAX_WBITS | 16

_DECLARATION_BYTES = 1024


def pieces_of(body: bytes, max_bytes: int) -> Iterator[bytes]:
    """The bytes of a body, inflated if they are gzip, whatever its name and type say.

    UnreadableSourceError past `max_bytes`, and where the gzip is not sound.
    """
    if not body.startswith(GZIP_MAGIC):
        for start in range(0, len(body), PIECE_BYTES):
            yield body[start : start + PIECE_BYTES]
        return
    left = max_bytes
    try:
        for piece in _inflated(body):
            left -= len(piece)
            if left < 0:
                raise UnreadableSourceError(
                    f"too large: {len(body)} bytes inflate to more than {max_bytes}"
                )
            yield piece
    except zlib.error as problem:
        raise UnreadableSourceError(f"no sound gzip: {problem}") from problem


def _inflated(body: bytes) -> Iterator[bytes]:
    """The members of a gzip file. What follows them is left, as gzip does: caches write comments
    below what they keep.
    """
    stream, data, place = zlib.decompressobj(_GZIP), b"", 0
    while True:
        if not data:
            data, place = body[place : place + PIECE_BYTES], place + PIECE_BYTES
        piece = stream.decompress(data, PIECE_BYTES)
        if piece:
            yield piece
        elif not data and not stream.eof:
            raise UnreadableSourceError("no sound gzip: it ends early")
        data = stream.unconsumed_tail
        if stream.eof:
            data = stream.unused_data
            if len(data) < len(GZIP_MAGIC):
                data, place = data + body[place : place + PIECE_BYTES], place + PIECE_BYTES
            if not data.startswith(GZIP_MAGIC):
                return
            stream = zlib.decompressobj(_GZIP)


def decoded(pieces: Iterable[bytes]) -> Iterator[str]:
    """Bytes as text: by a byte order mark, else in UTF-8 if the first bytes that are no ASCII are
    that, else as declared, else in Windows-1252. Never an error.

    >>> "".join(decoded([b"<?xml version='1.0' encoding='utf-8'?><a>", b"caf\\xe9</a>"]))
    "<?xml version='1.0' encoding='utf-8'?><a>café</a>"
    """
    decoder: codecs.IncrementalDecoder | None = None
    begin = b""
    for piece in pieces:
        if not begin:
            begin = piece[:_DECLARATION_BYTES]
            decoder = _marked(begin)
        if decoder is None and not piece.isascii():
            decoder = _decoder(_charset(piece, begin))
        yield decoder.decode(piece) if decoder else piece.decode("ascii")
    if decoder:
        yield decoder.decode(b"", True)


def is_wide(body: bytes) -> bool:
    """Whether a body is in an encoding whose ASCII characters are more than a byte each.

    >>> is_wide("<rss>".encode("utf-16")), is_wide(b"<rss>")
    (True, False)
    """
    name = read_bom(body)[0] or WITHOUT_MARK.get(body[:2])
    return name not in (None, "utf-8")


def _marked(begin: bytes) -> codecs.IncrementalDecoder | None:
    """The decoder that the first bytes leave no doubt of."""
    name = read_bom(begin)[0] or WITHOUT_MARK.get(begin[:2])
    # With the mark, which is no part of the text.
    return _decoder("utf-8-sig" if name == "utf-8" else name) if name else None


def _charset(piece: bytes, begin: bytes) -> str:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(piece)
    except UnicodeDecodeError:
        declared = html_body_declared_encoding(begin)
        is_known = declared and declared != "utf-8" and is_charset(declared)
        return declared if declared and is_known else "cp1252"
    return "utf-8"


def _decoder(name: str) -> codecs.IncrementalDecoder:
    return codecs.getincrementaldecoder(name)("replace")
