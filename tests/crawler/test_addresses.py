"""Which addresses a crawl finds: real processes, and a server that stands for many hosts.

As a proxy it is asked for whole addresses; `Hosts` answers them from a table.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass, field
from email.message import Message
from urllib.parse import urlsplit

import pytest

from tests.project import Project
from tests.server import Answer, TestSite

HTML = {"Content-Type": "text/html; charset=utf-8"}
XML = {"Content-Type": "application/xml"}


@dataclass
class Hosts(TestSite):
    """Answers by whole address, else with 404; each host allows all in its robots.txt."""

    answers: dict[str, Answer] = field(default_factory=dict)
    headers: dict[str, Message] = field(default_factory=dict)
    """Those of the last request for each address."""

    def answer(self, target: str, headers: Message) -> Answer:
        self.headers[target] = headers
        if target in self.answers:
            return self.answers[target]
        if urlsplit(target).path == "/robots.txt":
            return 200, {"Content-Type": "text/plain"}, b"User-agent: *\nDisallow:\n"
        return 404, HTML, b"missing"

    def sitemap(self, url: str, *pages: str, parts: tuple[str, ...] = ()) -> None:
        """A sitemap of pages, or an index of parts."""
        said = [f"<url><loc>{page}</loc></url>" for page in pages]
        said += [f"<sitemap><loc>{part}</loc></sitemap>" for part in parts]
        self.answers[url] = 200, XML, f"<sitemapindex>{''.join(said)}</sitemapindex>".encode()

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


NAMES = ["session=11", "session=12", "source=north", "ref=a-1", "ref=a-2", "campaign=x", "pk_id=7"]


def test_names_that_name_pages_here_count(project: Project) -> None:
    home = "http://paper.example"
    with Hosts() as site:
        pages = [f"{home}/desk?{name}" for name in NAMES]
        site.page(f"{home}/", *pages, f"{home}/desk?session=11&utm_source=top&fbclid=1")
        for page in pages:
            site.page(page)
        project.configure(start_urls=[f"{home}/"])
        project.crawl(http_proxy=site.url)
    assert stored(project) == sorted([f"{home}/", *pages])


def test_names_that_change_nothing_here_are_learned(project: Project) -> None:
    """Three stories under two addresses each prove it; the next night's stories come once."""
    home = "http://paper.example"
    with Hosts() as site:
        for night, stories in ((1, "abc"), (2, "def")):
            links = [f"{home}/{name}{query}" for name in stories for query in ("?ref=top", "")]
            site.page(f"{home}/", *links)
            for link in links:
                site.page(link, text=f"Story {link.partition('?')[0]}")
            project.configure(start_urls=[f"{home}/"])
            project.crawl(http_proxy=site.url)
            fetched = [url for url in stored(project) if url in links]
            assert len(fetched) == 6 // night
    known = json.loads(project.run("urldb", "site", "--state", "skipped", "--json").stdout)
    assert {row["reason"].partition(": ")[0] for row in known} == {"says what another address says"}
    # Those that were fetched twice before are asked for once, too.
    assert len(known) == 6


def test_a_fault_in_a_sitemap_spoils_no_address(project: Project) -> None:
    entry = (
        "<url><loc>http://paper.example/view?id={0}&amp;part=2</loc><t:title>{1}</t:title></url>"
    )
    titles = ("One", "Salt & pepper", "Caf&eacute;", "Four")
    body = "".join(entry.format(n, title) for n, title in enumerate(titles))
    with Hosts() as site:
        site.answers["http://paper.example/sitemap.xml"] = 200, XML, f"<urlset>{body}".encode()
        pages = [f"http://paper.example/view?id={n}&part=2" for n in range(4)]
        for page in pages:
            site.page(page)
        project.configure(start_urls=[], sitemaps=["http://paper.example/sitemap.xml"], depth=0)
        project.crawl(http_proxy=site.url)
    assert stored(project) == pages


@pytest.mark.parametrize("is_gzip", [True, False])
def test_a_sitemap_may_be_larger_than_a_page(project: Project, is_gzip: bool) -> None:
    """The page limit holds for pages, feeds too; a sitemap has that of the protocol."""
    home = "http://paper.example"
    body = f"<urlset><url><loc>{home}/1</loc></url>{' ' * 20_000_000}</urlset>".encode()
    with Hosts() as site:
        site.answers[f"{home}/map"] = 200, XML, gzip.compress(body) if is_gzip else body
        site.page(f"{home}/1")
        project.configure(start_urls=[], sitemaps=[f"{home}/map"], depth=0, max_page_bytes=100_000)
        project.crawl(http_proxy=site.url)
    assert stored(project) == [f"{home}/1"]


def test_sitemaps_on_other_hosts(project: Project) -> None:
    """Named by robots.txt or an index, or behind a redirect; other sites' pages are not taken, nor
    what other hosts' robots.txt names, nor private hosts asked. Keys for the site stay with it."""
    home, maps = "http://paper.example", "http://maps.example"
    with Hosts() as site:
        robots = f"Sitemap: {maps}/index.xml\nSitemap: /moved.xml\nSitemap: http://10.0.0.1:1/x"
        site.answers[f"{home}/robots.txt"] = 200, {}, robots.encode()
        site.answers[f"{maps}/robots.txt"] = 200, {}, f"Sitemap: {maps}/own.xml".encode()
        site.sitemap(f"{maps}/index.xml", parts=("http://cdn.example/part.xml.gz", "/second.xml"))
        site.sitemap("http://cdn.example/part.xml.gz", f"{home}/1", "http://other.example/1")
        site.sitemap(f"{maps}/second.xml", f"{home}/2")
        site.sitemap(f"{maps}/own.xml", f"{home}/never")
        site.answers[f"{home}/moved.xml"] = 302, {"Location": "http://cdn.example/third.xml"}, b""
        site.sitemap("http://cdn.example/third.xml", f"{home}/3")
        site.page(f"{home}/", f"{home}/about")
        for name in ("about", "1", "2", "3", "never"):
            site.page(f"{home}/{name}")
        site.page("http://other.example/1")
        project.configure(
            start_urls=[f"{home}/"],
            find_sitemaps=True,
            private_hosts=[],
            headers={"X-Key": "secret"},
        )
        # The proxy would not mind the private address: the guard must.
        done = project.run("crawl", "site", http_proxy=site.url)
    assert done.returncode == 0
    assert "http://10.0.0.1:1/x: not fetched: private address" in done.stderr
    assert stored(project) == [f"{home}/", *(f"{home}/{name}" for name in ("1", "2", "3", "about"))]
    asked = {url.partition("//")[2].partition("/")[0] for url in site.headers}
    assert asked == {"paper.example", "maps.example", "cdn.example"}
    with_key = {url for url, headers in site.headers.items() if headers["X-Key"]}
    assert with_key == {url for url in site.headers if url.startswith(home)}


def feed(*links: str) -> Answer:
    items = "".join(f"<item><title>T</title><link>{link}</link></item>" for link in links)
    return 200, XML, f"<rss version='2.0'><channel>{items}</channel></rss>".encode()


def moved(url: str) -> Answer:
    return 301, {**HTML, "Location": url}, b"<p>moved"


def test_entries_of_a_feed_behind_a_counter_elsewhere(project: Project) -> None:
    """Six lead home, by one host or two; others lead to a private host, on and on, to no page of
    the site, to what a rule denies, and to nothing."""
    home, counter = "http://paper.example", "http://go.example"
    ends = ("private", "loop", "away", "denied", "gone", "page")
    with Hosts() as site:
        links = [f"{counter}/{name}" for name in (*range(6), *ends)]
        site.answers[f"{home}/feed.xml"] = feed(*links)
        for n in range(6):
            site.answers[f"{counter}/{n}"] = moved(f"{home}/story/{n}?utm_source=feed")
            site.page(f"{home}/story/{n}?utm_source=feed")
        site.answers[f"{counter}/5"] = moved("http://second.example/5")
        site.answers["http://second.example/5"] = moved(f"{home}/story/5?utm_source=feed")
        site.answers[f"{counter}/private"] = moved("http://10.0.0.1/")
        for n in range(9):
            site.answers[f"http://h{n}.example/"] = moved(f"http://h{n + 1}.example/")
        site.answers[f"{counter}/loop"] = moved("http://h0.example/")
        site.answers[f"{counter}/away"] = moved("http://other.example/")
        site.page("http://other.example/", text="secret")
        site.answers[f"{counter}/denied"] = moved(f"{home}/shop/1")
        site.page(f"{counter}/page", text="secret")
        rules = [{"deny": "/shop/"}]
        settings = {"feeds": [f"{home}/feed.xml"], "rules": rules, "headers": {"X-Key": "secret"}}
        project.configure(start_urls=[], depth=0, private_hosts=[], **settings)
        project.crawl(http_proxy=site.url)
        assert stored(project) == [f"{home}/story/{n}?utm_source=feed" for n in range(6)]
        failed = project.query("select url, error from {pages} where error is not null")
        reasons = {url.rpartition("/")[2]: error for url, error in failed}
        assert reasons["private"].startswith("private address 10.0.0.1")
        assert reasons["loop"] == "redirect refused, other host: h5.example: http://h5.example/"
        assert reasons["away"] == "leads elsewhere: http://other.example/"
        assert reasons["denied"].startswith("redirect refused, denied by rule")
        assert reasons["gone"] == "http 404"
        assert reasons["page"] == f"leads elsewhere: {counter}/page"
        assert not any(h["X-Key"] for url, h in site.headers.items() if not url.startswith(home))
        # The next night nothing is new, which is no fault.
        site.headers.clear()
        project.crawl(http_proxy=site.url)
        assert not [url for url in site.headers if "/story/" in url]


def test_a_feed_that_a_page_names_leads_to_no_other_host(project: Project) -> None:
    home = "http://paper.example"
    with Hosts() as site:
        named = f"<link rel=alternate type=application/rss+xml href={home}/feed.xml>"
        site.page(f"{home}/", f"{home}/1", text=named)
        site.page(f"{home}/1")
        site.answers[f"{home}/feed.xml"] = feed("http://go.example/1", f"{home}/1")
        project.configure(start_urls=[f"{home}/"], find_feeds=True)
        project.crawl(http_proxy=site.url)
    assert not [url for url in site.headers if "go.example" in url]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (feed(), "its feeds and sitemaps name no address; the log says which"),
        (feed("http://go.example/1", "http://go.example/2"), "of 2 addresses that its feeds"),
        (feed("http://paper.example/shop/1"), "none is the site's: denied by rule (1); check"),
    ],
)
def test_a_feed_without_an_address_of_the_site_is_told_each_night(
    project: Project, answer: Answer, said: str
) -> None:
    with Hosts() as site:
        site.answers["http://paper.example/feed.xml"] = answer
        feeds = ["http://paper.example/feed.xml"]
        project.configure(start_urls=[], feeds=feeds, depth=0, rules=[{"deny": "/shop/"}])
        for _ in range(2):
            done = project.run("crawl", "site", http_proxy=site.url)
            assert done.returncode == 1 and said in done.stderr.splitlines()[-1], done.stderr


@pytest.mark.parametrize(
    ("links", "said"),
    [
        (["http://new.example/1", "http://new.example/2"], "but the start URLs: other host (2);"),
        ([], "but the start URLs: they link to none; check `start_urls` and `rules`, or say"),
    ],
)
def test_a_start_page_that_leads_nowhere_is_told_each_night(
    project: Project, links: list[str], said: str
) -> None:
    with Hosts() as site:
        site.page("http://paper.example/", *links)
        project.configure(start_urls=["http://paper.example/"])
        for _ in range(2):
            done = project.run("crawl", "site", http_proxy=site.url)
            assert done.returncode == 1 and said in done.stderr.splitlines()[-1], done.stderr
        project.configure(start_urls=["http://paper.example/"], depth=0)
        project.crawl(http_proxy=site.url)


LIKE_FILES = ["2026/learning-node.js", "2026/why-vue.js", "wiki/File:Boat.jpg", "news/story.xml"]


@pytest.mark.parametrize("rules", [[{"allow": "/2026/|/wiki/|/news/"}], []])
def test_pages_that_end_like_files(project: Project, rules: list[dict[str, str]]) -> None:
    """Allowed by a rule, or learned by a trial; documents are left out."""
    home = "http://paper.example"
    files = [f"{home}/files/{n}.pdf" for n in range(6)]
    with Hosts() as site:
        site.page(f"{home}/", *(f"{home}/{name}" for name in LIKE_FILES), *files)
        for name in LIKE_FILES:
            site.page(f"{home}/{name}")
        for file in files:
            site.answers[file] = 200, {"Content-Type": "application/pdf"}, b"%PDF" * 9
        project.configure(start_urls=[f"{home}/"], rules=rules)
        for _ in range(2):
            project.crawl(http_proxy=site.url)
        assert stored(project) == sorted(f"{home}/{name}" for name in ["", *LIKE_FILES])
        assert not [url for url in site.headers if url in files]
    said = project.run("urldb", "site", "--why", files[-1]).stdout
    assert said == f"{files[-1]}: not fetched: media file; an `allow` rule fetches it\n"


def test_what_a_run_leaves_out_is_counted_with_its_reason(project: Project) -> None:
    home = "http://paper.example"
    links = [
        f"{home}/2",
        "http://a.example/",
        "http://b.example/",
        f"{home}/a.mp3",
        f"{home}/x/x/x/x/",
    ]
    links += [f"{home}/{'y' * 2000}", f"{home}/shop/1"]
    with Hosts() as site:
        feed_elsewhere = "<link rel=alternate type=application/rss+xml href=http://f.example/>"
        site.page(f"{home}/1", *links, text=feed_elsewhere)
        site.page(f"{home}/2", *links)
        settings = {"rules": [{"deny": "/shop/"}], "find_feeds": True}
        project.configure(start_urls=[f"{home}/1"], **settings)
        project.crawl(http_proxy=site.url)
    (row,) = project.query("select left_out from {runs}")
    told = {each["reason"]: (each["addresses"], each["example"]) for each in row[0]}
    assert told == {
        "other host": (2, "http://a.example/"),
        "trap": (1, f"{home}/x/x/x/x/"),
        "too long": (2, f"{home}/1"),
        "denied by rule": (1, f"{home}/shop/1"),
        "feed on another host": (1, "http://f.example/"),
        "media file": (1, f"{home}/a.mp3"),
    }


def test_links_past_the_limit_of_a_page_are_told(project: Project) -> None:
    home = "http://paper.example"
    with Hosts() as site:
        site.page(f"{home}/", *(f"/{n % 3}" for n in range(30_000)))
        for n in range(3):
            site.page(f"{home}/{n}")
        project.configure(start_urls=[f"{home}/"])
        done = project.run("crawl", "site", http_proxy=site.url)
    assert done.returncode == 0
    assert f"{home}/: 10000 addresses left out: too many links on a page" in done.stderr
