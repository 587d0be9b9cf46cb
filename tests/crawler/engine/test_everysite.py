"""`scrapy learn --all` and `scrapy extract --all`, on stored pages of several sites."""

from __future__ import annotations

import argparse
import json
import shutil
from datetime import date, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from crawler.config.sites import Config, SiteConfig
from crawler.config.stages import ExtractConfig
from crawler.engine.everysite import SiteTask, work_on_all
from crawler.engine.tasks import Task, executor_of, run_tasks
from crawler.storage.locks import SiteLock
from crawler.storage.partitions import Storage
from crawler.storage.records import (
    LINK_SCHEMA,
    PAGE_SCHEMA,
    LinkRecord,
    PageRecord,
    records_to_table,
)
from examples.site import build_site
from examples.stories import Edition
from extractor.batch import day_parts, job
from extractor.batch.job import extract_task, finish_task
from extractor.batch.page_rows import records_of_rows
from learner.induction.job import learn_task
from tests.project import Project
from tests.tables import DAY, NOW

DEMO = "https://lantern.test"
SITES = ("first", "second", "third")
WORDS = "the river rose over night and people left their houses for the school on the hill".split()


def html(site: str, number: int) -> bytes:
    story = " ".join(WORDS[number % 16 :] + WORDS[: number % 16])
    body = "".join(f"<p>{story}, said witness {number * 7 + i} of {site}.</p>" for i in range(6))
    return (
        f"<html><head><title>Story {number} of the day | {site}</title></head><body>"
        f"<div id=menu><a href=/>Home</a> <a href=/all>All stories</a></div>"
        f"<div class=story><h1>Story {number} of the day</h1><div class=text>{body}</div></div>"
        "<div class=foot>All rights reserved</div></body></html>"
    ).encode()


def store(storage: Storage, site: str, day: date = DAY, first: int = 0) -> None:
    records = [
        PageRecord(
            run_id="r1", url=url, final_url=url, url_key=url, fetched_at=NOW, status=200,
            html=html(site, number), charset="utf-8", body_sha256=f"{number:064}",
        )
        for number in range(first, first + 8)
        for url in [f"http://{site}.example/{number}.html"]
    ]  # fmt: skip
    storage.write_part("pages", site, day, records_to_table(records, PAGE_SCHEMA))


def make_project(folder: Path) -> Project:
    """Three sites with pages, one without."""
    project = Project(folder)
    project.configure(start_urls=["http://a.example/"])
    sites = [{"name": n, "start_urls": [f"http://{n}.example/"]} for n in (*SITES, "empty")]
    (folder / "pipelines.yaml").write_text(json.dumps({"workers": 2, "sites": sites}))
    for site in SITES:
        store(Storage(str(folder / "data")), site)
    return project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return make_project(tmp_path)


@pytest.fixture(scope="module")
def extracted_once(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = make_project(tmp_path_factory.mktemp("extracted"))
    for command in ("learn", "extract"):
        done = project.run(command, "--all")
        assert done.returncode == 0, done.stderr
    return project


@pytest.fixture
def extracted(extracted_once: Project, tmp_path: Path) -> Project:
    """A copy of a project all of whose sites are learned and extracted."""
    return Project(shutil.copytree(extracted_once.folder, tmp_path / "copy"))


def states(done: Any) -> dict[str, str]:
    rows = json.loads(done.stdout)
    return {
        row["task"]: "failed" if row["failed"] else "nothing" if "nothing" in row else "done"
        for row in rows
    }


def test_all_sites_are_learned_and_extracted_once(project: Project) -> None:
    learned = project.run("learn", "--all", "--json")
    assert learned.returncode == 0, learned.stderr
    assert states(learned) == {**dict.fromkeys(SITES, "done"), "empty": "nothing"}
    assert learned.stderr.startswith("empty: expected at least 3 pages")
    extracted = project.run("extract", "--all", "--json")
    days = {f"{site} {DAY}": "done" for site in SITES}
    assert states(extracted) == days | dict.fromkeys(SITES, "done")
    assert project.query("select site, count(*) from {articles} where status = 'ok' group by 1")
    again = project.run("extract", "--all", "--json")
    assert (again.returncode, states(again)) == (0, {})


def test_a_wrong_entry_stops_no_other_site(project: Project) -> None:
    config = project.folder / "pipelines.yaml"
    sites = json.loads(config.read_text())["sites"]
    sites[1:1] = [{"name": "wrong", "start_urls": ["http://w.example/"], "dpeth": 3}]
    config.write_text(json.dumps({"sites": sites}))
    learned = project.run("learn", "--all", "--json")
    assert learned.returncode == 3
    assert "'dpeth'" in learned.stderr and "did you mean 'depth'?" in learned.stderr
    assert states(learned) == {**dict.fromkeys(SITES, "done"), "empty": "nothing"}
    good = project.run("extract", "first")
    assert (good.returncode, "dpeth" in good.stderr) == (0, False)
    listed = project.run("list")
    assert listed.stdout.split() == ["empty", *SITES] and "'dpeth'" in listed.stderr
    reported = project.run("report", "--json")
    assert reported.returncode == 3 and "'dpeth'" in reported.stderr
    wrong = project.run("learn", "wrong")
    assert wrong.returncode == 3 and "'dpeth'" in wrong.stderr


def test_a_day_is_extracted_again_for_new_links_of_the_day_before(extracted: Project) -> None:
    storage = Storage(str(extracted.folder / "data"))
    url = "http://first.example/1.html"
    link = LinkRecord(
        run_id="r1", src_url_key="", dst_url=url, dst_url_key=url, anchor_text="A", in_scope=True
    )
    for days, again in ((2, []), (1, [f"first {DAY}", "first"])):
        rows = records_to_table([link], LINK_SCHEMA)
        storage.write_part("links", "first", DAY - timedelta(days=days), rows)
        assert [*states(extracted.run("extract", "--all", "--json"))] == again
    assert extracted.query("select url_key from {articles} where anchor_text = 'A'") == [(url,)]


def store_demo(storage: Storage, day: date, *, edition: Edition) -> None:
    """The articles and lists that an edition of the demo is the first to have, as pages of a
    day."""
    known = build_site(1, DEMO).resources if edition == 2 else {}
    site = build_site(edition, DEMO)
    resources = [*site.pages("article"), *site.pages("list")]
    records = [
        PageRecord(
            run_id="r1", url=DEMO + r.path, final_url=DEMO + r.path, url_key=DEMO + r.path,
            fetched_at=NOW + (day - DAY), status=200, html=r.body,
            body_sha256=sha256(r.body).hexdigest(),
        )
        for r in resources
        if r.path not in known
    ]  # fmt: skip
    storage.write_part("pages", "demo", day, records_to_table(records, PAGE_SCHEMA))


def test_new_pages_of_known_layouts_make_no_stored_day_due(tmp_path: Path) -> None:
    project, storage = Project(tmp_path), Storage(str(tmp_path / "data"))
    project.configure(name="demo", start_urls=[f"{DEMO}/"])
    taught = []
    for edition in (1, 2):
        day = DAY + timedelta(days=3 * edition)
        store_demo(storage, day, edition=edition)
        assert states(project.run("learn", "--all", "--json")) == {"demo": "done"}
        taught += project.query("select sum(n_pages) from {patterns} where valid_until is null")
        # Days that are due: the new one alone.
        extracted = states(project.run("extract", "--all", "--json"))
        assert extracted == {f"demo {day}": "done", "demo": "done"}
    assert taught[0] < taught[1]


def test_another_index_name_counts_as_new(extracted: Project) -> None:
    """It decides the keys of the pages that links lead to."""
    settings = json.loads((extracted.folder / "pipelines.yaml").read_text())
    settings["sites"][0]["index_name"] = "home.html"
    (extracted.folder / "pipelines.yaml").write_text(json.dumps(settings))
    assert "first" in states(extracted.run("learn", "--all", "--json"))
    again = states(extracted.run("extract", "--all", "--json"))
    assert again == {f"first {DAY}": "done", "first": "done"}


def test_merged_files_are_nothing_new(project: Project) -> None:
    storage = Storage(str(project.folder / "data"))
    store(storage, "first", first=8)
    project.run("learn", "--all")
    project.run("extract", "--all")
    compacted = project.run("compact", "first", "--older-than", "0d", "--json")
    rows = json.loads(compacted.stdout)
    assert {row["table"]: row["after"] for row in rows} == {"pages": 1, "runs": 1}
    for command in ("learn", "extract"):
        done = project.run(command, "--all", "--json")
        assert set(states(done)) <= {"empty"}, done.stderr


def test_what_was_not_done_is_named_and_only_that_is_done_again(project: Project) -> None:
    part = next((project.folder / "data/pages/site=second").rglob("*.parquet"))
    whole = part.read_bytes()
    part.write_bytes(whole[: len(whole) // 2])
    with SiteLock(project.folder / "data/.state", "first", "crawl"):
        done = project.run("learn", "--all", "--json")
    assert done.returncode == 1
    assert states(done) == {"second": "failed", "third": "done", "empty": "nothing"}
    alone = project.run("learn", "second").stderr
    assert f"{part}: not read: " in alone and f"second: {alone}" in done.stderr
    assert "'first' is in use" in done.stderr
    part.write_bytes(whole)
    again = project.run("learn", "--all", "--json")
    assert again.returncode == 0
    assert states(again) == {"first": "done", "second": "done", "empty": "nothing"}


@pytest.mark.parametrize("table", ["patterns", "articles"])
def test_a_damaged_table_of_one_site_stops_no_other(extracted: Project, table: str) -> None:
    """Patterns are read to plan the tasks, articles to judge the days that were extracted."""
    store(Storage(str(extracted.folder / "data")), "second", date(2026, 11, 21), 8)
    path = next((extracted.folder / f"data/{table}/site=second").rglob("*.parquet"))
    sound = path.read_bytes()
    path.write_bytes(sound[: len(sound) // 2])
    done = extracted.run("extract", "--all", "--again", "--json")
    assert done.returncode == 1 and "Traceback" not in done.stderr
    found = states(done)
    assert "failed" in {found.get("second"), found.get(f"second {DAY}")}
    assert [found[f"{site} {DAY}"] for site in ("first", "third")] == ["done", "done"]
    assert f"{path}: not read: " in done.stderr
    path.write_bytes(sound)
    again = extracted.run("extract", "--all", "--json")
    assert again.returncode == 0
    assert {task.split()[0] for task in states(again)} == {"second"}


def test_what_was_removed_or_damaged_since_is_made_anew(extracted: Project) -> None:
    for table, command, task, change in (
        ("patterns", "learn", "second", lambda path: path.write_bytes(b"damaged")),
        ("outcomes", "extract", f"second {DAY}", Path.unlink),
        ("articles", "extract", f"second {DAY}", Path.unlink),
    ):
        path = next((extracted.folder / f"data/{table}/site=second").rglob("*.parquet"))
        sound, n_rows = path.read_bytes(), pq.read_metadata(path).num_rows
        change(path)
        done = extracted.run(command, "--all", "--json")
        if path.exists() and path.read_bytes() == b"damaged":
            assert f"{path}: not read: " in done.stderr
            path.unlink()
            done = extracted.run(command, "--all", "--json")
        assert (done.returncode, states(done).get(task)) == (0, "done"), done.stderr
        assert len(path.read_bytes()) == pytest.approx(len(sound), abs=50)
        assert pq.read_metadata(path).num_rows == n_rows
    for command in ("learn", "extract"):
        assert set(states(extracted.run(command, "--all", "--json"))) <= {"empty"}


def test_a_project_that_moved_does_nothing_again(extracted: Project) -> None:
    moved = Project(extracted.folder.rename(extracted.folder.with_name("elsewhere")))
    for command in ("learn", "extract"):
        done = moved.run(command, "--all", "--json")
        assert set(states(done)) <= {"empty"}, done.stderr


def test_a_site_that_cannot_be_locked_or_noted_stops_no_other(project: Project) -> None:
    state = project.folder / "data/.state"
    for folder in ("first.lock", "second.learn.json"):
        (state / folder).mkdir(parents=True)
    done = project.run("learn", "--all", "--json")
    assert done.returncode == 1 and "Traceback" not in done.stderr
    expected = {"first": "failed", "second": "failed", "third": "done", "empty": "nothing"}
    assert states(done) == expected
    assert "first.lock" in done.stderr and "second.learn.json" in done.stderr


def test_a_folder_that_is_no_day_stops_one_site_only(extracted: Project) -> None:
    for table, command, rest in (("patterns", "learn", {"empty"}), ("articles", "extract", set())):
        odd = extracted.folder / f"data/{table}/site=first/date=2026-11-20.bak"
        odd.mkdir()
        done = extracted.run(command, "--all", "--json")
        assert done.returncode == 1 and "Traceback" not in done.stderr
        assert f"{odd}: expected YYYY-MM-DD" in done.stderr
        assert {task.split()[0] for task in states(done)} == {"first", *rest}
        odd.rmdir()


def test_an_engine_that_cannot_be_used_is_told_once(project: Project) -> None:
    settings = json.loads((project.folder / "pipelines.yaml").read_text())
    settings |= {"engine": "dask", "cluster_address": "foo://127.0.0.1:8786"}
    (project.folder / "pipelines.yaml").write_text(json.dumps(settings))
    (project.folder / "data/.state/first.lock").mkdir(parents=True)
    done = project.run("learn", "--all", "--json")
    assert (done.returncode, states(done)) == (1, {"--all": "failed", "first": "failed"})
    assert done.stderr.count("mend `cluster_address`") == 1 and "first.lock" in done.stderr


def test_nothing_to_work_on_is_said(project: Project) -> None:
    done = project.run("extract", "--all", "--date", "2020-01-01")
    assert done.returncode == 5
    assert done.stderr == "nothing to work on: no site has pages of these days\n"


def test_what_cannot_be_followed_up_is_named_and_followed_up_by_the_next_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sites = [SiteConfig(name=n, start_urls=(f"http://{n}.example/",)) for n in ("first", "second")]
    config = Config(workers=1, state=str(tmp_path / "state"), sites=tuple(sites))
    path, followed = str(tmp_path / "notes"), tmp_path / "followed"

    def plan(site: SiteConfig) -> list[SiteTask]:
        call = Task(name=f"{site.name} 1", call=note, arguments=(path, "done"))
        return [SiteTask(site=site.name, task=call)]

    def follow_up(site: str, _: Any) -> Task:
        return Task(name=site, call=note, arguments=(str(followed / site), "followed"))

    options = argparse.Namespace(again=False, json=False)
    assert work_on_all(config, "extract", plan, options, follow_up) == 1
    assert (
        f"first: [Errno 2] No such file or directory: '{followed}/first'" in capsys.readouterr().err
    )
    followed.mkdir()
    for _ in range(2):
        assert work_on_all(config, "extract", plan, options, follow_up) == 0
    assert [path.read_text() for path in followed.iterdir()] == ["followed\n"] * 2


def test_all_for_some_sites(project: Project) -> None:
    learned = project.run("learn", "--all", "first", "empty", "--json")
    assert states(learned) == {"first": "done", "empty": "nothing"}
    unknown = project.run("learn", "--all", "fourth")
    assert unknown.returncode == 3 and "'fourth'" in unknown.stderr
    option = project.run("extract", "--all", "--frist")
    assert option.returncode == 2 and "unknown option '--frist'" in option.stderr
    runs = project.query("select site, command, exit_code from {runs} order by 1")
    assert runs == [("empty", "learn", 5), ("first", "learn", 0)]


# distributed leaves event loops and sockets to the garbage collector.
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_every_engine_writes_the_same_bytes(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    written = {}
    for engine in ("local", "dask"):
        root = tmp_path / "data"
        shutil.rmtree(root, ignore_errors=True)
        for site in SITES:
            store(Storage(str(root)), site)
        part = {p.parent: p for p in root.rglob("*.parquet")}
        for folder, path in part.items():
            path.rename(folder / "part.parquet")
        config = Config(engine=engine, workers=2)  # type: ignore[arg-type]
        work(config, str(root))
        files = [*(root / "patterns").rglob("*.parquet"), *(root / "articles").rglob("*.parquet")]
        assert len(files) == 2 * len(SITES)
        # Patterns stand under the day they were learned.
        written[engine] = {str(path.relative_to(root)): path.read_bytes() for path in files}
    assert written["local"] == written["dask"]


def work(config: Config, root: str) -> None:
    sites = [SiteConfig(name=n, start_urls=(f"http://{n}.example/",)) for n in SITES]
    tasks = [Task(name=s.name, call=learn_and_extract, arguments=(root, s)) for s in sites]
    found = list(run_tasks(tasks, executor_of(config), 2))
    assert not [each.problem for each in found if each.problem]


def learn_and_extract(root: str, site: SiteConfig) -> int:
    learn_task(root, site, None, None, NOW)
    extract_task(root, site, DAY, NOW)
    return int(finish_task(root, site, (DAY,), NOW)["articles_new"])


def note(path: str, text: str) -> dict[str, Any]:
    with Path(path).open("a") as file:
        file.write(f"{text}\n")
    return {}


def fail_always() -> None:
    raise RuntimeError("no")


def test_shares_go_before_their_task_and_do_not_decide_over_it(tmp_path: Path) -> None:
    path, lines = str(tmp_path / "notes"), ["share", "whole"]
    site = SiteConfig(name="first", start_urls=("http://first.example/",))
    config = Config(workers=2, state=str(tmp_path / "state"), sites=(site,))
    task = SiteTask(
        site="first",
        task=Task(name="whole", call=note, arguments=(path, "whole")),
        split=lambda: [
            Task(name="bad", call=fail_always),
            Task(name="good", call=note, arguments=(path, "share")),
        ],
    )
    options = argparse.Namespace(again=False, json=False)
    for _ in range(2):  # the second time nothing is due, and no share either
        assert work_on_all(config, "extract", lambda _: [task], options) == 0
        assert Path(path).read_text().split() == lines


def test_what_a_killed_run_has_not_followed_up_the_next_one_does(tmp_path: Path) -> None:
    sites = [SiteConfig(name=n, start_urls=(f"http://{n}.example/",)) for n in ("first", "second")]
    config = Config(workers=2, state=str(tmp_path / "state"), sites=tuple(sites))
    path = str(tmp_path / "notes")
    tasks = [
        SiteTask(site=site, task=Task(name=f"{site} {day}", call=note, arguments=(path, "done")))
        for site, day in (("first", 1), ("first", 2), ("second", 1))
    ]
    bad = SiteTask(site="second", task=Task(name="second 2", call=fail_always))
    got: list[tuple[str, list[str]]] = []

    def run(*, again: bool = False, killed_at: str = "", planned: list[SiteTask] = tasks) -> None:
        def follow_up(site: str, done: Any) -> Task:
            if site == killed_at:
                raise KeyboardInterrupt
            got.append((site, [each.task.name for each in done]))
            return Task(name=site, call=note, arguments=(path, "followed"))

        got.clear()
        options = argparse.Namespace(again=again, json=False)

        def plan(site: SiteConfig) -> list[SiteTask]:
            return [each for each in planned if each.site == site.name]

        work_on_all(config, "extract", plan, options, follow_up)

    whole = [("first", ["first 1", "first 2"]), ("second", ["second 1"])]
    with pytest.raises(KeyboardInterrupt):
        run(killed_at="second", planned=[*tasks, bad])
    run()
    assert got == whole
    assert Path(path).read_text().split() == ["done"] * 3 + ["followed"] * 2
    run()
    assert got == []
    run(again=True)
    assert got == whole


def test_a_large_day_is_extracted_in_shares(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(day_parts, "LARGE_DAY_PAGES", 24)
    site = SiteConfig(name="first", start_urls=("http://first.example/",))
    unguessed = site.model_copy(update={"extract": ExtractConfig(guess=False)})
    written = {}
    for made in (0, 2, 3):
        root = str(tmp_path / str(made))
        storage = Storage(root)
        for first in (0, 8, 16):
            store(storage, "first", first=first)
        assert day_parts.share_tasks(root, unguessed, DAY, "abc") == []  # no patterns
        learn_task(root, site, None, None, NOW)
        tasks = day_parts.share_tasks(root, site, DAY, "abc")
        assert [task.name for task in tasks][2:] == [f"first {DAY} share 3 of 3"]
        outcomes = list(run_tasks(tasks[:made], executor_of(Config()), 2))
        assert not [each.problem for each in outcomes if each.problem]
        assert len(day_parts.share_tasks(root, site, DAY, "abc")) == 3 - made
        assert len(list(day_parts.shared_records(storage, "first", DAY, "abc"))) == 8 * made
        assert not list(day_parts.shared_records(storage, "first", DAY, "abd"))
        extracted: list[Any] = []
        monkeypatch.setattr(job, "records_of_rows", counting(extracted))
        assert extract_task(root, site, DAY, NOW, "abc")["statuses"] == {"ok": 24}
        assert len(extracted) == 24 - 8 * made
        assert finish_task(root, site, (DAY,), NOW)["articles_new"] == 24
        assert not list(tmp_path.rglob("article_shares/**/*.parquet"))
        (article_file,) = storage.files("articles", "first")
        written[made] = Path(article_file).read_bytes()
    assert written[0] == written[2] == written[3]


def test_articles_outlive_their_pages(tmp_path: Path) -> None:
    root, site = str(tmp_path), SiteConfig(name="first", start_urls=("http://first.example/",))
    storage = Storage(root)
    store(storage, "first")
    learn_task(root, site, None, None, NOW)
    for statuses, n_articles in (({"ok": 8}, 8), ({"ok": 15}, 15)):
        for _ in range(2):
            assert extract_task(root, site, DAY, NOW)["statuses"] == statuses
            finish_task(root, site, (DAY,), NOW)
            storage.remove("pages", "first", DAY)
        (path,) = storage.files("articles", "first")
        assert storage.count_rows(path) == n_articles
        store(storage, "first", first=7)


def test_damaged_patterns_are_learned_anew(tmp_path: Path) -> None:
    root, site = str(tmp_path), SiteConfig(name="first", start_urls=("http://first.example/",))
    storage = Storage(root)
    store(storage, "first")
    learn_task(root, site, None, None, NOW)
    (path,) = map(Path, storage.files("patterns", "first"))
    sound = path.read_bytes()
    path.write_bytes(b"garbage")
    assert learn_task(root, site, None, None, NOW)["is_new"]
    assert path.read_bytes() == sound


def counting(seen: list[Any]) -> Any:
    def records(rows: Any, *arguments: Any) -> Any:
        seen.extend(rows)
        return records_of_rows(rows, *arguments)

    return records
