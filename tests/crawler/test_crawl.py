"""`scrapy crawl` against a real server, in real processes."""

from __future__ import annotations

import gzip
import json
import shutil
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from email.message import Message
from typing import Any

import pytest

from crawler.commands.work.crawl import MANY_FAILURES
from tests.project import Project, kill
from tests.server import Answer, TestSite


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Project, TestSite]]:
    """A crawl of everything the server has, faults included; read by many tests."""
    project = Project(tmp_path_factory.mktemp("faulty"))
    (project.folder / "cookies.txt").write_text(
        "# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t4102444800\tname\tvalue\n"
    )
    with TestSite(pages=15, has_faults=True) as site:
        project.configure(
            start_urls=[site.url],
            feeds=[f"{site.url}feed.xml"],
            sitemaps=[f"{site.url}sitemap.xml"],
            timeout_seconds=1.5,
            max_page_bytes=1_000_000,
            cookies_file="cookies.txt",
        )
        done = project.run("crawl", "site", "-s", "RETRY_TIMES=1")
        assert done.returncode == 0, done.stderr
        yield project, site


def test_every_page_is_stored_once(faulty: tuple[Project, TestSite]) -> None:
    project, site = faulty
    rows = project.query("select url_key, count(*) from {pages} where html is not null group by 1")
    counts = {key.removeprefix(site.url.rstrip("/")): count for key, count in rows}
    expected = {
        *(f"/p/{n}" for n in range(15)),
        *("/", "/fed/1", "/mapped/1", "/sjis", "/cookie", "/query?a=1&b=2", "/to-cookie-check"),
        *("/nul", "/empty"),
    }
    assert counts == dict.fromkeys(expected, 1)


@pytest.mark.parametrize(
    ("path", "status", "reason"),
    [
        ("missing", 404, "http 404"),
        ("broken", 500, "http 500"),
        ("slow", None, "timeout"),
        ("big", None, "too large"),
        ("file", 200, "not html: application/pdf"),
        ("away", 302, "redirect refused, other host: other.example"),
        ("loop", None, "max redirections reached"),
        ("moved", 301, "redirects to a page already crawled"),
    ],
)
def test_a_fault_is_a_page_row(
    faulty: tuple[Project, TestSite], path: str, status: int | None, reason: str
) -> None:
    project, site = faulty
    rows = project.query(
        f"select status, error, html from {{pages}} where url = '{site.url}{path}'"
    )
    assert len(rows) == 1
    assert rows[0][0] == status
    assert rows[0][1].startswith(reason)
    assert rows[0][2] is None


@pytest.mark.parametrize("path", ["/private/1", "/private/2", "/picture.png", "/trap/x/x/x/x/x"])
def test_what_may_not_be_fetched_is_not(faulty: tuple[Project, TestSite], path: str) -> None:
    assert path not in faulty[1].paths()


def test_private_addresses_are_refused(faulty: tuple[Project, TestSite]) -> None:
    _, site = faulty
    hosts = {headers["Host"] for _, headers in site.requests}
    assert hosts == {f"127.0.0.1:{site.port}"}


def test_anchor_texts_of_known_urls_are_recorded(faulty: tuple[Project, TestSite]) -> None:
    project, site = faulty
    rows = project.query(
        f"select distinct anchor_text from {{links}} where dst_url_key = '{site.url}p/0' order by 1"
    )
    assert rows == [("First page",), ("Page number 0",), ("The first page again",)]


def test_feed_titles_are_anchor_texts(faulty: tuple[Project, TestSite]) -> None:
    project, site = faulty
    rows = project.query(
        "select source, dst_url, anchor_text from {links} where source <> 'a' order by 1"
    )
    assert rows == [
        ("feed", f"{site.url}fed/1", "From the feed"),
        ("sitemap", f"{site.url}mapped/1", None),
    ]


def test_an_undeclared_charset_is_detected(faulty: tuple[Project, TestSite]) -> None:
    project, site = faulty
    rows = project.query(
        f"select charset, charset_source from {{pages}} where url = '{site.url}sjis'"
    )
    assert rows == [("cp932", "detected")]


def test_the_cookies_file_is_sent(faulty: tuple[Project, TestSite]) -> None:
    sent = {path: headers.get("Cookie", "") for path, headers in faulty[1].requests}
    assert "name=value" in sent["/p/0"]


def test_what_robots_forbid_is_said(faulty: tuple[Project, TestSite]) -> None:
    project, site = faulty
    done = project.run("urldb", "site", "--state", "skipped", "--json")
    skipped = {row["url"]: row["reason"] for row in json.loads(done.stdout)}
    names = ("private/1", "private/2", "into-private", "into-private-2")
    assert skipped == {f"{site.url}{name}": "robots.txt" for name in names}


def test_nothing_waits_after_the_run(faulty: tuple[Project, TestSite]) -> None:
    done = faulty[0].run("urldb", "site", "--state", "pending", "--json")
    assert json.loads(done.stdout) == []


def test_the_second_run_stores_only_what_changed(project: Project) -> None:
    with TestSite(pages=7) as site:
        project.configure(start_urls=[site.url], depth=2)
        project.crawl()
        site.changed.add(0)
        site.pages = 15
        site.requests.clear()
        project.crawl()
        asked = site.paths()
    # Depth 2 holds pages 1 and 2: stored, and no links wanted of them, so not asked again.
    assert sorted(asked) == ["/", "/p/0"]
    rows = project.query(
        "select regexp_extract(url, '[^/]*$'), unchanged, html is null, body_sha256 is null "
        "from {pages} order by fetched_at, 1"
    )
    assert rows[4:] == [("", True, True, False), ("0", False, False, False)]


def test_unchanged_pages_are_asked_for_with_their_etag(project: Project) -> None:
    with TestSite(pages=7) as site:
        project.configure(start_urls=[site.url])
        project.crawl()
        site.requests.clear()
        project.crawl()
        conditional = [path for path, headers in site.requests if headers["If-None-Match"]]
    assert sorted(conditional) == [f"/p/{n}" for n in range(7)]
    rows = project.query(
        "select count(*), count(html), count(distinct run_id) from {pages} where unchanged"
    )
    assert rows == [(8, 0, 1)]


def test_new_pages_behind_changed_ones_are_found(project: Project) -> None:
    with TestSite(pages=7) as site:
        project.configure(start_urls=[site.url])
        project.crawl()
        site.pages = 15
        project.crawl()
    rows = project.query("select count(distinct url_key) from {pages} where html is not null")
    assert rows == [(16,)]


@pytest.mark.parametrize(("forgotten", "asked"), [("p/6", {"/p/6"}), ("*", None)])
def test_what_is_forgotten_is_fetched_though_no_page_changed(
    project: Project, forgotten: str, asked: set[str] | None
) -> None:
    """Depth 3 holds pages 3 to 6, of which no run asks again; the pages above answer 304."""
    with TestSite(pages=7) as site:
        project.configure(start_urls=[site.url], depth=3)
        project.crawl()
        project.crawl()
        assert project.run("urldb", "site", "--forget", f"{site.url}{forgotten}").returncode == 0
        site.requests.clear()
        project.crawl()
        everything = {"/", *(f"/p/{n}" for n in range(7))}
        sent = {path for path, headers in site.requests if not headers["If-None-Match"]}
    assert sent - {"/", "/robots.txt"} == (asked or everything) - {"/"}
    stored = "select count(*) from {pages} where html is not null and url like '%p/6'"
    assert project.query(stored) == [(2,)]


def test_what_is_forgotten_and_denied_by_now_is_not_fetched(project: Project) -> None:
    with TestSite(pages=3) as site:
        project.configure(start_urls=[site.url])
        project.crawl()
        project.configure(start_urls=[site.url], rules=[{"deny": "/p/1$"}])
        assert project.run("urldb", "site", "--forget", "*").stdout == "site: 4 URLs forgotten\n"
        site.requests.clear()
        project.crawl()
        assert sorted(site.paths()) == ["/", "/p/0", "/p/2"]


def test_sitemaps_that_robots_txt_names(project: Project) -> None:
    """What only they name comes last, and its links are not followed."""
    with TestSite(pages=3, names_sitemap=True) as site:
        project.configure(start_urls=[site.url], find_sitemaps=True, depth=3)
        project.crawl()
        assert site.paths()[-1] == "/mapped/1" and site.paths().count("/sitemap.xml") == 1
        assert project.query("select depth from {pages} where url like '%mapped%'") == [(3,)]
        project.crawl()
        assert site.paths().count("/mapped/1") == 1


def test_feeds_that_the_home_page_names(project: Project) -> None:
    with TestSite(pages=3) as site:
        project.configure(start_urls=[site.url], find_feeds=True)
        project.crawl()
        assert site.paths().count("/feed.xml") == 1
        rows = project.query("select url from {pages} where html is not null and url like '%fed%'")
        assert rows == [(f"{site.url}fed/1",)]
        project.configure(start_urls=[site.url], find_feeds=False)
        site.requests.clear()
        project.crawl()
        assert "/feed.xml" not in site.paths()


def test_a_site_of_a_feed_alone(project: Project) -> None:
    with TestSite(pages=3) as site:
        project.configure(start_urls=[], feeds=[f"{site.url}feed.xml"], depth=0)
        project.crawl()
        assert site.paths() == ["/feed.xml", "/fed/1"]
        project.crawl()
        # The stored entry is no seed to be seen again: it has no links that are wanted.
        assert site.paths() == ["/feed.xml", "/fed/1", "/feed.xml"]


class RacingSite(TestSite):
    """Home and feed lead to the same page, and it to another; one of the two is slow."""

    slow_path = "/"

    def answer(self, target: str, headers: Message) -> Answer:
        if target == self.slow_path:
            time.sleep(1)
        links = {"/": "/fed/1", "/fed/1": "/deeper", "/deeper": "/too-deep"}
        if target in links:
            return 200, {"Content-Type": "text/html"}, f"<a href={links[target]}>x</a>".encode()
        return super().answer(target, headers)


@pytest.mark.parametrize("slow_path", ["/", "/feed.xml"])
def test_an_entry_of_a_feed_is_a_seed_whatever_comes_first(
    project: Project, slow_path: str
) -> None:
    with RacingSite() as site:
        site.slow_path = slow_path
        project.configure(start_urls=[site.url], feeds=[f"{site.url}feed.xml"], depth=1)
        project.crawl()
        rows = project.query("select url, depth from {pages} order by depth, url")
    assert rows == [(site.url, 0), (f"{site.url}fed/1", 0), (f"{site.url}deeper", 1)]


class FeedSite(TestSite):
    """A feed of `entries` pages that are gone; none if the feed is gone too."""

    entries: int | None = 1

    def answer(self, target: str, headers: Message) -> Answer:
        if target.startswith("/gone/") or (target == "/feed.xml" and self.entries is None):
            return 404, {"Content-Type": "text/html"}, b"gone"
        return super().answer(target, headers)

    def _feed(self) -> bytes:
        links = (f"<item><link>{self.url}gone/{n}</link></item>" for n in range(self.entries or 0))
        return f"<rss version='2.0'><channel>{''.join(links)}</channel></rss>".encode()


class DyingSite(TestSite):
    """Goes down after so many answers."""

    answers = 4

    def answer(self, target: str, headers: Message) -> Answer:
        if len(self.requests) > self.answers:
            return 503, {}, b""
        if target == "/":
            links = "".join(f"<a href=/p/{n}>{n}</a>" for n in range(self.pages))
            return 200, {"Content-Type": "text/html"}, links.encode()
        return super().answer(target, headers)


def test_a_server_that_goes_down_on_the_way_is_told(project: Project) -> None:
    with DyingSite(pages=20) as site:
        project.configure(start_urls=[site.url])
        done = project.run("crawl", "site", "-s", "RETRY_TIMES=0")
        came = project.query("select count(*) from {pages} where html is not null")[0][0]
        assert 1 <= came <= 4
        last = done.stderr.splitlines()[-1]
        assert done.returncode == 1 and f" the network, {came} came; later crawls" in last
        site.answers = 1000
        project.crawl()
    assert project.query("select count(distinct url_key) from {pages} where html is not null") == [
        (21,)
    ]


class OverloadedSite(TestSite):
    """Its home page comes, its pages do not."""

    def answer(self, target: str, headers: Message) -> Answer:
        if target.startswith("/p/"):
            return 502, {}, b""
        if target == "/":
            links = "".join(f"<a href=/p/{n}>{n}</a>" for n in range(self.pages))
            return 200, {"Content-Type": "text/html"}, links.encode()
        return super().answer(target, headers)


def test_pages_that_stay_missing_are_told_by_the_next_runs_too(project: Project) -> None:
    """The second run asks for them at once; the third, before they are due, says that they miss."""
    with OverloadedSite(pages=8) as site:
        project.configure(start_urls=[site.url])
        asked = []
        for _ in range(3):
            site.requests.clear()
            done = project.run("crawl", "site", "-s", "RETRY_TIMES=0")
            assert done.returncode == 1
            assert done.stderr.splitlines()[-1].startswith("site: 8 pages were given up after")
            asked.append(len(site.paths()))
    assert asked == [9, 9, 1]


@pytest.mark.parametrize(
    ("entries", "problem"),
    [
        (0, "its feeds and sitemaps name no address; the log says which"),
        (1, None),
        (MANY_FAILURES - 1, None),
        (
            MANY_FAILURES,
            "not one page could be fetched: http 404 (6); `scrapy urldb site` shows where",
        ),
        (
            None,
            "not one page could be fetched, for no feed or sitemap could be read; the log says why",
        ),
    ],
)
def test_a_night_of_feeds_fails_for_more_than_dead_links(
    project: Project, entries: int | None, problem: str | None
) -> None:
    with FeedSite() as site:
        site.entries = entries
        project.configure(start_urls=[], feeds=[f"{site.url}feed.xml"], depth=0)
        done = project.run("crawl", "site")
    said = f"site: {problem}" if problem else None
    assert done.returncode == (1 if problem else 0)
    assert said is None or done.stderr.splitlines()[-1] == said


class LosingSite(TestSite):
    """Its feed and sitemap become pages of HTML, as where a site is moved."""

    is_lost = False

    def answer(self, target: str, headers: Message) -> Answer:
        if self.is_lost and target in ("/feed.xml", "/sitemap.xml"):
            return 200, {"Content-Type": "text/html"}, b"<!doctype html><title>Home</title>"
        return super().answer(target, headers)


@pytest.mark.parametrize(("kind", "name"), [("feed", "feed.xml"), ("sitemap", "sitemap.xml")])
def test_a_page_in_place_of_a_feed_or_sitemap_is_told(
    project: Project, kind: str, name: str
) -> None:
    """Each night: also in one in which the known entries came."""
    with LosingSite() as site:
        project.configure(start_urls=[], **{f"{kind}s": [f"{site.url}{name}"]})
        project.crawl()
        site.is_lost = True
        done = project.run("crawl", "site")
        assert project.query("select count(*) from {pages}") == [(2,)]
        project.configure(start_urls=[site.url], **{f"{kind}s": [f"{site.url}{name}"]})
        assert project.run("crawl", "site").returncode == 0
    assert done.returncode == 1
    assert f"{name}: {kind} not read, expected " in done.stderr and "got b'<!doctype" in done.stderr
    last = done.stderr.splitlines()[-1]
    assert last == "site: no feed or sitemap could be read; the log says why"


def test_a_run_that_is_taken_up_counts_what_it_brought_before(project: Project) -> None:
    """Only a missing page is left of it: nothing came now, but the run brought a page."""
    with TestSite(pages=0) as site:
        project.configure(start_urls=[site.url])
        broken_off = project.run("crawl", "site", "-s", "CLOSESPIDER_PAGECOUNT=1")
        done = project.run("crawl", "site")
    assert (broken_off.returncode, done.returncode) == (1, 0), done.stderr


def test_a_page_limit_spreads_a_site_over_runs(project: Project) -> None:
    with TestSite(pages=5) as site:
        project.configure(start_urls=[site.url], max_pages=4)
        project.crawl()
        assert len(site.paths()) == 4
        for _ in range(2):
            project.crawl()
    rows = project.query(
        "select count(*), count(distinct url_key) from {pages} where html is not null"
    )
    assert rows == [(6, 6)]


class NamingSite(TestSite):
    """A link and a redirect with a name and a password before the host."""

    def answer(self, target: str, headers: Message) -> Answer:
        named = self.url.replace("//", "//name:password@")
        if target == "/":
            links = f"<a href={named}p/0>0</a><a href=/to-page>1</a>"
            return 200, {"Content-Type": "text/html"}, links.encode()
        if target == "/to-page":
            return 302, {"Location": f"{named}p/1"}, b""
        return super().answer(target, headers)


def test_names_and_passwords_of_links_are_left_out(project: Project) -> None:
    with NamingSite(pages=2) as site:
        project.configure(start_urls=[site.url])
        project.crawl()
    rows = project.query("select url, final_url, error from {pages} order by 1")
    home, page, redirect = (site.url, f"{site.url}p/0", f"{site.url}to-page")
    assert rows == [
        (home, home, None),
        (page, page, None),
        (redirect, f"{site.url}p/1", None),
    ]


class BombSite(TestSite):
    """A page of 20 kB that inflates to 20 MB, a sitemap that inflates to 60 MB, and one that is no
    gzip."""

    def answer(self, target: str, headers: Message) -> Answer:
        bomb = gzip.compress(b"x" * 20_000_000)
        sitemap = {"Content-Type": "application/gzip"}
        routes = {
            "/p/1": (200, {"Content-Type": "text/html", "Content-Encoding": "gzip"}, bomb),
            "/bomb.xml.gz": (200, sitemap, gzip.compress(b"x" * 60_000_000, 1)),
            "/cut.xml.gz": (200, sitemap, bomb[:5]),
        }
        return routes.get(target) or super().answer(target, headers)


def test_what_inflates_too_far_is_too_large(project: Project) -> None:
    with BombSite(pages=2) as site:
        sitemaps = [f"{site.url}bomb.xml.gz", f"{site.url}cut.xml.gz"]
        project.configure(start_urls=[site.url], sitemaps=sitemaps, max_page_bytes=1_000_000)
        done = project.run("crawl", "site")
    assert done.returncode == 0 and "Traceback" not in done.stderr
    assert "bomb.xml.gz: sitemap not read, too large: " in done.stderr
    assert "cut.xml.gz: sitemap not read, no sound gzip: " in done.stderr
    rows = project.query("select url[-3:], body_len, error from {pages} where error is not null")
    assert [(url, size) for url, size, _ in rows] == [("p/1", 0)]
    assert rows[0][2].startswith("too large: ")


def test_crawl_delay_is_honoured(project: Project) -> None:
    with TestSite(pages=4, crawl_delay=0.4) as site:
        project.configure(start_urls=[site.url], concurrency=4)
        begun = time.monotonic()
        project.crawl()
        assert time.monotonic() - begun >= 4 * 0.4


def test_a_long_crawl_delay_is_cut(project: Project) -> None:
    with TestSite(pages=1, crawl_delay=3600) as site:
        project.configure(start_urls=[site.url], max_delay_seconds=0.2)
        done = project.run("crawl", "site")
    assert done.returncode == 0
    assert "asks for a pause of 3600 s; cut to max_delay_seconds, 0.2 s" in done.stderr


def test_a_proxy_may_be_private_though_its_sites_are_not_resolved(project: Project) -> None:
    with TestSite(pages=3) as site:
        proxy = site.url
        project.configure(start_urls=["http://site.example/p/0"], private_hosts=[])
        # As a proxy, the server is asked for whole URLs; it answers by their path.
        project.crawl(http_proxy=proxy)
        assert "http://site.example/p/0" in site.paths()
    assert project.query("select count(*) from {pages} where html is not null") == [(3,)]


def test_a_host_may_be_an_ipv6_address(project: Project) -> None:
    """However it is written; and it is private, if it is."""
    with TestSite(pages=3, address="::1") as site:
        start = f"http://[0:0:0:0:0:0:0:1]:{site.port}/"
        project.configure(start_urls=[start], private_hosts=["::1"])
        project.crawl()
        keys = project.query(
            "select distinct url_key from {pages} where html is not null order by 1"
        )
        assert keys == [(f"{site.url}{path}",) for path in ("", "p/0", "p/1", "p/2")]
        site.requests.clear()
        project.configure(start_urls=[site.url], private_hosts=[])
        assert project.run("crawl", "site").returncode == 1
        assert site.requests == []


def test_a_private_host_must_be_named(project: Project) -> None:
    with TestSite(pages=1) as site:
        url = f"http://localhost:{site.port}/"
        project.configure(start_urls=[url], private_hosts=[])
        done = project.run("crawl", "site")
        assert site.requests == []
    assert done.returncode == 1
    assert "not one page could be fetched" in done.stderr
    errors = project.query("select error from {pages}")
    assert "private address" in errors[0][0]


def test_scrapys_own_commands_stay_guarded(project: Project) -> None:
    """`scrapy fetch` of what is no site: it works, and private addresses are refused."""
    project.configure(start_urls=["http://site.example/"])
    with TestSite(pages=1) as site:
        done = project.run("fetch", "http://elsewhere.example/p/0", http_proxy=site.url)
        assert (done.returncode, "<title>Page 0</title>" in done.stdout) == (0, True), done.stderr
        site.requests.clear()
        done = project.run("fetch", f"{site.url}p/0")
        assert (done.stdout, site.requests) == ("", [])


def test_two_runs_at_once(project: Project) -> None:
    with TestSite(pages=60, delay_seconds=0.5) as site:
        project.configure(start_urls=[site.url], concurrency=1)
        first = project.start("crawl", "site")
        wait_for(lambda: len(site.requests) > 1)
        second = project.run("crawl", "site")
        assert second.returncode == 4
        assert "site 'site' is in use by another run (crawl, process" in second.stderr
        assert first.poll() is None
        kill(first)


def test_wrong_arguments_and_sites(project: Project) -> None:
    project.configure(start_urls=["http://127.0.0.1:1/"])
    misspelt = project.run("crawl", "site", "--run_id", "x")
    assert misspelt.returncode == 2
    assert "unknown option '--run_id'" in misspelt.stderr
    unknown = project.run("crawl", "sit")
    assert (unknown.returncode, unknown.stdout) == (3, "")
    assert unknown.stderr == (
        f"{project.folder / 'pipelines.yaml'}: expected one of the sites site, got 'sit'; "
        "did you mean 'site'?\n"
    )
    (project.folder / "pipelines.yaml").write_text("sites:\n  - nam: x\n")
    broken = project.run("crawl", "x")
    assert broken.returncode == 3
    assert "pipelines.yaml:2:" in broken.stderr and "Traceback" not in broken.stderr


class RedirectingSite(TestSite):
    """A home page whose one link leads to a page under another address."""

    def answer(self, target: str, headers: Message) -> Answer:
        if target == "/":
            return 200, {"Content-Type": "text/html"}, b"<a href=/to-page>1</a>"
        if target == "/to-page":
            return 302, {"Location": f"{self.url}p/1"}, b""
        return super().answer(target, headers)


def test_kill_between_links_and_pages_then_no_link_twice(project: Project) -> None:
    with RedirectingSite(pages=3) as site:
        project.configure(start_urls=[site.url])
        project.crawl()
        links = project.query("select * from {links} order by all")
        # What a kill leaves that comes when the links are written, but not their pages.
        shutil.rmtree(project.folder / "data" / "pages")
        state = project.folder / "data" / ".state" / "site.sqlite"
        with closing(sqlite3.connect(state)) as database:
            database.execute("update runs set finished_at = null")
            database.execute("update urls set state = 'pending', stored_at = null, digest = null")
            database.execute("update urls set etag = null, last_modified = null")
            database.execute("delete from urls where source = 'redirect'")
            database.commit()
        project.crawl()
    assert project.query("select * from {links} order by all") == links
    pages = project.query("select url from {pages} where html is not null order by 1")
    assert pages == [(f"{site.url}{path}",) for path in ("", "p/0", "p/2", "to-page")]


KILLS = 4


def test_kill_at_any_moment_then_every_page_once(project: Project) -> None:
    """The crawl is killed again and again; the same command ends with each page stored once."""
    pages = 150
    with TestSite(pages=pages, delay_seconds=0.005) as site:
        project.configure(start_urls=[site.url])
        options = ("-s", "PART_FLUSH_BYTES=40000")
        for number in range(KILLS):
            seen = len(site.requests)
            process = project.start("crawl", "site", *options)
            wait_for(lambda seen=seen, n=number: len(site.requests) - seen > 7 + 13 * n)
            kill(process)
        project.crawl(*options)
    check_exactly_once(project, pages + 1)


def check_exactly_once(project: Project, pages: int) -> None:
    """Each page's body once, and no row twice in any run: a kill may come after a run's end."""
    bodies = "select count(*), count(distinct url_key) from {pages} where html is not null"
    assert project.query(bodies) == [(pages, pages)]
    for table, keys in (("pages", "run_id, url_key"), ("links", "run_id, src_url_key, position")):
        twice = f"select {keys} from {{{table}}} group by all having count(*) > 1"
        assert project.query(twice) == []
    sources = project.query("select count(distinct src_url_key) from {links}")
    assert sources == [(pages,)]
    left = [path for path in project.folder.rglob("*") if path.name.endswith(".tmp")]
    assert left == []


def wait_for(condition: Any, seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "what was waited for did not happen"
        threading.Event().wait(0.005)
