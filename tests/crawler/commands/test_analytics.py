"""compact and export as commands, on stored rows."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest

from crawler.exchange.analytics import export_day, export_days
from crawler.storage.partitions import Storage
from extractor.records.articles import ArticleRecord, Status, articles_to_table
from tests.project import Project
from tests.tables import DAY, NEXT_DAY, glob_keys, pages


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = Project(tmp_path)
    project.configure(start_urls=["http://a.example/"])
    return project


def articles(storage: Storage, site: str, day: date, numbers: range) -> None:
    records = [
        ArticleRecord(url=f"http://{site}/{n:03}", url_key=f"http://{site}/{n:03}",
                      status=Status.OK, body="words " * 500)
        for n in numbers
    ]  # fmt: skip
    storage.replace("articles", site, day, articles_to_table(records))


def test_old_days_are_merged_and_young_ones_are_not(project: Project) -> None:
    storage = Storage(str(project.folder / "data"))
    old = date(2020, 1, 2)
    for number in range(4):
        storage.write_part("pages", "site", old, pages(range(number * 10, number * 10 + 10)))
        storage.write_part("pages", "site", date.today(), pages(range(100 + number, 101 + number)))
    before = sorted(glob_keys(project.folder / "data"))
    done = project.run("compact", "site", "--older-than", "30d", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == [
        {"table": "pages", "date": "2020-01-02", "before": 4, "after": 1}
    ]
    assert sorted(glob_keys(project.folder / "data")) == before
    assert len(storage.files("pages", "site")) == 5
    wrong = project.run("compact", "site", "--older-than", "soon")
    assert (wrong.returncode, "such as 30d" in wrong.stderr) == (2, True)


def test_articles_of_all_sites_by_date(project: Project) -> None:
    storage = Storage(str(project.folder / "data"))
    articles(storage, "b", DAY, range(3))
    articles(storage, "a", DAY, range(2))
    articles(storage, "a", NEXT_DAY, range(1))
    done = project.run("export", "--all", "--by-date", "analytics", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [
        {"date": str(DAY), "articles": 5},
        {"date": str(NEXT_DAY), "articles": 1},
    ]
    rows = duckdb.sql(
        f"select date::varchar, site, url from read_parquet("
        f"'{project.folder}/analytics/**/*.parquet', hive_partitioning=true) order by all"
    ).fetchall()
    assert rows[0] == (str(DAY), "a", "http://a/000")
    assert len(rows) == 6
    for arguments in (
        ("--all",),
        ("--all", "--by-date", "x", "--csv", "y"),
        ("a", "--by-date", "x"),
    ):
        assert project.run("export", *arguments).returncode in (2, 3)


def test_a_damaged_day_is_named_and_stops_no_other(project: Project) -> None:
    storage, days = Storage(str(project.folder / "data")), [date(2020, 1, n) for n in (1, 2)]
    for day in days:
        articles(storage, "a", day, range(2))
        for number in range(3):
            storage.write_part("pages", "site", day, pages(range(number * 10, number * 10 + 10)))
    for table, site in (("pages", "site"), ("articles", "a")):
        Path(storage.files(table, site, days[0], days[0])[0]).write_bytes(b"damaged")
    compacted = project.run("compact", "site", "--json")
    assert compacted.returncode == 1 and compacted.stderr.count("\n") == 1
    assert [row["after"] for row in json.loads(compacted.stdout)] == [3, 1]
    exported = project.run("export", "--all", "--by-date", "out", "--json")
    assert exported.returncode == 1 and exported.stderr.startswith("2020-01-01: ")
    assert [row["articles"] for row in json.loads(exported.stdout)] == [0, 2]


def test_articles_are_not_exported_among_the_tables(project: Project) -> None:
    articles(Storage(str(project.folder / "data")), "a", DAY, range(2))
    (project.folder / "elsewhere").symlink_to(project.folder / "data")
    done = project.run("export", "--all", "--by-date", "elsewhere/articles")
    assert done.returncode == 2 and "expected a folder outside of the tables" in done.stderr


def test_tables_of_older_and_newer_versions_are_exported_together(tmp_path: Path) -> None:
    storage = Storage(str(tmp_path / "data"))
    articles(storage, "b", DAY, range(2))
    older = articles_to_table([ArticleRecord(url="http://a/", url_key="a", status=Status.OK)])
    storage.replace("articles", "a", DAY, older.drop_columns(["code_version"]))
    assert export_day(storage, DAY, tmp_path / "out") == 3
    (path,) = (tmp_path / "out").rglob("*.parquet")
    file = pq.ParquetFile(path)
    assert file.metadata.row_group(0).sorting_columns == ()  # they are sorted by site first
    rows = file.read().to_pylist()
    assert [(row["site"], row["code_version"]) for row in rows][:2] == [("a", None), ("b", "")]


def test_files_are_cut_by_size_and_old_ones_removed(tmp_path: Path) -> None:
    storage, folder = Storage(str(tmp_path / "data")), tmp_path / "out"
    articles(storage, "a", DAY, range(900))
    assert export_days(storage, DAY, None) == [DAY]
    assert export_day(storage, DAY, folder, file_bytes=10_000) == 900
    files = sorted(folder.rglob("*.parquet"))
    assert len(files) > 2
    keys = [key for f in files for key in pq.ParquetFile(f).read()["url_key"].to_pylist()]
    assert keys == sorted(keys)
    assert len(keys) == 900
    assert export_day(storage, DAY, folder) == 900
    assert [f.name for f in folder.rglob("*.parquet")] == ["articles-000.parquet"]


def test_no_articles_say_so(project: Project) -> None:
    done = project.run("export", "--all", "--by-date", "analytics")
    assert (done.returncode, done.stdout) == (5, "")
    assert "no articles" in done.stderr
