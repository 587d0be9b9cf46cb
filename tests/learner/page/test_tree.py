import lxml.html
import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st
from lxml import etree

from crawler.reading.html import parse_html
from learner.page.lines import word_weight
from learner.page.page_keys import page_key
from learner.page.tree import build_tree
from tests.handmade import layout
from tests.learner.reference_tree import facts, reference_facts

TAGS = "p div a span time br hr script svg h1 ul li td fb:like x-term".split()
ATTRIBUTES = ("id", "class", "href", "rel", "itemprop", "datetime", "name", "data-id", "bgcolor")

texts = st.text("a<>&\"' \n\t;#é東\x0b1-/!", max_size=8)
attributes = st.dictionaries(
    st.sampled_from(ATTRIBUTES), texts | st.sampled_from(["author", "tag"]), max_size=3
)


@st.composite
def elements(draw, depth=3):
    element = lxml.html.Element(draw(st.sampled_from(TAGS)))
    for name, value in draw(attributes).items():
        element.set(name, value.replace("\x0b", ""))
    element.tail = draw(texts).replace("\x0b", "")
    if element.tag in ("br", "hr"):
        return element
    element.text = draw(texts).replace("\x0b", "")
    if depth:
        for child in draw(st.lists(elements(depth=depth - 1), max_size=3)):
            element.append(child)
    return element


@settings(deadline=None, max_examples=60)
@given(st.lists(elements(), max_size=4))
def test_any_tree_gives_what_the_slow_walk_gives(children):
    root = parse_html(b"<html><body></body></html>")
    for child in children:
        root.find("body").append(child)
    note(etree.tostring(root))
    assert facts(build_tree(root)) == reference_facts(root)


def test_a_link_that_holds_an_empty_one_is_one():
    root = parse_html(b"<html><body></body></html>")
    link, empty = lxml.html.Element("a", href="/x"), lxml.html.Element("a")
    empty.text, empty.tail = "", "word"
    link.append(empty)
    root.find("body").append(link)
    assert facts(build_tree(root)) == reference_facts(root)


@settings(deadline=None, max_examples=200)
@given(st.lists(st.sampled_from(
    ["<p>", "</p>", "<div class='A b-12'>", "</div>", "<a href='/x?a=1&amp;b=2'>", "</a>", "<a>",
     "<b>", "</b>", "one ", "7", "&lt;b&gt;", "&amp;lt;", "<br>", "<hr/>", "<!-- <p> -->",
     "<script>if (a<b) '</p>'</script>", "<svg><title>t</title>", "</svg>", "<div <p>", "<p<b>",
     "<time datetime=2020-01-02>", "</time>", "<img src=x alt='<'>", "<input name=q>", "\n", "\x0c",
     "<span rel=author itemprop='author'>", "<a rel=tag href=/t>", "<b rel=tag>", "</span>",
     "<td>", "<table>", "</table>", "\x1b",
     "<![CDATA[x]]>", "<?php x ?>", "<noscript>", "</noscript>", "&nbsp;", "&#128512;", '<p a"b=1>',
     "<textarea><b></textarea>", "<select><option>o</select>", "<o:p>", "</o:p>",
     "<x-t class=c>", "</x-t>", "<g>", "</g>"]
), max_size=40), st.sampled_from(["", "<!DOCTYPE html>", (
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" '
    '"http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">'
)]))  # fmt: skip
def test_any_source_gives_what_the_slow_walk_gives(parts, doctype):
    root = parse_html((doctype + "".join(parts)).encode(), "utf-8")
    note(etree.tostring(root))
    assert facts(build_tree(root)) == reference_facts(root)


def test_a_doctype_is_left_as_it_was():
    source = b'<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x.dtd"><p name="q">text'
    root = parse_html(source, "utf-8")
    assert build_tree(root).tokens == [(), ()]
    assert root.getroottree().docinfo.doctype.endswith('XHTML 1.0 Strict//EN" "x.dtd">')


def test_the_background_of_a_tables_part_is_a_name():
    tree = layout("<table bgcolor='#FFF' class=a><tr bgcolor=''><td bgcolor=red><p bgcolor=red>x")
    assert tree.tokens[1:] == [(".a", ".bgcolor-fff"), (), (".bgcolor-red",), ()]


def test_what_is_shown_where_a_player_is_missing_is_no_text():
    tree = layout("<p>Hear <audio src=a><a href=a>a.mp3</a></audio>and <video>see</video>.")
    assert [block.text for block in tree.blocks] == ["Hear and ."]


def test_an_element_that_html_does_not_know_is_inline_unless_it_holds_a_block():
    tree = layout(
        "<x-page class=a><p>A <x-term>word</x-term>, <g>one</g><x-icon></x-icon>.</p></x-page>"
    )
    assert ([block.text for block in tree.blocks], tree.tags) == (
        ["A word, one."],
        ["body", "x-page", "p"],
    )


def test_how_a_word_is_read_is_no_text():
    tree = layout(
        "<p>東<ruby>京<rp>(</rp><rt>きょう</rt><rp>)</rp></ruby>の<ruby>港<rt>みなと</rt></ruby></p>"
    )
    assert [(block.text, block.pieces) for block in tree.blocks] == [("東京の港", ())]


@pytest.mark.parametrize(
    "hides",
    [
        "hidden",
        "style='color: red; DISPLAY:none'",
        "style=visibility:hidden",
        "class='x off'",
        "id=gone",
    ],
)
def test_what_is_hidden_is_no_text(hides):
    sheet = "<style>/* .x {} */ .off, #gone {display: none !important}</style>"
    tree = layout(f"{sheet}<p>It rains in all of the town.</p><p {hides}>Draft</p>")
    assert [block.text for block in tree.blocks] == ["It rains in all of the town."]


@pytest.mark.parametrize(
    "shown",
    [
        "<p aria-hidden=true>Draft</p>",
        "<p hidden=until-found>Draft</p>",
        "<style>.a {display: none} .a.on {display: block}</style><p class='a on'>Draft</p>",
        "<style>@media print {.a {display: none}}</style><p class=a>Draft</p>",
        "<p style='--display: none'>Draft</p>",
        "<a onclick=\"show('more')\"></a><p id=more style='display: none'>Draft</p>",
        "<button aria-controls=more></button><p id=more hidden>Draft</p>",
    ],
)
def test_what_may_be_shown_is_text(shown):
    tree = layout(f"<p>It rains in all of the town.</p>{shown}")
    assert [block.text for block in tree.blocks][1:] == ["Draft"]


def test_a_page_that_is_hidden_until_a_script_runs_keeps_its_text():
    tree = layout(
        "<a href=/>Home page of the site</a><div style='visibility: hidden'><p>It rains.</p></div>"
    )
    assert [block.text for block in tree.blocks] == ["Home page of the site", "It rains."]


def test_a_hidden_dialog_is_no_text_however_long():
    tree = layout(f"<p>It rains.</p><div role=dialog hidden><p>{'Do you agree? ' * 9}</p></div>")
    assert [block.text for block in tree.blocks] == ["It rains."]


@pytest.mark.parametrize(("state", "said"), [("", []), ("open", ["Cite it so."])])
def test_a_dialog_is_text_only_if_it_is_open(state, said):
    tree = layout(f"<p>It rains.</p><dialog {state}><p>Cite it so.</p></dialog>")
    assert [block.text for block in tree.blocks] == ["It rains.", *said]


def test_a_text_for_wide_and_for_narrow_screens_is_there_once():
    text = "".join(
        f"<h2>{n}</h2><p>{f'It rains on day {n} of the year. ' * 5}</p>" for n in range(3)
    )
    page = f"<h1>Rain</h1><div class=wide>{text}</div><div class=narrow>{text}</div><p>Imprint</p>"
    once = layout(page.replace(f"<div class=narrow>{text}", "<div class=narrow>"))
    twice = layout(page)
    assert [b.text for b in twice.blocks] == [b.text for b in once.blocks]
    assert [len(twice.inside(each)) for each in (0, 1, len(twice.tags) - 1)] == [8, 1, 1]


def test_a_block_tells_its_weights_and_where_it_leads():
    root = parse_html(b"<p>By <a href=/me>Me</a></p><p><a href=/x> More </a></p>", "utf-8")
    first, second = build_tree(root).blocks
    assert (first.text, first.weight, first.unlinked_weight, first.href) == ("By Me", 4, 2, None)
    assert (second.text, second.unlinked_weight, second.href) == ("More", 0, "/x")
    assert [piece.label for piece in first.pieces] == ["", "a"]
    with pytest.raises(AttributeError):
        _ = first.nothing


def test_a_page_without_body_and_a_page_of_frames():
    for source in (b"", b"<frameset><frame src=x><noframes>no</noframes></frameset>"):
        assert build_tree(parse_html(source, "utf-8")).blocks == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("https://www.a.example/x/index.html#y", "http://A.example/x/"),
        ("https://a.example/x", "https://a.example/x/"),
        ("https://a.example/x?y=/", "https://a.example/x/?y=/"),
    ],
)
def test_addresses_of_one_page_have_one_key(first, second):
    assert page_key(first) == page_key(second)


def test_weight_counts_letters_of_any_script():
    assert word_weight("7 May, 東京") == 6


@pytest.mark.parametrize(
    ("href", "key"),
    [
        ("/b", "a.example/b"),
        ("b?x=1", "a.example/b?x=1"),
        ("http://WWW.A.example/b", "a.example/b"),
        ("https://a.example?x=1", "a.example/?x=1"),
        ("https://a.example#x", "a.example/"),
        ("/b/", "a.example/b"),
        ("/a/", None),
        ("//a.example/b", "a.example/b"),
        ("https://b.example/b", None),
        ("https://b.example?to=https://a.example/b", None),
        ("https://", None),
        ("http://[a", None),
        ("/a", None),
        ("mailto:ann@a.example", None),
    ],
)
def test_links_lead_to_other_pages_of_the_site_however_they_are_written(href, key):
    assert layout("", url="https://a.example/a").target(href) == key


def test_tags_of_other_vocabularies_stand_inside_lines():
    source = "<p>It rains in <st1:place w:st=on>London</st1:place>, too.<o:p></o:p></p>"
    assert [block.text for block in layout(source).blocks] == ["It rains in London, too."]
