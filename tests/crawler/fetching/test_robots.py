"""robots.txt holds for every request, the first ones of a crawl included."""

import json
from dataclasses import dataclass

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
