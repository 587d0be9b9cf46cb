"""A host that asks to be left alone is, and the night ends with all its pages."""

import json
import time
from dataclasses import dataclass, field
from email.message import Message
from email.utils import formatdate

import pytest

from tests.project import Project
from tests.server import Answer, TestSite

GRACE_SECONDS = 0.3
"""What was sent when the host first asked to wait arrives by then."""


@dataclass
class LimitedSite(TestSite):
    """After every `burst` pages answers with `status` for `seconds`; `says` what stands in its
    Retry-After: seconds, a date of a clock that is wrong, or nothing."""

    pages: int = 12
    status: int = 429
    burst: int = 5
    seconds: float = 1.0
    says: str = "seconds"
    told: float = 1
    until: float = 0.0
    too_early: list[str] = field(default_factory=list)
    """Asked for while the host had said to wait."""
    _answers: int = 0

    def answer(self, target: str, headers: Message) -> Answer:
        if target == "/robots.txt":
            return super().answer(target, headers)
        now = time.monotonic()
        if now < self.until:
            if now - (self.until - self.seconds) > GRACE_SECONDS:
                self.too_early.append(target)
            return self.status, self._retry_after(), b"slow down"
        self._answers += 1
        if self._answers % self.burst == 0:
            self.until = now + self.seconds
        return super().answer(target, headers)

    def _retry_after(self) -> dict[str, str]:
        if self.says == "nothing":
            return {}
        if self.says == "seconds":
            return {"Retry-After": f"{self.told:.0f}"}
        then = time.time() + 365 * 24 * 3600
        return {"Date": formatdate(then), "Retry-After": formatdate(then + self.told, usegmt=True)}


def stored(project: Project) -> int:
    return int(
        project.query("select count(distinct url_key) from {pages} where error is null")[0][0]
    )


@pytest.mark.parametrize(
    ("status", "says"), [(429, "seconds"), (503, "seconds"), (503, "date"), (429, "nothing")]
)
def test_all_pages_come_in_one_night(project: Project, status: int, says: str) -> None:
    with LimitedSite(status=status, says=says) as site:
        project.configure(start_urls=[site.url])
        project.crawl()
        assert site.too_early == []
    assert stored(project) == 13
    assert project.query("select count(*) from {pages} where error is not null") == [(0,)]


def test_a_long_pause_is_cut_and_told(project: Project) -> None:
    with LimitedSite(told=7200) as site:
        project.configure(start_urls=[site.url], max_delay_seconds=1.0)
        done = project.run("crawl", "site")
    assert done.returncode == 0
    assert done.stderr.count("asks to be left alone for 7200 s; cut to max_delay_seconds, 1 s") == 1
    assert stored(project) == 13


def test_a_host_that_never_ends_its_pause_is_left_to_the_next_run(project: Project) -> None:
    with LimitedSite(seconds=3600) as site:
        project.configure(start_urls=[site.url], max_delay_seconds=0.1)
        done = project.run("crawl", "site")
        asked = len(site.paths())
        listed = json.loads(project.run("urldb", "site", "--state", "skipped", "--json").stdout)
        again = project.run("crawl", "site")
        site.seconds = site.until = 0
        project.crawl()
    assert (done.returncode, again.returncode) == (1, 1)
    assert "got http 429 again after 5 pauses; nothing of the host is fetched" in done.stderr
    assert "pages were not fetched, for their host asked to wait again and again" in done.stderr
    assert {row["reason"] for row in listed} == {"http 429: the host asks to wait"}
    assert asked <= 5 + 4 * 6
    assert stored(project) == 13


def test_robots_txt_is_waited_for_too(project: Project) -> None:
    class Site(LimitedSite):
        def answer(self, target: str, headers: Message) -> Answer:
            if not self._answers:
                self._answers, self.until = 1, time.monotonic() + self.seconds
            if target == "/robots.txt" and time.monotonic() < self.until:
                return self.status, self._retry_after(), b""
            return super().answer(target, headers)

    with Site(pages=3, burst=100) as site:
        project.configure(start_urls=[f"{site.url}private/1", site.url])
        project.run("crawl", "site")
        assert "/private/1" not in site.paths() and site.too_early == []
    assert stored(project) == 4
