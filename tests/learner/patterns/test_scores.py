from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from learner.patterns.scores import diff_score, main_score, pattern_score
from learner.patterns.sequences import greedy_runs, indel_distance, lcs_runs
from learner.webstemmer.blocks import build_layout
from learner.webstemmer.similarity import similarity

texts = st.lists(st.text("abc", max_size=6), min_size=1, max_size=6)


def layout(markup):
    return build_layout(html.document_fromstring(markup))


def slow_diff_score(texts, matcher):
    pairs = [pair for pair in combinations(texts, 2) if all(pair)]
    total = sum(len(a) + len(b) for a, b in pairs)
    return sum(indel_distance(a, b, matcher) for a, b in pairs) / max(total, 1)


@given(texts)
def test_diff_score_is_the_formula(texts):
    assert diff_score(texts, lcs_runs) == pytest.approx(slow_diff_score(texts, lcs_runs))


@given(texts)
def test_diff_score_is_in_range_and_needs_no_order(texts):
    score = diff_score(texts, greedy_runs)
    assert 0 <= score <= 1
    assert diff_score(texts[::-1], greedy_runs) == score


def test_diff_score_of_static_and_of_unlike_texts():
    assert diff_score(["abc"] * 3, greedy_runs) == 0
    assert diff_score(["abc", "xyz"], greedy_runs) == 1
    assert diff_score([], greedy_runs) == diff_score(["abc", ""], greedy_runs) == 0


def test_similarity_counts_the_weight_on_common_paths():
    one = layout("<h1>12345</h1><p>1234567890</p><p>12345</p>")
    other = layout("<h1>12345</h1><p>12345</p><pre>1234567890</pre>")
    # 5 + 15 of the one page, 5 + 5 of the other, of 20 + 20.
    assert similarity(one, other, lcs_runs) == 30 / 40


def test_similarity_of_like_unlike_and_empty_pages():
    one, other, empty = layout("<p>12345"), layout("<pre>12345"), layout("<p>1")
    assert similarity(one, one, lcs_runs) == 1
    assert similarity(one, other, lcs_runs) == 0
    assert similarity(empty, empty, lcs_runs) == 0


def test_main_and_pattern_score():
    assert main_score(0.25, [100, 200, 0]) == 25
    assert pattern_score(1, [25.0]) == 0
