"""`scrapy report` as a process."""

import json

from tests.project import Project


def test_one_line_per_site(project: Project) -> None:
    project.configure(start_urls=["http://example.com/"])
    assert "no page is stored of site" in project.run("report").stderr
    (project.folder / "a.html").write_bytes(b"<p>Some text")
    assert project.run("import", "site", "a.html").returncode == 0
    done = project.run("report", "site", "--json")
    (row,) = json.loads(done.stdout)
    assert (row["site"], row["last_run"]) == ("site", "import-a.html")
    assert (row["last_obtained"], row["total_obtained"], row["total_extracted"]) == (1, 1, 0)
    assert "0/1 (0%)" in project.run("report").stdout


def test_wrong_arguments(project: Project) -> None:
    project.configure(start_urls=["http://example.com/"])
    assert project.run("report", "--bogus").returncode == 2
    done = project.run("report", "other")
    assert (done.returncode, done.stdout) == (3, "")
    assert "'other'" in done.stderr
