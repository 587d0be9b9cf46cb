"""Cookies of a real crawl; nobody but the site is asked for anything."""

from email.message import Message
from pathlib import Path

from tests.project import Project
from tests.server import Answer, TestSite


class SiteWithCookies(TestSite):
    """Sets a cookie for itself; on its first page one for a public suffix."""

    def answer(self, target: str, headers: Message) -> Answer:
        status, fields, body = super().answer(target, headers)
        cookie = "all=1; Domain=co.uk" if target.endswith("/p/0") else "seen=1"
        return status, {**fields, "Set-Cookie": cookie}, body


def test_the_list_of_public_suffixes_is_not_fetched(project: Project, tmp_path: Path) -> None:
    with SiteWithCookies(pages=3) as site:
        project.configure(start_urls=["http://paper.co.uk/p/0"], private_hosts=[], concurrency=1)
        project.crawl(
            http_proxy=site.url,
            https_proxy="http://127.0.0.1:1",
            TLDEXTRACT_CACHE=str(tmp_path / "none"),
        )
        sent = {headers["Cookie"] for path, headers in site.requests if path.endswith("/p/2")}
    assert sent == {"seen=1"}
    assert not (tmp_path / "none").exists()
