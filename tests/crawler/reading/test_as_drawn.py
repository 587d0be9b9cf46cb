"""What a page says in elements that a browser makes something else of."""

import pytest

from tests.handmade import Story, extract, layout, page, site

NEW = Story(99)


def learned(around):
    def template(story):
        return f"<h1>{story.title}</h1><div class=text>{around(story)}</div>"

    return extract(page(NEW, template), site(template))


@pytest.mark.parametrize(
    "around",
    [
        lambda story: f"<x-text><template shadowrootmode=open>{story.html}</template></x-text>",
        lambda story: f"<div class=lazy></div><noscript>{story.html}</noscript>",
        lambda story: "".join(f'<span style="display: block">{p}</span>' for p in story.paragraphs),
    ],
)
def test_a_text_is_found_as_it_is_drawn(around):
    assert learned(around).body == NEW.body


def test_what_is_drawn_nowhere_is_no_text():
    beside = "<template><p>A text for scripts.</p></template><noscript><p>Switch on.</p></noscript>"
    assert learned(lambda story: story.html + beside).body == NEW.body


def test_spans_stay_in_their_lines():
    tree = layout('<p>One <span style="display: inline-block">two</span> <span>three</span></p>')
    assert [block.text for block in tree.blocks] == ["One two three"]


def test_lines_of_code_stay_in_their_block():
    lines = '<span style="display:flex">one</span>\n<span style="display:flex">two</span>'
    assert len(layout(f"<pre><code>{lines}</code></pre>").blocks) == 1


def test_a_plea_for_scripts_is_no_text():
    plea = (
        "<noscript><div>Please switch on scripts in your browser to see this page.</div></noscript>"
    )
    assert layout(f"<div id=app></div>{plea}").blocks == []
