"""The link walk that the crawl is checked against."""

import json
from pathlib import Path

import pytest

from benchmarks.material.reachability import is_of, outlinks, page_key, reachable_pages, seeds_for
from benchmarks.serving import ArchivedSite

ROOT = "https://walk.test/"
PAGES = {
    "index.html": '<a href="b/">b</a><a href="b/index.html#x">b</a><a href="https://else.test/">',
    "b/index.html": '<a href="../c.html">c</a><a href="/private/d.html">d</a><a href="/gone">',
    "c.html": '<base href="https://walk.test/deep/"><a href="e.html">e</a><a href="style.css">',
    "deep/e.html": '<map><area href="/"></map>',
    "private/d.html": "forbidden by robots.txt",
    "style.css": "",
    "orphan/index.html": '<a href="leaf.html">',
    "orphan/leaf.html": "",
    "robots.txt": "User-agent: *\nDisallow: /private/\n",
}


@pytest.fixture
def site(tmp_path: Path) -> ArchivedSite:
    for name, text in PAGES.items():
        path = tmp_path / "pages" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    gold = {"url": ROOT + "orphan/", "path": "orphan/index.html", "kind": "list"}
    (tmp_path / "site.json").write_text(json.dumps({"base_url": ROOT}))
    (tmp_path / "gold.jsonl").write_text(json.dumps(gold) + "\n")
    return ArchivedSite(tmp_path)


def test_it_finds_each_page_once_and_obeys_robots_txt(site: ArchivedSite) -> None:
    found = sorted(reachable_pages(site, (ROOT,)).values())
    assert found == [ROOT, ROOT + "b/", ROOT + "c.html", ROOT + "deep/e.html"]


def test_seeds_reach_lists_without_links_to_them(site: ArchivedSite) -> None:
    assert seeds_for(site) == (ROOT, ROOT + "orphan/")
    assert ROOT + "orphan/leaf.html" in reachable_pages(site, seeds_for(site)).values()


def test_index_files_case_and_query_order_make_no_new_page() -> None:
    assert page_key("http://a.test") == page_key("https://A.test/index.html")
    assert page_key("http://a.test/?a=1&b=2") == page_key("http://a.test/?b=2&a=1")
    assert page_key("http://a.test/b//index.html") == page_key("http://a.test/b/")
    assert page_key("http://a.test/%7Ex") == page_key("http://a.test/~x")
    assert page_key("http://a.test/x") != page_key("http://a.test/x/")


def test_outlinks_skips_what_is_no_web_address() -> None:
    body = b'<a href="mailto:x@y.z"><a href="http://[bad"><a name="x"><a href="">'
    assert list(outlinks(ROOT, body)) == []
    assert list(outlinks(ROOT, b"")) == []


def test_frames_and_refreshes_count_as_links() -> None:
    body = b'<meta http-equiv=Refresh content="0; url=a.html"><frameset><frame src=b.html>'
    assert set(outlinks(ROOT, body)) == {ROOT + "a.html", ROOT + "b.html"}


def test_what_is_no_address_is_of_no_site(archive: Path) -> None:
    site = ArchivedSite(archive)
    assert is_of(site, site.base_url)
    assert not is_of(site, "http://[name of the host]/page.html")
