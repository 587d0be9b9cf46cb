"""Tasks on processes of this machine and on a Dask cluster; workers that die in the middle."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from crawler.config.sites import Config
from crawler.engine.local import local_executor
from crawler.engine.tasks import (
    ClusterError,
    EngineMissingError,
    Task,
    executor_of,
    run_tasks,
)
from crawler.storage.parquet import StorageError


def square(number: int) -> int:
    return number * number


def refuse(number: int) -> int:
    raise ValueError(f"no {number}")


def miss(path: str) -> None:
    raise StorageError(path, "not read", "move it away")


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def die_once(mark: str) -> str:
    try:
        Path(mark).touch(exist_ok=False)
    except FileExistsError:
        return "lived"
    die()
    return ""


def slow(seconds: float) -> int:
    time.sleep(seconds)
    return os.getpid()


def is_profiled() -> bool:
    from dask import config

    return bool(config.get("distributed.worker.profile.enabled"))


def outcomes(tasks: list[Task], open_executor: Any = lambda: local_executor(2)) -> dict[str, Any]:
    return {each.task.name: each for each in run_tasks(tasks, open_executor, 2)}


def test_each_task_has_its_outcome() -> None:
    found = outcomes([Task(name=str(n), call=square, arguments=(n,)) for n in range(5)])
    assert {name: each.result for name, each in found.items()} == {str(n): n * n for n in range(5)}


def test_what_fails_twice_is_named_and_the_others_end(tmp_path: Path) -> None:
    tasks = [Task(name=f"good {n}", call=square, arguments=(n,)) for n in range(6)]
    tasks.insert(1, Task(name="poisoned", call=die))
    tasks.insert(3, Task(name="refused", call=refuse, arguments=(7,)))
    tasks.insert(5, Task(name="unlucky", call=die_once, arguments=(str(tmp_path / "mark"),)))
    found = outcomes(tasks)
    assert found.keys() == {task.name for task in tasks}
    failed = {name: each.problem for name, each in found.items() if each.problem}
    assert failed == {
        "poisoned": "the worker died: out of memory, or killed",
        "refused": "ValueError: no 7",
    }
    assert found["unlucky"].result == "lived"
    assert [found[f"good {n}"].result for n in range(6)] == [n * n for n in range(6)]


def test_an_executor_that_cannot_be_opened_again_leaves_no_task_unnamed() -> None:
    left = [local_executor(1)]

    def open_once() -> Any:
        if not left:
            raise OSError("no more processes")
        return left.pop()

    tasks = [
        Task(name="square", call=square, arguments=(3,)),
        Task(name="poisoned", call=die),
        Task(name="late", call=square, arguments=(4,)),
    ]
    found = {each.task.name: each for each in run_tasks(tasks, open_once, 1)}
    assert {name: each.problem for name, each in found.items()} == {
        "square": "", "poisoned": "no more processes", "late": "no more processes",
    }  # fmt: skip
    with pytest.raises(OSError, match="no more processes"):
        list(run_tasks(tasks, open_once, 1))


def test_an_exception_of_several_arguments_is_no_death_of_its_worker() -> None:
    tasks = [Task(name="missed", call=miss, arguments=("a.parquet",))]
    tasks += [Task(name=str(n), call=square, arguments=(n,)) for n in range(3)]
    found = outcomes(tasks)
    assert found["missed"].problem == "a.parquet: not read; move it away"
    assert [found[str(n)].result for n in range(3)] == [0, 1, 4]


def test_a_missing_engine_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr("crawler.engine.tasks.import_module", missing)
    with (
        pytest.raises(EngineMissingError, match=r"pip install 'webstem\[ray\]'"),
        executor_of(Config(engine="ray"))(),
    ):
        pass


# Ray warns of its own settings.
@pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::ResourceWarning")
def test_ray_runs_tasks_and_survives_a_worker(tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="the extra `ray` is not installed")
    tasks = [
        Task(name="square", call=square, arguments=(3,)),
        Task(name="refused", call=refuse, arguments=(3,)),
        Task(name="unlucky", call=die_once, arguments=(str(tmp_path / "mark"),)),
    ]
    found = outcomes(tasks, executor_of(Config(engine="ray", workers=2)))
    assert found["square"].result == 9
    assert "no 3" in found["refused"].problem
    assert found["unlucky"].result == "lived"


# distributed leaves event loops and sockets to the garbage collector.
_untidy = pytest.mark.filterwarnings(
    "ignore::ResourceWarning",
    "ignore::DeprecationWarning",
    # Two tests at once ask for the same port.
    "ignore:(?s).*Hosting the HTTP server on port:UserWarning",
    "ignore::pytest.PytestUnraisableExceptionWarning",
)


@_untidy
@pytest.mark.parametrize("address", ["foo://127.0.0.1:8786", "tcp://127.0.0.1:1"])
def test_an_address_where_no_cluster_is_is_named(address: str) -> None:
    pytest.importorskip("distributed")  # it brings settings of its own
    settings = pytest.importorskip("dask.config")
    tasks = [Task(name="square", call=square, arguments=(3,))]
    with (
        settings.set({"distributed.comm.timeouts.connect": "1s"}),
        pytest.raises(ClusterError, match=rf"{address}.*mend `cluster_address`"),
    ):
        outcomes(tasks, executor_of(Config(engine="dask", cluster_address=address)))


@_untidy
def test_workers_of_a_cluster_of_our_own_are_not_profiled() -> None:
    pytest.importorskip("distributed")
    tasks = [Task(name="profiled", call=is_profiled)]
    found = outcomes(tasks, executor_of(Config(engine="dask", workers=1)))
    assert found["profiled"].result is False


@_untidy
def test_a_cluster_without_workers_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr("crawler.engine.tasks.WORKERS_SECONDS", 0.5)
    with distributed.LocalCluster(n_workers=0, dashboard_address=None) as cluster:
        config = Config(engine="dask", cluster_address=cluster.scheduler_address)
        with pytest.raises(ClusterError, match="expected a cluster with workers"):
            outcomes([Task(name="square", call=square, arguments=(3,))], executor_of(config))


@_untidy
def test_a_cluster_lost_in_the_middle_leaves_no_task_unnamed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr("crawler.engine.tasks.WORKERS_SECONDS", 2)
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None
    ) as cluster:
        config = Config(engine="dask", cluster_address=cluster.scheduler_address)
        tasks = [Task(name=str(n), call=slow, arguments=(0.5,)) for n in range(20)]
        found = []
        for outcome in run_tasks(tasks, executor_of(config), 2):
            if not found:
                cluster.scale(0)
            found.append(outcome)
    assert {each.task.name for each in found} == {task.name for task in tasks}
    problems = {each.problem for each in found}
    assert "" in problems and len(problems) == 2
    assert "expected a cluster with workers" in max(problems)


@_untidy
def test_a_dask_worker_killed_in_the_middle_loses_no_task() -> None:
    distributed = pytest.importorskip("distributed")

    @contextmanager
    def cluster() -> Iterator[Executor]:
        with (
            distributed.LocalCluster(
                n_workers=2, threads_per_worker=1, dashboard_address=None
            ) as workers,
            distributed.Client(workers) as client,
        ):
            victim = next(iter(client.run(os.getpid).values()))
            threading.Timer(0.7, os.kill, (victim, signal.SIGKILL)).start()
            yield client.get_executor(pure=False)

    tasks = [Task(name=str(n), call=slow, arguments=(0.3,)) for n in range(8)]
    found = outcomes(tasks, cluster)
    assert len(found) == 8
    assert not [each.problem for each in found.values() if each.problem]
