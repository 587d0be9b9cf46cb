"""What addresses with one mark tell of the kind of their pages."""

import pytest
from lxml.html import document_fromstring as parse

from learner.kinds.page_kinds import with_marked_lists
from learner.page.tree import build_tree
from tests.handmade import HOST


def trees(*names):
    return [build_tree(parse("<p>one</p>"), f"{HOST}/{name}") for name in names]


RAIN = [f"rain-{n}" for n in range(6)]


@pytest.mark.parametrize(
    ("names", "evidence", "turned"),
    [
        (
            ["Group:a", "Group:b", "Group:c", "Group:d", "Group:e"],
            [2.0, 1.0, -0.5, -0.5, -0.4],
            1.5,
        ),
        (["Group:a", "Group:b", "Group:c", "Group:d"], [2.0, 1.0, -0.5, -0.5], None),  # too few
        (["Group:a", "Group:b", "Group:c", "Group:d", "Group:e"], [0.1, -3, -3, -3, -3], None),
        ([f"rain?view=a{n}" for n in range(5)], [1.5, -0.5, -0.5, -0.5, -0.5], 1.5),
        (["a", "b", "c", "d", "e"], [2.0, 1.0, -0.5, -0.5, -0.4], None),  # without a mark
    ],
)
def test_pages_of_one_mark_are_lists_if_some_are(names, evidence, turned):
    told = with_marked_lists([*evidence, *[-2.0] * 6], trees(*names, *RAIN))
    expected = [each if each > 0 or turned is None else turned for each in evidence]
    assert told == [*expected, *[-2.0] * 6]


def test_what_most_addresses_bear_tells_nothing():
    names = [f"a_{n}" for n in range(6)]
    evidence = [1.0, 1.0, -0.5, -0.5, -0.5, -0.5]
    assert with_marked_lists(evidence, trees(*names)) == evidence
