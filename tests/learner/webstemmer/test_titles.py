import pytest

from learner.patterns.sequences import greedy_runs
from learner.webstemmer.titles import elect_title, vote_of_page

BODY = "bignewstodaythereisbignewsindeed"


def vote(texts, anchors, diffs=(1.0, 1.0, 1.0), threshold=0.6):
    return vote_of_page(texts, diffs, len(texts) - 1, anchors, threshold, greedy_runs)


def test_the_section_most_like_an_anchor_text_wins():
    assert vote(["mysitebignews", "bignews", BODY], ["bignews"]) == 1


def test_a_static_section_is_no_title():
    assert vote(["bignews", "bignewz", BODY], ["bignews"], diffs=(0.5, 0.9, 1)) == 1


def test_candidates_stand_before_the_main_section():
    assert vote_of_page(["x", "bignews"], [1, 1], 0, ["bignews"], 0.6, greedy_runs) is None


def test_the_threshold_is_inclusive():
    # dice("abc", "abcdefg") = 6 / 10
    assert vote(["abcdefg", "zz"], ["abc"]) == 0
    assert vote(["abcdefgh", "zz"], ["abc"]) is None


@pytest.mark.parametrize("anchors", [[], ["quitesomethingelse"]])
def test_without_help_of_anchors_the_body_tells(anchors):
    assert vote(["mysite", "bignews", BODY], anchors) == 1


def test_the_majority_elects():
    assert elect_title([1, 2, 2, None]) == 2
    assert elect_title([None, None, 2]) is None
    assert elect_title([]) is None
