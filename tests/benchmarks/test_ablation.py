import json
from pathlib import Path

import pytest

from benchmarks import ablation
from benchmarks.ablation import IDEAS, Idea, IdeaGone, answer, holder, losses, main, switch_off
from learner.bodies import container
from learner.induction import clusters


@pytest.mark.parametrize("idea", [idea for idea in IDEAS if idea.target], ids=lambda i: i.name)
def test_every_idea_stands_in_the_learner(idea: Idea) -> None:
    owner, name = holder(idea)
    assert idea.change(vars(owner)[name]) is not vars(owner)[name]


def test_names_of_ideas_are_unique():
    assert len({idea.name for idea in IDEAS}) == len(IDEAS)


@pytest.mark.parametrize(
    "target", ["learner.gone:f", "learner.kinds.measures:gone", "learner.site.affixes:Affixes.gone"]
)
def test_an_idea_that_is_gone_is_an_error(target: str) -> None:
    with pytest.raises(IdeaGone, match=target):
        switch_off(Idea("a test", target, answer(None)))


def test_a_function_is_replaced_wherever_it_was_imported(monkeypatch):
    for module in (container, clusters):
        monkeypatch.setattr(module, "find_container", container.find_container)
    switch_off(Idea("a test", "learner.bodies.container:find_container", answer("replaced")))
    assert container.find_container() == clusters.find_container() == "replaced"


def test_above_0_an_idea_earns_something():
    lost = losses(
        {"body_f1": 0.9, "unmatched": 0.1, "sites": 1.0},
        {"body_f1": 0.8, "unmatched": 0.3, "sites": 1.0},
    )
    assert lost == {"body_f1": pytest.approx(0.1), "unmatched": pytest.approx(0.2)}


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


def test_the_ideas_name_every_reason_of_the_trimming():
    from learner.bodies.trimming import Trimmed

    assert Trimmed.__doc__
    source = Path(ablation.__file__).parents[1] / "learner" / "bodies" / "trimming.py"
    text = source.read_text()
    assert all(f'"{reason}"' in text for reason in ablation.TRIMMING_REASONS)


def test_ideas_that_nobody_misses_go_together(archive: Path, tmp_path: Path, capsys) -> None:
    notes, out = tmp_path / "notes.json", tmp_path / "out.json"
    ideas = ["recurring texts", 'the hint "by"', "what stands in brackets"]
    command = [
        str(archive),
        "--greedy",
        "--only",
        *ideas,
        "--notes",
        str(notes),
        "--json",
        str(out),
    ]
    assert main(command) == 0
    steps = {step["idea"]: step["goes"] for step in json.loads(out.read_text())["steps"]}
    assert steps == {ideas[0]: False, ideas[1]: True, ideas[2]: True}
    measured = notes.read_text()
    # What is known is not measured again.
    assert main(command) == 0
    assert notes.read_text() == measured
    assert "2 of 3 ideas go" in capsys.readouterr().out
