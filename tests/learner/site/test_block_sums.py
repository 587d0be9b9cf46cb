"""What the blocks of a page say of records."""

import pytest

from learner.site.cluster_page import ClusterPage
from tests.handmade import layout


@pytest.mark.parametrize(
    ("text", "is_timed"),
    [
        ("Ann at 10:31", True),
        ("5 2009", True),
        ("10:00 - 10:30 Coffee", False),
        ("9.30–11.00: the walls", False),
        ("10:00am - 10:30 am Coffee", False),
        ("10:00 - 10:30, changed at 11:45", True),
        ("Ann, 10.12.08 - 10:31", True),
        ("Ann, 14:05 - 12.05.09", True),
        ("Ann 12.08 - 10:31", True),
    ],
)
def test_a_time_is_that_of_a_comment_but_not_from_one_hour_to_another(text, is_timed):
    member = ClusterPage(layout(f"<p>{text}"), None)
    assert member.sums.timed == [0, is_timed]
