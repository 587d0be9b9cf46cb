import json
from pathlib import Path

from benchmarks.corpus import read_halves
from benchmarks.robustness import CHANGES, changed, main
from crawler.html import parse_html


def test_it_measures_a_site_as_it_is_and_made_harder(archive: Path, tmp_path: Path, capsys) -> None:
    assert main([str(archive), "--json", str(tmp_path / "out.json")]) == 0
    figures = json.loads((tmp_path / "out.json").read_text())["figures"]
    assert figures["as_they_are.body_f1"] >= 0.95
    assert figures["without_metadata.body_f1"] >= 0.95
    assert figures["two_as_one.sites"] == 1
    told = capsys.readouterr().out
    assert all(name in told for name in ("as they are", *CHANGES, "two as one"))


def test_each_change_takes_away_what_it_names(archive: Path) -> None:
    lost = {
        "without names": "//@class | //@id",
        "without sections": "//main | //article | //header | //footer | //nav",
        "without metadata": "//meta[@property or @name] | //link | //script",
    }
    halves = read_halves(archive)
    for change, path in lost.items():
        harder = changed(halves, CHANGES[change])
        pairs = list(zip(halves.test, harder.test, strict=True))
        assert all((one.url, one.body) == (other.url, other.body) for one, other in pairs)
        assert any(parse_html(one.html()).xpath(path) for one, _ in pairs)
        assert not any(parse_html(other.html()).xpath(path) for _, other in pairs)


def test_a_missing_site_is_told(tmp_path: Path, capsys) -> None:
    assert main([str(tmp_path / "none.zip")]) == 2
    assert "none.zip" in capsys.readouterr().err
