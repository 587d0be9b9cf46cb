"""Worker processes end with the process that opened them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress

import pytest

from crawler.engine.local import local_executor
from tests.forking import ROOT

PARENT = """
from tests.crawler.engine.test_local import slow
from crawler.engine.local import local_executor

with local_executor(2) as executor:
    waiting = [executor.submit(slow, seconds) for seconds in (0.2, 0.2, 600, 600, 600)]
    print(*{each.result() for each in waiting[:2]}, flush=True)
    waiting[2].result()
"""

SPAWNING = """
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from tests.crawler.engine.test_local import slow
from crawler.engine.local import end_with_parent

with ProcessPoolExecutor(1, get_context("spawn"), end_with_parent) as executor:
    print(executor.submit(slow, 0).result(), flush=True)
    executor.submit(slow, 600).result()
"""

_began: list[str] = []


def slow(seconds: float) -> int:
    time.sleep(seconds)
    return os.getpid()


def begin() -> None:
    _began.append("begun")


def told_at_begin(_: int) -> tuple[int, list[str]]:
    return os.getpid(), _began


def ended_by(number: signal.Signals, program: str) -> tuple[int, str]:
    """Exit code and stderr of a program that gets a signal when it has printed a line; Ctrl-C is
    sent to its workers too, as a terminal does. Fails if one of these outlives it, for all hold its
    stdout open while they live."""
    parent = subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert parent.stdout is not None and parent.stdout.readline()
        if number == signal.SIGINT:
            os.killpg(parent.pid, number)
        else:
            parent.send_signal(number)
        _, said = parent.communicate(timeout=8)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(parent.pid, signal.SIGKILL)
    return parent.returncode, said


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_workers_end_with_the_process_that_opened_them(number: signal.Signals) -> None:
    """Idle ones and busy ones, and what started them."""
    exit_code, said = ended_by(number, PARENT)
    assert exit_code == -number
    assert said.count("Traceback") == (number == signal.SIGINT)


def test_a_worker_that_was_spawned_ends_too() -> None:
    assert ended_by(signal.SIGKILL, SPAWNING)[0] == -signal.SIGKILL


def test_each_worker_begins_and_may_do_one_task_alone() -> None:
    with local_executor(1, begin=begin, tasks_each=1) as executor:
        (first, began), (second, again) = executor.map(told_at_begin, range(2))
    assert first != second
    assert began == again == ["begun"]


def test_after_a_fault_nobody_waits_for_what_goes_on() -> None:
    start = time.monotonic()
    with pytest.raises(ValueError, match="enough"), local_executor(1) as executor:
        executor.submit(slow, 60)
        raise ValueError("enough")
    assert time.monotonic() - start < 8
