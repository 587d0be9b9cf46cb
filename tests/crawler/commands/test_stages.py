"""learn, extract, patterns, articles and urldb as processes, on the demo site's two editions."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from rich.cells import cell_len

from crawler.storage.locks import SiteLock
from examples.server import DemoServer
from examples.terminal import on_terminal
from tests.handmade import listing, stories
from tests.project import Project, Run

COMMANDS = ("crawl", "learn", "extract", "patterns", "articles", "urldb")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """Edition 1 crawled and learned, edition 2 crawled with its patterns."""
    project = Project(tmp_path_factory.mktemp("stages"))
    with DemoServer(port=0) as server:
        project.configure(
            start_urls=[f"{server.base_url}/"], feeds=[f"{server.base_url}/feed.xml"], depth=3
        )
        project.crawl()
        learned = project.run("learn", "site")
        assert (learned.returncode, learned.stdout, learned.stderr) == (0, "", "")
        server.show(2)
        project.crawl()
        yield project


def output(project: Project, *arguments: str, code: int = 0) -> Any:
    done = project.run(*arguments)
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout)


def article_files(project: Project) -> dict[Path, str]:
    paths = (project.folder / "data" / "articles").rglob("*.parquet")
    return {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


def test_the_crawl_extracted_its_new_pages(project: Project) -> None:
    missing = project.query(
        "select p.url from {pages} p anti join {outcomes} o using (url_key, date) "
        "where p.html is not null"
    )
    assert missing == []
    assert project.query("select count(*) from {articles}")[0][0] >= 20


def test_extracting_again_changes_no_byte(project: Project) -> None:
    before = article_files(project)
    assert len(before) == 1
    summary = output(project, "extract", "site", "--json")[0]
    assert (summary["changed"], summary["articles_new"], summary["articles_edited"]) == (0, 0, 0)
    assert article_files(project) == before


def test_extract_writes_the_records_that_the_crawl_wrote(project: Project) -> None:
    columns = "* exclude (extracted_at)"
    before = project.query(f"select {columns} from {{articles}} order by url_key")
    for path in article_files(project):
        path.unlink()
    done = project.run("extract", "site")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert project.query(f"select {columns} from {{articles}} order by url_key") == before


def test_one_url_leaves_the_other_records_alone(project: Project) -> None:
    before = article_files(project)
    url = project.query("select url from {articles} where status = 'ok' limit 1")[0][0]
    summary = output(project, "extract", "site", "--url", url, "--json")[0]
    assert summary["pages"] >= 1
    assert article_files(project) == before
    unknown = project.run("extract", "site", "--url", "http://127.0.0.1:1/none")
    assert unknown.returncode == 5
    assert "no such page is stored; the days with pages are 20" in unknown.stderr


def test_files_are_extracted_to_json(project: Project, tmp_path: Path) -> None:
    sql = "select p.html, a.title, a.body from {pages} p join {articles} a using (body_sha256) "
    html, title, body = project.query(sql + "where a.status = 'ok' order by a.url_key limit 1")[0]
    file = tmp_path / "saved.html"
    file.write_bytes(html)
    record = output(project, "extract", "site", str(file))[0]
    assert (record["status"], record["title"], record["body"]) == ("ok", title, body)
    assert record["body_sha256"] == hashlib.sha256(html).hexdigest()
    missing = project.run("extract", "site", str(tmp_path / "none.html"))
    assert missing.returncode == 1 and "none.html: not read" in missing.stderr


def test_learning_again_writes_nothing_new(project: Project) -> None:
    first = output(project, "learn", "site", "--json")[0]
    second = output(project, "learn", "site", "--json")[0]
    assert second["is_new"] is False and second["path"] is None
    assert second["patterns"] == first["patterns"] > 0
    output(project, "extract", "site", "--json")


def test_patterns_as_table_and_json(project: Project) -> None:
    patterns = output(project, "patterns", "site", "--json")
    articles = [each for each in patterns if each["kind"] == "article"]
    assert articles and all(each["title"] is not None for each in articles)
    lines = [line.split("\t") for line in project.run("patterns", "site").stdout.splitlines()]
    assert {len(line) for line in lines} == {7} and len(lines) == len(patterns)
    (told,) = (line for line in lines if line[0] == articles[0]["pattern_id"])
    sections, title = articles[0]["sections"], articles[0]["title"]
    assert told[1:4] == ["article", str(articles[0]["n_pages"]), sections[title]["path"]]


@pytest.mark.parametrize("columns", [60, 100, 160])
def test_sections_and_urls_on_a_terminal(
    project: Project, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setattr("examples.terminal.COLUMNS", columns)
    lines = on_terminal(["patterns", "site", "--explain"], project.folder).splitlines()
    sections = [line for line in lines if re.match(r" +\d+ (?:title|main|sub|date) ", line)]
    assert sections and all(cell_len(line) <= columns for line in sections)
    lines = on_terminal(["urldb", "site", "--limit", "30"], project.folder).splitlines()
    assert len(lines) == 31 and all("http://" in line for line in lines[1:])


@pytest.mark.parametrize("columns", [80, 160])
def test_patterns_on_a_terminal(
    project: Project, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setattr("examples.terminal.COLUMNS", columns)
    lines = on_terminal(["patterns", "site"], project.folder).splitlines()
    assert len(lines) > 2 and all(cell_len(line) <= columns for line in lines)
    assert all(len(line.split()) > 4 for line in lines[1:])


def test_one_pattern_section_by_section(project: Project) -> None:
    pattern = output(project, "patterns", "site", "--json")[0]
    done = project.run("patterns", "site", "--explain", pattern["pattern_id"][:6], COLUMNS="200")
    assert done.returncode == 0
    assert "DiffScore" in done.stdout and pattern["example_urls"][0] in done.stdout
    assert "article: body/" in done.stdout  # a witness, named from the stored pages
    none = project.run("patterns", "site", "--explain", "zzz")
    assert (none.returncode, none.stdout) == (5, "")
    assert "got 'zzz', which fits 0" in none.stderr


def test_all_article_patterns_section_by_section(project: Project) -> None:
    patterns = output(project, "patterns", "site", "--json")
    done = project.run("patterns", "site", "--explain", COLUMNS="200")
    assert (done.returncode, done.stderr) == (0, "")
    shown = [each["kind"] for each in patterns if each["pattern_id"] in done.stdout]
    assert shown and set(shown) == {"article"}


def test_a_site_of_lists_is_told(tmp_path: Path) -> None:
    site = Project(tmp_path)
    site.configure(start_urls=["https://site.example/"], delay_seconds=0.0)
    for number in range(1, 9):
        page = listing(number, stories(6, 10 * number))
        file = tmp_path / "site.example" / "page" / f"{number}.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(page.html)
    assert site.run("import", "site", str(tmp_path / "site.example")).returncode == 0
    learned = site.run("learn", "site")
    assert (learned.returncode, learned.stdout) == (0, "")
    assert "no article, 8 of 8 pages look like lists" in learned.stderr
    assert "no article pattern" in site.run("patterns", "site").stderr
    assert site.run("extract", "site").returncode == 0
    assert site.query("select status, count(*) from {outcomes} group by 1") == [("list", 8)]
    assert not (site.folder / "data" / "articles").exists()


def test_articles_newest_first(project: Project) -> None:
    rows = output(project, "articles", "site", "--json", "--limit", "7", "--status", "ok")
    assert len(rows) == 7
    days = [row["date_published"] for row in rows]
    assert all(days) and days == sorted(days, reverse=True)
    shown = project.run("articles", "site", "--limit", "3")
    lines = [line.split("\t") for line in shown.stdout.splitlines()]
    assert [line[2] for line in lines] == [row["title"] for row in rows[:3]]
    whole = project.run("articles", "site", "--show", "2")
    assert f"title: {rows[1]['title']}\n" in whole.stdout
    assert whole.stdout.endswith(f"\n\n{rows[1]['body_markdown']}\n")
    assert project.run("articles", "site", "--show", "9000").returncode == 5
    none = project.run("articles", "site", "--date", "2001-01-01")
    assert none.returncode == 5


def test_pages_that_are_no_articles(project: Project) -> None:
    rows = output(project, "articles", "site", "--json", "--status", "list", "--limit", "1000")
    assert {row["status"] for row in rows} == {"list"} and "body" not in rows[0]
    fetched = [row["fetched_at"] for row in rows if row["date_published"] is None]
    assert fetched == sorted(fetched, reverse=True) and fetched
    none = project.run("articles", "site", "--status", "low_score")
    assert none.returncode == 5
    assert "expected pages of status low_score, got" in none.stderr and " ok" in none.stderr
    none = project.run("articles", "site", "--versions")
    assert (none.returncode, none.stderr) == (5, "site: no article was edited on these days\n")
    both = project.run("articles", "site", "--versions", "--status", "list")
    assert both.returncode == 2 and "--versions are of articles whatever" in both.stderr


def test_urldb_lists_and_forgets(project: Project) -> None:
    plain = project.run("urldb", "site", "--limit", "3").stdout.splitlines()
    assert [line.count("\t") for line in plain] == [5, 5, 5]
    rows = output(project, "urldb", "site", "--json", "--limit", "1000")
    skipped = output(project, "urldb", "site", "--json", "--state", "skipped")
    assert {row["reason"] for row in skipped} == {"robots.txt"}
    url = next(row["url"] for row in rows if row["state"] == "done" and row["depth"] == 1)
    assert output(project, "urldb", "site", "--forget", url, "--json")[0]["forgotten"] == 1
    why = project.run("urldb", "site", "--why", url)
    assert "waits to be fetched, 1 links from a seed" in why.stdout
    never_seen = project.run("urldb", "site", "--why", f"{url}/never-seen")
    assert "in scope, but no link to it was seen" in never_seen.stdout
    outside = project.run("urldb", "site", "--why", "http://other.example/")
    assert "not fetched: other host: other.example" in outside.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example_and_the_exit_codes(run_here: Run, command: str) -> None:
    code, out, _ = run_here(command, "--help")
    assert code == 0
    assert f"scrapy {command} demo" in out
    assert "Exit Codes\n" in out


@pytest.mark.parametrize("command", COMMANDS[1:])
def test_left_over_arguments_are_refused(run_here: Run, command: str) -> None:
    assert run_here(command, "site", "--sinse", "2026-11-20")[0] == 2
    code, _, err = run_here(command)
    assert code == 2 and "expected the name of a site" in err
    if command != "extract":
        code, _, err = run_here(command, "site", "other")
        assert code == 2 and "got also ['other']" in err


@pytest.mark.parametrize("command", COMMANDS[1:])
def test_an_unknown_site_names_the_known_ones(run_here: Run, command: str) -> None:
    code, _, err = run_here(command, "sitte")
    assert code == 3
    assert "expected one of the sites site, got 'sitte'" in err


@pytest.mark.parametrize("command", COMMANDS[1:])
def test_a_broken_configuration_is_said(
    run_here: Run, empty_project: Project, command: str
) -> None:
    (empty_project.folder / "pipelines.yaml").write_text("sites: [{name: up}]")
    code, _, err = run_here(command, "up")
    assert code == 3 and "pipelines.yaml:1:" in err


def test_a_site_in_use_is_left_alone(empty_project: Project) -> None:
    with SiteLock(empty_project.folder / "data" / ".state", "site", "test"):
        for command in ("learn", "extract"):
            done = empty_project.run(command, "site")
            assert done.returncode == 4
            assert "in use by another run (test, process" in done.stderr


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("learn", "pages to learn from, got 0"),
        ("extract", "crawl first: `scrapy crawl site`"),
        ("patterns", "nothing learned yet"),
        ("articles", "no such article"),
        ("urldb", "no URL is known yet"),
    ],
)
def test_nothing_stored_yet(run_here: Run, command: str, message: str) -> None:
    code, out, err = run_here(command, "site")
    assert (code, out) == (5, "")
    assert message in err


def test_a_patterns_file_that_holds_none_is_named(run_here: Run) -> None:
    path = Path("data/patterns/site=site/date=2026-11-20/patterns.parquet")
    path.parent.mkdir(parents=True)
    pq.write_table(pa.table({"url": ["http://site.example/"]}), path)
    code, _, err = run_here("patterns", "site")
    assert code == 1
    assert "patterns.parquet: no patterns table: expected the columns" in err
    assert "learn again" in err and "Traceback" not in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--date", "2026-11-20", "--since", "2026-11-20"), "--date stands alone"),
        (("--since", "2026-11-20", "--until", "2026-11-19"), "is after --until"),
        (("--date", "yesterday"), "got 'yesterday'"),
    ],
)
def test_wrong_dates(run_here: Run, arguments: tuple[str, ...], message: str) -> None:
    code, _, err = run_here("learn", "site", *arguments)
    assert code == 2 and message in err


def test_a_learned_site_teaches_the_page_model(project: Project) -> None:
    pytest.importorskip("lightgbm")
    done = project.run("train", "dom", "site", "--out", "taught.npz")
    assert done.returncode == 0, done.stderr
    card = json.loads((project.folder / "taught.json").read_text())
    assert card["sites"] == 1 and card["pages_by_type"]["article"] > 5
    assert card["pages_with_text"] == card["pages_by_type"]["article"]
