import json
from pathlib import Path

import pytest

from benchmarks import golden
from benchmarks.golden import Answers, answers_of_demo, changed, differences, keep, main, versions


@pytest.fixture(scope="module")
def demo() -> Answers:
    return answers_of_demo()


def test_the_same_code_gives_the_same_hashes(demo: Answers) -> None:
    assert answers_of_demo().hashes() == demo.hashes()


def test_the_demo_gives_what_is_stored(demo: Answers) -> None:
    content = json.loads(golden.STORED.read_text())
    if content["versions"] != versions():
        pytest.skip(f"made with {content['versions']}")
    assert changed(content["sites"], demo) == [], "run `python -m benchmarks.golden --update`"


def test_it_tells_which_answers_changed_and_where(demo: Answers, tmp_path: Path) -> None:
    keep(demo, tmp_path)
    assert list(differences(demo, tmp_path)) == []
    first, *others = demo.records
    other = Answers(
        name=demo.name,
        patterns=[{**each, "pattern_id": "0"} for each in demo.patterns],
        records=[{**first, "title": "Rain", "pattern_id": "0"}, *others],
    )
    stored = {demo.name: demo.hashes()}
    assert changed(stored, demo) == [] and changed(stored, other) == ["patterns", "records"]
    assert list(differences(other, tmp_path)) == [f"    {first['url']}: title"]


def test_another_pattern_alone_is_no_other_record(demo: Answers) -> None:
    renamed = [{**each, "pattern_id": "0"} for each in demo.records]
    other = Answers(name=demo.name, patterns=demo.patterns, records=renamed)
    assert other.hashes() == demo.hashes()


def test_the_command_stores_and_compares(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    monkeypatch.setattr(golden, "STORED", tmp_path / "golden.json")
    assert main([str(archive), "--update", "--keep", str(tmp_path / "kept")]) == 0
    assert main([str(archive), "--against", str(tmp_path / "kept")]) == 0
    content = json.loads((tmp_path / "golden.json").read_text())
    content["sites"]["lantern"]["records"] = "0"
    (tmp_path / "golden.json").write_text(json.dumps(content))
    assert main([str(archive)]) == 1
    assert "lantern: changed records" in capsys.readouterr().out


def test_a_missing_site_is_told(tmp_path: Path, capsys) -> None:
    assert main([str(tmp_path / "none.zip")]) == 2
    assert "none.zip" in capsys.readouterr().err
