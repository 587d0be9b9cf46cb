from benchmarks.ideas.comparing import compared, counts, may_be_compared
from benchmarks.ideas.listed import IDEAS


def test_answers_of_iterators_are_compared_and_stay():
    for other, changes in ((list, 1), (lambda: iter([1, 2]), 0)):
        counted = compared("a test", lambda: iter([1, 2]), other)
        assert list(counted()) == [1, 2]
        assert counts.pop("a test", 0) == changes


def test_constants_and_what_gives_no_answer_are_left_out():
    kinds = {idea.name: may_be_compared(idea) for idea in IDEAS}
    assert kinds["recurring texts"]
    assert not kinds["frequent names only"]
    assert not kinds["anchor texts"]
    assert not kinds["names before mail addresses"]
