"""The choice of elements is measured on drawn pages, sites left out, and so is what it is worth."""

import json
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

from benchmarks.rendered import INDEX, RenderedPage
from learner.vision.candidates.lessons import example_of, read_lessons
from tests.learner.vision.candidates.pages import lesson

N_SITES, N_PAGES = 4, 6


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory, shared: Path) -> tuple[list[str], Path]:
    """Folders of sites, and the folder of what was drawn of them."""
    top = tmp_path_factory.mktemp("candidates")
    sources = []
    for site in range(N_SITES):
        source, drawn = top / f"s{site}", top / "drawn" / f"s{site}"
        (source / "pages").mkdir(parents=True)
        drawn.mkdir(parents=True)
        gold, index = [], []
        for number in range(N_PAGES):
            each, name = lesson(site, number), f"{number}.html"
            html = "".join(f"<p>{line}</p>" for line in each.body.splitlines())
            (source / "pages" / name).write_text(html)
            (drawn / name).write_text(html)
            (drawn / f"{number}.json.gz").write_bytes(each.snapshot)
            gold.append(
                {"url": each.url, "path": name, "kind": "article", "title": "", "body": each.body}
            )
            page = RenderedPage(
                url=each.url, path=name, kind="article", styled=number > 0, name=str(number),
                seconds=1.0,
            )  # fmt: skip
            index.append(asdict(page))
        (source / "site.json").write_text(json.dumps({"base_url": "", "language": "en"}))
        for path, rows in ((source / "gold.jsonl", gold), (drawn / INDEX, index)):
            path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        sources.append(str(source))
    return sources, top / "drawn"


def test_sites_are_left_out(sites: tuple[list[str], Path], tmp_path: Path) -> None:
    pytest.importorskip("lightgbm")
    from benchmarks.candidates import main

    sources, drawn = sites
    figures, lessons = tmp_path / "figures.json", tmp_path / "lessons.parquet"
    arguments = [*sources, "--rendered", str(drawn), "--json", str(figures)]
    assert main([*arguments, "--lessons", str(lessons)]) == 0
    found = json.loads(figures.read_text())["figures"]
    assert found["pages"] == N_SITES * (N_PAGES - 1)  # the first of each was drawn without styles
    assert found["candidates_a_page"] == 4 and found["random_top1"] == 0.25
    assert found["trees_top1"] == found["trees_text_f1"] == 1
    assert {"geometry_top1", "trees_fitted_top1", "pages_without_right"} <= set(found)
    assert len(list(read_lessons(lessons))) == found["pages"]


def test_the_shipped_model_is_measured(sites: tuple[list[str], Path], tmp_path: Path) -> None:
    from benchmarks.candidates import main

    sources, drawn = sites
    figures = tmp_path / "figures.json"
    assert main([*sources, "--rendered", str(drawn), "--shipped", "--json", str(figures)]) == 0
    assert json.loads(figures.read_text())["figures"]["shipped_text_f1"] > 0.6


def test_texts_are_measured_with_and_without(sites: tuple[list[str], Path], tmp_path: Path) -> None:
    pytest.importorskip("lightgbm")
    from benchmarks.drawn_texts import main

    sources, drawn = sites
    figures = tmp_path / "figures.json"
    assert main([*sources, "--rendered", str(drawn), "--json", str(figures)]) == 0
    found = json.loads(figures.read_text())["figures"]
    assert found["pages"] == N_SITES * (N_PAGES - 1)
    assert {"served_body_f1", "drawn_body_f1", "drawn_with_element_body_f1"} <= set(found)


def test_what_is_missing_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from benchmarks import candidates, drawn_texts

    for benchmark in (candidates, drawn_texts):
        assert benchmark.main([str(tmp_path / "none.zip")]) == 2
        assert "none.zip" in capsys.readouterr().err


def test_the_sources_own_way_of_counting_lets_a_dead_network_win() -> None:
    from benchmarks.candidates import is_first_of_five

    example = example_of(lesson(1, 1))
    assert example is not None
    n_candidates = len(example.likeness)
    assert is_first_of_five(example, np.zeros(n_candidates, np.float32))
    assert not is_first_of_five(example, -example.likeness)
