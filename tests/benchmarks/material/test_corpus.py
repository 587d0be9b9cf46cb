from collections import Counter
from pathlib import Path

import pytest

from benchmarks.material.corpus import (
    GoldPage,
    Halves,
    by_name,
    middle_site,
    pages_to_learn,
    read_halves,
    redraw,
    sample,
)


def gold_page(name: str, is_article: bool, folder: Path = Path("/none")) -> GoldPage:
    return GoldPage(
        url=f"http://site.test/{name}",
        file=folder / name,
        is_article=is_article,
        title="",
        body="",
        date=None,
        author=None,
    )


def half(n_articles: int, n_lists: int) -> list[GoldPage]:
    articles = [gold_page(f"a{i:03}", True) for i in range(n_articles)]
    return articles + [gold_page(f"l{i:03}", False) for i in range(n_lists)]


@pytest.mark.parametrize(("n_pages", "articles", "lists"), [(9, 6, 3), (5, 3, 2), (1, 1, 0)])
def test_a_sample_keeps_the_proportion_of_the_kinds(n_pages, articles, lists):
    kinds = Counter(page.is_article for page in sample(half(40, 20), n_pages))
    assert (kinds[True], kinds[False]) == (articles, lists)


def test_a_sample_is_spread_over_the_half():
    names = [page.file.name for page in sample(half(40, 0), 4)]
    assert names == ["a000", "a010", "a020", "a030"]


def test_a_sample_of_none_or_more_than_all_is_all():
    pages = half(3, 2)
    assert list(sample(pages, 0)) == list(sample(pages, 9)) == pages


def test_the_halves_of_a_site_share_no_page_and_hold_both_kinds(archive):
    halves = read_halves(archive)
    assert halves.name == "lantern"
    gold = (archive / "gold.jsonl").read_text().splitlines()
    assert len(halves.train) + len(halves.test) == len(gold)
    assert abs(len(halves.train) - len(halves.test)) <= 2
    assert not {page.key for page in halves.train} & {page.key for page in halves.test}
    for pages in (halves.train, halves.test):
        assert {page.is_article for page in pages} == {True, False}


def test_halves_drawn_by_chance_have_the_same_pages_and_sizes():
    halves = Halves(name="x", language="en", train=(*half(20, 0),), test=(*half(0, 19),))
    first, again, other = (redraw(halves, seed) for seed in (1, 1, 2))
    assert redraw(halves, 0) is halves
    assert first == again != other
    assert (len(first.train), len(first.test)) == (20, 19)
    assert Counter((*first.train, *first.test)) == Counter((*halves.train, *halves.test))
    assert len({page.is_article for page in first.train}) == 2


def test_anchor_texts_are_those_of_links_to_the_page_itself(tmp_path):
    (tmp_path / "home").write_text(
        "<a href='/story'>A story</a> <a href='story#talk'>12 comments</a>"
        "<a href='http://site.test/story'><b>A  story</b></a> <a href='/gone'>Gone</a>"
        "<a href='/home'>Home</a>"
    )
    (tmp_path / "story").write_text("<a href='/home'>Home</a><a href='/story'>Permalink</a>")
    gold = [gold_page("home", False, tmp_path), gold_page("story", True, tmp_path)]
    home, story = pages_to_learn(gold)
    assert home.anchor_texts == ("Home",)
    assert story.anchor_texts == ("A story",)
    assert all(not page.anchor_texts for page in pages_to_learn(gold, with_anchors=False))


def test_two_sites_of_one_name_are_refused():
    with pytest.raises(ValueError, match="each site once"):
        by_name([Path("a/keens.zip"), Path("b/keens.zip")])


def test_the_middle_site_is_so_by_its_size_whatever_the_sites_are_called(tmp_path):
    for name, size in (("large", 9), ("small", 1), ("usual", 5)):
        (tmp_path / name).write_bytes(b"x" * size)
    assert middle_site(list(tmp_path.iterdir())).name == "usual"
