"""Commands as processes forked from one that has imported what they need.

Most of a command's time in a test is Python's start and Scrapy's imports, up to 1.5 s of CPU. The
forked process has its own folder, environment, session, output and end, as one that is started.
`python -m tests.forking` reads a `_Order` a line from stdin and answers with two lines: the number
of the process, and its exit code once it ended (below 0: the signal that ended it).
"""

from __future__ import annotations

import gc
import json
import os
import runpy
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from tempfile import TemporaryDirectory
from threading import Timer
from typing import TypedDict

ROOT = Path(__file__).resolve().parents[1]
TIMEOUT_SECONDS = 120

HEAVY = (
    "extractor.batch.job",
    "extractor.health.drift",
    "extractor.night.due",
    "extractor.report.html",
    "learner.induction.job",
    "crawler.spiders.site",
    "pandas",
    "scrapy.core.engine",
)
"""Modules that commands import when they run, beside their own; pandas is imported by Arrow."""


class _Order(TypedDict):
    """One command, and where it shall run."""

    arguments: Sequence[str]
    folder: str
    environment: Mapping[str, str]
    out: str
    err: str


class Forker:
    """The process that others are forked from, for one caller at a time."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.forking"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(
        self, arguments: Sequence[str], folder: Path, environment: Mapping[str, str]
    ) -> subprocess.CompletedProcess[str]:
        """`scrapy ARGUMENTS` in a folder, to its end; killed if that does not come in time."""
        with TemporaryDirectory(prefix="webstem-command-") as outputs:
            out, err = Path(outputs, "out"), Path(outputs, "err")
            order = _Order(
                arguments=arguments,
                folder=str(folder),
                environment=environment,
                out=str(out),
                err=str(err),
            )
            code = self._ended(order)
            return subprocess.CompletedProcess(arguments, code, out.read_text(), err.read_text())

    def _ended(self, order: _Order) -> int:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        number = int(self._process.stdout.readline())
        timer = Timer(TIMEOUT_SECONDS, os.killpg, (number, signal.SIGKILL))
        timer.start()
        try:
            return int(self._process.stdout.readline())
        finally:
            timer.cancel()

    def close(self) -> None:
        """End the process."""
        with self._process:
            pass


def _serve() -> list[str]:
    """Fork for each order; returns in the forked process, with the arguments of its command."""
    for line in sys.stdin:
        order: _Order = json.loads(line)
        child = os.fork()
        if child == 0:
            _settle(order)
            return list(order["arguments"])
        print(child, flush=True)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)
    raise SystemExit


def _settle(order: _Order) -> None:
    """Make this process what one would be that is started there."""
    os.setsid()
    os.chdir(order["folder"])
    os.environ.clear()
    os.environ.update(order["environment"])
    sys.path[0] = order["folder"]
    flags = os.O_WRONLY | os.O_CREAT
    for number, path, how in (
        (0, os.devnull, os.O_RDONLY),
        (1, order["out"], flags),
        (2, order["err"], flags),
    ):
        opened = os.open(path, how, 0o600)
        os.dup2(opened, number)
        os.close(opened)


def _load() -> None:
    from crawler import commands

    for found in walk_packages(commands.__path__, f"{commands.__name__}."):
        import_module(found.name)
    for name in HEAVY:
        import_module(name)
    # Else each forked process would copy what is loaded as it counts what is reachable.
    gc.freeze()


if __name__ == "__main__":
    _load()
    sys.argv[1:] = _serve()
    runpy.run_module("scrapy", run_name="__main__", alter_sys=True)
