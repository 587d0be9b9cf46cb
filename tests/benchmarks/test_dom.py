"""The page model is measured on pages of a file, and its teachers on sites that are left out."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from learner.dom.teaching.gold import SCHEMA
from tests.learner.dom.pages import write_gold

pytest.importorskip("trafilatura")


def test_a_file_is_measured_beside_trafilatura(
    tmp_path: Path, shared: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from benchmarks.dom import main

    pages, figures = write_gold(tmp_path / "pages.parquet", 4), tmp_path / "figures.json"
    assert main(["--pages", str(pages), "--json", str(figures)]) == 0
    said = json.loads(figures.read_text())
    wanted = {"body_f1", "trafilatura_body_f1", "title_exact", "type_accuracy", "list_as_article"}
    assert wanted | {"cpu_vs_trafilatura"} <= set(said["figures"])
    assert set(said["by_group"]) == {"all", "article", "listing"}
    assert said["figures"]["body_f1"] > 0.9


def test_a_missing_file_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from benchmarks.dom import main

    assert main(["--pages", str(tmp_path / "none.parquet")]) == 2
    assert "none.parquet: expected a Parquet file of pages" in capsys.readouterr().err


def test_sites_become_a_file_of_gold(archive: Path, tmp_path: Path) -> None:
    from benchmarks.dom import main

    assert main([str(archive), "--write-gold", str(tmp_path / "gold.parquet")]) == 0
    table = pq.read_table(tmp_path / "gold.parquet")
    assert table.schema == SCHEMA
    assert set(table["page_type"].to_pylist()) == {"article", "list"}
    assert all(day is None or len(day) == 10 for day in table["date"].to_pylist())


def test_the_original_stands_beside_the_page_model(
    archive: Path,
    shared: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from benchmarks.dom import main
    from benchmarks.measures import original
    from learner.dom.teaching import training

    pytest.importorskip("sklearn")
    pytest.importorskip("lightgbm")
    monkeypatch.setattr(original, "FOLDS", 2)
    monkeypatch.setattr(training, "ROUNDS", dict.fromkeys(training.ROUNDS, 10))
    gold, figures = write_gold(tmp_path / "gold.parquet", 6), tmp_path / "figures.json"
    arguments = [str(archive), "--original", "--gold", str(gold), "--json", str(figures)]
    assert main(arguments) == 0
    said = json.loads(figures.read_text())["by_group"]
    assert set(said) == {"page model", "original"}
    assert all(each["body_f1"] > 0.5 for each in said.values())
