"""Articles as rows for other programs, and pages as WARC, read back by others."""

import csv
import io
import json
from datetime import UTC, date, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from deltalake import DeltaTable
from ruamel.yaml import YAML
from warcio.archiveiterator import ArchiveIterator

from crawler.exchange.warc import write_warc
from crawler.storage.partitions import Storage
from crawler.storage.records import PAGE_SCHEMA, PageRecord, records_to_table
from extractor.records.articles import ArticleRecord, Status, articles_to_table
from extractor.records.outcomes import OUTCOME_SCHEMA
from tests.project import Project

yaml = YAML(typ="safe")

DAY = date(2026, 11, 20)


@pytest.fixture
def stored(project: Project) -> Project:
    """Two sites, the second in Japanese, one of its titles a formula."""
    project.configure(start_urls=["http://a/"])
    entries = [{"name": name, "start_urls": [f"http://{name}/"]} for name in ("a", "b", "none")]
    (project.folder / "pipelines.yaml").write_text(json.dumps({"sites": entries}))
    storage = Storage(str(project.folder / "data"))
    for site, language, titles in (("a", "en", ["One", "Two"]), ("b", "ja", ["=1+1", "三"])):
        records = [
            ArticleRecord(
                url=f"http://{site}/{number}",
                url_key=f"http://{site}/{number}",
                status=Status.OK,
                title=title,
                body="A\nB",
                body_markdown="A\n\n**B**",
                tags=("Rain", "wet") if number else (),
                sources={"tags": "meta"},
                authors=("Ada", "Bo"),
                language=language,
                date_published=datetime(2026, 11, 20, tzinfo=UTC),
            )
            for number, title in enumerate(titles)
        ]
        storage.write_part("articles", site, DAY, articles_to_table(records))
    return project


def test_json_lines(stored: Project) -> None:
    done = stored.run("export", "--all", "--jsonl", "-")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(row["site"], row["title"]) for row in rows] == [
        ("a", "One"), ("a", "Two"), ("b", "=1+1"), ("b", "三"),
    ]  # fmt: skip
    assert rows[0]["authors"] == ["Ada", "Bo"]
    assert rows[0]["date_published"] == "2026-11-20T00:00:00+00:00"
    one = stored.run("export", "a", "--jsonl", "a.jsonl")
    assert (one.returncode, one.stdout) == (0, "")
    assert (stored.folder / "a.jsonl").read_text().count("\n") == 2


def test_csv(stored: Project) -> None:
    done = stored.run("export", "--all", "--csv", "-", "--language", "ja")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [row["title"] for row in rows] == ["'=1+1", "三"]
    assert rows[0]["authors"] == "Ada; Bo" and rows[0]["body"] == "A\nB"


def test_parquet(stored: Project) -> None:
    assert stored.run("export", "--all", "a", "b", "--parquet", "all.parquet").returncode == 0
    table = pq.read_table(stored.folder / "all.parquet")
    assert table["site"].to_pylist() == ["a", "a", "b", "b"]


def test_articles_by_their_tag(stored: Project) -> None:
    done = stored.run("export", "--all", "--jsonl", "-", "--tag", "RAIN")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(row["title"], row["sources"]["tags"]) for row in rows] == [
        ("Two", "meta"), ("三", "meta"),
    ]  # fmt: skip


def test_pages_that_are_no_articles(stored: Project) -> None:
    storage = Storage(str(stored.folder / "data"))
    outcome = {"url": "http://a/l", "url_key": "http://a/l", "status": "list", "authors": []}
    row = outcome | {"run_id": "", "code_version": ""}
    storage.write_part("outcomes", "a", DAY, pa.Table.from_pylist([row], OUTCOME_SCHEMA))
    done = stored.run("export", "--all", "--csv", "-", "--status", "list")
    assert [r["url"] for r in csv.DictReader(io.StringIO(done.stdout))] == ["http://a/l"]


def test_markdown_files(stored: Project) -> None:
    assert stored.run("export", "--all", "--markdown", "notes").returncode == 0
    files = sorted((stored.folder / "notes").rglob("*.md"))
    names = [str(file.relative_to(stored.folder / "notes"))[:-12] for file in files]
    day = "2026/2026-11-20-"
    assert names == [f"a/{day}one", f"a/{day}two", f"b/{day}1-1", f"b/{day}三"]
    head, _, text = files[1].read_text().removeprefix("---\n").partition("---\n")
    assert yaml.load(head) == {
        "title": "Two",
        "date": datetime(2026, 11, 20, tzinfo=UTC),
        "authors": ["Ada", "Bo"],
        "url": "http://a/1",
        "site": "a",
        "tags": ["Rain", "wet"],
        "language": "en",
    }
    assert text == "\nA\n\n**B**\n"
    before = [file.stat().st_mtime_ns for file in files]
    assert stored.run("export", "--all", "--markdown", "notes").returncode == 0
    assert [file.stat().st_mtime_ns for file in files] == before


def test_a_delta_table(stored: Project) -> None:
    for _ in range(2):
        done = stored.run("export", "--all", "--delta", "lake", "--tag", "rain")
        assert (done.returncode, done.stderr) == (0, "")
    table = DeltaTable(str(stored.folder / "lake"))
    assert table.version() == 1
    assert sorted(table.to_pyarrow_table()["title"].to_pylist()) == ["Two", "三"]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("none", "--jsonl", "-"), 5, "no such article"),
        (("a", "--csv", "-", "--language", "fi"), 5, "no article is like that"),
        (("a", "--jsonl", "-", "--csv", "-"), 2, "expected one of --jsonl, --csv"),
        (("--all", "--warc", "x"), 2, "expected one of --jsonl, --csv, --markdown"),
        (("a", "--warc", "x", "--language", "ja"), 2, "--language is for"),
        (("a", "--parquet", "nowhere/x"), 1, "existing folder"),
        (("a", "--jsonl", "-", "--tag", "wind"), 5, "no article is like that"),
        (("a", "--jsonl", "-", "--status", "bad"), 2, "expected one of ok, guessed, no_pattern"),
        (("a", "--jsonl", "-", "--status", "list"), 5, "no such article"),
        (("a", "--markdown", "x", "--status", "list"), 2, "have no texts"),
        (("a", "--markdown", "data/articles"), 2, "expected a folder outside of the tables"),
        (("a", "--delta", "data/new"), 2, "expected a folder outside of the tables"),
    ],
)
def test_what_cannot_be(stored: Project, arguments: tuple[str, ...], code: int, said: str) -> None:
    done = stored.run("export", *arguments)
    assert done.returncode == code and said in done.stderr and "Traceback" not in done.stderr


def test_warc(tmp_path: Path) -> None:
    storage = Storage(str(tmp_path / "data"))
    pages = [
        PageRecord(
            run_id="1", url=f"http://a/{n}", final_url=f"http://a/{n}", url_key=f"http://a/{n}",
            fetched_at=datetime(2026, 11, 20, 2, n, tzinfo=UTC), status=200, depth=0,
            content_type="text/html; charset=euc-jp", html=b"<p>\xb0\xa1\n" * (n + 1),
        )
        for n in range(3)
    ]  # fmt: skip
    storage.write_part("pages", "a", DAY, records_to_table(pages, PAGE_SCHEMA))
    assert write_warc(storage, "a", tmp_path / "a.warc.gz") == 3
    with (tmp_path / "a.warc.gz").open("rb") as file:
        read = [
            (
                record.rec_headers.get_header("WARC-Target-URI"),
                record.rec_headers.get_header("WARC-Date"),
                record.http_headers.get_header("Content-Type"),
                record.content_stream().read(),
            )
            for record in ArchiveIterator(file, check_digests="raise")
        ]
    assert read == [
        (page.url, f"2026-11-20T02:0{n}:00Z", page.content_type, page.html)
        for n, page in enumerate(pages)
    ]
    assert write_warc(storage, "none", tmp_path / "none.warc.gz") == 0
    assert not (tmp_path / "none.warc.gz").exists()


def test_guessed_articles_say_so_and_can_be_left_out(stored: Project) -> None:
    storage = Storage(str(stored.folder / "data"))
    guess = ArticleRecord(
        url="http://a/g", url_key="http://a/g", status=Status.GUESSED, title="Perhaps", body="A",
        page_type="article", probability=0.75,
    )  # fmt: skip
    storage.write_part("articles", "a", DAY, articles_to_table([guess]))
    for options, titles in (
        ((), ["One", "Two", "Perhaps"]),
        (("--status", "ok"), ["One", "Two"]),
        (("--status", "guessed"), ["Perhaps"]),
    ):
        done = stored.run("export", "a", "--jsonl", "-", *options)
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        assert sorted(row["title"] for row in rows) == sorted(titles)
    assert (rows[0]["status"], rows[0]["page_type"], rows[0]["probability"]) == (
        "guessed", "article", 0.75,
    )  # fmt: skip
    assert stored.run("export", "a", "--markdown", "md", "--status", "guessed").returncode == 0
    (file,) = (stored.folder / "md").rglob("*.md")
    assert 'status: "guessed"' in file.read_text()
