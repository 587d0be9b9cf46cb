"""A file written piece by piece, which goes on where a killed run left off."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TextIO

from crawler.storage.outfile import check_target, naming, whole_file


class ResumedFile:
    """The hidden file that grows beside its target, and what is known of its pieces."""

    def __init__(self, file: BinaryIO, notes: Path, order: object) -> None:
        self.file = file
        self._notes = notes
        self._order = order
        self._done: list[str] = []
        self._count = 0

    @property
    def is_new(self) -> bool:
        """Whether nothing is written yet."""
        return not self._done

    @property
    def count(self) -> int:
        """The sum of what `finish` was told."""
        return self._count

    def resume(self) -> None:
        """Take up what a run with the same order has written whole; forget what it has not."""
        try:
            notes = json.loads(self._notes.read_text("utf-8"))
            is_same, size = notes["order"] == self._order, notes["bytes"]
        except (OSError, ValueError, KeyError, TypeError):
            is_same, size = False, 0
        if is_same and size <= os.fstat(self.file.fileno()).st_size:
            self._done, self._count = notes["done"], notes["count"]
        self.file.truncate(size if self._done else 0)
        self.file.seek(0, io.SEEK_END)

    def has(self, piece: str) -> bool:
        """Whether a piece is written whole."""
        return piece in self._done

    def finish(self, piece: str, count: int) -> None:
        """A piece is written; `count` things were in it."""
        self.file.flush()
        os.fsync(self.file.fileno())
        self._done.append(piece)
        self._count += count
        notes = {
            "order": self._order,
            "bytes": self.file.tell(),
            "done": self._done,
            "count": self._count,
        }
        with whole_file(self._notes) as hidden:
            hidden.write_text(json.dumps(notes), "utf-8")


@contextmanager
def resumed_file(path: str | Path, order: object) -> Iterator[ResumedFile]:
    """A file that appears at `path` when the block ends well and something was counted. When it
    does not end, what is written stays hidden beside it, and the next block with the same `order`
    (anything that JSON takes) goes on with it."""
    target = check_target(path)
    hidden = target.with_name(f".{target.name}.part")
    notes = target.with_name(f".{target.name}.part.json")
    with naming(path):
        with hidden.open("ab+") as file:
            part = ResumedFile(file, notes, order)
            part.resume()
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
