"""One process at a time works on a site."""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Self


class SiteLockedError(RuntimeError):
    """Another process works on the site; `site`, `path` and `owner` (its note) say more."""

    def __init__(self, site: str, path: str, owner: str) -> None:
        super().__init__(
            f"site {site!r} is in use by another run ({owner or 'unknown'}); "
            f"wait for it to end, then run again (lock: {path})"
        )
        self.site = site
        self.path = path
        self.owner = owner


class SiteLock:
    """Holds `<state folder>/<site>.lock` while a command works on a site; a context manager.

    The kernel frees the lock when the process ends, however it ends. Within one process it can
    be taken several times.
    """

    _held: ClassVar[dict[str, tuple[int, int]]] = {}
    """Path -> (file descriptor, times taken)."""

    def __init__(self, state_folder: str | Path, site: str, work: str) -> None:
        self.path = str(Path(state_folder, f"{site}.lock").absolute())
        self._site = site
        self._work = work

    def __enter__(self) -> Self:
        self.acquire()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()

    def acquire(self) -> None:
        """Take the lock; SiteLockedError at once if another process has it."""
        handle, times = self._held.get(self.path, (-1, 0))
        if not times:
            handle = self._open()
        self._held[self.path] = (handle, times + 1)

    def release(self) -> None:
        """Give the lock back."""
        handle, times = self._held.pop(self.path)
        if times > 1:
            self._held[self.path] = (handle, times - 1)
        else:
            os.close(handle)

    def _open(self) -> int:
        Path(self.path).parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.pread(handle, 200, 0).decode("utf-8", "replace").strip()
            os.close(handle)
            raise SiteLockedError(self._site, self.path, owner) from None
        with suppress(OSError):
            os.ftruncate(handle, 0)
            os.pwrite(handle, f"{self._work}, process {os.getpid()}\n".encode(), 0)
        return handle
