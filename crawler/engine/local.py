"""Processes of this machine that work side by side, and end with the process that opened them."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from threading import Thread

END_SECONDS = 10.0
"""Seconds in which a worker without a task ends by itself. Origin: guess; it takes milliseconds."""


@contextmanager
def local_executor(
    workers: int,
    modules: Iterable[str] = (),
    *,
    begin: Callable[[], object] | None = None,
    tasks_each: int | None = None,
) -> Iterator[ProcessPoolExecutor]:
    """Processes forked from a clean one: threads and locks are not copied.

    `modules` are loaded once for all; each calls `begin`, a function of a module, before its first
    task, and makes room for a fresh one after `tasks_each` tasks. They end with this process,
    however it ends; after an exception or Ctrl-C nobody waits for what they are at.
    """
    context = get_context("forkserver")
    context.set_forkserver_preload(list(modules))
    others = active_children()
    executor = ProcessPoolExecutor(
        workers,
        mp_context=context,
        initializer=_begin,
        initargs=(begin,),
        max_tasks_per_child=tasks_each,
    )
    patience = 0.0
    try:
        yield executor
        patience = END_SECONDS
    finally:
        # One that replaces workers would, not waited for, still start the next (Python 3.11).
        is_waited_for = bool(patience and tasks_each)
        executor.shutdown(wait=is_waited_for, cancel_futures=True)
        # A pool that breaks while it starts a worker would wait for that one for good.
        for worker in set(active_children()).difference(others):
            worker.join(patience)
            worker.terminate()
            worker.join()


def _begin(further: Callable[[], object] | None) -> None:
    end_with_parent()
    if further:
        further()


def end_with_parent() -> None:
    """In a worker: end it when the process that opened its executor is gone, and leave Ctrl-C to
    that one.

    By themselves workers wait for tasks for good after a kill, and the fork server for them.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_wait_for_end, daemon=True).start()


def _wait_for_end() -> None:
    # Not by os.getppid(), which is the fork server.
    parent = parent_process()
    assert parent is not None
    parent.join()  # returns when a pipe from it is closed, at the latest by the kernel
    os._exit(1)
