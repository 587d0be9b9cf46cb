"""Neighbours are those that see one another, both ways."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from learner.vision.blocknet.neighbours import Neighbours, neighbours

SPANS = st.tuples(st.integers(0, 60), st.integers(0, 30))
BOXES = st.lists(st.tuples(SPANS, SPANS), max_size=14)


def found(*boxes: tuple[float, float, float, float]) -> Neighbours:
    return neighbours(np.array(boxes, np.float32).reshape(-1, 4))


def test_a_grid() -> None:
    cells = [(100 * x, 100 * y, 100 * x + 90, 100 * y + 90) for y in range(3) for x in range(3)]
    near = found(*cells)
    assert (near.above[4], near.below[4], near.left[4], near.right[4]) == ((1,), (7,), (3,), (5,))
    assert (near.above[0], near.below[0], near.left[0], near.right[0]) == ((), (3,), (), (1,))


def test_two_columns_below_a_header() -> None:
    near = found((0, 0, 1000, 90), (0, 100, 300, 900), (300, 100, 1000, 900), (0, 910, 1000, 999))
    assert near.below[0] == near.above[3] == (1, 2)
    assert near.right[1] == (2,) and near.left[2] == (1,)


def test_what_stands_between_hides() -> None:
    near = found((0, 0, 100, 10), (0, 20, 50, 30), (0, 40, 100, 50))
    assert near.above[2] == (0, 1)
    near = found((0, 0, 100, 10), (0, 20, 100, 30), (0, 40, 100, 50))
    assert near.above[2] == (1,)


def test_without_area_nothing_is_a_neighbour() -> None:
    near = found((0, 0, 100, 10), (0, 20, 0, 30), (0, 40, 100, 40), (0, 50, 100, 60))
    assert near.below[0] == (3,) and near.above[1] == near.above[2] == ()


def test_no_boxes() -> None:
    assert found() == Neighbours([], [], [], [])


@given(BOXES)
def test_neighbours_are_symmetric_and_stand_apart(spans: list[tuple[tuple[int, int], ...]]) -> None:
    boxes = np.array([[x, y, x + w, y + h] for (x, w), (y, h) in spans], np.float32)
    boxes = 10 * boxes.reshape(-1, 4)  # overlaps below the tolerance are none
    near = neighbours(boxes)
    for here in range(len(boxes)):
        for other in near.above[here]:
            assert here in near.below[other]
            assert boxes[other, 3] <= boxes[here, 1]
            assert boxes[other, 0] < boxes[here, 2] and boxes[here, 0] < boxes[other, 2]
        for other in near.below[here]:
            assert here in near.above[other]
        for other in near.left[here]:
            assert here in near.right[other] and boxes[other, 2] <= boxes[here, 0]
        for other in near.right[here]:
            assert here in near.left[other]


@given(BOXES)
def test_who_is_above_is_seen_along_a_line(spans: list[tuple[tuple[int, int], ...]]) -> None:
    """Against a slow reference: of boxes that do not overlap, along each line the last above."""
    boxes: list[tuple[int, int, int, int]] = []
    for (x, w), (y, h) in spans:
        box = (10 * x, 10 * y, 10 * (x + w), 10 * (y + h))
        apart = all(
            box[2] <= o[0] or o[2] <= box[0] or box[3] <= o[1] or o[3] <= box[1] for o in boxes
        )
        if w and h and apart:
            boxes.append(box)
    near = found(*boxes)
    for here, box in enumerate(boxes):
        seen = set()
        for line in range(box[0] + 5, box[2], 10):
            on_line = [
                (other[3], place)
                for place, other in enumerate(boxes)
                if other[0] < line < other[2] and other[3] <= box[1]
            ]
            if on_line:
                seen.add(max(on_line)[1])
        assert set(near.above[here]) == seen
