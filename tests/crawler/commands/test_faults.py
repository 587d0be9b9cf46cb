"""What a user meets when something is wrong: a line that says what to do, never a traceback."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import time
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from email.message import Message
from pathlib import Path
from random import Random

import pytest

from crawler.storage.partitions import Storage
from extractor.records.articles import ArticleRecord, Status, articles_to_table
from tests.project import Project, Run
from tests.server import Answer, TestSite
from tests.tables import file_size_limit, pages

DAY = date(2026, 11, 20)


@pytest.fixture
def stored(empty_project: Project) -> Project:
    """A project with a part file of pages, cut off."""
    path = Storage(str(empty_project.folder / "data")).write_part(
        "pages", "site", DAY, pages(range(3))
    )
    os.truncate(path, 100)
    return empty_project


@pytest.mark.parametrize(
    "arguments",
    [
        ("learn", "site"),
        ("export", "site", "--zip", "a.zip"),
    ],
)
def test_a_damaged_file_is_named(stored: Project, run_here: Run, arguments: tuple[str]) -> None:
    code, _, err = run_here(*arguments)
    assert code == 1 and "Traceback" not in err
    assert "date=2026-11-20/part-" in err and "not read: " in err and "move it away" in err
    assert not list(stored.folder.glob("*a.zip*"))


def test_articles_of_other_days_than_the_damaged_one_are_shown(
    empty_project: Project, run_here: Run
) -> None:
    storage = Storage(str(empty_project.folder / "data"))
    for days in range(3):
        record = ArticleRecord(url=f"http://a/{days}", url_key=f"http://a/{days}", status=Status.OK)
        day = DAY + timedelta(days=days)
        path = storage.replace("articles", "site", day, articles_to_table([record]))
        if days == 1:
            os.truncate(path, 100)
            damaged = path
    code, out, err = run_here("articles", "site", "--json")
    assert [row["url"] for row in json.loads(out)] == ["http://a/2", "http://a/0"]
    assert (code, err.count("\n")) == (1, 1) and err.startswith(f"{damaged}: not read: ")


def test_a_damaged_file_among_those_to_merge_is_named(stored: Project, run_here: Run) -> None:
    Storage(str(stored.folder / "data")).write_part("pages", "site", DAY, pages(range(3)))
    code, _, err = run_here("compact", "site", "--older-than", "0d")
    assert code == 1 and err.count("\n") == 1
    assert "date=2026-11-20/part-" in err and "not read: " in err and "move it away" in err


@pytest.mark.parametrize("patterns", [False, True])
def test_a_damaged_file_of_today_is_named_by_the_crawl(project: Project, patterns: bool) -> None:
    """The next crawl ends the run, once the file is away; what this one fetched is stored."""
    storage = Storage(str(project.folder / "data"))
    with TestSite(pages=4) as server:
        project.configure(start_urls=[server.url])
        if patterns:
            project.crawl()
            assert project.run("learn", "site").returncode == 0
        path = storage.write_part("pages", "site", datetime.now(UTC).date(), pages(range(3)))
        os.truncate(path, 100)
        done = project.run("crawl", "site")
        os.unlink(path)
        assert project.run("crawl", "site").returncode == 0
    assert done.returncode == 1 and "Traceback" not in done.stderr
    last = done.stderr.splitlines()[-1]
    assert last.startswith(f"site: the crawl broke off: {path}: not read: ")
    assert "move it away, then run again" in last
    assert patterns or done.stderr.count("\n") == 1
    assert project.query("select count(distinct url_key) from {pages}") == [(5,)]


@pytest.mark.parametrize("command", ["learn", "extract", "report", "compact", "crawl"])
def test_a_folder_that_is_no_date(stored: Project, run_here: Run, command: str) -> None:
    for table in ("pages", "patterns"):
        (stored.folder / f"data/{table}/site=site/date={DAY}.bak").mkdir(parents=True)
    code, _, err = run_here(command, "site")
    assert code == 1 and "Traceback" not in err
    assert f"date={DAY}.bak: expected YYYY-MM-DD after date=; move it out of" in err


@pytest.mark.parametrize(
    "arguments", [("learn", "site"), ("articles", "site"), ("report",), ("crawl", "site")]
)
def test_a_storage_that_is_none(
    empty_project: Project, run_here: Run, arguments: tuple[str]
) -> None:
    path = empty_project.folder / "pipelines.yaml"
    path.write_text(
        "storage: foo://bar\nsites: [{name: site, start_urls: ['http://127.0.0.1:1/']}]"
    )
    code, _, err = run_here(*arguments)
    assert code == 1 and "Traceback" not in err
    assert "foo://bar: not opened: " in err and "check `storage` in pipelines.yaml" in err


@pytest.mark.parametrize("command", ["crawl", "urldb"])
def test_a_url_database_of_another_version(
    empty_project: Project, run_here: Run, command: str
) -> None:
    state = empty_project.folder / "data" / ".state"
    state.mkdir(parents=True)
    with sqlite3.connect(state / "site.sqlite") as database:
        database.execute("pragma user_version = 7")
    code, _, err = run_here(command, "site")
    assert code == 1 and "Traceback" not in err
    assert "expected URL database format 2, got 7" in err


@pytest.mark.parametrize("command", ["crawl", "urldb"])
def test_a_url_database_that_is_none(empty_project: Project, run_here: Run, command: str) -> None:
    state = empty_project.folder / "data" / ".state"
    state.mkdir(parents=True)
    (state / "site.sqlite").write_bytes(b"no database " * 100)
    code, _, err = run_here(command, "site")
    assert code == 1 and "Traceback" not in err
    assert "site.sqlite: expected a URL database, got file is not a database" in err


def test_a_url_database_that_is_damaged_inside(project: Project) -> None:
    """Its first page, which names its tables, is sound."""
    with TestSite(pages=30) as server:
        project.configure(start_urls=[server.url])
        project.crawl()
        path = project.folder / "data" / ".state" / "site.sqlite"
        path.write_bytes(path.read_bytes()[:4096] + b"\xff" * (path.stat().st_size - 4096))
        done = project.run("crawl", "site")
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"{path}: expected a URL database, got database disk image is")
    assert "move the file away: the next crawl then fetches everything anew" in done.stderr


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gone.html", "expected a file or folder, got none; look at the name"),
        ("loop.html", "expected a file or folder, got none; look at the name"),
        ("notes.txt", ".html file or a folder, got the name 'notes.txt'; rename it"),
    ],
)
def test_a_file_to_import_that_is_none(
    empty_project: Project, run_here: Run, name: str, said: str
) -> None:
    (empty_project.folder / "loop.html").symlink_to("loop.html")
    (empty_project.folder / "notes.txt").write_text("")
    code, _, err = run_here("import", "site", name)
    assert code == 1
    assert err.startswith(f"{name}: ") and err.endswith(f"{said}\n")


def test_a_storage_folder_that_is_a_file(empty_project: Project, run_here: Run) -> None:
    (empty_project.folder / "data").write_text("")
    code, _, err = run_here("learn", "site")
    assert code == 1 and "Traceback" not in err
    assert "/data/.state: Not a directory; check the path" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("urldb", "site", "--expire", "-1"), "expected a number of days such as 30, got '-1'"),
        (("urldb", "site", "--expire", "nan"), "expected a number of days"),
        (("urldb", "site", "--expire", "1e9"), "expected a number of days"),
        (("urldb", "site", "--limit", "-1"), "expected a number from 1 on, got '-1'"),
        (("articles", "site", "--limit", "0"), "expected a number from 1 on, got '0'"),
        (("articles", "site", "--status", "nope"), "expected one of ok, guessed, no_pattern"),
        (("extract", "site", "--format", "webstemmer"), "--format is of the records of FILEs"),
        (("learn", "site", "--again"), "--again is for --all, not for one site"),
        (("extract", "site", "--again"), "--again is for --all, not for one site"),
        (("text", "--encoding", "base64", "a"), "expected an encoding such as utf-8"),
        (("crawl", "site", "-L", "FOO"), "log level: expected one of CRITICAL, FATAL, ERROR"),
        (("crawl", "site", "-s", "LOG_LEVEL=debug"), "got 'debug'"),
        (("text", "-L", "FOO", "a"), "got 'FOO'"),
        (("learn", "site", "-L", "FOO"), "got 'FOO'"),
        (("report", "-L", "FOO"), "got 'FOO'"),
    ],
)
def test_arguments_out_of_range(run_here: Run, arguments: tuple[str, ...], message: str) -> None:
    code, out, err = run_here(*arguments)
    assert (code, out) == (2, "") and message in err


def test_special_files_are_not_replaced(
    empty_project: Project, run_here: Run, tmp_path: Path
) -> None:
    storage = Storage(str(empty_project.folder / "data"))
    storage.write_part("pages", "site", DAY, pages(range(3)))
    os.mkfifo(tmp_path / "pipe")
    code, _, err = run_here("export", "site", "--zip", "pipe")
    assert code == 1
    assert "pipe: expected a new name or a regular file to replace, got a named pipe" in err
    assert (tmp_path / "pipe").is_fifo()


def test_a_reader_that_has_enough(project: Project) -> None:
    """`| head`: the pipe closes while the command writes."""
    with TestSite(pages=0) as server:
        project.configure(start_urls=[server.url])
        project.crawl()
    # More than a pipe holds, else nobody notices.
    state = project.folder / "data" / ".state" / "site.sqlite"
    with sqlite3.connect(state) as database:
        database.execute("update urls set reason = ?", ("x" * 200_000,))
    process = project.start("urldb", "site", "--json")
    assert process.stdout is not None
    process.stdout.close()
    assert process.wait() == 1
    assert process.stderr is not None
    with process.stderr as errors:
        assert errors.read() == ""


def test_a_site_whose_robots_txt_forbids_all(project: Project) -> None:
    with TestSite() as server:
        project.configure(start_urls=[f"{server.url}private/1"])
        done = project.run("crawl", "site")
    assert done.returncode == 1
    assert "not one page could be fetched; the site's robots.txt forbids it" in done.stderr


def test_a_host_that_refuses_is_told_in_few_lines(project: Project) -> None:
    project.configure(start_urls=["http://127.0.0.1:1/"])
    done = project.run("crawl", "site")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr and "Connection was refused" in done.stderr
    assert done.stderr.splitlines()[-1].startswith("site: not one page could be fetched")


class RandomSite(TestSite):
    """Its pages hold 300 kB that do not compress."""

    def _tree_page(self, number: int, headers: Message) -> Answer:
        status, fields, body = super()._tree_page(number, headers)
        return status, fields, body + Random(number).randbytes(300_000).hex().encode()


@pytest.mark.parametrize(
    ("server", "limit_bytes", "where"),
    [
        (RandomSite(pages=2), 250_000, "/data/pages/site=site/date="),
        (TestSite(pages=60), 100_000, "/data/.state/site.sqlite: "),
    ],
)
def test_a_full_disk_breaks_a_crawl_off_and_loses_nothing(
    project: Project, server: TestSite, limit_bytes: int, where: str
) -> None:
    with server:
        project.configure(start_urls=[server.url])
        with file_size_limit(limit_bytes):
            # It has the limits of this process, as what is forked has not.
            crawl = project.start("crawl", "site")
        out, err = crawl.communicate(timeout=60)
        project.crawl()
    assert (crawl.returncode, out) == (1, "")
    assert err.startswith(f"site: the crawl broke off: {project.folder}{where}")
    assert err.endswith("; check free space and permissions, then run again\n")
    assert err.count("\n") == 1
    rows = project.query("select count(html), count(distinct url_key), count(error) from {pages}")
    assert rows == [(server.pages + 1, server.pages + 1, 0)]


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        (("export", "site", "--zip", "a.zip"), "a.zip"),
        (("export", "site", "--text", "a.txt"), "a.txt"),
        (
            ("export", "--all", "--by-date", "out"),
            f"out/date={DAY}/articles-000.parquet",
        ),
    ],
)
def test_a_full_disk_of_an_export_is_told_with_the_file(
    empty_project: Project, run_here: Run, arguments: tuple[str, ...], path: str
) -> None:
    storage = Storage(str(empty_project.folder / "data"))
    text = Random(0).randbytes(40_000).hex()
    storage.write_part("pages", "site", DAY, pages(range(1), text.encode()))
    # `--text` prints the name of a page, too.
    record = ArticleRecord(url=f"http://a/{text}", url_key="http://a/", status=Status.OK)
    storage.replace("articles", "site", DAY, articles_to_table([record]))
    with file_size_limit(20_000):
        code, _, err = run_here(*arguments)
    assert code == 1 and err.count("\n") == 1
    assert err.startswith(f"{path}: ") and "File too large" in err
    assert err.endswith("; check the path, free space and permissions, then run again\n")
    assert not list(empty_project.folder.glob(".a.*")) + list(empty_project.folder.glob("out/*/.*"))


def test_a_disk_that_is_full_when_parts_are_merged(project: Project) -> None:
    """The pages are safe: the next run only ends the run."""
    with TestSite(pages=4) as server:
        project.configure(start_urls=[server.url])
        staging = project.folder / "data" / ".staging"
        staging.parent.mkdir()
        staging.write_text("")
        done = project.run("crawl", "site", "-s", "PART_FLUSH_BYTES=1")
        staging.unlink()
        asked = len(server.paths())
        project.crawl()
        assert len(server.paths()) == asked
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "the crawl broke off: " in done.stderr and "its rows are safe" in done.stderr


def test_a_crawl_that_is_stopped_says_so(project: Project) -> None:
    with TestSite(pages=60, delay_seconds=0.1) as server:
        project.configure(start_urls=[server.url])
        done = project.run("crawl", "site", "-s", "CLOSESPIDER_PAGECOUNT=3")
    assert done.returncode == 1
    assert done.stderr == (
        "site: the crawl broke off (closespider_pagecount); run the same command to go on\n"
    )


def test_text_says_why_a_page_did_not_come(project: Project) -> None:
    project.configure(start_urls=["http://127.0.0.1:1/"])
    with TestSite() as server:
        done = project.run("text", f"{server.url}missing", "http://127.0.0.1:1/", "gone", ".")
    assert done.returncode == 1 and done.stdout == ""
    assert [line.split(": ", 2)[1:] for line in done.stderr.splitlines()] == [
        ["not read", "http 404"],
        ["not read", "Connection was refused by other side: 111: Connection refused."],
        ["not read", "No such file or directory"],
        ["not read", "Is a directory"],
    ]


def test_the_name_of_a_finished_run_is_not_taken_again(project: Project) -> None:
    with TestSite(pages=0) as server:
        project.configure(start_urls=[server.url])
        project.crawl("--run-id", "first")
        done = project.run("crawl", "site", "--run-id", "first")
    assert done.returncode == 2
    assert "--run-id: expected the name of a new run, got 'first'" in done.stderr


def test_a_crawl_writes_no_file_of_items(empty_project: Project, run_here: Run) -> None:
    code, _, err = run_here("crawl", "site", "-o", "articles.json")
    assert code == 2 and "Traceback" not in err
    assert "use `scrapy articles SITE --json`" in err
    assert not (empty_project.folder / "articles.json").exists()


def test_a_crawl_that_is_ended_before_its_first_request_is_no_failed_try(project: Project) -> None:
    project.configure(start_urls=["http://127.0.0.1:9/"])
    state = project.folder / "data" / ".state"
    state.mkdir(parents=True)
    with closing(sqlite3.connect(state / "site.sqlite", isolation_level=None)) as held:
        # The crawl waits for the database as long as this is open.
        held.execute("begin exclusive")
        crawl = project.start("crawl", "site")
        while not (state / "site.lock").is_file():
            time.sleep(0.05)
        crawl.send_signal(signal.SIGINT)
        held.execute("rollback")
    _, told = crawl.communicate(timeout=60)
    assert (crawl.returncode, told.partition(";")[0]) == (1, "stopped")
    assert project.query("select exit_code, finding from {runs}") == [(1, "ended")]
