"""Which addresses a crawl finds: real processes, and a server that stands for many hosts.

As a proxy it is asked for whole addresses; `Hosts` answers them from a table.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from email.message import Message
from urllib.parse import urlsplit

from tests.project import Project
from tests.server import Answer, TestSite

HTML = {"Content-Type": "text/html; charset=utf-8"}
XML = {"Content-Type": "application/xml"}


@dataclass
class Hosts(TestSite):
    """Answers by whole address, else with 404; each host allows all in its robots.txt."""

    answers: dict[str, Answer] = field(default_factory=dict)

    def answer(self, target: str, headers: Message) -> Answer:
        if target in self.answers:
            return self.answers[target]
        if urlsplit(target).path == "/robots.txt":
            return 200, {"Content-Type": "text/plain"}, b"User-agent: *\nDisallow:\n"
        return 404, HTML, b"missing"

    def page(self, url: str, *links: str, text: str = "") -> None:
        """A page with links, each to an address by a text of its own."""
        body = "".join(f'<p><a href="{link}">To page {n}</a></p>' for n, link in enumerate(links))
        self.answers[url] = 200, HTML, f"<title>{url}</title>{text or url}{body}".encode()


def stored(project: Project) -> list[str]:
    """Where the stored pages came from, in order."""
    rows = project.query("select final_url from {pages} where html is not null order by 1")
    return [url for (url,) in rows]


def test_a_site_in_letters_beyond_ascii_is_crawled(project: Project) -> None:
    home = "http://xn--bcher-kva.example"
    with Hosts() as site:
        site.page(f"{home}/", "http://bücher.example/1", "//B%C3%9CCHER.example/2", "/3", "/süd/4")
        for path in ("1", "2", "3", "s%C3%BCd/4"):
            site.page(f"{home}/{path}")
        rules = [{"deny": "/süd/"}, {"allow": "^http://bücher.example/"}, {"deny": "."}]
        project.configure(start_urls=["http://bücher.example/"], rules=rules)
        project.crawl(http_proxy=site.url)
    assert stored(project) == [f"{home}/", *(f"{home}/{n}" for n in (1, 2, 3))]
    said = project.run("urldb", "site", "--why", "http://bücher.example/1").stdout
    assert said.startswith("http://bücher.example/1: fetched at ")


def test_a_private_host_in_letters_beyond_ascii_is_named_so(project: Project) -> None:
    """Nothing resolves here: named, the host is asked for and not found; else it is refused."""
    for hosts, reason in ((["bücher.localhost"], "host not found"), ([], "private address")):
        project.configure(start_urls=["http://bücher.localhost:1/"], private_hosts=hosts)
        done = project.run("crawl", "site", "-s", "RETRY_TIMES=0", "-s", "ROBOTSTXT_OBEY=0")
        assert done.returncode == 1 and reason in done.stderr, done.stderr
