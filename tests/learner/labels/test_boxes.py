"""Boxes of a page in whole pixels, and which of them a person's box is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learner.labels.boxes import Box, distinct_boxes, match_box
from tests.learner.labels.pages import DATE, SIZE, drawn, node_of

PIXELS = st.integers(1, 2000)
BOXES = st.tuples(PIXELS, PIXELS, PIXELS, PIXELS).map(
    lambda each: (each[0], each[1], each[0] + each[2], each[1] + each[3])
)


def test_what_has_one_box_stands_behind_one() -> None:
    page = drawn()
    boxes = distinct_boxes(page, SIZE)
    assert [page.tags[node] for node in boxes[1, 1, 1280, 1000]] == ["html", "body"]
    assert [page.tags[node] for node in boxes[100, 740, 300, 840]] == ["a", "img"]


def test_a_box_holds_all_of_its_element() -> None:
    page = drawn()
    assert distinct_boxes(page, SIZE)[200, 120, 291, 140] == [node_of(page, DATE)]


def test_what_the_picture_does_not_show_has_no_box() -> None:
    page = drawn()
    boxes = distinct_boxes(page, (1280, 600))
    assert max(bottom for _, _, _, bottom in boxes) == 600
    seen = {page.tags[node] for nodes in boxes.values() for node in nodes}
    assert "i" not in seen and "img" not in seen


@given(st.lists(BOXES, min_size=1, max_size=20, unique=True), st.data())
def test_each_box_is_itself(boxes: list[Box], data: st.DataObject) -> None:
    box = data.draw(st.sampled_from(boxes))
    matched = match_box(box, boxes)
    assert matched and boxes[matched.place] == box and matched.is_same and matched.overlap == 1


@given(BOXES, st.tuples(*[st.integers(-1, 1)] * 4))
def test_a_pixel_off_is_the_same_box(box: Box, off: tuple[int, ...]) -> None:
    moved = tuple(side + by for side, by in zip(box, off, strict=True))
    if moved[0] < moved[2] and moved[1] < moved[3]:
        matched = match_box(moved, [box])  # type: ignore[arg-type]
        assert matched is None or matched.is_same


def test_of_two_near_boxes_the_one_more_alike() -> None:
    boxes = [(10, 10, 31, 31), (10, 10, 30, 30)]
    matched = match_box((10, 10, 30, 30), boxes)
    assert matched and matched.place == 1


@pytest.mark.parametrize(
    ("box", "is_sure"),
    [((1, 1, 101, 81), True), ((1, 1, 101, 80), False), ((1, 1, 126, 101), True)],
)
def test_a_box_like_an_element_is_that(box: Box, is_sure: bool) -> None:
    matched = match_box(box, [(1, 1, 101, 101)])
    assert matched and not matched.is_same and matched.is_sure is is_sure


def test_what_overlaps_nothing_is_nothing() -> None:
    assert match_box((1, 1, 5, 5), [(50, 50, 60, 60)]) is None
    assert match_box((1, 1, 5, 5), []) is None
