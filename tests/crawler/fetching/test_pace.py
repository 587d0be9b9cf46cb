"""Each host has a pace of its own."""

import time
from dataclasses import dataclass, field
from email.message import Message
from itertools import pairwise
from urllib.parse import urlsplit

from tests.project import Project
from tests.server import Answer, TestSite

CRAWL_DELAY = 0.5


@dataclass
class SlowNeighbour(TestSite):
    """As a proxy, serves a paper, and a host beside it that asks for a Crawl-delay."""

    asked: dict[str, list[float]] = field(default_factory=dict)
    """When each host was asked for a page."""

    def answer(self, target: str, headers: Message) -> Answer:
        parts = urlsplit(target)
        if parts.path == "/robots.txt":
            delay = f"Crawl-delay: {CRAWL_DELAY}" if parts.hostname == "slow.example" else ""
            return 200, {"Content-Type": "text/plain"}, f"User-agent: *\n{delay}".encode()
        self.asked.setdefault(parts.hostname or "", []).append(time.monotonic())
        return super().answer(target, headers)

    def pauses(self, host: str) -> list[float]:
        times = self.asked[host]
        return [later - sooner for sooner, later in pairwise(times)]


def test_the_crawl_delay_of_one_host_is_none_of_another(project: Project) -> None:
    with SlowNeighbour(pages=8) as site:
        seeds = [f"http://slow.example/p/{number}" for number in range(3)]
        seeds += [f"http://paper.example/p/{number}" for number in range(8)]
        project.configure(start_urls=seeds, private_hosts=[], depth=0)
        done = project.run("crawl", "site", http_proxy=site.url)
        assert done.returncode == 0, done.stderr
        assert len(site.pauses("slow.example")) == 2 and len(site.pauses("paper.example")) == 7
        assert min(site.pauses("slow.example")) > 0.9 * CRAWL_DELAY
        assert sum(site.pauses("paper.example")) < 3 * CRAWL_DELAY
