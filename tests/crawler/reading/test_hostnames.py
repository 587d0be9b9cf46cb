"""Host names in any letters, as they are sent."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.reading.hostnames import ascii_host, readable, with_ascii_host


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("Example.ORG", "example.org"),
        ("bu\u0308cher.example", "xn--bcher-kva.example"),
        ("例え。テスト", "xn--r8jz45g.xn--zckzah"),
        ("ｅｘａｍｐｌｅ.org", "example.org"),
        ("１２７.0.0.1", "127.0.0.1"),
        ("💩.example", "xn--ls8h.example"),
        ("a_b.straße.example", "a_b.xn--strae-oqa.example"),
        ("münchen.example.", "xn--mnchen-3ya.example."),
    ],
)
def test_what_is_sent(name: str, sent: str) -> None:
    assert ascii_host(name) == sent
    assert with_ascii_host(f"http://{name}:8/{name}") in (
        f"http://{sent}:8/{name}",
        f"http://{name}:8/{name}",
    )


@pytest.mark.parametrize("name", ["ü" * 300, "a%2Fb.example", "a%20b", "%FF.example"])
def test_what_is_no_host(name: str) -> None:
    with pytest.raises(ValueError):
        ascii_host(name)


def test_an_address_is_no_name() -> None:
    for url in ("http://[::1]:80/ü", "http://[fe80::1%25eth0]/", "mailto:ü@example.org", ""):
        assert with_ascii_host(url) == url


@given(st.text(max_size=40))
def test_a_form_is_its_own_form(name: str) -> None:
    try:
        sent = ascii_host(name)
    except ValueError:
        return
    assert sent.isascii() and ascii_host(sent) == sent


@given(st.text(max_size=60))
def test_any_url_can_be_shown(text: str) -> None:
    assert isinstance(readable(f"http://xn--{text}"), str)
