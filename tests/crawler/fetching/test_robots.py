"""robots.txt holds for every request, the first ones of a crawl included."""

import json
from dataclasses import dataclass
from email.message import Message
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.project import Project
from tests.server import Answer, TestSite


@dataclass
class RobotsSite(TestSite):
    """Answers robots.txt with another status, without rules."""

    robots_status: int = 200

    def _robots(self) -> Answer:
        return self.robots_status, {"Content-Type": "text/plain"}, b""


def test_requests_that_wait_for_robots_txt_together_all_obey_it(project: Project) -> None:
    with TestSite() as site:
        seeds = [f"{site.url}private/{number}" for number in range(8)]
        project.configure(start_urls=seeds, concurrency=8)
        project.run("crawl", "site")
        assert site.paths() == []
        assert [path for path, _ in site.requests] == ["/robots.txt"]


@pytest.mark.parametrize("status", [403, 404, 410])
def test_no_robots_txt_allows_all(project: Project, status: int) -> None:
    with RobotsSite(pages=3, robots_status=status) as site:
        project.configure(start_urls=[site.url])
        project.crawl()
        assert len(site.paths()) == 4


def test_a_server_that_fails_to_give_robots_txt_is_asked_for_nothing_else(
    project: Project,
) -> None:
    """The pages known before are kept, and those that were refused come the next night."""
    with RobotsSite(pages=3) as site:
        project.configure(start_urls=[site.url, f"{site.url}query"])
        project.crawl()
        site.pages, site.robots_status = 15, 503
        site.requests.clear()
        done = project.run("crawl", "site", "-s", "RETRY_TIMES=0")
        assert site.paths() == []
        listed = project.run("urldb", "site", "--state", "skipped", "--json")
        site.robots_status = 404
        project.crawl()
    assert done.returncode == 1
    assert f"robots.txt of 127.0.0.1:{site.port}: expected rules, got http 503" in done.stderr
    assert done.stderr.endswith(
        "site: not one page could be fetched, for robots.txt could not; "
        "the log says why, the next run asks again\n"
    )
    reasons = [row["reason"] for row in json.loads(listed.stdout)]
    assert reasons == ["robots.txt unreachable: http 503"] * 5
    rows = project.query("select count(distinct url_key), count(error) from {pages}")
    assert rows == [(17, 0)]


def test_a_host_that_refuses_is_asked_for_robots_txt_alone(project: Project) -> None:
    project.configure(start_urls=["http://127.0.0.1:1/", "http://127.0.0.1:1/2"])
    done = project.run("crawl", "site", "-s", "RETRY_TIMES=0")
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert done.stderr.count("expected rules, got connection refused; nothing of the host") == 1
    listed = json.loads(project.run("urldb", "site", "--json").stdout)
    assert {row["state"] for row in listed} == {"skipped"}
    assert all("robots.txt unreachable: " in row["reason"] for row in listed)


class TwoHosts(TestSite):
    """As a proxy, serves a paper whose robots.txt stands on another host, `hops` redirects away."""

    rules = b"User-agent: *\nDisallow: /private/"
    hops = 5
    last: tuple[int, dict[str, str], bytes] | None = None
    """What the last of the redirects leads to, if that is no robots.txt."""

    def answer(self, target: str, headers: Message) -> Answer:
        parts = urlsplit(target)
        if not parts.path.endswith("/robots.txt"):
            return super().answer(target, headers)
        hop = int(parts.path.split("/")[1]) if parts.path != "/robots.txt" else 0
        if hop < self.hops:
            return 301, {"Location": f"http://rules.example/{hop + 1}/robots.txt"}, b""
        return self.last or (200, {"Content-Type": "text/plain"}, self.rules)

    def start(self, project: Project, **keys: Any) -> list[str]:
        """Crawl the paper; the URLs that were asked for."""
        paper = "http://paper.example"
        seeds = [f"{paper}/p/0", f"{paper}/private/1"]
        project.configure(start_urls=seeds, private_hosts=[], **keys)
        self.done = project.run("crawl", "site", "-s", "RETRY_TIMES=0", http_proxy=self.url)
        return [path for path in self.paths() if not path.endswith("/robots.txt")]


def test_rules_of_another_host_hold_for_the_host_that_was_asked(project: Project) -> None:
    with TwoHosts(pages=2) as site:
        asked = site.start(project, headers={"X-Key": "secret"})
    assert asked == ["http://paper.example/p/0", "http://paper.example/p/1"]
    assert (site.done.returncode, site.done.stderr) == (0, "")
    keys = {urlsplit(path).hostname: headers["X-Key"] for path, headers in site.requests}
    assert keys == {"paper.example": "secret", "rules.example": None}


@pytest.mark.parametrize(
    ("last", "reason"),
    [
        ((301, {"Location": "http://127.0.0.2:1/robots.txt"}, b""), "private address 127.0.0.2"),
        ((301, {"Location": "http://rules.example/5/robots.txt"}, b""), "max redirections reached"),
        ((302, {}, b""), "http 302"),
        ((429, {}, b"slow down"), "http 429"),
    ],
)
def test_rules_that_cannot_be_had_forbid_all(
    project: Project, last: tuple[int, dict[str, str], bytes], reason: str
) -> None:
    with TwoHosts(pages=1) as site:
        site.last = last
        assert site.start(project, max_delay_seconds=0.1) == []
    assert site.done.returncode == 1
    assert f"robots.txt of paper.example: expected rules, got {reason}" in site.done.stderr
