"""A file that appears whole, or not at all, and replaces nothing but a file."""

from __future__ import annotations

import errno
import os
import stat
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}


@contextmanager
def naming(path: str | os.PathLike[str]) -> Iterator[None]:
    """OSErrors of writing to an open file tell its name; of themselves they do not."""
    try:
        yield
    except OSError as problem:
        if problem.errno is not None and problem.filename is None:
            problem.filename = os.fspath(path)
        raise


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[Path]:
    """The path of a hidden file to write; it is renamed to `path` when the block ends well.

    Links are followed. OSError, before anything is written, if its folder is missing or `path` is
    a device or anything else but a regular file: the rename would put a file in its place. An
    OSError of writing, say on a full disk, names `path`.
    """
    target = check_target(path)
    hidden = target.with_name(f".{target.name}.{uuid.uuid4().hex[:8]}.tmp")
    try:
        with naming(path):
            yield hidden
        hidden.replace(target)
    finally:
        hidden.unlink(missing_ok=True)


def check_target(path: str | os.PathLike[str]) -> Path:
    """Where a file is to appear, links followed; OSError if its folder is missing, or it is
    anything but a regular file or a new name."""
    target = Path(path).resolve()
    if not target.parent.is_dir():
        raise FileNotFoundError(
            errno.ENOENT, "expected a file in an existing folder", os.fspath(path)
        )
    if target.is_file() or not target.exists():
        return target
    kind = _KINDS.get(stat.S_IFMT(target.stat().st_mode), "something else")
    expected = f"expected a new name or a regular file to replace, got {kind}"
    raise OSError(errno.EEXIST, expected, os.fspath(path))
