"""The model that comes with the project."""

from datetime import date
from importlib import resources

import pytest

from learner.dom.model import ENSEMBLES, SHIPPED, shipped_model
from learner.dom.reading import read_page
from learner.page.pages import Page
from tests.handmade import JAPANESE, LATIN, Story
from tests.learner.dom.pages import article_html, list_html

LARGEST = 150_000
"""Bytes."""


def test_it_is_small_and_says_what_it_was_learned_from() -> None:
    model = shipped_model()
    assert len(resources.files("learner.dom").joinpath(SHIPPED).read_bytes()) <= LARGEST
    assert set(model.trees) == set(ENSEMBLES)
    assert all(said.startswith("sha256 ") for said in model.card["data"].values())


@pytest.mark.parametrize("script", [LATIN, JAPANESE])
@pytest.mark.parametrize("site", range(4))
def test_it_reads_invented_articles(site: int, script: str) -> None:
    story = Story(300 + site, script, n_paragraphs=8, n_words=50)
    html = article_html(story, site, date(2022, 4, 9), "Mia Dahl").encode()
    reading = read_page(Page(url="https://a.example/2022/04/rain-again", html=html))
    assert reading.text == story.body
    assert reading.title is not None and reading.title.value == story.title
    assert reading.published == date(2022, 4, 9)


def test_a_list_is_no_article() -> None:
    page = Page(url="https://a.example/tags/", html=list_html(1, 5).encode())
    assert read_page(page).type != "article"
