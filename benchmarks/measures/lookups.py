"""What DuckDB reads to answer a question: a site's day, and a page by its URL.

Its profile tells the bytes, files and row groups. They are small only if folders name site and day,
rows are sorted by `url_key`, and each row group says which keys it may hold.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq

NEIGHBOUR_SITES = 2
NEIGHBOUR_DAYS = 5

PAGE_QUERY = (
    "select html from {table} where site = '{site}' and date = date '{day}' and url_key = '{key}'"
)
DAY_QUERY = (
    "select count(*), sum(octet_length(html)) from {table} "
    "where site = '{site}' and date = date '{day}'"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reads:
    """What a query read."""

    n_bytes: int
    n_files: int
    """Files that were opened: for their rows, or for what their end says of these."""
    n_row_groups: int
    """Row groups whose rows were read."""
    n_rows: int
    """Rows that they held and that were not skipped inside them."""


def add_neighbours(table: Path, site: str) -> None:
    """Give the days of a site's table neighbours: the same files as other sites and other days."""
    for folder in sorted((table / f"site={site}").iterdir()):
        day = date.fromisoformat(folder.name.removeprefix("date="))
        for name in (site, *(f"{site}_{n}" for n in range(1, NEIGHBOUR_SITES))):
            for earlier in range(NEIGHBOUR_DAYS):
                other = table / f"site={name}" / f"date={day - timedelta(days=earlier)}"
                if not other.exists():
                    _link_files(folder, other)


def _link_files(folder: Path, other: Path) -> None:
    other.mkdir(parents=True)
    for file in folder.glob("*.parquet"):
        os.link(file, other / file.name)


def lookup_figures(table: Path, site: str, day: date, keys: Sequence[str]) -> dict[str, float]:
    """What one site-day, and one page of it by its `url_key`, read of a table; means over pages."""
    con = duckdb.connect()
    # One row group after another: threads that start on the next before the last is done read more.
    con.execute("set threads = 1")
    source = f"read_parquet('{table}/**/*.parquet', hive_partitioning = true)"
    place = {"table": source, "site": site, "day": day}
    of_day = reads(con, DAY_QUERY.format(**place))
    of_pages = [reads(con, PAGE_QUERY.format(**place, key=key)) for key in keys]
    files = list(table.rglob("*.parquet"))
    n_row_groups = sum(pq.read_metadata(file).num_row_groups for file in files)
    n_bytes = sum(file.stat().st_size for file in files)
    return {
        "table_files": len(files),
        "table_row_groups": n_row_groups,
        "site_day_files_read": of_day.n_files,
        "site_day_row_groups_read": of_day.n_row_groups,
        "site_day_share_of_bytes": of_day.n_bytes / n_bytes,
        "lookup_files_opened": _mean(each.n_files for each in of_pages),
        "lookup_row_groups_read": _mean(each.n_row_groups for each in of_pages),
        "lookup_share_of_bytes": _mean(each.n_bytes for each in of_pages) / n_bytes,
        "lookup_kb": _mean(each.n_bytes for each in of_pages) / 1000,
    }


def reads(con: duckdb.DuckDBPyConnection, query: str) -> Reads:
    """Run a query; what it read, as its profile tells. RuntimeError if DuckDB is older than 2."""
    rows = con.execute(f"explain (analyze, format json) {query}").fetchall()
    profile = json.loads(rows[0][1])
    try:
        return Reads(
            n_bytes=profile["io"]["total_bytes_read"],
            n_files=sum(_files_of(node) for node in profile["operator"]),
            n_row_groups=profile["query"]["total_row_groups_scanned"],
            n_rows=profile["query"]["total_rows_scanned"],
        )
    except KeyError as problem:
        raise RuntimeError(
            f"DuckDB {duckdb.__version__}: expected a profile with row groups and bytes, got none "
            f"with {problem}; install DuckDB 2 or newer"
        ) from None


def _files_of(node: dict[str, Any]) -> int:
    own = int(node["extra_info"].get("Total Files Read", 0))
    return own + sum(_files_of(child) for child in node.get("children", ()))


def _mean(values: Iterator[int]) -> float:
    numbers = list(values)
    return sum(numbers) / len(numbers)
