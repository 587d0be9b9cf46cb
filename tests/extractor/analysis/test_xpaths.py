"""XPaths lead to the elements that say what the blocks say."""

import re
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from crawler.reading.html import parse_html
from extractor.analysis.xpaths import Xpaths
from learner.dom.reading import tree_of
from learner.page.tree import LayoutTree

TAGS = (
    "div p section ul li span b x-box a:b template svg noscript table tr td button ruby script"
).split()


def located(html: str) -> tuple[etree._Element, LayoutTree, Xpaths]:
    """A fresh parse of the page, its tree, and the XPaths of its blocks."""
    root = parse_html(html.encode())
    xpaths = Xpaths(root)
    tree = tree_of(root, "")
    xpaths.read(tree)
    return parse_html(html.encode()), tree, xpaths


def nested(children: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    tags = st.sampled_from(TAGS)
    hidden = st.sampled_from(["", " hidden", ' style="display:none"', " class=x"])
    parts = st.lists(children, max_size=4).map(" ".join)
    return st.builds("<{0}{1}>{2}</{0}>".format, tags, hidden, parts)


PAGES = st.lists(
    st.recursive(st.sampled_from(["word word", "word", "<br>", ""]), nested, max_leaves=20),
    min_size=1,
    max_size=5,
).map(" ".join)


@given(PAGES)
@settings(max_examples=60, deadline=None)
def test_each_block_stands_where_its_xpath_leads(page: str) -> None:
    numbers = count()
    root, tree, xpaths = located(re.sub("word", lambda _: f"word{next(numbers)}", page))
    for block in tree.blocks:
        xpath = xpaths.of_element(block.element)
        assert xpath is not None
        (element,) = root.xpath(xpath)
        assert set(block.text.split()) <= set(" ".join(element.itertext()).split())


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        ("<p>a", "/html/body/p"),
        ("<div><p>a<p>b</div>", "/html/body/div/p[1]"),
        ("<div hidden>x</div><div>a a a a</div>", "/html/body/div[2]"),
        ("<x-term>a</x-term>", "/html/body"),
        ("<x-box><div>a</div></x-box>", "/html/body/x-box/div"),
        ("<noscript>a</noscript>", "/html/body/noscript"),
    ],
)
def test_the_first_block(page: str, wanted: str) -> None:
    _, tree, xpaths = located(page)
    assert xpaths.of_element(tree.blocks[0].element) == wanted


def test_what_is_no_element_has_none() -> None:
    _, _, xpaths = located("<p>a")
    assert xpaths.of_element(None) is None
    assert xpaths.of_element(99) is None
