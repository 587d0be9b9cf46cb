import json
from pathlib import Path

from benchmarks import effects
from benchmarks.ablation import IDEAS
from benchmarks.effects import compared, main, may_be_compared


def test_answers_of_iterators_are_compared_and_stay():
    for other, changes in ((list, 1), (lambda: iter([1, 2]), 0)):
        counted = compared("a test", lambda: iter([1, 2]), other)
        assert list(counted()) == [1, 2]
        assert effects._counts.pop("a test", 0) == changes


def test_constants_and_what_gives_no_answer_are_left_out():
    kinds = {idea.name: may_be_compared(idea) for idea in IDEAS}
    assert kinds["recurring texts"]
    assert not kinds["frequent names only"]
    assert not kinds["anchor texts"]
    assert not kinds["names before mail addresses"]


def test_it_tells_what_changed_an_answer(archive: Path, tmp_path: Path, capsys) -> None:
    target = tmp_path / "out.json"
    assert main([str(archive), "--json", str(target)]) == 0
    written = json.loads(target.read_text())
    assert "recurring texts" in capsys.readouterr().out
    # The demo site has a frame, and no articles whose titles bear a day.
    assert written["sites"]["recurring texts"] == [archive.stem]
    assert written["sites"]["days before titles"] == []
    assert 0 < written["figures"]["inert"] < written["figures"]["ideas"]
