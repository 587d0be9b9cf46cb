"""Pages that would hold up the HTML5 parser are told from large and from ordinary broken ones."""

from __future__ import annotations

import time

import pytest

from crawler.reading.html import parse_html, text_content
from crawler.reading.treecost import is_costly

# After the end of the document, so that the HTML5 parser is wanted.
AFTER_END = b"<html><body></body></html>" + b"text " * 60
SIZE = 2**20


def repeated(piece: bytes) -> bytes:
    return piece * (SIZE // len(piece))


def numbered(piece: bytes) -> bytes:
    return b"".join(piece % number for number in range(SIZE // len(piece)))


HOSTILE = {
    "a b": repeated(b"<a href=/x><b>"),
    "a div": repeated(b"<a href=/x><div>"),
    "attributes": numbered(b"<b c=%d>"),
    "font p": numbered(b"<font size=%d><p>x"),
    "fonts, then p": b"".join(b"<font size=%d>" % n for n in range(1_000)) + repeated(b"<p>x"),
    "options": b"<select>" + repeated(b"<option>x</option>"),
    "unknown ends": repeated(b"<span>") + repeated(b"</x>"),
    "ends out of scope": repeated(b"<div>") + b"<table><td>" + repeated(b"<span></div>"),
    "svg": b"<svg>" + repeated(b"<td>") + repeated(b"</x>"),
    "li in div": repeated(b"<div>") + repeated(b"<li></li>"),
    "body": numbered(b"<body a%d=1>"),
}


@pytest.mark.parametrize("markup", HOSTILE.values(), ids=HOSTILE)
def test_no_page_of_a_megabyte_holds_up_a_crawl(markup: bytes) -> None:
    begun = time.process_time()
    parse_html(AFTER_END + markup, "utf-8")
    assert time.process_time() - begun < 10
    assert is_costly(markup)


# Left open, each with attributes of its own.
FONTS = [b"<font size=%d color=%d>" % (n % 7, n) for n in range(300)]
ORDINARY = {
    "paragraphs": repeated(b"<p>x"),
    "lists": repeated(b"<ul><li>a<li>b</ul>"),
    "rows": b"<table><tr><td><font color=red><b>x<td><a href=x>y</table>" * 5_000,
    "bold": b"<p><b>some text</p>" * 10_000,
    "anchors": repeated(b"<a name=x>text<br>"),
    "fonts": b"".join(b"<p>%b%b text</p>" % (font, font) for font in FONTS * 3),
    "nested": b"<div>" * 50_000 + b"x" + b"</div>" * 50_000,
    "options": b"<select>" + b"<option>x</option>" * 10_000 + b"</select>",
    "pictures": repeated(b"<svg viewBox='0 0 1 1'><path d='M 1'/><g><circle r=1 /></g></svg>"),
    "scripts": repeated(b"<script>'<b><i class=x><u>'</script><!-- <font size=1> -->"),
}


@pytest.mark.parametrize("markup", ORDINARY.values(), ids=ORDINARY)
def test_large_and_ordinary_broken_pages_are_no_matter(markup: bytes) -> None:
    assert not is_costly(markup)


def test_hundreds_of_elements_left_open_are_read_by_the_html5_parser() -> None:
    text = b"".join(b"<p>%b text</p>" % font for font in FONTS)
    page = b"<div id=a><p>first</p></body></html>%b</div>" % text
    (container,) = parse_html(page, "utf-8").xpath("//div[@id='a']")
    assert text_content(container).count("text") == len(FONTS)
