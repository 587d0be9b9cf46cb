"""Where tasks run: processes of this machine, a Dask cluster, or a Ray cluster.

All three are a `concurrent.futures.Executor`; this module knows nothing of what the tasks do. A
task is a function of a module with arguments that say where to read and write, and a small result.
"""

from __future__ import annotations

import logging
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    wait,
)
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from crawler.config.sites import Config
from crawler.engine.local import local_executor

ATTEMPTS = 2
"""How often a task is tried; the last time alone, so that it can spoil no other. Origin: what
fails twice is no accident."""

WORKERS_SECONDS = 60.0
"""Seconds that a cluster may be without a worker. Origin: guess; one that died is started again in
a few."""


class EngineError(RuntimeError):
    """The engine that pipelines.yaml names cannot be used."""


class EngineMissingError(EngineError):
    """It is not installed."""

    def __init__(self, engine: str, package: str) -> None:
        super().__init__(
            f"engine {engine!r}: expected the package {package!r}, found none; "
            f"install it with `pip install 'webstem[{engine}]'`"
        )
        self.engine = engine
        self.package = package


class ClusterError(EngineError):
    """There is no cluster with workers at its address."""

    def __init__(self, engine: str, address: str, problem: object) -> None:
        super().__init__(
            f"engine {engine!r}: expected a cluster with workers at {address!r}, got: {problem}; "
            "start it with webstem installed on all of its machines, or mend `cluster_address` in "
            "pipelines.yaml"
        )
        self.engine = engine
        self.address = address


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One piece of work."""

    name: str
    """For messages and summaries."""
    call: Callable[..., Any]
    """A function that a worker can import."""
    arguments: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of a task."""

    task: Task
    result: Any = None
    """What it returned; None if it returned nothing."""
    problem: str = ""
    """Why it failed, at its last attempt; empty if it did not."""


OpenExecutor = Callable[[], AbstractContextManager[Executor]]
"""Makes a new executor: the old one may have died with its workers."""


def run_tasks(
    tasks: Iterable[Task], open_executor: OpenExecutor, workers: int
) -> Iterator[Outcome]:
    """The outcome of each task, as they come; never raises for a task. Names differ.

    Not more tasks than `workers` are under way, so that a worker that dies puts few under
    suspicion. Those, and those that failed, are tried again at the end, one by one. If the engine
    cannot be used at all, it says why (EngineError, or what it cannot begin with); if it is lost on
    the way, what is undone has failed.
    """
    undone = {task.name: task for task in tasks}
    n_tasks = len(undone)
    try:
        for outcome in _try_tasks(deque(undone.values()), open_executor, workers):
            del undone[outcome.task.name]
            yield outcome
    except (OSError, RuntimeError) as lost:  # an EngineError is one
        if len(undone) == n_tasks:
            raise
        yield from (Outcome(task=task, problem=_described(lost)) for task in undone.values())


def _try_tasks(
    waiting: deque[Task], open_executor: OpenExecutor, workers: int
) -> Iterator[Outcome]:
    suspects: deque[Outcome] = deque()
    while waiting:
        yield from _run_together(waiting, suspects, open_executor, workers)
    for _ in range(ATTEMPTS - 1):
        again, suspects = suspects, deque()
        for suspect in again:
            alone = deque([suspect.task])
            while alone:
                yield from _run_together(alone, suspects, open_executor, 1)
    yield from suspects


def _run_together(
    waiting: deque[Task], suspects: deque[Outcome], open_executor: OpenExecutor, workers: int
) -> Iterator[Outcome]:
    """Run tasks until none waits, or the executor is lost; what failed goes to the suspects."""
    with open_executor() as executor:
        running: dict[Future[Any], Task] = {}
        broken = False
        while (waiting and not broken) or running:
            while waiting and not broken and len(running) < workers:
                task = waiting.popleft()
                try:
                    running[executor.submit(attempt, task.call, task.arguments)] = task
                except BrokenExecutor:  # a worker died since, and the pool with it
                    waiting.appendleft(task)
                    broken = True
            done, _ = wait(running, WORKERS_SECONDS, return_when=FIRST_COMPLETED)
            if not done and isinstance(executor, _DaskExecutor) and not executor.has_workers():
                lost = "the cluster has no worker any more"
                suspects += (Outcome(task=task, problem=lost) for task in running.values())
                return
            for future in done:
                outcome = _outcome(running.pop(future), future)
                if outcome.problem:
                    suspects.append(outcome)
                    broken = broken or _is_lost(future)
                else:
                    yield outcome


def _is_lost(future: Future[Any]) -> bool:
    """Whether a task that is done failed with the executor, which then takes no other."""
    return future.cancelled() or isinstance(future.exception(), BrokenExecutor)


def _outcome(task: Task, future: Future[tuple[Any, str]]) -> Outcome:
    """What came of a task, once it is done."""
    try:
        result, problem = future.result()
    except Exception as death:
        return Outcome(task=task, problem=_described(death))
    return Outcome(task=task, result=result, problem=problem)


def attempt(call: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[Any, str]:
    """What a call returned, and why it failed; in the worker, if a task makes it.

    An exception is put into words here. One whose class takes other arguments than its text cannot
    be unpickled: the pool would break as if the worker had died.
    """
    try:
        return call(*arguments), ""
    except Exception as problem:
        return None, _described(problem)


def _described(problem: BaseException) -> str:
    if isinstance(problem, BrokenExecutor):
        return "the worker died: out of memory, or killed"
    if isinstance(problem, OSError | EngineError):
        return str(problem)  # tells the file by itself, as the commands for one site print it
    if isinstance(problem, CancelledError):
        return "the cluster was lost"
    return f"{type(problem).__name__}: {problem}"


def worker_count(config: Config) -> int:
    """Tasks at once: as pipelines.yaml says, else one for each core."""
    return config.workers or os.cpu_count() or 1


def executor_of(config: Config, modules: Iterable[str] = ()) -> OpenExecutor:
    """How to open the executor that pipelines.yaml names; EngineError if it cannot be.

    `modules` are what the tasks need: where it can be, they are loaded once for all workers.
    """
    workers, address = worker_count(config), config.cluster_address
    if config.engine == "dask":
        return lambda: _dask(workers, address)
    if config.engine == "ray":
        return lambda: _ray(workers, address)
    return lambda: local_executor(workers, modules)


@contextmanager
def _dask(workers: int, address: str | None) -> Iterator[Executor]:
    distributed = _imported("dask", "distributed")
    # A lost cluster is told in one line; its client would add tracebacks.
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
    with ExitStack() as opened:
        if address:
            client = opened.enter_context(_client(distributed, address))
        else:
            # The profiler's thread would be the last to hold objects that only theirs may free.
            profiling = {"distributed.worker.profile.enabled": False}
            opened.enter_context(import_module("dask.config").set(profiling))
            settings = {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": None}
            cluster = opened.enter_context(distributed.LocalCluster(**settings))
            client = opened.enter_context(distributed.Client(cluster))
        yield _DaskExecutor(client)


@contextmanager
def _client(distributed: Any, address: str) -> Iterator[Any]:
    """A client of a cluster that has workers; ClusterError if there is none in a minute."""
    with ExitStack() as opened:
        try:
            client = opened.enter_context(distributed.Client(address))
            client.wait_for_workers(1, WORKERS_SECONDS)
        except (OSError, ValueError) as problem:
            raise ClusterError("dask", address, problem) from problem
        yield client


class _DaskExecutor(Executor):
    """Dask's own, which waits for good if the last worker is gone."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._executor = client.get_executor(pure=False)

    def submit(self, call: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = self._executor.submit(call, *args, **kwargs)
        return future

    def has_workers(self) -> bool:
        """Whether there is a worker, or comes one in a minute."""
        try:
            self._client.wait_for_workers(1, WORKERS_SECONDS)
        except OSError:  # a time-out is one
            return False
        return True


@contextmanager
def _ray(workers: int, address: str | None) -> Iterator[Executor]:
    ray = _imported("ray", "ray")
    # What its workers print would stand among the rows of `--json`.
    settings = {"log_to_driver": False}
    try:
        if address:
            ray.init(address=address, **settings)
        else:
            ray.init(num_cpus=workers, include_dashboard=False, **settings)
    except (OSError, ValueError) as problem:
        raise ClusterError("ray", address or "this machine", problem) from problem
    try:
        yield _RayExecutor(ray)
    finally:
        ray.shutdown()


def _imported(engine: str, package: str) -> Any:
    try:
        return import_module(package)
    except ImportError:
        raise EngineMissingError(engine, package) from None


class _RayExecutor(Executor):
    """Ray's futures are the standard ones already; only `submit` is missing."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray

    def submit(self, call: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        # Ray itself tries a task again whose worker died.
        future: Future[Any] = self._ray.remote(call).remote(*args, **kwargs).future()
        return future
