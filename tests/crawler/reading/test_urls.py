"""The identity of URLs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.reading.urls import MAX_URL_LENGTH, _cached_key, url_key


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
        ("http://example.org/a?sid=1f0c9a3e6d2b48d7&b=1", "http://example.org/a?b=1"),
        (
            "http://example.org/a?osCsid=jt8vq1m7ceh02bsl4k9r",
            "http://example.org/a?osCsid=0a1b2c3d4e5f6a7b",
        ),
        ("http://example.org/a?zenid=q7c2n0v4d8s1k5h3", "http://example.org/a"),
        ("http://example.org/a?CFID=412345&CFTOKEN=81748204&b=1", "http://example.org/a?b=1"),
        ("http://example.org/a;sid=1f0c9a3e6d2b48d7/b", "http://example.org/a/b"),
        ("http://example.org/x/(S(lit3py55t21z5v55vlm25s55))/a", "http://example.org/x/a"),
        ("http://example.org/(X(1)S(lit3py55t21z5v55vlm25s55))/", "http://example.org/"),
        ("https://example.org:443/?", "https://example.org"),
        ("http://name:password@example.org:80/@a", "http://example.org/@a"),
        ("http://Bücher.example/a", "http://xn--bcher-kva.example/a"),
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
        ("http://example.org/?sid=5", "http://example.org/?sid=6"),
        (
            "http://example.org/?sid=2024-annual-report",
            "http://example.org/?sid=2025-annual-report",
        ),
        ("http://example.org/?s=webpagesof2024and2025", "http://example.org/"),
        ("http://example.org/?newsid=1f0c9a3e6d2b48d7", "http://example.org/"),
        ("http://example.org/?sid=550e8400-e29b-41d4-a716-446655440000", "http://example.org/"),
        ("http://example.org/?CFID=412345", "http://example.org/?CFID=412346"),
        ("http://example.org/Set_(S(mathematics))", "http://example.org/"),
        # Sittings of a parliament, desks of a newsroom, passages of a book, rows of a table.
        ("http://example.org/?session=1", "http://example.org/?session=2"),
        ("http://example.org/?sessionid=1", "http://example.org/?sessionid=2"),
        ("http://example.org/?source=a", "http://example.org/?source=b"),
        ("http://example.org/?ref=a-1", "http://example.org/?ref=a-2"),
        ("http://example.org/?Referrer=a", "http://example.org/"),
        ("http://example.org/?campaign=a", "http://example.org/?campaign=b"),
        ("http://example.org/?pk_article=1", "http://example.org/?pk_article=2"),
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
def test_anything_has_a_key(text: str) -> None:
    assert url_key(text) == url_key(text)
