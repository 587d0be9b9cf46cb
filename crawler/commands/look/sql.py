"""`webstem sql QUERY`: DuckDB over the tables, each a view."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from scrapy.exceptions import UsageError

from crawler.command import ProjectCommand, fail, print_json, reported
from crawler.config.sites import find_config, load_config
from crawler.storage.parquet import StorageError
from crawler.storage.partitions import Storage
from crawler.usage.exitcodes import EXIT_FAILED, EXIT_OK

TABLES = (
    "pages", "links", "patterns", "articles", "article_versions", "outcomes", "site_stats", "runs",
    "health",
)  # fmt: skip


class Command(ProjectCommand):
    """A query in, its rows out; DuckDB is an extra of the project."""

    requires_project = True
    requires_crawler_process = False

    examples = """\
  webstem sql "select site, count(*) from articles group by site"
"""

    def syntax(self) -> str:
        return "<query> [options]"

    def short_desc(self) -> str:
        return "Ask the tables with SQL: each is a view"

    def long_desc(self) -> str:
        return (
            "Opens DuckDB in memory with a view for each table that has rows, over all sites, and "
            "prints what the query gives: a table on a terminal, elsewhere lines with tabs between "
            "the fields. Nothing is written. The tables must lie in a folder."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="print the rows as JSON")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if len(args) != 1:
            raise UsageError(f"expected one query, in quotes, got {args!r}", print_help=False)
        self.exitcode = reported(lambda: _ask(args[0], opts.json))


def _ask(query: str, as_json: bool) -> int:
    try:
        import duckdb
    except ImportError:
        return fail("DuckDB is not installed: `pip install webstem[demo]`", EXIT_FAILED)
    config = load_config(find_config(), leave_out=True)
    if "://" in config.storage:
        return fail(f"{config.storage}: expected tables in a folder, got a URI", EXIT_FAILED)
    with duckdb.connect() as database:
        damaged = _make_views(database, Storage(config.storage))
        for problem in damaged:
            fail(problem, EXIT_FAILED)
        try:
            answer = database.execute(query)
            names, rows = [column[0] for column in answer.description or ()], answer.fetchall()
        except duckdb.Error as problem:
            return fail(str(problem), EXIT_FAILED)
    if as_json:
        print_json(dict(zip(names, row, strict=True)) for row in rows)
    elif sys.stdout.isatty():
        _print_table(names, rows)
    else:
        print("\t".join(names))
        for row in rows:
            print("\t".join(" ".join(str("" if v is None else v).split()) for v in row))
    return EXIT_FAILED if damaged else EXIT_OK


def _make_views(database: Any, storage: Storage) -> list[str]:
    """A view for each table that has files; its schema is that of all of them. What is wrong with
    those that cannot be read: they are left out."""
    import duckdb

    problems: list[str] = []
    for table in TABLES:
        if storage.sites(table):
            try:
                _make_view(database, table, f"{storage.root}/{table}/**/*.parquet")
            except duckdb.Error:
                sound, damaged = _parted(storage, table)
                problems += damaged
                if sound:
                    _make_view(database, table, *sound)
    return problems


def _make_view(database: Any, table: str, *files: str) -> None:
    quoted = ", ".join("'" + path.replace("'", "''") + "'" for path in files)
    database.execute(
        f"create view {table} as select * from read_parquet([{quoted}], "
        "hive_types = {site: varchar}, union_by_name = true)"
    )


def _parted(storage: Storage, table: str) -> tuple[list[str], list[str]]:
    """The files of a table that can be read, and what is wrong with the others."""
    sound, damaged = [], []
    for path in (path for site in storage.sites(table) for path in storage.files(table, site)):
        try:
            storage.count_rows(path)
            sound.append(path)
        except StorageError as problem:
            damaged.append(str(problem))
    return sound, damaged


def _print_table(names: list[str], rows: list[tuple[Any, ...]]) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(*names, box=None, pad_edge=False, header_style="bold")
    for row in rows:
        table.add_row(*(escape("" if value is None else str(value)) for value in row))
    Console().print(table)
