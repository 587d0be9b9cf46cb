from unittest.mock import Mock

from benchmarks.ideas import comparing
from benchmarks.ideas.comparing import compare_all, compared, counts, may_be_compared
from benchmarks.ideas.listed import IDEAS
from benchmarks.ideas.replacements import constant
from benchmarks.ideas.switches import Idea
from learner.induction import steps
from learner.kinds.kind import Kind

TARGET = "learner.induction.steps:ANYWHERE_SHARE"


def test_answers_of_iterators_are_compared_and_stay():
    for other, changes in ((list, 1), (lambda: iter([1, 2]), 0)):
        counted = compared("a test", lambda: iter([1, 2]), other)
        assert list(counted()) == [1, 2]
        assert counts.pop("a test", 0) == changes


def test_what_gives_no_answer_cannot_be_compared():
    kinds = {idea.name: may_be_compared(idea) for idea in IDEAS}
    assert kinds["recurring texts"]
    assert kinds["frequent names only"]
    assert not kinds["anchor texts"]
    assert not kinds["names before mail addresses"]


def test_a_constant_is_compared_where_it_is_read(monkeypatch):
    monkeypatch.setattr(comparing, "IDEAS", [Idea("a test", TARGET, constant(0.0))])
    monkeypatch.setattr(steps, "_without_vague", steps._without_vague)
    compare_all()
    vague, common = (
        Mock(kind=Kind.ARTICLE, n_pages=n_pages, rules=Mock(**{"body.container.steps": ()}))
        for n_pages in (1, 100)
    )
    assert list(steps._without_vague([common])) == [common]
    assert not counts.pop("a test", 0)
    assert list(steps._without_vague([vague, common])) == [common]
    assert counts.pop("a test") == 1
    assert steps.ANYWHERE_SHARE > 0


def test_what_is_called_instead_of_the_learner_is_not_compared():
    inner = compared("inner", lambda: 1, lambda: 2)
    outer = compared("outer", lambda: inner(), lambda: inner() + inner())
    assert outer() == 1
    assert (counts.pop("inner"), counts.pop("outer")) == (1, 1)
