"""The formulas, on numbers that can be worked out by hand."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from learner.vision.blocknet.blocks import Kind
from learner.vision.blocknet.joining import Joined, join
from learner.vision.blocknet.neighbours import Neighbours
from learner.vision.blocknet.paper import OUTSIDE, Judged, Weights, decided, judge

FLAT = np.zeros(4, np.float32)
"""A g that says nothing."""


def judged(kinds: list[Kind], text: list[float], titles: list[bool]) -> Judged:
    """Leaves one below the other, each ten pixels high, with a share of text and one of links."""
    joined: Joined = join(kinds, np.array(titles), [(20.0,)] * len(kinds))
    n = len(joined)
    areas, box = np.zeros((n, 6), np.float32), np.zeros((n, 4), np.float32)
    box[:, 1], box[:, 2] = np.inf, 100
    for block in reversed(range(n)):
        leaf = joined.leaf[block]
        if leaf >= 0:
            areas[block, [0, 2]] = text[leaf], 1 - text[leaf]
            box[block] = 0, 10 * leaf, 100, 10 * leaf + 10
        if block:
            above = joined.parent[block]
            areas[above] += areas[block]
            box[above, 1] = min(box[above, 1], box[block, 1])
            box[above, 3] = max(box[above, 3], box[block, 3])
    above = [()] * n
    for children in joined.children:
        for upper, lower in pairwise(children):
            above[lower] = (upper,)
    return Judged(joined, areas, box, Neighbours(above, [()] * n, [()] * n, [()] * n))


def test_what_is_decided_as_a_whole_is_not_looked_into() -> None:
    # A section: title and two texts, one of which is half links. P_func of it is 2/3.
    page = judged([Kind.MAIN] * 3, [1, 1, 0.5], [True, False, False])
    found = judge(page, FLAT)
    section = page.joined.children[page.joined.kind.index(Kind.MAIN)][0]
    assert found[section] == pytest.approx(2 / 3)
    assert found[page.joined.children[section]].tolist() == pytest.approx([2 / 3] * 3)


def test_what_is_undecided_is_judged_part_by_part() -> None:
    # P_func of the section is 1/3; each part then has its own, and half of what stands above.
    page = judged([Kind.MAIN] * 3, [1, 1, 0], [True, False, False])
    found = judge(page, FLAT)
    section = page.joined.children[page.joined.kind.index(Kind.MAIN)][0]
    assert found[section] == pytest.approx(1 / 3)
    # gamma times the mean of f over the section, 0, and what stands right above, 1
    assert found[page.joined.children[section]].tolist() == pytest.approx([1, 1.25, -0.75])


def test_height_counts_by_beta() -> None:
    page = judged([Kind.MAIN] * 2, [0.5, 0.5], [False, False])
    g = np.array([1, -1], np.float32)
    main = page.joined.kind.index(Kind.MAIN)
    weights = Weights(gamma=0)
    assert judge(page, g, weights)[page.joined.children[main]].tolist() == [1, -1]
    weights = Weights(gamma=0, beta=0)
    assert judge(page, g, weights)[page.joined.children[main]].tolist() == [0, 0]


def test_a_larger_epsilon_decides_less_as_a_whole() -> None:
    page = judged([Kind.MAIN] * 3, [1, 1, 0.5], [True, False, False])
    found = judge(page, FLAT, Weights(gamma=0, epsilon=0.7))
    section = page.joined.children[page.joined.kind.index(Kind.MAIN)][0]
    assert found[page.joined.children[section]].tolist() == pytest.approx([1, 1, 0])


def test_what_is_outside_the_main_part_is_removed() -> None:
    page = judged([Kind.HEADER, Kind.MAIN], [1, 1], [False, False])
    header = page.joined.children[page.joined.kind.index(Kind.HEADER)][0]
    assert judge(page, FLAT)[header] == OUTSIDE


def test_a_page_without_a_main_part_has_nothing_to_judge() -> None:
    page = judged([Kind.HEADER], [1], [False])
    assert judge(page, FLAT).tolist() == [OUTSIDE] * 3


@pytest.mark.parametrize(("p", "f"), [(0.51, 1), (0.5, 0), (-0.5, 0), (-0.51, -1)])
def test_what_is_decided(p: float, f: int) -> None:
    assert decided(p, 0.5) == f
