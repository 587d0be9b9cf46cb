"""Which URLs belong to a site."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.config.sites import SiteConfig
from crawler.frontier.scope import Scope, has_repeated_segments, is_media


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
        ("https://[::1]:8080/blog", "other host: [::1]:8080"),
        ("https://a%2Fb.org/blog", "not a URL"),
    ],
)
def test_scope_without_rules(url: str, reason: str | None) -> None:
    refusal = Scope.of_site(site()).refusal(url)
    assert refusal is None if reason is None else refusal and refusal.startswith(reason)


@pytest.mark.parametrize("own", ["http://bücher.example/", "http://xn--bcher-kva.example/"])
def test_the_letters_of_a_host_do_not_count(own: str) -> None:
    for host in ("bücher.example", "BÜCHER.example", "xn--bcher-kva.example", "www.bücher.example"):
        assert Scope.of_site(site(start_urls=[own])).refusal(f"http://{host}/a") is None
    by_feed = Scope.of_site(site(start_urls=[], feeds=[own]))
    assert by_feed.refusal("http://b%C3%BCcher.example/a") is None
    assert by_feed.refusal("http://buecher.example/a") == "other host: buecher.example"


def test_a_rule_in_letters_is_found_in_what_they_stand_for() -> None:
    rules = [{"deny": "/süd/"}, {"allow": r"^http://bücher\.example/"}, {"deny": "."}]
    scope = Scope.of_site(site(start_urls=["http://bücher.example/x/"], rules=rules))
    assert scope.refusal("http://xn--bcher-kva.example/a") is None
    assert scope.refusal("http://xn--bcher-kva.example/s%C3%BCd/a") == "denied by rule '/süd/'"
    # A rule in ASCII is meant for the address as it is sent.
    sent = Scope.of_site(site(start_urls=["http://e.org/"], rules=[{"deny": "%C3"}]))
    assert sent.refusal("http://e.org/%C3%BC") == "denied by rule '%C3'"


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


def test_a_rule_may_allow_what_ends_like_a_file() -> None:
    scope = Scope.of_site(site(rules=[{"deny": "/pictures/"}, {"allow": "/wiki/"}]))
    assert scope.refusal("https://example.org/wiki/File:Boat.jpg") is None
    assert scope.refusal("https://example.org/wiki/pictures/a.jpg") == "denied by rule '/pictures/'"
    assert scope.refusal("https://example.org/blog/learning-node.js") == "media file"
    assert scope.refusal("https://other.org/wiki/a.js") == "other host: other.org"
    assert scope.refusal("https://example.org/x.js") == "outside the directories of the start URLs"


@given(st.text(max_size=60))
def test_anything_gets_a_verdict(text: str) -> None:
    assert isinstance(Scope.of_site(site()).refusal(text), str | None)
