"""Identity of URLs, and what belongs to a site."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.config import SiteConfig
from crawler.urls import (
    MAX_URL_LENGTH,
    Scope,
    _cached_key,
    has_repeated_segments,
    is_media,
    url_key,
)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("http://Example.org/a?x=1&y=2", "http://example.org:80/a?y=2&x=1"),
        ("http://example.org", "http://example.org/"),
        ("http://example.org/a#top", "http://example.org/a"),
        ("http://example.org/a?utm_source=feed", "http://example.org/a"),
        ("http://example.org/日本", "http://example.org/%E6%97%A5%E6%9C%AC"),
        ("http://example.org/a/../b", "http://example.org/b"),
        ("http://example.org//a///b", "http://example.org/a/b"),
        ("http://example.org/a?fbclid=x&b=1&UTM_Medium=y", "http://example.org/a?b=1"),
        ("http://example.org/a;jsessionid=1F?b=1", "http://example.org/a?b=1"),
        ("http://example.org/a/;jsessionid=1F/b", "http://example.org/a/b"),
        ("https://example.org:443/?", "https://example.org"),
        ("http://name:password@example.org:80/@a", "http://example.org/@a"),
    ],
)
def test_one_page_has_one_key(first: str, second: str) -> None:
    assert url_key(first) == url_key(second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("http://example.org/a", "http://example.org/a/"),
        ("http://example.org/?p=1", "http://example.org/?p=2"),
        ("http://example.org/A", "http://example.org/a"),
        ("http://example.org/a", "https://example.org/a"),
        ("http://example.org/", "http://example.org/index.html"),
        # The article of some blog systems, the page of some wikis.
        ("http://example.org/?eid=1", "http://example.org/?eid=2"),
        ("http://example.org/?FrontPage", "http://example.org/?Menu"),
        ("http://example.org/?keyword=a", "http://example.org/?keyword=b"),
        ("http://example.org/?gallery=1", "http://example.org/?gallery=2"),
        # In EUC-JP, which is no UTF-8.
        ("http://example.org/?p=%A4%A2", "http://example.org/?p=%A4%A4"),
        ("http://example.org/share?u=http://example.org/a", "http://example.org/a"),
        ("http://example.org/to/http://example.org/a", "http://example.org/to/"),
    ],
)
def test_two_pages_have_two_keys(first: str, second: str) -> None:
    assert url_key(first) != url_key(second)


def test_the_key_of_a_long_url_is_not_remembered() -> None:
    """The target of a redirect may be of any length; the cache is bounded by entries."""
    before = _cached_key.cache_info().currsize
    url = f"http://example.org/{'a' * MAX_URL_LENGTH}"
    assert url_key(f"{url}#top") == url
    assert _cached_key.cache_info().currsize == before


def test_the_index_file_stands_for_its_folder() -> None:
    assert url_key("http://e.org/a/index.html?x=1", "index.html") == "http://e.org/a/?x=1"
    assert url_key("http://e.org/myindex.html", "index.html") == "http://e.org/myindex.html"


@given(st.text(max_size=60))
def test_a_key_is_its_own_key(text: str) -> None:
    key = url_key(f"http://example.org/{text}")
    assert url_key(key) == key


@given(st.text(max_size=60))
def test_anything_has_a_key_and_a_verdict(text: str) -> None:
    url_key(text)
    Scope.of_site(site()).refusal(text)


def test_media_suffixes() -> None:
    assert not is_media("http://e.org/tags/node.js/")
    assert is_media("http://e.org/a/Photo.JPG?size=2")
    assert not is_media("http://e.org/page.html")
    assert not is_media("http://e.org/v1.2/page")


@pytest.mark.parametrize(
    ("path", "expected"),
    [("/a/a/a/a/", True), ("/a/b/a/b/a/b/a", True), ("/2024/12/12/12", False), ("", False)],
)
def test_repeated_segments(path: str, expected: bool) -> None:
    assert has_repeated_segments(path) is expected


def site(**values: object) -> SiteConfig:
    given_values = {"name": "s", "start_urls": ["https://www.example.org/blog/index.html"]}
    return SiteConfig.model_validate({**given_values, **values}, strict=False)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("https://www.example.org/blog/a", None),
        ("http://example.org/blog/", None),
        ("https://example.org/shop", "outside the directories"),
        ("https://other.org/blog/a", "other host: other.org"),
        ("https://example.org:8080/blog/a", "other host: example.org:8080"),
        ("https://example.org.evil.com/blog/", "other host"),
        ("https://user@evil.com/blog/", "other host: evil.com"),
        ("ftp://example.org/blog/a", "not http"),
        ("https://example.org/blog/a.mp3", "media file"),
        ("https://example.org/blog/" + "a" * 3000, "too long"),
        ("https://example.org/blog/x/y/x/y/x/y/x", "trap"),
        ("https://[broken/blog", "not a URL"),
        ("https://example.org:port/blog", "not a URL"),
    ],
)
def test_scope_without_rules(url: str, reason: str | None) -> None:
    refusal = Scope.of_site(site()).refusal(url)
    assert refusal is None if reason is None else refusal and refusal.startswith(reason)


def test_the_first_rule_that_is_found_decides() -> None:
    scope = Scope.of_site(
        site(rules=[{"deny": "/tag/"}, {"allow": "/shop/"}, {"deny": "/blog/2001/"}])
    )
    assert scope.refusal("https://example.org/shop/tag/x") == "denied by rule '/tag/'"
    assert scope.refusal("https://example.org/shop/x") is None
    assert scope.refusal("https://example.org/blog/2001/x") == "denied by rule '/blog/2001/'"
    assert scope.refusal("https://example.org/blog/2002/x") is None
    assert scope.refusal("https://evil.com/shop/x") == "other host: evil.com"


def test_a_site_of_feeds_is_open_on_their_hosts() -> None:
    scope = Scope.of_site(site(start_urls=[], feeds=["https://example.org/x/feed.xml"]))
    assert scope.refusal("https://example.org/2026/a") is None
