from datetime import UTC, datetime

import pytest

from crawler.archives import FoundAnchors, FoundPage
from crawler.config import SiteConfig
from crawler.importing import import_pages
from crawler.partitions import Storage
from learner.inlinks import inlinks_of_pages, read_inlinks

TIME = datetime(2026, 11, 20, tzinfo=UTC)
SITE = SiteConfig(name="site", start_urls=("http://a.com/",))
KEYS = {"http://a.com/", "http://a.com/1"}


def found(url, body):
    return FoundPage(url=url, body=body.encode(), fetched_at=TIME)


PAGES = [
    found("http://a.com/", "<a href=/1>One</a> <a href=/1#x>more</a> <a href=/2>Two</a>"),
    found("http://a.com/1", "<a href=/1> One </a> <a href=/><img alt=Home></a>"),
]


@pytest.fixture
def storage(tmp_path):
    return Storage(str(tmp_path))


@pytest.mark.parametrize("find_inlinks", [read_inlinks, inlinks_of_pages])
def test_texts_of_stored_links_and_of_the_pages_are_the_same(storage, find_inlinks):
    import_pages(storage, SITE, PAGES, "r1")
    inlinks = find_inlinks(storage, SITE, KEYS)
    assert set(inlinks.texts("http://a.com/1")) == {"One", "more"}
    assert inlinks.texts("http://a.com/") == ("Home",)
    assert inlinks.texts("http://a.com/2") == ()


def test_pages_tell_where_no_links_are_stored(storage):
    import_pages(storage, SITE.model_copy(update={"linkinfo": False}), PAGES, "r1")
    assert read_inlinks(storage, SITE, KEYS).texts("http://a.com/1") == ()
    assert set(inlinks_of_pages(storage, SITE, KEYS).texts("http://a.com/1")) == {"One", "more"}


def test_the_anchor_texts_of_an_archive_count(storage):
    anchors = FoundAnchors(url="http://a.com/1", texts=("Uno", "Uno", "Due"), fetched_at=TIME)
    import_pages(storage, SITE, [anchors, *PAGES], "r1")
    assert read_inlinks(storage, SITE, KEYS).texts("http://a.com/1") == ("Uno", "Due")
