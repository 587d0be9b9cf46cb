"""Where redirects lead, and what goes along."""

from email.message import Message
from urllib.parse import urlsplit

from tests.project import Project
from tests.server import Answer, TestSite


class MovedSite(TestSite):
    """As a proxy, serves a paper that moved to its `www.` host."""

    def answer(self, target: str, headers: Message) -> Answer:
        parts = urlsplit(target)
        if parts.hostname == "paper.example" and parts.path != "/robots.txt":
            return 301, {"Location": f"http://www.paper.example{parts.path}"}, b""
        return super().answer(target, headers)


def test_a_sites_headers_go_along_to_its_other_host(project: Project) -> None:
    with MovedSite(pages=2) as site:
        project.configure(
            start_urls=["http://paper.example/p/0"], private_hosts=[], headers={"X-Key": "secret"}
        )
        project.run("crawl", "site", http_proxy=site.url)
    keys = {path: headers["X-Key"] for path, headers in site.requests if path.endswith("/p/0")}
    assert keys == dict.fromkeys(
        ("http://paper.example/p/0", "http://www.paper.example/p/0"), "secret"
    )
