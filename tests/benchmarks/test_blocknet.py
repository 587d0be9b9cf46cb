"""Block Net is measured on drawn articles with gold."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from benchmarks.rendered import INDEX, RenderedPage
from tests.learner.vision.blocknet.made_pages import MadePage


@pytest.fixture
def rendered(archive: Path, tmp_path: Path) -> Path:
    """The articles of the archive, as drawn: a menu beside title and paragraphs."""
    folder = tmp_path / archive.stem
    folder.mkdir()
    gold = [json.loads(line) for line in (archive / "gold.jsonl").read_text().splitlines()]
    articles = [page for page in gold if page["kind"] == "article"][:6]
    with (folder / INDEX).open("w", encoding="utf-8") as index:
        for number, page in enumerate(articles):
            told = RenderedPage(
                url=page["url"],
                path=page["path"],
                kind="article",
                styled=number > 0,
                name=f"page{number}",
                seconds=1.0,
            )
            snapshot = json.dumps(drawn(page["title"], page["body"]).raw())
            told.snapshot_file(folder).write_text(snapshot, "utf-8")
            print(json.dumps(asdict(told)), file=index)
    return tmp_path


def drawn(title: str, body: str) -> MadePage:
    page = MadePage(4000, f"{title} - Lantern")
    menu = page.element(page.body, "div", 0, 100, 200, 400)
    for place in range(9):
        page.link(menu, f"Story {place}", f"/{place}", 0, 100 + 30 * place, 180, 20)
    main = page.element(page.body, "div", 300, 100, 700, 3000)
    page.paragraph(main, title, 300, 100, 600, 40, font_size="32px")
    for place, text in enumerate(body.splitlines()):
        page.paragraph(main, text, 300, 160 + 90 * place, 700, 70)
    return page


def test_both_scorers_and_titles_are_measured(
    archive: Path, rendered: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from benchmarks.blocknet import main

    figures = tmp_path / "figures.json"
    given = [str(archive), "--rendered", str(rendered), "--shipped", "--json", str(figures)]
    assert main(given) == 0
    said = json.loads(figures.read_text())["figures"]
    assert said["pages"] == 5  # one was drawn without its style sheets
    assert said["learned_preserve"] > 0.95 and said["learned_removal"] > 0.9
    assert {"paper_preserve", "paper_removal", "title_accuracy", "title_f1"} <= set(said)
    assert said["blocks_ms"] > 0 and said["largest_mb"] > 0
    assert capsys.readouterr().out.count("preserve") == 4


def test_one_site_leaves_none_to_learn_from(
    archive: Path, rendered: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from benchmarks.blocknet import main

    assert main([str(archive), "--rendered", str(rendered)]) == 2
    assert "whose texts are known" in capsys.readouterr().err


def test_a_missing_site_is_told(
    tmp_path: Path, shared: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from benchmarks.blocknet import main

    assert main([str(tmp_path / "none.zip"), "--rendered", str(tmp_path)]) == 2
    assert "none.zip: expected the zip or folder of a site" in capsys.readouterr().err
