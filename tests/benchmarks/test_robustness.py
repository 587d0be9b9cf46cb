import json
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from benchmarks.material.corpus import read_halves
from benchmarks.measures.jitter import move_constants
from benchmarks.robustness import LISTS_EACH, PARTNER, VARIANTS, main, partner
from crawler.reading.html import parse_html, text_content
from learner.bodies.comments import COMMENT_PAGES


def test_it_measures_a_site_as_it_is_and_made_harder(archive: Path, tmp_path: Path, capsys) -> None:
    assert main([str(archive), "--json", str(tmp_path / "out.json")]) == 0
    figures = json.loads((tmp_path / "out.json").read_text())["figures"]
    assert figures["as_they_are.body_f1"] >= 0.95
    assert figures["without_metadata.body_f1"] >= 0.95
    assert "two_as_one.body_f1" not in figures  # there is no second one
    told = capsys.readouterr().out
    assert all(name in told for name in VARIANTS)


@pytest.mark.parametrize("n_sites", [2, 3, PARTNER, 2 * PARTNER, 35])
def test_no_site_is_its_own_partner(n_sites: int) -> None:
    sources = range(n_sites)
    assert all(partner(source, sources) != source for source in sources)


def test_each_change_takes_away_what_it_names(archive: Path) -> None:
    lost = {
        "without names": "//@class | //@id",
        "without sections": "//main | //article | //header | //footer | //nav",
        "without metadata": "//meta[@property or @name] | //link | //script",
    }
    halves = read_halves(archive)
    for change, path in lost.items():
        harder = VARIANTS[change](halves)
        pairs = list(zip(halves.test, harder.test, strict=True))
        assert all((one.url, one.body) == (other.url, other.body) for one, other in pairs)
        assert any(parse_html(one.html()).xpath(path) for one, _ in pairs)
        assert not any(parse_html(other.html()).xpath(path) for _, other in pairs)


def test_furniture_stands_below_the_articles_alone(archive: Path) -> None:
    halves = read_halves(archive)
    more = VARIANTS["more below the texts"](halves)
    authors = set()
    for page, furnished in zip(halves.test, more.test, strict=True):
        root = parse_html(furnished.html())
        assert len(root.xpath("//*[@class='about-author']")) == page.is_article
        assert len(root.xpath("//*[@class='terms']")) == page.is_article
        if page.is_article:
            below = text_content(root.xpath("//*[@class='terms']/..")[0])
            assert below.index(page.body.splitlines()[-1][-20:]) < below.index("You may copy it")
            authors.add(text_content(root.xpath("//*[@class='about-author']")[0]))
            assert furnished.html() == furnished.html()
    assert len(authors) > 1


def test_furniture_stands_above_and_between_what_the_gold_says(archive: Path) -> None:
    halves = read_halves(archive)
    more = VARIANTS["more in the texts"](halves)
    for page, furnished in zip(halves.test, more.test, strict=True):
        root = parse_html(furnished.html())
        assert len(root.xpath("//*[@class='about-author']")) == page.is_article
        assert len(root.xpath("//p[starts-with(., 'Read also: ')]/a")) == page.is_article
        if page.is_article:
            around = root.xpath("//*[@class='about-author']/..")[0]
            told = text_content(around)
            author = told.index(text_content(around.xpath("./*[@class='about-author']/p")[0]))
            first, *_, last = page.body.splitlines()
            start, end = told.index(first[:20]), told.rindex(last[-20:])
            assert author < start < told.index("Tell us where to write to") < end
            assert start < told.index("Read also: ") < end


def test_one_kind_of_page_may_be_rare_among_those_learned_from(archive: Path) -> None:
    halves = read_halves(archive)
    alone, rare = (VARIANTS[name](halves) for name in ("articles alone", "mostly lists"))
    assert alone.test == rare.test == halves.test
    assert all(page.is_article for page in alone.train)
    n_articles = sum(page.is_article for page in rare.train)
    assert 0 < n_articles <= max(6, (len(rare.train) - n_articles) // LISTS_EACH)


def test_a_missing_site_is_told(tmp_path: Path, capsys) -> None:
    assert main([str(tmp_path / "none.zip")]) == 2
    assert "none.zip" in capsys.readouterr().err


def test_numbers_of_the_learner_are_moved_at_random(archive: Path, tmp_path: Path, capsys) -> None:
    assert main([str(archive), "--jitter", "1", "--json", str(tmp_path / "out.json")]) == 0
    figures = json.loads((tmp_path / "out.json").read_text())["figures"]
    assert [name.partition(".")[2] for name in figures] == ["draw_1_greatest_fall"]
    assert figures.popitem()[1] < 0.5
    assert "as it is" in capsys.readouterr().out
    # The process of the test has its own.
    assert COMMENT_PAGES == 60


def test_all_numbers_move() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(move_constants, 1).result() > 100
