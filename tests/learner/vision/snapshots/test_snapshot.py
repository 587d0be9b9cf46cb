"""What a snapshot tells of its nodes, their texts and their styles."""

from __future__ import annotations

import numpy as np
import pytest

from learner.vision.snapshots.arrays import SnapshotError
from tests.learner.vision.snapshots.made import Made


def test_the_tree_is_told(made: Made) -> None:
    page = made.read()
    assert (page.url, page.title, page.height, page.viewport) == (
        "http://a/", "A page", 3000.0, (1280.0, 1024.0)
    )  # fmt: skip
    assert page.tags == (
        "#document", "html", "body", "div", "p", "#text", "b", "#text", "div", "#text"
    )  # fmt: skip
    assert page.children(2) == [3, 8]
    assert list(page.ancestors(5)) == [4, 3, 2, 1, 0]
    assert page.end.tolist() == [10, 10, 10, 8, 8, 6, 8, 8, 10, 10]
    assert page.xpath(4) == "/html/body/div[1]/p"
    assert page.xpath(9) == "/html/body/div[2]/text()"
    assert page.attributes(2) == {"class": "a b"}


def test_texts_are_joined_by_block(made: Made) -> None:
    page = made.read()
    assert page.visible_text(0) == "Rain 😀 today\nMenu"
    assert page.visible_text(6) == "today"
    assert [page.text_of_box(number) for number in range(3)] == ["Rain 😀 ", "today", "Menu"]
    assert page.text(5) == "\n Rain 😀 " and page.drawn_text(5) == "Rain 😀 "


def test_a_text_is_told_of_several_nodes_and_without_others(made: Made) -> None:
    page = made.read()
    assert page.visible_text(8, 3) == "Rain 😀 today\nMenu"
    assert page.visible_text(0, without=(6, 8)) == "Rain 😀"
    assert page.visible_text() == ""


def test_a_text_is_told_as_it_is_written(made: Made) -> None:
    made.layout["text"][made.layout["nodeIndex"].index(9)] = made.place("MENU")
    page = made.read()
    assert (page.visible_text(8), page.visible_text(8, as_written=True)) == ("MENU", "Menu")


def test_styles_are_numbers_where_they_are(made: Made) -> None:
    page = made.read()
    assert page.style("display")[6] == "inline"
    assert np.isnan(page.pixels("opacity")[0]) and page.pixels("opacity")[1] == 1
    assert page.rgba("color")[1].tolist() == [0, 0, 1, 1]
    with pytest.raises(SnapshotError, match="float"):
        page.style("float")


def test_a_pseudo_element_has_its_text(made: Made) -> None:
    pseudo = made.node(2, "::before")
    made.box(pseudo, 0, 200, 9, 9)
    row = made.box(pseudo, 0, 200, 8, 8)
    made.layout["text"][row] = made.place("→")
    page = made.read()
    assert page.drawn_text(pseudo) == "→" and page.box[pseudo].tolist() == [0, 200, 9, 9]
