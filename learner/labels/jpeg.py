"""The size of a JPEG, without a library for pictures."""

from __future__ import annotations

_START = b"\xff\xd8"
_SIZES = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
"""Markers of the segments that tell the size (ITU T.81, table B.1: SOF0 to SOF15)."""


def picture_size(data: bytes) -> tuple[int, int]:
    """Width and height in pixels; ValueError if the bytes are no JPEG.

    >>> picture_size(bytes.fromhex("ffd8 ffe0 0003 00 ffc0 000b 08 0010 0020 01 01 11 00"))
    (32, 16)
    """
    place = len(_START)
    while data.startswith(_START) and len(data) >= place + 9 and data[place] == 0xFF:
        marker = data[place + 1]
        if marker in _SIZES:
            height = int.from_bytes(data[place + 5 : place + 7])
            width = int.from_bytes(data[place + 7 : place + 9])
            return width, height
        place += 2 + int.from_bytes(data[place + 2 : place + 4])
    raise ValueError("expected a JPEG with its size, got other bytes")
