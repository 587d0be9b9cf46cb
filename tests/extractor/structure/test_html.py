"""Which elements are kept around a text, and that nothing else is."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml.html import fragment_fromstring

from extractor.structure.html import write_html
from extractor.structure.pictures import find_pictures
from extractor.structure.place import TextPlace
from tests.handmade import layout, match_on

BASE = "https://site.example/news/one.html"


def written(html, leave_out=()):
    """The text of a page as HTML on one line; blocks with these texts are none of it."""
    tree = layout(html, url=BASE)
    body = [block for block in tree.blocks if block.text not in leave_out]
    pictures = find_pictures(tree, TextPlace.of(match_on(tree)), body, BASE)
    return write_html(tree, body, pictures, BASE).replace("</p>\n", "</p>").replace(">\n<", "><")


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<div>a<div>b</div>c</div>", "<p>a</p><p>b</p><p>c</p>"),
        ("<p>a<br>b</p>", "<p>a<br>b</p>"),
        ("<h2>a</h2><p>b</p>", "<h2>a</h2><p>b</p>"),
        ("<section><ul><li>a<li>b</ul></section>", "<ul><li>a</li><li>b</li></ul>"),
        ("<ul><li>a<ol><li>b</ol></ul>", "<ul><li>a<ol><li>b</li></ol></li></ul>"),
        ("<ul><li><p>a<p>b</ul>", "<ul><li><p>a</p><p>b</p></li></ul>"),
        ("<div><li>a</div>", "<p>a</p>"),
        ("<ul>a<li>b</ul>", "<ul><li>a</li><li>b</li></ul>"),
        ('<ol start="3"><li>a</ol>', '<ol start="3"><li>a</li></ol>'),
        ("<dl><dt>a<dd>b</dl>", "<dl><dt>a</dt><dd>b</dd></dl>"),
        ("<blockquote>a<p>b</blockquote>", "<blockquote><p>a</p><p>b</p></blockquote>"),
        ("<p>a &lt;b&gt; &amp; c", "<p>a &lt;b&gt; &amp; c</p>"),
        ("<p>a <script>b()</script>c<style>d{}</style>", "<p>a c</p>"),
        ("<p>a <em class=x onclick=y()>b</em> <font color=red>c</font>", "<p>a <em>b</em> c</p>"),
        ("<b>a<div>b</div>c</b>", "<p><b>a</b></p><p><b>b</b></p><p><b>c</b></p>"),
    ],
)  # fmt: skip
def test_elements_are_kept_as_they_serve_the_text(html, expected):
    assert written(html) == expected


def test_a_table_keeps_its_columns():
    html = "<table><tr><th>a<th>b<tr><td><td colspan=2>c<td>d</table>"
    expected = (
        "<table><tr><th>a</th><th>b</th></tr>"
        '<tr><td></td><td colspan="2">c</td><td>d</td></tr></table>'
    )
    assert written(html) == expected


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ("<tr>x<td>a<td>b", "<td>x</td><td>a</td><td>b</td>"),
        ("<tr><td>a<td><td>b<p>c</p>", "<td>a</td><td></td><td><p>b</p><p>c</p></td>"),
        ("<tr><div>x</div><td>a<td>b<td>", "<td>x</td><td>a</td><td>b</td><td></td>"),
    ],
)
def test_what_stands_in_no_cell_gets_one(inside, expected):
    assert written(f"<table>{inside}</table>") == f"<table><tr>{expected}</tr></table>"


def test_a_table_of_one_cell_a_row_is_layout():
    assert written("<table><tr><td><p>a<p>b<tr><td>c</table>") == "<p>a</p><p>b</p><p>c</p>"


def test_a_text_in_a_cell_of_layout_is_no_table():
    html = "<table><tr><td>menu<td><p>a<p>b</table>"
    assert written(html, leave_out=("menu",)) == "<p>a</p><p>b</p>"


def test_a_listing_keeps_its_lines_and_its_language():
    html = '<pre><code class="hl language-python">if a &lt; b:\n  <b>c</b>()\n</code></pre>'
    expected = '<pre><code class="language-python">if a &lt; b:\n  c()</code></pre>'
    assert written(f"<p>x</p>{html}") == f"<p>x</p>{expected}"


def test_lines_of_code_are_a_listing():
    assert written("<p><code>a<br>b</code></p>") == "<pre><code>a\nb</code></pre>"
    assert written("<p>do <code>a</code></p>") == "<p>do <code>a</code></p>"


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ('<a href="/b?c&amp;d">x</a>', '<a href="https://site.example/b?c&amp;d">x</a>'),
        ('<a href="#e">x</a>', f'<a href="{BASE}#e">x</a>'),
        ('<a href="javascript:alert(1)">x</a>', "x"),
        ('<a href=" JaVaScRiPt:alert(1)">x</a>', "x"),
        ('<a href="data:text/html,y">x</a>', "x"),
        ('<a href="mailto:a@b.example">x</a>', "x"),
        ('<a name="z">x</a>', "x"),
    ],
)
def test_links_are_absolute_and_lead_to_pages(link, expected):
    assert written(f"<p>a {link} b") == f"<p>a {expected} b</p>"


def test_a_link_without_words_is_no_text():
    assert written('<h2>a <a href="#a">¶</a></h2>') == "<h2>a</h2>"


def test_a_picture_stands_where_it_stood_with_its_caption():
    html = (
        "<p>a</p><figure><img src=/i.jpg alt='x \"y\"' onerror=z() width=300>"
        "<figcaption>b</figcaption></figure><p>c <img src=d.png> e</p>"
    )
    expected = (
        '<p>a</p><figure><img src="https://site.example/i.jpg" alt="x &quot;y&quot;">'
        '<figcaption>b</figcaption></figure><p>c <img src="https://site.example/news/d.png" alt="">'
        " e</p>"
    )
    assert written(html) == expected


def test_deep_elements_are_cut_to_those_around_them():
    html = "<blockquote>" * 500 + "<p>a" + "</blockquote>" * 500
    assert written(html).count("<blockquote>") <= 32
    assert "<p>a</p>" in written(html)


MARKUP = st.lists(
    st.sampled_from(
        "<p> </p> <div> </div> <ul> <li> </ul> <table> <tr> <td> </table> <pre> </pre> <b> </b> "
        "<code> </code> <br> <h2> </h2> <blockquote> </blockquote> <dl> <dd> </dl> <i> <dt> "
        "<a&#32;href='/x'> </a> <img&#32;src='/y.png'> <figure> <figcaption> </figure> <script>q()"
        "</script> one two&lt;b&gt; &amp; 東京 <a&#32;href='javascript:z'>".split()
    ),
    max_size=40,
).map(lambda parts: " ".join(parts).replace("&#32;", " "))


KEPT_HERE = (
    "p ul li table caption tr td th pre b i code br h2 blockquote dl dd dt a img figure "
    "figcaption".split()
)


TABLE_PARTS = (
    "<table> </table> <caption> <tbody> <tr> </tr> <td> <th> </td> <p> <form> <ul> <li> x y"
)
TABLE = st.lists(
    st.sampled_from(TABLE_PARTS.split()),
    max_size=30,
).map(lambda parts: "<table>" + "".join(parts))


@settings(max_examples=300, deadline=None)
@given(MARKUP | TABLE)
def test_whatever_the_page_its_text_is_kept_and_nothing_runs(html):
    tree = layout(f"<div>{html}</div>", url=BASE)
    body = tree.blocks
    pictures = find_pictures(tree, TextPlace.of(match_on(tree)), body, BASE)
    result = write_html(tree, body, pictures, BASE)
    root = fragment_fromstring(f"<div>{result}</div>")
    said = "".join(root.itertext())
    assert "".join(said.split()) == "".join(tree.written(body).split())
    assert {element.tag for element in root.iter()} <= {*KEPT_HERE, "div"}
    assert "".join(root.xpath("//@*[name() != 'href' and name() != 'src']")) == ""
    assert all(url.startswith("https://site.example/") for url in root.xpath("//@href | //@src"))
