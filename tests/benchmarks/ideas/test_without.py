import pytest

from benchmarks.ideas.without import losses


def test_above_0_an_idea_earns_something():
    lost = losses(
        {"body_f1": 0.9, "unmatched": 0.1, "sites": 1.0},
        {"body_f1": 0.8, "unmatched": 0.3, "sites": 1.0},
    )
    assert lost == {"body_f1": pytest.approx(0.1), "unmatched": pytest.approx(0.2)}
