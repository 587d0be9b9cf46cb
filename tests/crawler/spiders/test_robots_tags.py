"""noindex and nofollow, in the page, its headers and its links."""

from email.message import Message

from tests.project import Project
from tests.server import Answer, TestSite

META = "<meta name={name} content='{content}'>"


class ReservedSite(TestSite):
    """Home page -> /list (noindex), /end (nofollow), /named, /other (a header), /sold (rel)."""

    def answer(self, target: str, headers: Message) -> Answer:
        html = {"Content-Type": "text/html"}
        paths = {
            "/": "<a href=/list>1</a><a href=/end>2</a><a href=/named>3</a><a href=/other>4</a>"
            "<a rel='ugc nofollow' href=/sold>5</a>",
            "/list": META.format(name="ROBOTS", content="NoIndex,Follow") + "<a href=/below>6</a>",
            "/end": META.format(name="webstem", content="nofollow") + "<a href=/beyond>7</a>",
        }
        if target == "/named":
            html["X-Robots-Tag"] = "webstem: none"
        if target == "/other":
            html["X-Robots-Tag"] = "otherbot: noindex, nofollow"
        if target == "/robots.txt":
            return super().answer(target, headers)
        return 200, html, paths.get(target, f"<p>the page {target}").encode()


def rows(project: Project, site: TestSite) -> dict[str, tuple[str | None, str | None, bool]]:
    found = project.query("select url, robots, error, html is not null from {pages}")
    return {f"/{url.removeprefix(site.url)}": (*told,) for url, *told in found}


def test_what_pages_ask_is_recorded_and_not_obeyed(project: Project) -> None:
    with ReservedSite() as site:
        project.configure(start_urls=[site.url])
        project.crawl()
    told = {path: (robots, stored) for path, (robots, _, stored) in rows(project, site).items()}
    assert told == {
        "/": (None, True),
        "/list": ("noindex, follow", True),
        "/end": ("nofollow", True),
        "/named": ("none", True),
        "/other": (None, True),
        **dict.fromkeys(("/sold", "/below", "/beyond"), (None, True)),
    }


def test_what_pages_ask_is_obeyed_where_the_entry_says_so(project: Project) -> None:
    """What is not stored still leads on, and is no failure of a start page."""
    with ReservedSite() as site:
        seeds = [site.url, f"{site.url}list"]
        project.configure(start_urls=seeds, obey_noindex=True, obey_nofollow=True)
        project.crawl()
        links = project.query("select count(*) from {links} where rel like '%nofollow%'")
        project.crawl()
    found = rows(project, site)
    assert {path for path, (_, _, stored) in found.items() if stored} <= {
        "/",
        "/end",
        "/other",
        "/below",
    }
    errors = {path: error for path, (_, error, _) in found.items() if error}
    assert errors == dict.fromkeys(
        ("/list", "/named"), "noindex: the page asks robots not to index it"
    )
    assert "/below" in found and not found.keys() & {"/sold", "/beyond"}
    assert links == [(1,)]
    facts = project.query("select distinct start_pages_failed, failures[1].reason from {runs}")
    assert facts == [(0, "noindex")]


class HiddenHome(TestSite):
    """A home page that asks not to be indexed, and names a feed of one article."""

    def answer(self, target: str, headers: Message) -> Answer:
        if target == "/":
            named = b"<link rel=alternate type=application/rss+xml href=/news.xml>"
            return 200, {"Content-Type": "text/html"}, b"<meta name=robots content=noindex>" + named
        if target == "/news.xml":
            feed = f"<rss><channel><item><link>{self.url}article</link></item></channel></rss>"
            return 200, {"Content-Type": "application/rss+xml"}, feed.encode()
        return super().answer(target, headers)


def test_a_start_page_that_is_not_stored_still_names_its_feeds(project: Project) -> None:
    with HiddenHome() as site:
        project.configure(start_urls=[site.url], find_feeds=True, obey_noindex=True)
        project.run("crawl", "site")
    assert {"/news.xml", "/article"} <= set(site.paths())
