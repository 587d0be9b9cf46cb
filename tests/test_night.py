"""`scrapy night` on real servers: sites that are well, ill, slow, and wrong in pipelines.yaml."""

from __future__ import annotations

import json
import signal
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from examples.redesign import RedesignedServer
from tests.project import Project, kill

PAGES = 9


class BadSite(ThreadingHTTPServer):
    """A site that answers each address alike: with a wall, a script shell, or not for long."""

    daemon_threads = True

    def __init__(self, kind: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.kind = kind
        self.url = f"http://127.0.0.1:{self.server_address[1]}/"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def body(self) -> str:
        if self.kind == "slow":
            time.sleep(5)
        links = "".join(f'<a href="/{number}"></a>' for number in range(PAGES))
        if self.kind == "shell":
            return f'<div id="app"></div><script src="/app.js"></script>{links}'
        return (
            "<title>Just a moment...</title><h1>Checking your browser</h1>"
            f"<p>You are asked to wait a little. Number {time.time_ns()}</p>{links}"
        )


class _Handler(BaseHTTPRequestHandler):
    server: BadSite

    def do_GET(self) -> None:
        is_robots = self.path == "/robots.txt"
        body = b"" if is_robots else f"<html><body>{self.server.body()}</body></html>".encode()
        self.send_response(404 if is_robots else 200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """No lines on stderr."""


@pytest.fixture
def server() -> Iterator[RedesignedServer]:
    with RedesignedServer(port=0) as running:
        yield running


def configure(project: Project, *sites: dict[str, Any], **night: Any) -> None:
    project.configure()
    defaults = {"private_hosts": ["127.0.0.1"], "delay_seconds": 0.0}
    content = {
        "night": {"retry_minutes": 0.01, "retries": 1, **night},
        "defaults": defaults,
        "sites": sites,
    }
    (project.folder / "pipelines.yaml").write_text(json.dumps(content))


def states(done: Any) -> dict[str, tuple[str, str | None]]:
    return {row["site"]: (row["state"], row["cause"]) for row in json.loads(done.stdout)}


def steps(done: Any) -> dict[str, list[str]]:
    rows = json.loads(done.stdout)
    return {row["site"]: [step["name"] for step in row["steps"]] for row in rows}


def test_sites_that_are_well_and_sites_that_are_ill(
    project: Project, server: RedesignedServer
) -> None:
    good = {"name": "good", "start_urls": [f"{server.base_url}/"], "depth": 2}
    ill = [{"name": kind, "start_urls": [BadSite(kind).url]} for kind in ("wall", "shell")]
    down = {"name": "down", "start_urls": ["http://127.0.0.1:9/"]}
    configure(project, good, *ill, down, {"name": "wrong", "start_url": "http://a/"})
    first = project.run("night", "--json")
    assert first.returncode == 6, first.stderr
    assert states(first) == {
        "good": ("ok", None),
        "wall": ("ill", "bot wall"),
        "shell": ("ill", "script shell"),
        "down": ("watch", "unreachable"),
    }
    assert steps(first)["good"] == ["crawl", "learn", "extract"]
    assert steps(first)["down"].count("crawl") == 2  # tried again
    assert "'start_url'" in first.stderr
    assert "5 sites: 1 ok, 1 watch, 2 ill, 1 wrong entry" in first.stderr
    assert "scrapy crawl good" in (project.folder / "data/.state/logs/good.log").read_text()
    articles = project.query("select count(*) from {articles}")

    again = project.run("night", "--json")
    assert states(again) == states(first) and again.returncode == 6
    assert steps(again) == {name: [] for name in steps(first)}
    assert project.query("select count(*) from {articles}") == articles
    alone = project.run("night", "good")
    assert (alone.returncode, alone.stderr, alone.stdout) == (0, "", "")


def test_a_layout_that_changed_is_learned_the_same_night(
    project: Project, server: RedesignedServer
) -> None:
    configure(project, {"name": "site", "start_urls": [f"{server.base_url}/"], "depth": 2})
    assert project.run("night").returncode == 0
    seen = "select url, first_seen_at::date from {articles} order by url"
    read = "select url, status from {outcomes} where date = current_date - 1 order by url"
    project.a_day_passes()
    before = project.query(seen), project.query(read)
    server.show_redesign(1)
    done = project.run("night", "--json")
    assert steps(done)["site"][:3] == ["crawl", "learn", "extract"]
    assert states(done) == {"site": ("ok", None)} and done.returncode == 0
    stays = "select count(*), count(distinct text_sha256) from {articles}"
    assert project.query(stays)[0][0] == project.query(stays)[0][1]
    edited = project.query("select count(*) from {articles} where changed_at is not null")
    assert edited[0][0] <= 2  # columns, of which one page alone came in each language
    # What stood there stays, under its day, and the day before is read as it was.
    assert {*before[0]} <= {*project.query(seen)} and project.query(read) == before[1]


def test_a_site_that_does_not_change_is_well(project: Project, server: RedesignedServer) -> None:
    configure(project, {"name": "site", "start_urls": [f"{server.base_url}/"], "depth": 1})
    first = project.run("night", "--json")
    for _ in range(3):
        project.a_day_passes()
        done = project.run("night", "--json")
        assert (steps(done), states(done)) == ({"site": ["crawl"]}, states(first)), done.stderr
    again = project.run("extract", "site", "--json")
    assert json.loads(again.stdout)[0]["articles_new"] == 0, again.stderr


def process_of(project: Project, site: str) -> int:
    """The process that works on a site, once it does."""
    lock = project.folder / f"data/.state/{site}.lock"
    while not lock.exists() or "process" not in lock.read_text():
        time.sleep(0.1)
    return int(lock.read_text().split()[-1])


def test_a_stuck_site_holds_no_other_and_a_killed_night_is_taken_up(
    project: Project, server: RedesignedServer
) -> None:
    good = {"name": "good", "start_urls": [f"{server.base_url}/"], "depth": 1}
    stuck = {"name": "stuck", "start_urls": [BadSite("slow").url]}
    configure(project, stuck, good, stage_minutes=0.5, retries=0)
    night = project.start("night")
    crawls = [process_of(project, name) for name in ("good", "stuck")]
    kill(night)
    while any(Path(f"/proc/{crawl}").exists() for crawl in crawls):  # they end with it
        time.sleep(0.1)
    done = project.run("night", "--json")
    rows = {row["site"]: row for row in json.loads(done.stdout)}
    assert rows["good"]["state"] == "ok" and rows["good"]["articles_new"] > 5, done.stderr
    assert rows["stuck"]["state"] != "ok"
    assert project.query("select count(*) - count(distinct url) from {articles}") == [(0,)]


def test_the_daemon_does_what_is_due_and_ends_when_it_is_told_to(
    project: Project, server: RedesignedServer
) -> None:
    good = {"name": "good", "start_urls": [f"{server.base_url}/"], "depth": 1}
    configure(project, good)
    daemon = project.start("schedule")
    assert daemon.stdout is not None
    assert daemon.stdout.readline().partition(" UTC, ")[2].startswith("good: ok; crawl, learn")
    down = {"name": "down", "start_urls": ["http://127.0.0.1:9/"]}
    configure(project, good, down, {"name": "wrong"}, retries=0)
    assert daemon.stdout.readline().partition(" UTC, ")[2].startswith("down: watch; crawl; ")
    configure(project, good, {"name": "stuck", "start_urls": [BadSite("slow").url]})
    log = project.folder / "data/.state/logs/stuck.log"
    while not log.exists():
        time.sleep(0.2)
    daemon.send_signal(signal.SIGTERM)
    said = daemon.communicate(timeout=60)
    assert daemon.returncode == 0 and "'wrong'" not in said[0] and "sites[2]" in said[1]
    runs = project.query("select count(*) from {runs} where site = 'good' and command = 'crawl'")
    assert runs == [(1,)]


def test_several_sites_are_crawled_side_by_side(project: Project, server: RedesignedServer) -> None:
    good = {"name": "good", "start_urls": [f"{server.base_url}/"], "depth": 1}
    down = {"name": "down", "start_urls": ["http://127.0.0.1:9/"]}
    configure(project, good, down, {"name": "wrong", "start_url": "http://a/"})
    done = project.run("crawl", "good", "down")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("down: not one page could be fetched")
    again = project.run("crawl", "--all", "-s", "LOG_LEVEL=ERROR")
    assert again.returncode == 1 and "'start_url'" in again.stderr
    runs = "select site, count(*) from {runs} where command = 'crawl' group by 1 order by 1"
    assert project.query(runs) == [("down", 2), ("good", 2)]
    both = project.run("crawl", "--all", "good")
    assert (both.returncode, "expected --all or" in both.stderr) == (2, True)
    assert project.run("crawl", "good", "other").returncode == 3
