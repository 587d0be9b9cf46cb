import json
import zipfile
from pathlib import Path

import pytest

from benchmarks import gate
from benchmarks.gate import Missed, changelog_gives, fingerprint, main, missed_floors, raised

MEAN = "news, usual halves"
FLOORS = {MEAN: {"body_f1": 0.98, "unmatched": 0.01}, "keens": {"body_f1": 0.95}}


def measured(body_f1: float, unmatched: float, keens: float) -> dict[str, dict[str, float]]:
    return {
        MEAN: {"body_f1": body_f1, "unmatched": unmatched},
        "keens": {"body_f1": keens, "learn_seconds": 1.0},
    }


def test_floors_that_are_reached_are_held():
    assert not list(missed_floors(FLOORS, measured(0.98, 0.01, 1.0)))


def test_missed_floors_are_named():
    missed = list(missed_floors(FLOORS, measured(0.97, 0.02, 0.95)))
    assert [(each.site, each.figure) for each in missed] == [
        (MEAN, "body_f1"),
        (MEAN, "unmatched"),
    ]
    assert str(missed[0]) == f"{MEAN}: body_f1: expected at least 0.9800, got 0.9700"
    assert "at most 0.0100" in str(missed[1])


def test_a_figure_that_is_gone_is_missed():
    missed = list(missed_floors(FLOORS, {MEAN: FLOORS[MEAN]}))
    assert missed == [Missed(site="keens", figure="body_f1", floor=0.95, got=None)]


def test_an_update_raises_and_never_lowers():
    floors = raised(FLOORS, measured(0.99, 0.5, 0.9))
    assert floors[MEAN] == {"body_f1": 0.988, "unmatched": 0.01}
    assert floors["keens"] == {"body_f1": 0.95}


def test_an_update_adds_what_has_no_floor():
    floors = raised({}, measured(0.99, 0.0, 0.9))
    assert floors == {
        MEAN: {"body_f1": 0.988, "unmatched": 0.005},
        "keens": {"body_f1": 0.89},
    }


def test_lowering_touches_missed_floors_only():
    floors = raised(FLOORS, measured(0.979, 0.0, 0.96), lower=True)
    assert floors[MEAN] == {"body_f1": 0.977, "unmatched": 0.005}
    assert floors["keens"] == {"body_f1": 0.95}


@pytest.fixture
def own_floors(tmp_path: Path, archive: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The gate with its files in a folder of their own and the demo site as its only one."""
    packed = tmp_path / "lantern.zip"
    with zipfile.ZipFile(packed, "w") as zipped:
        for file in archive.rglob("*"):
            zipped.write(file, Path("lantern") / file.relative_to(archive))
    (tmp_path / "CHANGELOG.md").write_text("- Floors of the mean fall\n  because of a test.\n")
    monkeypatch.setattr(gate, "FLOORS", tmp_path / "floors.json")
    monkeypatch.setattr(gate, "CHANGELOG", tmp_path / "CHANGELOG.md")
    monkeypatch.setattr(gate, "default_sites", lambda: [packed])
    return tmp_path / "floors.json"


@pytest.mark.parametrize("mean", [MEAN, "news, seed 1", gate.NAMELESS])
def test_the_gate_falls_where_quality_fell(own_floors: Path, capsys, mean: str) -> None:
    assert main([]) == 2
    assert main(["--update"]) == 0
    content = json.loads(own_floors.read_text())
    assert content["sites"]["lantern"]["body_f1"] >= 0.9
    assert main([]) == 0
    content["means"][mean]["body_f1"] = 1.01
    own_floors.write_text(json.dumps(content))
    assert main([]) == 1
    assert f"{mean}: body_f1: expected at least 1.0100" in capsys.readouterr().out


def test_floors_of_other_sites_say_nothing(own_floors: Path, capsys) -> None:
    own_floors.write_text(json.dumps({"corpus": "other", "means": {}, "sites": {}}))
    assert main([]) == 2
    assert "'other'" in capsys.readouterr().err


def test_a_floor_falls_only_for_a_reason_in_the_changelog(own_floors: Path, capsys) -> None:
    assert changelog_gives("Floors of the mean fall because of a test.")
    for reason in ("", "another one"):
        with pytest.raises(SystemExit) as stopped:
            main(["--lower", "--reason", reason])
        assert stopped.value.code == 2
        assert repr(reason) in capsys.readouterr().err


def test_without_sites_it_is_skipped(monkeypatch, capsys):
    monkeypatch.setattr(gate, "default_sites", list)
    assert main([]) == 0
    assert "skipped" in capsys.readouterr().out


def test_the_fingerprint_tells_names_and_contents(tmp_path):
    one, two = tmp_path / "one.zip", tmp_path / "two.zip"
    one.write_bytes(b"1")
    two.write_bytes(b"2")
    before = fingerprint([one, two])
    assert before == fingerprint([two, one])
    two.write_bytes(b"3")
    assert before != fingerprint([one, two])
    assert fingerprint([one]) != fingerprint([one, two])


def test_the_stored_floors_are_of_figures_that_are_measured():
    content = json.loads(Path(gate.FLOORS).read_text())
    for floors in (*content["means"].values(), *content["sites"].values()):
        assert floors.keys() <= gate.MARGINS.keys()
        assert all(0 <= floor <= 1 for floor in floors.values())


@pytest.mark.usefixtures("shared")
def test_the_stored_floors_are_of_the_sites_there_are():
    content = json.loads(Path(gate.FLOORS).read_text())
    sources = gate.default_sites()
    assert content["corpus"] == fingerprint(sources)
    assert set(content["sites"]) == {source.stem for source in sources}
