"""`--all`: one command over all sites, as tasks of an engine, each done once.

A task that ended well leaves its fingerprint (what it read, with which settings, and what it wrote)
in the state folder; while that stays the same, the next run leaves the task out. What follows on
the tasks of a site has notes of its own, for a run may be killed between the two. The locks of the
sites are held here, so that workers on other machines need none.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from rich.console import Console

from crawler.command import fail, is_terminal, print_json
from crawler.config.sites import Config, SiteConfig
from crawler.engine.tasks import (
    EngineError,
    Outcome,
    Task,
    attempt,
    executor_of,
    run_tasks,
    worker_count,
)
from crawler.storage.locks import SiteLock, SiteLockedError
from crawler.storage.outfile import whole_file
from crawler.storage.partitions import Storage
from crawler.storage.runs import RunRecord, write_run
from crawler.usage.exitcodes import EXIT_FAILED, EXIT_LOCKED, EXIT_NOTHING, EXIT_OK


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteTask:
    """A task of one site."""

    site: str
    task: Task
    inputs: Sequence[object] = ()
    """All that decides its result: equal inputs, equal result."""

    output: Callable[[], object] = tuple
    """What stands for what it wrote: another value if that was removed or replaced since."""

    day: date | None = None
    """The day whose pages it works on; None for all."""

    split: Callable[[], Sequence[Task]] = tuple
    """Tasks that may do a share of its work before it, each by itself; whatever they do not get
    done, the task does."""


RUN_FACTS = ("patterns", "finding", "articles_new", "articles_edited")
"""What results of tasks tell that the table of runs has, too."""


def fingerprint(inputs: Sequence[object]) -> str:
    """16 hex digits of what decides a task's result."""
    return sha256(repr(tuple(inputs)).encode()).hexdigest()[:16]


class Ledger:
    """Fingerprints of the tasks that ended well, and of those followed up, one file a site and
    command, read once: the sites are locked."""

    def __init__(self, state_folder: str, work: str) -> None:
        self._folder = Path(state_folder)
        self._work = work
        self._noted: dict[str, dict[str, str]] = {}
        """What the file of each site says, as far as asked for."""

    def has(self, task: SiteTask) -> bool:
        """Whether the task was done on the same inputs, and what it wrote is still there."""
        noted = self._of(task.site).get(task.task.name, "")
        # What it wrote is asked for last: on an object store that takes a request.
        return noted.startswith(f"{fingerprint(task.inputs)} ") and noted == _made(task)

    def is_due(self, task: SiteTask) -> bool:
        """Whether the task is to be done; also if nobody can tell, for then it says itself why."""
        done, problem = attempt(self.has, (task,))
        return bool(problem) or not done

    def add(self, task: SiteTask) -> None:
        """Note that the task is done, and not followed up yet."""
        noted = self._of(task.site) | {task.task.name: _made(task)}
        noted.pop(_followed(task), None)
        self._write(task.site, noted)

    def remove(self, task: SiteTask) -> None:
        """Note that the task is not done: done once, it failed when it was done again."""
        if self.has(task):
            noted = dict(self._of(task.site))
            for name in (task.task.name, _followed(task)):
                noted.pop(name, None)
            self._write(task.site, noted)

    def waiting(self, tasks: Iterable[SiteTask]) -> dict[str, list[SiteTask]]:
        """Site by site which of the tasks were done and not followed up."""
        waiting: defaultdict[str, list[SiteTask]] = defaultdict(list)
        for task in tasks:
            if _followed(task) not in self._of(task.site) and not self.is_due(task):
                waiting[task.site].append(task)
        return waiting

    def follow(self, site: str, tasks: Iterable[SiteTask]) -> None:
        """Note that these tasks of a site were followed up, and what there is of them now."""
        made = {task.task.name: _made(task) for task in tasks}
        followed = {_followed(task): fingerprint(task.inputs) for task in tasks}
        self._write(site, self._of(site) | made | followed)

    def _of(self, site: str) -> dict[str, str]:
        if site not in self._noted:
            self._noted[site] = self._read(site)
        return self._noted[site]

    def _write(self, site: str, noted: dict[str, str]) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        with whole_file(self._path(site)) as hidden:
            hidden.write_text(json.dumps(noted, indent=1, sort_keys=True), encoding="utf-8")
        self._noted[site] = noted

    def _path(self, site: str) -> Path:
        return self._folder / f"{site}.{self._work}.json"

    def _read(self, site: str) -> dict[str, str]:
        try:
            found = json.loads(self._path(site).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}


def _made(task: SiteTask) -> str:
    """What the ledger says of a task that is done: what it read, and what it wrote."""
    return f"{fingerprint(task.inputs)} {fingerprint((task.output(),))}"


def _followed(task: SiteTask) -> str:
    return f"{task.task.name} followed up"


def add_all_options(parser: argparse.ArgumentParser) -> None:
    """The options of a command that can work on all sites."""
    parser.add_argument("--all", action="store_true", help="all sites, on the engine configured")
    parser.add_argument(
        "--again", action="store_true", help="with --all: also what was done on the same pages"
    )


def work_on_all(
    config: Config,
    work: str,
    plan: Callable[[SiteConfig], Iterable[SiteTask]],
    opts: argparse.Namespace,
    follow_up: Callable[[str, Sequence[SiteTask]], Task] | None = None,
) -> int:
    """Run the tasks that `plan` makes for each site that is not in use; the exit code.

    `follow_up` gets each site with those of its tasks that ended well since it got them last, in
    this run or one that was killed, and makes a task of its own of them. Whatever fails is named on
    stderr, and does not keep the others from their end.
    """
    ledger, began = Ledger(config.state, work), datetime.now(UTC)
    with ExitStack() as locks:
        locked, rows = _lock_sites(config, work, locks)
        left_out = {*locked, *(row["task"] for row in rows)}
        planned, unplanned = _plan([s for s in config.sites if s.name not in left_out], plan)
        rows += unplanned
        followed: list[dict[str, Any]] = []
        due = [each for each in planned if opts.again or ledger.is_due(each)]
        try:
            rows += map(_row, _run(config, due, ledger))
            if follow_up:
                followed += _follow_up(config, ledger, planned, follow_up)
        except EngineError as problem:
            rows.append({"task": "--all", "failed": str(problem)})
        worked_on = {each.site for each in due}
        rows += _note_runs(config, work, began, worked_on, [*rows, *followed])
    rows.sort(key=lambda row: str(row["task"]))
    if opts.json:
        print_json([*rows, *followed])
    return _tell(rows, followed, locked, len(planned) - len(due))


def _note_runs(
    config: Config,
    work: str,
    began: datetime,
    sites: Collection[str],
    rows: Sequence[dict[str, Any]],
) -> Iterator[dict[str, Any]]:
    """Give each of these sites its row in the table of runs; a row for each that gets none."""
    storage, ended = Storage(config.storage), datetime.now(UTC)
    for site in sorted(sites):
        own = [row for row in rows if row["task"].partition(" ")[0] == site]
        failed = [row["failed"] for row in own if row["failed"]]
        idle = [row["nothing"] for row in own if row.get("nothing")]
        told = {name: row[name] for row in own for name in RUN_FACTS if name in row}
        run = RunRecord(
            run_id=f"{began:%Y%m%dT%H%M%S%fZ}",
            command=work,
            started_at=began,
            ended_at=ended,
            exit_code=EXIT_FAILED if failed else EXIT_NOTHING if idle else EXIT_OK,
            cause=next(iter((*failed, *idle)), None),
            **told,
        )
        _, problem = attempt(write_run, (storage, site, run))
        if problem:
            yield {"task": site, "failed": problem}


def _lock_sites(
    config: Config, work: str, locks: ExitStack
) -> tuple[dict[str, str], list[dict[str, Any]]]:
    """Take the lock of each site; for those in use why not, and a row for each that has none."""
    locked: dict[str, str] = {}
    rows: list[dict[str, Any]] = []
    for site in config.sites:
        try:
            locks.enter_context(SiteLock(config.state, site.name, work))
        except SiteLockedError as problem:
            locked[site.name] = str(problem)
        except OSError as problem:
            advice = "check its permissions, then run again"
            rows.append({"task": site.name, "failed": f"not locked: {problem}; {advice}"})
    return locked, rows


def _plan(
    sites: Iterable[SiteConfig], plan: Callable[[SiteConfig], Iterable[SiteTask]]
) -> tuple[list[SiteTask], list[dict[str, Any]]]:
    """The tasks of these sites, and a row for each whose tasks cannot be told."""
    planned: list[SiteTask] = []
    rows: list[dict[str, Any]] = []
    for site in sites:
        tasks, problem = attempt(lambda site: list(plan(site)), (site,))
        if problem:
            rows.append({"task": site.name, "failed": problem})
        else:
            planned += tasks
    return planned, rows


def _follow_up(
    config: Config,
    ledger: Ledger,
    planned: Iterable[SiteTask],
    follow_up: Callable[[str, Sequence[SiteTask]], Task],
) -> Iterator[dict[str, Any]]:
    """Follow up on what waits for it; a row for each site, whose failure is tried again."""
    waiting = ledger.waiting(planned)
    tasks = {site: follow_up(site, done) for site, done in sorted(waiting.items())}
    sites = {task.name: site for site, task in tasks.items()}
    if not tasks:
        return
    executor = executor_of(config, {task.call.__module__ for task in tasks.values()})
    for outcome in run_tasks(tasks.values(), executor, worker_count(config)):
        site, problem = sites[outcome.task.name], outcome.problem
        if not problem:
            _, problem = attempt(ledger.follow, (site, waiting[site]))
        yield _row(replace(outcome, problem=problem))


def _run(config: Config, due: Sequence[SiteTask], ledger: Ledger) -> list[Outcome]:
    by_name = {each.task.name: each for each in due}
    console = Console(stderr=True, quiet=not is_terminal())
    outcomes = []
    if due:
        tasks = [each.task for each in due]
        # Where it cannot be split, the task itself says why.
        shares = [share for each in due for share in attempt(each.split, ())[0] or ()]
        executor = executor_of(config, {task.call.__module__ for task in [*shares, *tasks]})
        for outcome in run_tasks(shares, executor, worker_count(config)):
            console.print(f"{outcome.task.name}: {_state(outcome)}")
        for outcome in run_tasks(tasks, executor, worker_count(config)):
            outcome = _noted(outcome, by_name[outcome.task.name], ledger)
            outcomes.append(outcome)
            console.print(f"{len(outcomes)}/{len(due)} {outcome.task.name}: {_state(outcome)}")
    return outcomes


def _noted(outcome: Outcome, task: SiteTask, ledger: Ledger) -> Outcome:
    """The outcome, once the ledger has it; what it cannot note is done again, so it has failed."""
    if outcome.result and outcome.result.get("nothing"):
        return outcome
    _, problem = attempt(ledger.remove if outcome.problem else ledger.add, (task,))
    return replace(outcome, problem=outcome.problem or problem)


def _state(outcome: Outcome) -> str:
    return "failed" if outcome.problem else "done"


def _row(outcome: Outcome) -> dict[str, Any]:
    row: dict[str, Any] = {"task": outcome.task.name}
    row["failed"] = outcome.problem or None
    return row | (outcome.result or {})


def _tell(
    rows: Sequence[dict[str, Any]],
    followed: Sequence[dict[str, Any]],
    locked: dict[str, str],
    n_skipped: int,
) -> int:
    """Name on stderr what was not done; the exit code."""
    failed = [row for row in (*rows, *followed) if row["failed"]]
    idle = [row for row in rows if row.get("nothing")]
    for row in failed:
        fail(f"{row['task']}: {row['failed']}", EXIT_FAILED)
    for row in idle:
        fail(row["nothing"], EXIT_NOTHING)
    for row in (*rows, *followed):
        if row.get("note"):
            fail(row["note"], EXIT_OK)
    for problem in locked.values():
        fail(problem, EXIT_LOCKED)
    done = len([row for row in rows if not row["failed"]]) - len(idle)
    if not rows and not locked and not n_skipped:
        fail("nothing to work on: no site has pages of these days", EXIT_NOTHING)
    Console(stderr=True, quiet=not is_terminal()).print(
        f"{done} done, {n_skipped} as before, {len(idle)} with nothing to work on, "
        f"{len(failed)} failed, {len(locked)} in use"
    )
    if failed:
        return EXIT_FAILED
    if locked:
        return EXIT_LOCKED
    return EXIT_NOTHING if not done and not n_skipped else EXIT_OK
