import json
from collections import Counter

import pytest

from benchmarks import conformance
from benchmarks.conformance import GOALS, adjusted_rand_index, main, token_f1


@pytest.mark.usefixtures("shared")
def test_the_preset_gives_what_the_original_gave_on_a_site(tmp_path, capsys):
    files = sorted(conformance.DEFAULT_FOLDER.glob("tokiwatch.*"))
    assert files
    for path in files:
        (tmp_path / path.name).symlink_to(path.resolve())
    assert main([str(tmp_path), "--json", str(tmp_path / "out.json")]) == 0
    figures = json.loads((tmp_path / "out.json").read_text())["figures"]
    assert figures.keys() == GOALS.keys()
    assert all(figures[name] >= goal for name, goal in GOALS.items())
    assert "MISSED" not in capsys.readouterr().out


def test_without_the_answers_it_says_so(tmp_path, capsys):
    assert main([str(tmp_path)]) == 2
    assert str(tmp_path) in capsys.readouterr().err


def test_a_missed_goal_is_told(capsys):
    conformance.print_figures({"cluster_ari": 0.5}, Counter())
    assert "MISSED" in capsys.readouterr().out


def test_adjusted_rand_index():
    split = [{"a"}, {"b"}, {"c", "d"}]
    assert adjusted_rand_index(split, split) == 1
    # By hand: pairs 2, 1 of 6, 1 in both; (1 - 2/6) / (1.5 - 2/6).
    assert adjusted_rand_index([{"a", "b"}, {"c", "d"}], split) == pytest.approx(4 / 7)


def test_token_f1():
    assert token_f1([], []) == 1
    assert token_f1(["a"], []) == 0
    assert token_f1(["日本 word"], ["日本語 word"]) == pytest.approx(6 / 7)
