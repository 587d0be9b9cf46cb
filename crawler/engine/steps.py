"""One command on one site, as a process of its own with a log and an end."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from threading import Lock
from typing import BinaryIO

LOGS = "logs"
"""Folder, below that of the state, with a log of what the commands last said of each site."""

LOG_BYTES = 2**20
"""Length from which on a log is set aside when the next command begins. Origin: guess."""

END_SECONDS = 60.0
"""Time that a command which is ended has to store what it has. Origin: guess."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepResult:
    """What came of a command."""

    name: str
    """crawl, learn, extract or compact."""
    exit_code: int
    seconds: float
    said: str
    """The last line that it printed; empty if it was silent."""
    is_ended: bool = False
    """True if it took too long, and was ended."""


class Steps:
    """Starts commands, and ends those that run when the night is ended."""

    def __init__(self, log_folder: Path, seconds: float) -> None:
        self._folder = log_folder
        self._seconds = seconds
        self._running: set[subprocess.Popen[bytes]] = set()
        self._lock = Lock()
        self._is_over = False

    def log_of(self, site: str) -> Path:
        """Where what the commands say of a site is kept."""
        return self._folder / f"{site}.log"

    def _open_log(self, site: str) -> BinaryIO:
        """The log of the site's nights; a long one is set aside, in place of the one before it."""
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self.log_of(site)
        if path.exists() and path.stat().st_size > LOG_BYTES:
            path.replace(path.with_name(f"{path.name}.1"))
        return path.open("ab")

    def run(self, site: str, name: str, *arguments: str) -> StepResult:
        """`scrapy NAME ARGUMENTS`, to its end."""
        began, started = time.monotonic(), datetime.now(UTC)
        with self._open_log(site) as log:
            log.write(f"== {started:%Y-%m-%d %H:%M:%S} scrapy {name} {site}\n".encode())
            log.flush()
            start = log.tell()
            process = subprocess.Popen(
                [*_ends_with_us(), sys.executable, "-m", "crawler.console", name, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                # Ctrl-C is for the night, which then ends its commands.
                start_new_session=True,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            )
            is_ended = self._wait(process)
        return StepResult(
            name=name,
            exit_code=process.returncode,
            seconds=time.monotonic() - began,
            said=self._last_line(site, start),
            is_ended=is_ended,
        )

    def stop(self) -> None:
        """End what runs, and start nothing more."""
        with self._lock:
            self._is_over = True
            running = list(self._running)
        for process in running:
            _end(process)

    def _wait(self, process: subprocess.Popen[bytes]) -> bool:
        """Wait for a process; whether it took too long and was ended."""
        with self._lock:
            self._running.add(process)
            is_over = self._is_over
        if is_over:
            _end(process)
        try:
            process.wait(self._seconds)
        except subprocess.TimeoutExpired:
            _end(process)
            return True
        finally:
            with self._lock:
                self._running.discard(process)
        return False

    def _last_line(self, site: str, start: int) -> str:
        with self.log_of(site).open("rb") as log:
            log.seek(start)
            lines = log.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else ""


@cache
def _ends_with_us() -> tuple[str, ...]:
    """What comes before a command so that it is ended if this process is killed: the kernel sends
    it SIGINT. Empty where util-linux has no such program."""
    program = shutil.which("setpriv") if sys.platform == "linux" else None
    return (program, "--pdeathsig", "INT", "--") if program else ()


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process and what it started: first so that it can tidy up, then so that it cannot."""
    for kind, seconds in ((signal.SIGINT, END_SECONDS), (signal.SIGKILL, END_SECONDS)):
        try:
            os.killpg(process.pid, kind)
            process.wait(seconds)
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue
        return
