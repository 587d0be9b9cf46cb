"""`scrapy report` as a process."""

import json
import os
import pty
import shutil
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pyarrow as pa
import pytest

from crawler.storage.partitions import Storage
from crawler.storage.runs import FailedPages, RunRecord, write_run
from tests.forking import ROOT
from tests.project import Project

NOW = datetime.now(UTC)


def crawled(project: Project, site: str, days_ago: int, **facts: object) -> None:
    started = NOW - timedelta(days=days_ago)
    run = RunRecord(
        run_id=f"{days_ago}", command="crawl", started_at=started, ended_at=started,
        **{"exit_code": 0, "pages_new": 9, "pages_failed": 0, **facts},  # type: ignore[arg-type]
    )  # fmt: skip
    storage = Storage(str(project.folder / "data"))
    write_run(storage, site, run)
    articles = [{"url": f"http://{site}.example/{n}"} for n in range(run.articles_new or 0)]
    if articles:
        storage.write_part("articles", site, started.date(), pa.Table.from_pylist(articles))


@pytest.fixture
def sites(project: Project) -> Project:
    """One that was never crawled, one that is down for nine days, one that was down a night."""
    project.configure(start_urls=["http://example.com/"])
    names = ("new", "down", "night")
    entries = [{"name": name, "start_urls": [f"http://{name}.example/"]} for name in names]
    (project.folder / "pipelines.yaml").write_text(json.dumps({"sites": entries}))
    gone = {
        "exit_code": 1, "pages_new": 0, "pages_failed": 1, "cause": "no page",
        "failures": (FailedPages(reason="timeout", pages=1),),
    }  # fmt: skip
    for days_ago in range(12, -1, -1):
        facts = gone if days_ago < 9 else {"articles_new": 2}
        crawled(project, "down", days_ago, **facts)
        crawled(project, "night", days_ago, **(gone if days_ago == 0 else {"articles_new": 1}))
    return project


def test_the_worst_first(sites: Project) -> None:
    done = sites.run("report", "--json")
    rows = json.loads(done.stdout)
    assert done.returncode == 0
    told = [(row["site"], row["state"], row["cause"]) for row in rows]
    assert told == [
        ("down", "dead", "unreachable"),
        ("new", "watch", "never crawled"),
        ("night", "watch", "unreachable"),
    ]
    since = str((NOW - timedelta(days=8)).date())
    assert (rows[0]["since"], sum(rows[0]["new_articles"])) == (since, 8)
    assert rows[0]["said"] == "0 pages came, 1 failed: timeout (1)"
    assert sites.run("report", "--check").returncode == 6
    assert sites.run("report", "new", "night", "--check").returncode == 0


def damage(project: Project, table: str, site: str) -> str:
    """Cut off the newest file of a site's table; its path."""
    path = Storage(str(project.folder / "data")).files(table, site)[-1]
    os.truncate(path, 20)
    return path


@pytest.mark.parametrize("table", ["articles", "runs"])
def test_a_damaged_file_of_one_site_is_named_and_the_others_are_told(
    sites: Project, table: str
) -> None:
    path = damage(sites, table, "down")
    done = sites.run("report", "--json")
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert len(lines) == 2 and f"{path}: not read: " in lines[0] and "move it away" in lines[0]
    assert lines[1] == "1 site could not be read"
    told = {row["site"]: (row["state"], row["cause"]) for row in json.loads(done.stdout)}
    assert told == {
        "down": ("ill", "unreadable"),
        "new": ("watch", "never crawled"),
        "night": ("watch", "unreachable"),
    }


def test_pages_are_written_of_a_site_with_a_damaged_file(sites: Project) -> None:
    storage = Storage(str(sites.folder / "data"))
    shutil.rmtree(sites.folder / "data" / "articles")  # they have an address alone
    storage.write_part("patterns", "night", NOW.date(), pa.table({"pattern_id": ["x"]}))
    path = damage(sites, "patterns", "night")
    done = sites.run("report", "--html", "out")
    assert (done.returncode, done.stdout) == (1, "out/index.html\n")
    assert f"{path}: not read: " in done.stderr
    for name in ("index", "sites/new", "sites/down", "sites/night"):
        assert (sites.folder / "out" / f"{name}.html").exists()
    assert "unreadable" in (sites.folder / "out" / "index.html").read_text()
    assert path in (sites.folder / "out" / "sites" / "night.html").read_text()


def test_lines_with_tabs_where_nobody_watches(sites: Project) -> None:
    lines = [line.split("\t") for line in sites.run("report", "--bad").stdout.splitlines()]
    assert lines[0][:3] == ["down", "dead", "unreachable"]
    assert {len(line) for line in lines} == {9}


@pytest.mark.parametrize("columns", [60, 100, 160])
def test_on_a_terminal(sites: Project, columns: int) -> None:
    shown, terminal = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(columns), "PYTHONPATH": str(ROOT), "TERM": "xterm"}
    done = subprocess.run(
        [sys.executable, "-m", "scrapy", "report"],
        cwd=sites.folder, env=environment, stdout=terminal, timeout=60, check=True,
    )  # fmt: skip
    os.close(terminal)
    text = os.read(shown, 100_000).decode()
    os.close(shown)
    assert done.returncode == 0
    assert "dead" in text and "3 sites: 2 watch, 1 dead" in text and "█" in text


def test_wrong_arguments(project: Project) -> None:
    project.configure(start_urls=["http://example.com/"])
    assert project.run("report", "--bogus").returncode == 2
    done = project.run("report", "other")
    assert (done.returncode, done.stdout) == (3, "")
    assert "'other'" in done.stderr
