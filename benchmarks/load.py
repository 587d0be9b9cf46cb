"""Many clients of `webstem serve` at once: `python -m benchmarks.load`.

A server of its own, without sites, is asked by 50 clients for a minute, each with one connection
and the next question as soon as the last is answered: of ten eight send a page of the demo site to
be analyzed, one asks for the page at `/`, one for `/health`.

- `requests_per_second`: those that were answered with 200;
- `p50_ms`, `p95_ms`: how long half, and nineteen of twenty, of the analyses took at most, as the
  client sees it;
- `health_p95_ms`: the same of `/health`, which waits for no page: what the event loop is held up;
- `refused`: answers 503;
- `errors`: all others, and connections that broke;
- `memory_growth_mb`: of the server with its processes, from a fifth of the time to its end.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from itertools import cycle, islice
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from benchmarks.measures.figures import report
from examples.site import build_site

REPOSITORY = Path(__file__).resolve().parents[1]
OK, REFUSED = 200, 503
HTML = {"Content-Type": "text/html"}
SETTLED = 0.2
"""Share of the time after which memory is measured first."""
BROKEN = 0
"""Stands for the status of an answer that did not come."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question that was answered."""

    path: str
    status: int
    seconds: float


@contextmanager
def running() -> Iterator[tuple[str, int]]:
    """Host with port, and process, of a server in an empty folder."""
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "crawler.console", "serve", "--port", "0"]
        environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
        environment.pop("WEBSTEM_CONFIG", None)
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        try:
            yield urlsplit(process.stdout.readline().strip()).netloc, process.pid
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)


def questions(number: int) -> Iterator[tuple[str, str, bytes]]:
    """Method, path and body of what one client asks, for ever; each begins elsewhere."""
    bodies = [page.body for page in build_site(1, "http://127.0.0.1").pages("article")]
    asked = [("POST", "/v1/analyze", body) for body in bodies]
    for start in range(len(asked) - len(asked) % 8, 0, -8):
        asked[start:start] = [("GET", "/", b""), ("GET", "/health", b"")]
    return islice(cycle(asked), number * 3, None)


def ask(where: str, number: int, until: float) -> list[Asked]:
    """All that one client asks until a moment of the clock."""
    connection, asked = HTTPConnection(where, timeout=120), []
    for method, path, body in questions(number):
        began = time.monotonic()
        if began > until:
            break
        try:
            connection.request(method, path, body, HTML if body else {})
            answer = connection.getresponse()
            answer.read()
            status = answer.status
        except (OSError, HTTPException):
            connection.close()
            status = BROKEN
        asked.append(Asked(path, status, time.monotonic() - began))
    connection.close()
    return asked


def memory_mb(pid: int) -> float:
    """What a process and those below it hold."""
    status = Path(f"/proc/{pid}/status").read_text()
    own = next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS"))
    below = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return int(own) / 1024 + sum(memory_mb(int(child)) for child in below)


def measure(n_clients: int, seconds: float) -> dict[str, float]:
    """The figures."""
    with running() as (where, pid), ThreadPoolExecutor(n_clients) as clients:
        ask(where, 0, time.monotonic() + 1)  # waits until the server has begun
        began = time.monotonic()
        futures = [clients.submit(ask, where, n, began + seconds) for n in range(n_clients)]
        time.sleep(seconds * SETTLED)
        before = memory_mb(pid)
        asked = [each for future in futures for each in future.result()]
        took = time.monotonic() - began
        growth = memory_mb(pid) - before
    good = [each for each in asked if each.status == OK]
    n_refused = sum(each.status == REFUSED for each in asked)
    return {
        "requests_per_second": len(good) / took,
        "p50_ms": _percentile(good, "/v1/analyze", 50),
        "p95_ms": _percentile(good, "/v1/analyze", 95),
        "health_p95_ms": _percentile(good, "/health", 95),
        "refused": n_refused,
        "errors": len(asked) - len(good) - n_refused,
        "memory_growth_mb": growth,
    }


def _percentile(asked: Sequence[Asked], path: str, percent: int) -> float:
    times = [1000 * each.seconds for each in asked if each.path == path]
    return quantiles(times, n=100)[percent - 1] if len(times) > 1 else 0.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0."""
    parser = argparse.ArgumentParser(description="Ask `webstem serve` with many clients at once.")
    parser.add_argument("--clients", type=int, default=50, metavar="N", help="default: 50")
    parser.add_argument("--seconds", type=float, default=60.0, metavar="S", help="default: 60")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there, too")
    options = parser.parse_args(arguments)
    report(measure(options.clients, options.seconds), options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
