from functools import cache
from itertools import combinations_with_replacement

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learner.patterns.sequences import (
    assign_symbols,
    common_sequence,
    dice,
    greedy_runs,
    indel_distance,
    lcs_runs,
    matched,
)

texts = st.text("abc", max_size=12)
matchers = pytest.mark.parametrize("matcher", [lcs_runs, greedy_runs])


def slow_lcs(first, second):
    @cache
    def length(i, j):
        if i == len(first) or j == len(second):
            return 0
        if first[i] == second[j]:
            return 1 + length(i + 1, j + 1)
        return max(length(i + 1, j), length(i, j + 1))

    return length(0, 0)


def slow_assignment_weight(pattern, sequence):
    """The most positions that any monotone assignment can place."""
    options = combinations_with_replacement(range(len(pattern)), len(sequence)) if pattern else ()
    weights = (
        sum(pattern[i] == symbol for i, symbol in zip(places, sequence, strict=True))
        for places in options
    )
    return max(weights, default=0)


@given(texts, texts)
def test_lcs_is_as_long_as_the_textbook_one(first, second):
    assert matched(lcs_runs(first, second)) == slow_lcs(first, second)


@matchers
@given(texts, texts)
def test_runs_are_common_in_order_and_not_empty(matcher, first, second):
    a = b = 0
    for run in matcher(first, second):
        assert run.size > 0 and run.a >= a and run.b >= b
        a, b = run.a + run.size, run.b + run.size
        assert first[run.a : a] == second[run.b : b]


@given(texts, texts)
def test_greedy_matching_finds_no_more_than_the_lcs(first, second):
    assert matched(greedy_runs(first, second)) <= matched(lcs_runs(first, second))


def test_greedy_matching_can_miss_the_lcs():
    # The longest run, QQ, leaves nothing before or after it.
    first, second = "xaybzcQQ", "QQaXbXc"
    assert matched(greedy_runs(first, second)) == 2
    assert matched(lcs_runs(first, second)) == 3


def test_greedy_matching_starts_no_run_with_a_letter_that_is_popular_in_a_long_text():
    long_text = "ab" * 100
    assert greedy_runs("b" + long_text, long_text) == []
    assert matched(lcs_runs("b" + long_text, long_text)) == 200


@given(texts, texts)
def test_dice_and_distance_are_symmetric_and_in_range(first, second):
    assert dice(first, second, lcs_runs) == dice(second, first, lcs_runs)
    assert 0 <= dice(first, second, lcs_runs) <= 1
    assert indel_distance(first, second, lcs_runs) == indel_distance(second, first, lcs_runs)


@matchers
@given(texts)
def test_a_sequence_is_itself(matcher, text):
    assert dice(text, text, matcher) == 1
    assert indel_distance(text, text, matcher) == 0
    assert common_sequence([text, text], matcher) == list(text)


@matchers
def test_sequences_of_paths_are_compared_by_value(matcher):
    first, second = ["div", "p", "ul/li"], ["div", "ul/li"]
    assert common_sequence([first, second], matcher) == ["div", "ul/li"]


@matchers
@given(st.lists(texts, max_size=4))
def test_a_common_sequence_is_common_to_all(matcher, sequences):
    common = "".join(common_sequence(sequences, matcher))
    assert all(slow_lcs(common, sequence) == len(common) for sequence in sequences)


@given(st.text("abc", max_size=4), st.text("abcd", max_size=5))
def test_an_assignment_places_as_much_as_can_be(pattern, sequence):
    places = assign_symbols(pattern, sequence)
    flat = [position for found in places for position in found]
    assert flat == sorted(set(flat))
    for symbol, found in zip(pattern, places, strict=True):
        assert {sequence[position] for position in found} <= {symbol}
    assert len(flat) == slow_assignment_weight(pattern, sequence)


def test_on_a_tie_the_earlier_pattern_symbol_takes_all():
    assert assign_symbols("aa", "axa") == [[0, 2], []]
