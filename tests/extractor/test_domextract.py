"""domextract's own face."""

from datetime import date
from pathlib import Path

import pytest

from crawler.fetching.one_page import FetchError
from crawler.reading.html import parse_html, text_content
from extractor.domextract import Extractor
from tests.handmade import Story
from tests.learner.dom.pages import article_html

STORY = Story(305, n_paragraphs=8, n_words=50)
HTML = article_html(STORY, 1, date(2022, 4, 9), "Mia Dahl")


@pytest.fixture(scope="module")
def extractor() -> Extractor:
    return Extractor()


def test_html_and_files(extractor: Extractor, tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_text(HTML)
    assert extractor.extract(HTML, is_url=str) == STORY.body
    assert extractor.extract(HTML.encode()) == STORY.body
    assert extractor.extract(path, is_url=False) == STORY.body
    with pytest.raises(FileNotFoundError):
        extractor.extract(tmp_path / "none", is_url=False)


def test_addresses_are_fetched_with_the_guards_of_a_crawl(extractor: Extractor) -> None:
    with pytest.raises(FetchError, match="private address"):
        extractor.extract("http://127.0.0.1:1/")


def test_a_lower_threshold_gives_more(extractor: Extractor) -> None:
    all_lines = extractor.extract(HTML, threshold=0.0, is_url=str).splitlines()
    assert len(all_lines) == len(extractor.extract_nodes(HTML, is_url=str))
    some = extractor.extract(HTML, threshold=0.5, is_url=str).splitlines()
    assert set(STORY.body.splitlines()) <= set(some) < set(all_lines)
    assert extractor.extract(HTML, threshold=1.01, is_url=str) == ""


def test_nodes(extractor: Extractor) -> None:
    root = parse_html(HTML.encode())
    nodes = extractor.extract_nodes(HTML, is_url=str)
    for node in nodes:
        assert node.xpath is not None
        (element,) = root.xpath(node.xpath)
        assert node.text in " ".join(text_content(element).split())
    likely = {node.text for node in nodes if node.probability > 0.5}
    assert set(STORY.body.splitlines()) <= likely < {node.text for node in nodes}


def test_nodes_are_told(extractor: Extractor, capsys: pytest.CaptureFixture[str]) -> None:
    assert extractor.extract(HTML, is_url=str, debug=True) == STORY.body
    told = capsys.readouterr().err.splitlines()
    assert len(told) == len(extractor.extract_nodes(HTML, is_url=str))


def test_a_model_of_a_file(tmp_path: Path, extractor: Extractor) -> None:
    path = tmp_path / "dom.npz"
    extractor._model.save(path)
    assert Extractor(path).extract(HTML, is_url=str) == STORY.body


def test_many_pages_in_other_processes(extractor: Extractor, tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_text(HTML)
    targets = [str(path), str(tmp_path / "none"), str(path)]
    found = list(extractor.extract_many(targets, is_url=False, processes=1))
    assert [each.target for each in found] == targets
    assert [each.text for each in found] == [STORY.body, "", STORY.body]
    assert found[1].problem is not None
    assert found[1].problem.startswith("FileNotFoundError")
