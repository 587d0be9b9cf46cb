"""A snapshot's elements as a tree that pages are read by."""

from lxml import etree

from crawler.reading.html import parse_html, text_content
from learner.vision.element_tree import ElementTree
from tests.learner.vision.snapshots.made import Made


def test_each_element_is_a_node() -> None:
    made = Made()
    body = made.node(made.node(0, "HTML"), "BODY", id="x")
    made.text(body, "Rain ", 0, 0, 9, 9)
    bold = made.node(body, "B")
    made.text(bold, "today", 0, 0, 9, 9)
    made.node(body, "#comment", kind=8)
    made.text(body, "here", 0, 0, 9, 9)
    tree = ElementTree(made.read())
    written = etree.tostring(tree.root).decode()
    assert written.replace("\n ", "") == '<html><body id="x">Rain <b>today</b>here</body></html>'
    assert [tree.node(each) for each in tree.root.iter()] == [1, 2, bold]
    found = tree.element(bold)
    assert found is not None and found.tag == "b" and tree.element(3) is None
    assert tree.node(etree.Element("b")) is None
    assert "today" in text_content(parse_html(tree.html()))


def test_what_xml_does_not_allow_is_left_out() -> None:
    made = Made()
    body = made.node(made.node(0, "HTML"), "BODY", **{"@click": "x", "title": "a\0b\ud800"})
    odd = made.node(body, "A:<B>")
    made.text(odd, "ok\x01\uffff", 0, 0, 9, 9)
    before = made.node(body, "::before")
    made.text(before, "mark", 0, 0, 9, 9)
    tree = ElementTree(made.read())
    assert etree.tostring(tree.root).decode().replace("\n ", "") == (
        '<html><body title="ab"><span>ok</span></body></html>'
    )
    assert tree.element(before) is None


def test_what_is_struck_out_is_told() -> None:
    made = Made()
    body = made.node(made.node(0, "HTML"), "BODY")
    made.box(body, 0, 0, 9, 9)
    old = made.node(body, "B")
    made.box(old, 0, 0, 9, 9, text_decoration_line="line-through")
    tree = ElementTree(made.read())
    assert [tree.is_struck(each) for each in tree.root.iter()] == [False, False, True]
    assert [tree.is_seen(each) for each in tree.root.iter()] == [False, True, True]


def test_a_document_without_elements_is_empty() -> None:
    assert len(ElementTree(Made().read()).root) == 0
