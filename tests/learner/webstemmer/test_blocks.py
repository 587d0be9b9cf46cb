import re
from dataclasses import replace

import pytest
from lxml import html

from learner.webstemmer.blocks import WEBSTEMMER_STYLE, build_layout, mangle_value


def layout(markup, style=WEBSTEMMER_STYLE):
    blocks = build_layout(html.document_fromstring(markup), style).blocks
    return [(block.path, block.text) for block in blocks]


def test_a_path_holds_the_last_three_cutting_tags_with_sorted_lower_case_attributes():
    markup = "<ul><li><div><table ID=T Class='Big Box' width=3><tr><td colspan=2>Some text"
    assert layout(markup) == [("table:class=big box:id=t/tr/td:colspan=2", "Some text")]


def test_inline_tags_neither_cut_nor_show_in_paths():
    assert layout("<p>Some <b>bold</b> text</p>") == [("p", "Some bold text")]


@pytest.mark.parametrize("tag", ["hr", "br"])
def test_breaking_tags_cut_without_a_trace(tag):
    assert layout(f"<p>First line<{tag}>Second line</p>")[:1] == [("p", "First line")]


def test_text_after_an_inner_block_is_a_block_of_its_own():
    markup = "<div>Before it<p>Inside it</p>After it</div>"
    assert layout(markup) == [("div", "Before it"), ("div/p", "Inside it"), ("div", "After it")]


def test_an_empty_element_does_not_cut():
    assert layout("<p>Before<span></span>After</p>") == [("p", "BeforeAfter")]


def test_skipped_content_is_no_text():
    markup = "<p>Text<script>var x</script> goes<!-- comment --> on<style>p{}</style></p>"
    assert layout(markup) == [("p", "Text goes on")]


def test_blocks_below_five_word_characters_are_dropped():
    assert layout("<p>1234</p><p>12345</p><p>- - - - -</p>") == [("p", "12345")]


def test_only_ascii_white_space_collapses():
    assert layout("<p>Home\xa0»\xa0Blog\n  and more</p>") == [("p", "Home\xa0»\xa0Blog and more")]


def test_a_drop_cap_image_counts_and_other_images_do_not():
    markup = "<p><img alt=O>nce upon</p><p><img alt='A long text'>a time</p><p>It<img alt=X>ended"
    assert [text for _, text in layout(markup)] == ["Once upon", "a time", "Itended"]


def test_titles_come_first_wherever_they_stand():
    markup = "<body><p>Some text</p><svg><title>Icon name</title></svg>"
    assert layout(markup) == [("title", "Icon name"), ("p", "Some text")]


def test_link_text_counts_in_weight_only():
    root = html.document_fromstring("<p>abc <a href=x>defg</a> hi</p>")
    (block,) = build_layout(root).blocks
    assert (block.weight, block.unlinked_weight, block.letters) == (9, 5, "abcdefghi")


def test_characters_beyond_ascii_show_as_question_marks_in_paths():
    assert layout("<p class=日本>Some text") == [("p:class=??", "Some text")]


def test_mangle_keeps_what_the_regex_finds():
    style = replace(WEBSTEMMER_STYLE, rewrite_value=mangle_value(re.compile("[a-z]+")))
    markup = "<div id='Post-30' class=x1>Some text"
    assert layout(markup, style) == [("div:class=x:id=post", "Some text")]


def test_mangle_with_groups_keeps_the_groups():
    assert mangle_value(re.compile("([a-z]+)-([0-9])?"))("ab-1 cd-") == "ab1cd"


def test_deep_nesting_needs_no_recursion():
    root = html.Element("div")
    inner = root
    for _ in range(20_000):
        inner = html.etree.SubElement(inner, "div")
    inner.text = "deep text"
    (block,) = build_layout(root).blocks
    assert (block.path, block.text) == ("div/div/div", "deep text")


def test_path_runs_write_repeated_paths_once():
    root = html.document_fromstring("<p>first</p><p>second</p><pre>third</pre><p>fourth</p>")
    assert build_layout(root).path_runs == ("p", "pre", "p")
