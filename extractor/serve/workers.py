"""Processes that read pages and tables.

Not threads: a page that was made to take long holds the interpreter, and a thread cannot be ended.
A process that is not done in time is killed, and the next piece of work begins another.
"""

from __future__ import annotations

import resource
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import TypeVar

import anyio
from anyio import BrokenWorkerProcess, CapacityLimiter, to_process

from crawler.storage.parquet import StorageError
from extractor.serve.requests.problems import Problem

T = TypeVar("T")


class UnreadableError(Exception):
    """A table cannot be read: what goes from process to process, as a StorageError cannot."""


class Workers:
    """So many processes at most; each does one thing at a time, for so many seconds at most, with
    so much memory at most."""

    def __init__(self, number: int, seconds: float, memory_bytes: int) -> None:
        self._free = CapacityLimiter(number)
        self._processes = CapacityLimiter(number)
        self._number = number
        self._seconds = seconds
        self._memory_bytes = memory_bytes

    async def run(
        self, function: Callable[..., T], *arguments: object, seconds: float | None = None
    ) -> T:
        """What a function of a module returns, in one of the processes; waits until one is free.

        Problem (504) if it takes longer than `seconds`, those of all if none are given; Problem
        (500) if its process ends on the way, or a table cannot be read. What else the function
        raises is raised here.
        """
        seconds = seconds or self._seconds
        async with self._free:  # the clock begins when a process is free
            try:
                with anyio.fail_after(seconds):
                    return await to_process.run_sync(
                        _within_memory,
                        self._memory_bytes,
                        function,
                        *arguments,
                        cancellable=True,
                        limiter=self._processes,
                    )
            except TimeoutError:
                detail = f"it took longer than {seconds:g} s to read"
                raise Problem(HTTPStatus.GATEWAY_TIMEOUT, detail) from None
            except UnreadableError as problem:
                raise Problem(HTTPStatus.INTERNAL_SERVER_ERROR, str(problem)) from None
            except BrokenWorkerProcess:
                detail = "the process that read it has ended; it may need more memory than there is"
                raise Problem(HTTPStatus.INTERNAL_SERVER_ERROR, detail) from None

    async def begin(self, function: Callable[[], object]) -> None:
        """Begin all processes, with a function that loads what they need."""
        async with anyio.create_task_group() as group:
            for _ in range(self._number):
                group.start_soon(partial(to_process.run_sync, function, limiter=self._processes))


def _within_memory(most: int, function: Callable[..., T], *arguments: object) -> T:
    """What a function returns in a process that gets no more memory than this."""
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    try:
        return function(*arguments)
    except StorageError as problem:
        raise UnreadableError(str(problem)) from None
