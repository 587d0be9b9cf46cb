"""What of a page can be seen."""

from __future__ import annotations

import pytest

from tests.learner.vision.snapshots.made import Made


@pytest.mark.parametrize(
    ("bounds", "styles", "inner", "seen"),
    [
        ((0, 200, 100, 50), {}, (0, 200, 50, 20), True),
        ((0, 200, 0, 50), {}, (0, 200, 50, 20), True),
        ((0, 200, 100, 0), {"overflow_x": "hidden", "overflow_y": "hidden"}, (0, 200, 9, 9), False),
        ((0, 200, 100, 50), {"opacity": "0"}, (0, 200, 50, 20), False),
        ((0, 200, 100, 50), {}, (-500, 200, 50, 20), False),
        ((0, 200, 100, 50), {"overflow_x": "auto", "overflow_y": "auto"}, (0, 900, 9, 9), True),
    ],
)
def test_what_can_be_seen(
    made: Made,
    bounds: tuple[float, ...],
    styles: dict[str, str],
    inner: tuple[float, ...],
    seen: bool,
) -> None:
    holder = made.node(2, "DIV")
    made.box(holder, *bounds, **styles)
    text = made.text(holder, "here", *inner)
    assert bool(made.read().is_visible[text]) is seen


@pytest.mark.parametrize(("position", "seen"), [("static", False), ("absolute", True)])
def test_what_is_placed_absolutely_is_clipped_by_what_is_placed(
    made: Made, position: str, seen: bool
) -> None:
    holder = made.node(2, "DIV")
    made.box(holder, 0, 200, 100, 10, overflow_x="hidden", overflow_y="hidden")
    inner = made.node(holder, "DIV")
    made.box(inner, 0, 500, 100, 10, position=position)
    assert bool(made.read().is_visible[inner]) is seen
