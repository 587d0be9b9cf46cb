"""`webstem sql`: the tables as views."""

import json
import os

import pyarrow as pa

from crawler.storage.partitions import Storage
from tests.project import Project


def test_views_of_what_is_there(project: Project) -> None:
    project.configure(start_urls=["http://example.com/"])
    storage = Storage(str(project.folder / "data"))
    day = pa.scalar(0, pa.date32()).as_py()
    storage.write_part("articles", "site", day, pa.table({"title": ["a\tb", None]}))
    storage.write_part("articles", "other", day, pa.table({"title": ["c"], "body": ["new"]}))
    done = project.run("sql", "select site, title, body from articles order by all")
    assert done.stdout == "site\ttitle\tbody\nother\tc\tnew\nsite\ta b\t\nsite\t\t\n", done.stderr
    rows = json.loads(project.run("sql", "select count(*) n from articles", "--json").stdout)
    assert rows == [{"n": 3}]


def test_what_goes_wrong_is_a_line(project: Project) -> None:
    project.configure(start_urls=["http://example.com/"])
    wrong = project.run("sql", "select * from pages")
    assert wrong.returncode == 1 and "pages does not exist" in wrong.stderr
    assert "Traceback" not in wrong.stderr
    assert project.run("sql", "select", "1").returncode == 2


def test_a_damaged_file_is_named_and_left_out(project: Project) -> None:
    project.configure(start_urls=["http://example.com/"])
    storage = Storage(str(project.folder / "data"))
    day = pa.scalar(0, pa.date32()).as_py()
    storage.write_part("articles", "site", day, pa.table({"title": ["a"]}))
    damaged = storage.write_part("articles", "site", day, pa.table({"title": ["b"]}))
    alone = storage.write_part("pages", "site", day, pa.table({"url": ["c"]}))
    for path in (damaged, alone):
        os.truncate(path, 20)
    done = project.run("sql", "select title from articles")
    assert (done.returncode, done.stdout) == (1, "title\na\n")
    assert f"{damaged}: not read: " in done.stderr and f"{alone}: not read: " in done.stderr
    assert len(done.stderr.splitlines()) == 2
