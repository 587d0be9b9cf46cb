"""Which blocks are taken for the text."""

from datetime import date

import numpy as np
import pytest

from learner.dom.choosing import choose, is_said_once, least_probability, without_repeated
from learner.dom.model import TYPES, DomModel
from learner.dom.reading import read_page
from learner.page.pages import Page
from tests.handmade import Story
from tests.learner.dom.pages import article_html

LONG = "Why does it never rain in this town?"


def types(**told: float) -> np.ndarray:
    return np.array([told.get(name, 0.0) for name in TYPES], np.float32)


def test_the_threshold_is_that_of_the_greatest_expected_f1() -> None:
    found, weights = np.array([0.4, 0.35, 0.05]), np.array([10.0, 10.0, 10.0])
    assert choose(found, weights) == pytest.approx(0.35)


@pytest.mark.parametrize(
    ("article", "least"), [(1.0, 0.5), (0.0, 0.4), (0.5, 0.45)], ids=["article", "other", "between"]
)
def test_on_articles_a_block_is_as_likely_as_not(article: float, least: float) -> None:
    found, weights = np.array([0.6, 0.4, 0.01]), np.array([10.0, 10.0, 10.0])
    told = types(article=article, forum=1 - article)
    assert least_probability(found, weights, told) == pytest.approx(least)


def test_the_likeliest_block_is_always_taken() -> None:
    assert least_probability(np.array([0.2]), np.array([9.0]), types(article=1)) == 0.2


def test_what_is_said_again_is_left_out_unless_it_is_short() -> None:
    texts = [LONG, "Thanks!", LONG, "Thanks!", LONG + " Really"]
    weights = np.array([28, 6, 28, 6, 34], np.float32)
    assert without_repeated(texts, weights) == [0, 1, 3, 4]


@pytest.mark.parametrize(
    ("told", "is_once"),
    [
        ({"forum": 0.6, "article": 0.4}, True),
        ({"product": 0.3, "collection": 0.25, "list": 0.45}, True),
        ({"article": 0.6, "forum": 0.4}, False),
        ({"documentation": 1.0}, False),
    ],
)
def test_threads_and_products_say_a_thing_once(told: dict[str, float], is_once: bool) -> None:
    assert is_said_once(types(**told)) is is_once


@pytest.mark.parametrize(("kind", "times"), [("forum", 1), ("article", 2)])
def test_a_thread_is_read_without_its_quotes(
    model: DomModel, monkeypatch: pytest.MonkeyPatch, kind: str, times: int
) -> None:
    story = Story(41)
    first = story.body.split("\n")[0]
    last = story.html.rindex("<p>")
    html = article_html(story, 1, date(2022, 4, 9), "Mia Dahl")
    quoted = html.replace(story.html, f"{story.html[:last]}<p>{first}</p>{story.html[last:]}")
    monkeypatch.setattr(DomModel, "types", lambda *_: types(**{kind: 1.0})[None])
    text = read_page(Page(url="https://new.example/t/1", html=quoted.encode()), model).text
    assert text.split("\n").count(first) == times
