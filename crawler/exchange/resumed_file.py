"""A file written piece by piece, which goes on where a killed run left off."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TextIO

from crawler.storage.outfile import check_target, naming


class ResumedFile:
    """The hidden file that grows beside its target, and what is known of its pieces."""

    def __init__(self, file: BinaryIO, notes: TextIO, order: str) -> None:
        self.file = file
        self._notes = notes
        self._done: set[str] = set()
        self.count = 0
        """The sum of what `finish` was told."""
        size = self._resume(order)
        self.file.truncate(size)
        self.file.seek(0, io.SEEK_END)

    def _resume(self, order: str) -> int:
        """Take up the pieces that a run with the same order has written whole; the bytes that they
        are. The notes have the order, then a line for each piece: its name, where it ends, what was
        counted. What does not fit that, or the file, is forgotten."""
        known = self.file.seek(0, io.SEEK_END)
        self._notes.seek(0)
        end, size = len(order) + 1, 0
        if self._notes.readline() != f"{order}\n":
            self._notes.seek(0)
            self._notes.truncate()
            self._notes.write(f"{order}\n")
            self._notes.flush()
            return 0
        for line in iter(self._notes.readline, ""):
            piece = _piece(line)
            if piece is None or piece[1] > known:
                break
            name, size, count = piece
            self._done.add(name)
            self.count += count
            end += len(line)
        self._notes.seek(end)
        self._notes.truncate()
        return size

    @property
    def is_new(self) -> bool:
        """Whether nothing is written yet."""
        return not self._done

    def has(self, piece: str) -> bool:
        """Whether a piece is written whole."""
        return piece in self._done

    def finish(self, piece: str, count: int) -> None:
        """A piece is written; `count` things were in it."""
        self.file.flush()
        self._notes.write(json.dumps([piece, self.file.tell(), count]) + "\n")
        self._notes.flush()
        self._done.add(piece)
        self.count += count


def _piece(line: str) -> tuple[str, int, int] | None:
    """A line of the notes; None for one that is none, or was not written to its end."""
    try:
        name, end, count = json.loads(line)
    except (ValueError, TypeError):
        return None
    is_whole = line.endswith("\n") and isinstance(end, int) and isinstance(count, int)
    return (str(name), end, count) if is_whole else None


@contextmanager
def resumed_file(path: str | Path, order: object) -> Iterator[ResumedFile]:
    """A file that appears at `path` when the block ends well and something was counted. When it
    does not end, what is written stays hidden beside it, and the next block with the same `order`
    (anything that JSON takes) goes on with it."""
    target = check_target(path)
    hidden = target.with_name(f".{target.name}.part")
    notes = target.with_name(f".{target.name}.part.notes")
    with naming(path):
        with hidden.open("ab+") as file, notes.open("a+", encoding="ascii") as noted:
            part = ResumedFile(file, noted, json.dumps(order))
            yield part
        if part.count:
            hidden.replace(target)
    hidden.unlink(missing_ok=True)
    notes.unlink(missing_ok=True)


@contextmanager
def as_text(file: BinaryIO) -> Iterator[TextIO]:
    """A text to be added to a binary file, in UTF-8, line ends as they are."""
    text = io.TextIOWrapper(file, "utf-8", "replace", newline="", write_through=True)
    try:
        yield text
    finally:
        text.detach()
