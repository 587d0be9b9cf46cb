import json
from pathlib import Path

import pytest

from benchmarks.material.corpus import GoldPage
from benchmarks.peers import (
    Answer,
    Comparison,
    Resiliparse,
    compare_site,
    summarise,
    table,
    tool_figures,
    write_json,
)

TOOLS = {"webstem", "trafilatura", "trafilatura_precision", "readability", "resiliparse"}


def test_all_tools_answer_for_the_same_pages(archive: Path, tmp_path: Path) -> None:
    pytest.importorskip("trafilatura", reason="comes with the extra bench")
    pytest.importorskip("readability", reason="comes with the extra bench")
    comparison = compare_site(archive, per_site=6)
    assert comparison.figures.keys() == TOOLS
    for figures in comparison.figures.values():
        assert figures["body_f1"] > 0.5
        assert figures["cpu_ms"] > 0
    assert comparison.figures["webstem"]["list_as_article"] == 0
    write_json(tmp_path / "out.json", [comparison])
    content = json.loads((tmp_path / "out.json").read_text())
    assert {f"{tool}_body_f1" for tool in TOOLS} <= content["figures"].keys()
    assert content["per_site"]["lantern"].keys() == TOOLS


def test_resiliparse_gives_text_and_title():
    html = "<title>見出し</title><main><p>本文です。</p></main>".encode("shift_jis")
    page = GoldPage(
        url="u", file=Path("none"), is_article=True, title="", body="", date=None, author=None
    )
    tool = Resiliparse()
    assert "本文です。" in tool.text(page, html)
    assert tool.title(page, html) == "見出し"


def test_a_list_is_given_out_from_200_characters_on():
    answers = [Answer(is_article=False, characters=n, seconds=0.01) for n in (0, 199, 200, 900)]
    figures = tool_figures(answers)
    assert figures["list_as_article"] == 0.5
    assert figures["cpu_ms"] == pytest.approx(10)
    assert "body_f1" not in figures


def test_the_table_has_the_best_tool_first():
    good = {"body_f1": 0.9, "cpu_ms": 5.0}
    bad = {"body_f1": 0.5, "cpu_ms": 1.0, "list_as_article": 1.0}
    comparison = Comparison(site="a", figures={"bad": bad, "good": good}, learn_ms=1.0)
    means = summarise([comparison, comparison])
    assert means["good"]["worst_body_f1"] == 0.9
    lines = list(table(means))
    assert [line.split()[0] for line in lines] == ["tool", "good", "bad"]
    assert "-" in lines[1]
