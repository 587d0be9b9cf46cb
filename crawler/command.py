"""What webstem's commands share: their arguments, messages and exit codes."""

from __future__ import annotations

import argparse
import codecs
import json
import logging
import math
import os
import sqlite3
import sys
from abc import abstractmethod
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime
from difflib import get_close_matches
from pathlib import Path
from typing import Any, ClassVar

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings

from crawler.config.sites import Config, SiteConfig, find_config, load_config
from crawler.config.yamlfile import ConfigError
from crawler.frontier.urldb import UrlDatabase
from crawler.storage.locks import SiteLockedError
from crawler.storage.records import json_value
from crawler.usage.exitcodes import EXIT_CONFIG, EXIT_FAILED, EXIT_LOCKED, EXIT_OK
from crawler.usage.help import HelpFormatter, program, shown_below

CLOSE = 0.75
"""Similarity from which on an option is taken for a wrong one. Origin: guess; a letter or two."""

MAX_DAYS = 36_500
"""Days that an option may count back: a century."""


class ProjectCommand(ScrapyCommand):
    """A command of this project: it refuses options and a log level that nobody knows.

    Scrapy leaves unknown options among the arguments (`--sinse` would be ignored).
    """

    examples = ""
    """Lines shown in the help: a command, and after two blanks or more what it is for."""

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        self._parser = parser
        parser.prog = program()
        parser.formatter_class = HelpFormatter
        parser.epilog = shown_below(self.examples)

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        _refuse_options(args, self._parser)
        super().process_options(args, opts)
        _check_log_level(self.settings)


class SiteCommand(ProjectCommand):
    """A command about one site: `scrapy <command> <site> [options]`. Every argument that it does
    not take is a usage error."""

    requires_project = True
    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    arguments = "<site>"
    """How the positional arguments are shown."""
    takes_files = False
    """True if arguments may follow the site's name."""
    takes_all = False
    """True if `--all` may stand for the name of a site."""
    all_takes_sites = False
    """True if `--all` may be followed by the sites that it is for."""
    is_noted = False
    """True if its work on a site is a row of the table `runs`."""

    def syntax(self) -> str:
        of_all = f" | --all{' [site ...]' if self.all_takes_sites else ''}"
        return f"{self.arguments}{of_all if self.takes_all else ''} [options]"

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        on_all = self.takes_all and opts.all
        if not on_all and getattr(opts, "again", False):
            raise UsageError("--again is for --all, not for one site", print_help=False)
        if on_all and args and not self.all_takes_sites:
            raise UsageError(f"expected no site here, got {args[0]!r}", print_help=False)
        site_name, files = ("", []) if on_all else split_arguments(args, self.takes_files)

        self.notes = RunNotes(type(self).__module__.rpartition(".")[2])

        def work() -> int:
            config = load_config(find_config(), leave_out=True)
            if on_all:
                done = self.work_on_all(config.of_sites(args) if args else config, opts)
                wrong = EXIT_OK if args else tell_wrong_sites(config)
                return done or wrong
            site = config.site(site_name)
            if self.is_noted and not files:
                self.notes.begin(config, site.name)
            return self.work(config, site, files, opts)

        self.exitcode = self.notes.end(reported(work))

    @abstractmethod
    def work(
        self, config: Config, site: SiteConfig, files: list[str], opts: argparse.Namespace
    ) -> int:
        """Do what the command is for; its exit code."""

    def work_on_all(self, config: Config, opts: argparse.Namespace) -> int:
        """Do it for all sites; its exit code. Only where `takes_all` says so."""
        raise NotImplementedError


class SitesCommand(ProjectCommand):
    """A command about all sites, or those named: `scrapy <command> [site ...] [options]`."""

    requires_project = True
    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return "[site ...] [options]"

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        self.exitcode = reported(lambda: self.work_on(args, opts))

    def work_on(self, names: list[str], opts: argparse.Namespace) -> int:
        """Do it for the sites named, or all; the exit code, which tells of wrong entries if all
        else is well."""
        config = load_config(find_config(), leave_out=True)
        done = self.work(config.of_sites(names) if names else config, opts)
        wrong = EXIT_OK if names else tell_wrong_sites(config)
        return done or wrong

    def work(self, config: Config, opts: argparse.Namespace) -> int:
        """Do it for the sites of a configuration; the exit code."""
        raise NotImplementedError


def tell_wrong_sites(config: Config) -> int:
    """Name on stderr the entries of pipelines.yaml that were left out; the exit code."""
    for wrong in config.wrong_sites:
        fail(ConfigError(wrong.problems), EXIT_CONFIG)
    return EXIT_CONFIG if config.wrong_sites else EXIT_OK


class RunNotes:
    """What the table `runs` is to know of a command's work on a site, noted as it goes."""

    def __init__(self, command: str) -> None:
        self._command = command
        self._started_at = datetime.now(UTC)
        self._where: tuple[str, str] | None = None
        self.run_id = f"{self._started_at:%Y%m%dT%H%M%S%fZ}"
        self.facts: dict[str, Any] = {}
        """Fields of the row (`crawler.storage.runs.RunRecord`) beside time and end."""

    def begin(self, config: Config, site: str) -> None:
        """The site is known: from here on the run has a row, however it ends."""
        self._where = config.storage, site

    def end(self, exit_code: int) -> int:
        """Write the row, if the site is known; the exit code, which a storage that does not take
        the row makes that of a failure."""
        if self._where is None:
            return exit_code
        from crawler.storage.partitions import Storage
        from crawler.storage.runs import RunRecord, write_run

        root, site = self._where
        cause = _SAID[-1] if exit_code and _SAID else None
        run = RunRecord(
            run_id=self.run_id,
            command=self._command,
            started_at=self._started_at,
            ended_at=datetime.now(UTC),
            exit_code=exit_code,
            cause=cause,
            **self.facts,
        )
        try:
            write_run(Storage(root), site, run)
        except OSError as problem:
            # Where the work failed too the cause is told already, mostly the same.
            return exit_code or fail(_with_advice(problem), EXIT_FAILED)
        return exit_code


class UrlDatabaseError(Exception):
    """The URL database of a site cannot be used; the message tells the file and what to do."""


def reported(work: Callable[[], int]) -> int:
    """The exit code of `work`; what the user can mend is a line on stderr, not a traceback."""
    try:
        exit_code = work()
        sys.stdout.flush()
    except ConfigError as problem:
        return fail(problem, EXIT_CONFIG)
    except SiteLockedError as problem:
        return fail(problem, EXIT_LOCKED)
    except BrokenPipeError:
        # Who read the output (`| head`) has enough of it; Python would complain when it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_FAILED
    except KeyboardInterrupt:
        return fail("stopped; nothing is half written, run the same command again", EXIT_FAILED)
    except UrlDatabaseError as problem:
        return fail(problem, EXIT_FAILED)
    except (OSError, sqlite3.Error) as problem:
        return fail(_with_advice(problem), EXIT_FAILED)
    return exit_code


def _with_advice(problem: OSError | sqlite3.Error) -> str:
    """What went wrong with a file, and what to do about it."""
    from crawler.storage.parquet import StorageError

    if isinstance(problem, StorageError):
        return str(problem)
    filename = getattr(problem, "filename", None)
    where = f"{filename}: " if filename else ""
    said = getattr(problem, "strerror", None) or problem
    return f"{where}{said}; check the path, free space and permissions, then run again"


def open_url_database(state_folder: str, site: str) -> UrlDatabase:
    """The URL database of a site, made if there is none; UrlDatabaseError if it is unusable."""
    path = Path(state_folder, f"{site}.sqlite")
    try:
        return UrlDatabase(path)
    except ValueError as problem:  # Another format: the message tells the file and what to do.
        raise UrlDatabaseError(problem) from problem
    except sqlite3.Error as problem:
        raise UrlDatabaseError(
            f"{path}: expected a URL database, got {problem}; check free space and permissions, "
            "or move the file away: the next crawl then fetches everything anew"
        ) from problem


def _check_log_level(settings: BaseSettings | None) -> None:
    """UsageError for a level (`-L`, or the setting LOG_LEVEL) that logging does not know: Scrapy
    takes any, and ends in a traceback."""
    assert settings is not None
    level, known = settings["LOG_LEVEL"], logging.getLevelNamesMapping()
    if level is not None and not isinstance(level, int) and level not in known:
        raise UsageError(
            f"log level: expected one of {', '.join(known)}, got {level!r}", print_help=False
        )


def _refuse_options(args: list[str], parser: argparse.ArgumentParser) -> None:
    """UsageError for an option that the parser left among the arguments: it knows it not."""
    unknown = next((each for each in args if each.startswith("-") and each != "-"), None)
    if unknown is None:
        return
    known = [name for action in parser._actions for name in action.option_strings]
    close = get_close_matches(unknown.partition("=")[0], known, n=1, cutoff=CLOSE)
    advice = f"; did you mean {close[0]!r}?" if close else ""
    raise UsageError(f"unknown option {unknown!r}{advice}", print_help=False)


def split_arguments(args: list[str], takes_files: bool) -> tuple[str, list[str]]:
    """The site's name and the files after it; UsageError for anything else."""
    if not args:
        raise UsageError("expected the name of a site; `scrapy list` shows them")
    if len(args) > 1 and not takes_files:
        raise UsageError(f"expected one site, got also {args[1:]!r}", print_help=False)
    return args[0], args[1:]


def add_dates(parser: argparse.ArgumentParser) -> None:
    """The options that choose partitions by UTC date."""
    parser.add_argument("--date", type=_day, metavar="DAY", help="only this UTC day (2026-11-20)")
    parser.add_argument("--since", type=_day, metavar="DAY", help="from this UTC day on")
    parser.add_argument("--until", type=_day, metavar="DAY", help="up to this UTC day, inclusive")


def chosen_dates(opts: argparse.Namespace) -> tuple[date | None, date | None]:
    """First and last day that the options choose; None leaves that side open."""
    if opts.date and (opts.since or opts.until):
        raise UsageError("--date stands alone: it is --since and --until in one", print_help=False)
    if opts.since and opts.until and opts.since > opts.until:
        raise UsageError(f"--since {opts.since} is after --until {opts.until}", print_help=False)
    return (opts.date, opts.date) if opts.date else (opts.since, opts.until)


_SAID: list[str] = []
"""What `fail` has told in this process, for the row of the run."""


def fail(problem: object, exit_code: int) -> int:
    """Say what is wrong on stderr; the exit code given."""
    _SAID.append(str(problem))
    print(problem, file=sys.stderr)
    return exit_code


def print_json(rows: Iterable[dict[str, Any]]) -> None:
    """Rows as one JSON array on stdout; times in ISO 8601."""
    print(json.dumps(list(rows), ensure_ascii=False, indent=2, default=json_value))


def is_terminal() -> bool:
    """True if someone watches: progress is shown then, and nothing under cron."""
    return sys.stderr.isatty()


def count(text: str) -> int:
    """The argument of `--limit` and the like: a whole number from 1 on."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a number from 1 on, got {text!r}")
    return int(text)


def days(text: str) -> float:
    """A number of days such as 30, 30d or .5, above 0 and at most `MAX_DAYS`."""
    try:
        number = float(text.removesuffix("d"))
    except ValueError:
        number = math.nan
    if not 0 < number <= MAX_DAYS:
        raise argparse.ArgumentTypeError(f"expected a number of days such as 30, got {text!r}")
    return number


def text_encoding(name: str) -> str:
    """The canonical name of an encoding of texts; base64 and the like are none."""
    try:
        "".encode(name)
        return codecs.lookup(name).name
    except LookupError:
        message = f"expected an encoding such as utf-8 or euc-jp, got {name!r}"
        raise argparse.ArgumentTypeError(message) from None


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"expected a day such as {datetime.now(UTC).date()}, got {text!r}"
        ) from None
