import json
from pathlib import Path

from benchmarks.effects import main


def test_it_tells_what_changed_an_answer(archive: Path, tmp_path: Path, capsys) -> None:
    target = tmp_path / "out.json"
    assert main([str(archive), "--json", str(target)]) == 0
    written = json.loads(target.read_text())
    assert "recurring texts" in capsys.readouterr().out
    # The demo site has a frame, and no articles whose titles bear a day.
    assert written["sites"]["recurring texts"] == [archive.stem]
    assert written["sites"]["days before titles"] == []
    assert 0 < written["figures"]["inert"] < written["figures"]["ideas"]
