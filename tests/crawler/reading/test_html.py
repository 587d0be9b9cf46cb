"""Charsets and parsing of good, odd and hostile bytes."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.reading.html import (
    MAX_DEPTH,
    Charset,
    decode_html,
    detect_charset,
    parse_html,
    text_content,
)

JAPANESE = "これは文字コードを宣言しない日本語のページです。漢字とかなが混ざっています。" * 4


@pytest.mark.parametrize(
    ("body", "content_type", "default", "expected"),
    [
        (b"x", "text/html; charset=Shift_JIS", None, Charset("cp932", "http")),
        (b"\xef\xbb\xbfx", "text/html; charset=latin-1", None, Charset("utf-8", "bom")),
        ('<meta charset="utf-8">no\u00ebl'.encode(), "text/html; charset=latin-1", None,
         Charset("utf-8", "detected")),
        (b'<meta charset="utf-8">no\xebl', "text/html; charset=latin-1", None,
         Charset("cp1252", "http")),
        (b'<meta charset="gb2312">', None, None, Charset("gb18030", "meta")),
        (b'<?xml version="1.0" encoding="euc-jp"?>', None, None, Charset("euc_jp", "meta")),
        (b'<meta charset="utf-16">', None, None, Charset("utf-8", "meta")),
        ('<meta charset="latin-1">\u00e9t\u00e9, d\u00e9j\u00e0'.encode(), None, None,
         Charset("cp1252", "meta")),
        ('<meta charset="latin-1">\u00e9t\u00e9, d\u00e9j\u00e0 no\u00ebl'.encode(), None, None,
         Charset("utf-8", "detected")),
        ("\u65e5\u672c\u8a9e".encode(), "text/html; charset=shift_jis", None,
         Charset("utf-8", "detected")),
        (b'<meta charset="bogus">', "text/html; charset=nonsense", "cp1252",
         Charset("cp1252", "default")),
        # The server says UTF-8 of all that it has.
        ('<meta charset="windows-1251">Это было в городе'.encode("cp1251"),
         "text/html; charset=utf-8", None, Charset("cp1251", "meta")),
        (f'<meta charset="euc-jp">{JAPANESE}'.encode("euc_jp"), "text/html; charset=utf-8", None,
         Charset("euc_jp", "meta")),
        (f'<meta charset="utf-8">{JAPANESE}'.encode("euc_jp"), "text/html; charset=utf-8", None,
         Charset("euc_jp", "detected")),
        (JAPANESE.encode("shift_jis"), "text/html; charset=utf-8", "shift_jis",
         Charset("cp932", "default")),
        # One broken byte, and characters that were broken before.
        ('<meta charset="latin-1">\u00e9t\u00e9 '.encode() + b"\x92" + b"\xef\xbf\xbd" * 4,
         "text/html; charset=utf-8", None, Charset("utf-8", "http")),
        (b"x", None, "euc-jp", Charset("euc_jp", "default")),
        (JAPANESE.encode("shift_jis"), "text/html", None, Charset("cp932", "detected")),
        (JAPANESE.encode("euc_jp"), None, None, Charset("euc_jp", "detected")),
        (JAPANESE.encode(), None, None, Charset("utf-8", "detected")),
        (b"", None, None, Charset("utf-8", "detected")),
    ],
)  # fmt: skip
def test_charset_and_its_source(
    body: bytes, content_type: str | None, default: str | None, expected: Charset
) -> None:
    assert detect_charset(body, content_type, default) == expected


@pytest.mark.parametrize("name", ["shift_jis", "euc_jp", "utf-8", "gb18030", "utf-16"])
def test_text_survives_each_charset(name: str) -> None:
    root = parse_html(f"<title>{JAPANESE}</title>".encode(name), name)
    assert root.findtext("head/title") == JAPANESE


@pytest.mark.parametrize("name", ["utf-16-le", "utf-16-be"])
def test_wide_characters_without_a_mark(name: str) -> None:
    page = '<html><meta charset="utf-16"><p>\u6e56 lake'.encode(name)
    assert text_content(parse_html(page)) == "\u6e56 lake"
    assert (detect_charset(page).name, detect_charset(page).source) == (name, "detected")


def test_wrong_bytes_become_replacement_characters() -> None:
    assert decode_html(b"a\xffb", "utf-8") == "a\ufffdb"
    assert "a\ufffdb" in text_content(parse_html(b"<p>a\xffb", "utf-8"))


@pytest.mark.parametrize("body", [b"", b" \n", b"\0", b"<!-- never closed", b"<", b"<a", b"]]>"])
def test_no_page_is_an_empty_document(body: bytes) -> None:
    root = parse_html(body)
    assert root.tag == "html"
    assert not text_content(root).strip() or root.find("body") is not None


def test_nul_bytes_do_not_end_the_page() -> None:
    assert text_content(parse_html(b"<p>a\0b</p><p>after</p>")) == "abafter"


@pytest.mark.parametrize("depth", [300, 3_000, 50_000])
def test_deep_nesting_loses_no_text(depth: int) -> None:
    body = b"<div>" * depth + b"deep" + b"</div>" * depth + b"<p>after</p>"
    root = parse_html(body, "utf-8")
    assert text_content(root) == "deepafter"
    levels = 0
    while (root := root.find("*[1]")) is not None:
        levels += 1
    assert levels <= max(depth, MAX_DEPTH) + 2


def test_content_in_head_is_read_by_an_html5_parser() -> None:
    # libxml2 keeps an element that it does not know open in `head`.
    body = b"<html><head><title>t</title><x-y></head><body><p>text</p></body></html>"
    root = parse_html(body)
    assert [element.tag for element in root] == ["head", "body"]
    assert text_content(root.find("body")) == "text"


def test_text_after_the_end_of_the_document_stays_in_its_container() -> None:
    text = "word " * 40
    page = f"<div id=a><p>first</p></body></html><p>{text}</p></div><p>outside</p>"
    root = parse_html(page.encode())
    (container,) = root.xpath("//div[@id='a']")
    assert text.strip() in text_content(container)
    assert "outside" not in text_content(container)


@pytest.mark.parametrize(
    "gap", [b"\n" * 5_000, b"<br>" * 2_000, b"<script>" + b"f();" * 99_000 + b"</script>"]
)
def test_text_far_after_the_end_of_the_document_stays_in_its_container(gap: bytes) -> None:
    text = b"word " * 40
    page = b"<div id=a><p>first</p></body></html>%b<p>%b</p></div>" % (gap, text)
    (container,) = parse_html(page, "utf-8").xpath("//div[@id='a']")
    assert text.decode() in text_content(container)


def test_scripts_after_the_end_of_the_document_change_nothing() -> None:
    page = b"<div><p>first</p></body></html><!-- " + b"x " * 99 + b"--><script>" + b"f();" * 99
    assert parse_html(page + b"</script>").xpath("string(//div/p)") == "first"


# After the end of the document, so that the HTML5 parser reads it.
AFTER_END = b"<html><body></body></html>" + b"text " * 60


@pytest.mark.parametrize("markup", ["\u2039p\u00b2>x", "<b x\u00aa=1>x", "<b \u00b2=1>x"])
def test_names_that_xml_forbids_are_dropped(markup: str) -> None:
    root = parse_html(AFTER_END + markup.encode())
    assert text_content(root).endswith("x")


@pytest.mark.parametrize("name", ["idna", "punycode", "undefined", "utf-32", "unicode_escape"])
def test_codecs_that_are_no_charsets_are_not_believed(name: str) -> None:
    page = f'<meta charset="{name}"><p>{JAPANESE}</p>'.encode()
    assert text_content(parse_html(page)) == text_content(parse_html(page, name)) == JAPANESE


@pytest.mark.parametrize("piece", [b"a<b></b>", b"abc<!---->", b"<i>a</i>b"])
def test_many_pieces_after_the_end_are_read_in_time(piece: bytes) -> None:
    times = []
    for count in (20_000, 80_000):
        begun = time.process_time()
        parse_html(AFTER_END + piece * count)
        times.append(time.process_time() - begun)
    assert times[1] < 9 * times[0] + 0.5  # 16 times as long if each looks at those before it


def test_a_page_of_the_size_limit_is_read_in_time() -> None:
    body = b"<p>some <b>text</b> and <a href=x>a link</a></p>" * 300_000
    begun = time.monotonic()
    assert len(parse_html(body, "utf-8").find("body")) == 300_000
    assert time.monotonic() - begun < 20


@pytest.mark.parametrize("piece", [b"<!--", b"<script>", b"<style></styl", b"<", b"<a "])
def test_what_is_never_closed_after_the_end_is_looked_at_once(piece: bytes) -> None:
    page = b"<body>x</body>" + piece * (4 * 2**20 // len(piece))
    begun = time.process_time()
    assert text_content(parse_html(page, "utf-8")).startswith("x")
    assert time.process_time() - begun < 5  # hours if each looks at all that follow


@given(st.binary(max_size=300))
def test_any_bytes_give_a_document(body: bytes) -> None:
    assert parse_html(body).tag == "html"


HTML_BITS = st.lists(
    st.sampled_from(
        [
            *("<p>", "</p>", "<table>", "<td>", "<body>", "</body>", "<html>", "</html>", "<head>"),
            *("<script>", "</script>", "<!--", "-->", "<svg>", "<x:y z:w=1>", '<a "=1>', "text"),
            *("&amp;", "&#0;", "\0", "<frameset>", "<plaintext>", "<noscript>", "</"),
        ]
    ),
    max_size=30,
)


@given(HTML_BITS)
def test_any_markup_gives_a_document(bits: list[str]) -> None:
    root = parse_html("".join(bits).encode())
    assert root.tag == "html"
    text_content(root)
