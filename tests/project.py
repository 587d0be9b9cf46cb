"""A project folder for tests: one site, the real commands as processes, the tables as rows."""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from tests.forking import ROOT, Forker

Answer = tuple[int, str, str]
"""Exit code, stdout and stderr of a command."""
Run = Callable[..., Answer]

A_DAY = timedelta(days=1)
TABLES = (
    "pages", "links", "patterns", "articles", "article_versions", "outcomes", "site_stats", "runs",
    "health", "snapshots", "screenshots",
)  # fmt: skip


@dataclass
class Project:
    """A folder with pipelines.yaml and scrapy.cfg; its site is called `site`."""

    folder: Path

    def configure(self, **site: Any) -> None:
        """Write pipelines.yaml; `site` are the keys of the one site."""
        values = {
            "name": "site",
            "private_hosts": ["127.0.0.1"],
            "delay_seconds": 0.0,
            "concurrency": 4,
            "depth": 20,
            "find_feeds": False,
            "find_sitemaps": False,
            "learn_every": "never",
            **site,
        }
        # JSON is YAML.
        (self.folder / "pipelines.yaml").write_text(json.dumps({"sites": [values]}))
        (self.folder / "scrapy.cfg").write_text("[settings]\ndefault = crawler.settings\n")

    def start(self, *arguments: str, **environment: str) -> subprocess.Popen[str]:
        """`scrapy ARGUMENTS` as a process, in a session of its own."""
        return subprocess.Popen(
            [sys.executable, "-m", "scrapy", *arguments],
            cwd=self.folder,
            env=_environment(environment),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """`scrapy ARGUMENTS` as a forked process, to its end."""
        return forker().run(arguments, self.folder, _environment(environment))

    def crawl(self, *arguments: str, **environment: str) -> None:
        """`scrapy crawl site`, which must succeed silently."""
        done = self.run("crawl", "site", *arguments, **environment)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")

    def a_day_passes(self) -> None:
        """Make all that is stored a day older, as its partitions and times tell."""
        for folder in sorted((self.folder / "data").glob("*/site=*/date=*")):
            for path in folder.glob("*.parquet"):
                pq.write_table(_a_day_older(pq.ParquetFile(path).read()), path)
            day = date.fromisoformat(folder.name.removeprefix("date="))
            folder.rename(folder.with_name(f"date={day - A_DAY}"))

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        """Rows of a DuckDB query; `{pages}` and the like are the tables."""
        tables = {
            name: f"read_parquet('{self.folder}/data/{name}/**/*.parquet', hive_partitioning=true)"
            for name in TABLES
        }
        return duckdb.connect().execute(sql.format(**tables)).fetchall()


def _environment(given: dict[str, str]) -> dict[str, str]:
    """The environment of a command: no proxy and no configuration but the given ones."""
    inherited = {
        name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")
    }
    inherited.pop("WEBSTEM_CONFIG", None)
    return {**inherited, "PYTHONPATH": str(ROOT), **given}


@cache
def forker() -> Forker:
    """What forks the commands of all tests of this process."""
    made = Forker()
    atexit.register(made.close)
    return made


def _a_day_older(rows: pa.Table) -> pa.Table:
    for number, field in enumerate(rows.schema):
        if pa.types.is_timestamp(field.type) and field.name != "date_published":
            older = pc.subtract(rows[field.name], pa.scalar(A_DAY))
            rows = rows.set_column(number, field, older.cast(field.type))
    return rows


def kill(process: subprocess.Popen[str]) -> None:
    """End a process and what it started, without any chance to tidy up."""
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
