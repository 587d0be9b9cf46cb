import json
from pathlib import Path

from benchmarks.ablation import main


def test_it_prints_what_an_idea_is_worth(archive: Path, tmp_path: Path, capsys) -> None:
    command = [str(archive), "--only", "recurring texts", "--json", str(tmp_path / "out.json")]
    assert main(command) == 0
    assert "recurring texts" in capsys.readouterr().out
    figures = json.loads((tmp_path / "out.json").read_text())["figures"]
    # The frame of the demo site recurs, and its stories end with tags inside their container.
    assert figures["recurring texts: body_f1"] > 0


def test_an_unknown_idea_is_told(capsys):
    assert main(["--only", "no such idea"]) == 2
    assert "'no such idea'" in capsys.readouterr().err


def test_ideas_that_nobody_misses_go_together(archive: Path, tmp_path: Path, capsys) -> None:
    notes, out = tmp_path / "notes.json", tmp_path / "out.json"
    ideas = ["recurring texts", 'the hint "by"', "what stands in brackets"]
    command = [str(archive), "--greedy", "--seeds", "0,1", "--only", *ideas]
    command += ["--notes", str(notes), "--json", str(out)]
    assert main(command) == 0
    steps = {step["idea"]: step["goes"] for step in json.loads(out.read_text())["steps"]}
    assert steps == {ideas[0]: False, ideas[1]: True, ideas[2]: True}
    measured = notes.read_text()
    # What is known is not measured again.
    assert main(command) == 0
    assert notes.read_text() == measured
    assert "2 of 3 ideas go" in capsys.readouterr().out
