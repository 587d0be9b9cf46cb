"""`benchmarks.drift` on the demo site as an archived one."""

import json
from pathlib import Path

import pytest

from benchmarks.drift import SiteDrift, main, summarise


def drifted(lost: int, *told: bool) -> SiteDrift:
    first, second = told
    return SiteDrift(name="x", nights=7, false_flags=1, lost=lost, told=(first, second))


def test_a_redesign_that_costs_nothing_needs_no_flag() -> None:
    found = [drifted(3, True, False), drifted(3, False, True), drifted(0, True, True)]
    assert summarise(found) == {
        "sites": 3,
        "quiet_nights": 21,
        "false_flags": 3,
        "harmed": 2,
        "told_first_night": 1,
        "told": 2,
    }


def test_it_measures_a_site(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.json"
    assert main([str(archive), "--json", str(out)]) == 0
    content = json.loads(out.read_text())
    figures = content["figures"]
    assert (figures["false_flags"], figures["told_first_night"], figures["harmed"]) == (0, 1, 1)
    assert content["per_site"]["lantern"]["lost"] >= 5
    assert capsys.readouterr().out.count("lantern") == 1


def test_a_missing_site_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "none.zip")]) == 2
    assert "none.zip" in capsys.readouterr().err
