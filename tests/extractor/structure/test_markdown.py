"""Markdown says what the HTML says, whatever signs the text has."""

from html import escape

from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from crawler.reading.html import parse_html
from extractor.structure.markdown import write_markdown


def shown(markdown):
    """The text of Markdown as a reader sees it."""
    return parse_html(MarkdownIt("commonmark").enable("table").render(markdown).encode(), "utf-8")


def test_each_kind_of_element():
    html = (
        "<h2>A</h2><p>b <b>c</b> <code>d*</code><br>e</p><ul><li>f<ol><li>g</li></ol></li></ul>"
        "<blockquote><p>h</p></blockquote><pre><code class='language-c'>i;\n\nj;</code></pre>"
        "<table><tr><th>k</th><th>l</th></tr><tr><td>m</td><td></td></tr></table>"
        '<p><a href="https://a.example/n">o</a><img src="https://a.example/p.png" alt="q"></p>'
    )
    lines = write_markdown(html).splitlines()
    for line in ("## A", "b **c** `d*`  ", "e", "- f", "> h", "```c", "i;", "| k | l |"):
        assert line in lines
    assert "[o](https://a.example/n)![q](https://a.example/p.png)" in lines


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="a*_#`[]()!<>|~\\-+=1.&;:/ ", min_size=1, max_size=40))
def test_signs_in_a_text_mean_nothing(text):
    html = f"<p>x{escape(text, quote=False)}x</p>"
    said = "".join(map(str, shown(write_markdown(html)).itertext()))
    assert "".join(said.split()) == "".join(f"x{text}x".split())
