"""One page in, what it says out."""

from datetime import date
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learner.dom.model import TYPES, DomModel, load_model
from learner.dom.reading import read_page
from learner.dom.teaching.training import TrainingError, study, train
from learner.ensembles.files import ModelError
from learner.page.pages import Page
from tests.handmade import JAPANESE, Story
from tests.learner.dom.pages import article_html, lessons, list_html

URL = "https://new.example/news/12-story"


def page(html: str, url: str = URL) -> Page:
    return Page(url=url, html=html.encode())


@pytest.mark.parametrize("script", [Story(1).script, JAPANESE])
def test_an_article_of_a_site_that_nobody_has_seen(model: DomModel, script: str) -> None:
    story = Story(77, script)
    reading = read_page(page(article_html(story, 1, date(2022, 4, 9), "Mia Dahl")), model)
    assert reading.text == story.body
    assert reading.title is not None and reading.title.value == story.title
    assert reading.published == date(2022, 4, 9)
    assert [author.value for author in reading.authors] == ["Mia Dahl"]
    assert reading.type == "article"


def test_probabilities_are_some(model: DomModel) -> None:
    reading = read_page(page(article_html(Story(5), 2, date(2022, 4, 9), "Mia Dahl")), model)
    assert len(reading.probabilities) == len(reading.tree.blocks)
    assert all(0 <= each <= 1 for each in (*reading.probabilities, reading.text_probability))
    assert list(reading.types) == list(TYPES)
    assert sum(reading.types.values()) == pytest.approx(1, abs=1e-4)


def test_a_list_is_one(model: DomModel) -> None:
    assert read_page(page(list_html(3, 99), "https://new.example/tags/"), model).type == "list"


def test_what_only_readers_without_scripts_see_is_read(model: DomModel) -> None:
    html = article_html(Story(6), 1, date(2022, 4, 9), "Mia Dahl")
    head, body = html.split("<body>")
    hidden = f"{head}<body><noscript>{body.replace('</body>', '</noscript></body>')}"
    assert read_page(page(hidden), model).text == Story(6).body


@pytest.mark.parametrize("html", [b"", b"<html></html>", b"\xff\x00<<<", b"<title>x</title>"])
def test_a_page_without_text_has_none(html: bytes, model: DomModel) -> None:
    reading = read_page(Page(url="", html=html), model)
    assert (reading.text, reading.authors) == ("", ()) or reading.tree.blocks


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["<p>", "</p>", "<h1>Rain", "<a href='/x'>one", "</a>", "2021-05-03", "<div hidden>",
             "By Ann Lee", "<time datetime='2021-13-99'>", "<td>", "雨。", "<noscript>", "\u202e!"]
        ),
        max_size=30,
    ),
    st.sampled_from(["", "https://a.example/", "http://[", "https://a.example/2021/05/x?y=1"]),
)  # fmt: skip
def test_no_page_breaks_it(model: DomModel, parts: list[str], url: str) -> None:
    read_page(page("".join(parts), url), model)


def test_the_model_is_the_same_when_it_comes_back(model: DomModel, tmp_path: Path) -> None:
    model.save(tmp_path / "m.npz")
    again = load_model(tmp_path / "m.npz")
    html = article_html(Story(8), 3, date(2022, 4, 9), "Mia Dahl")
    before, after = read_page(page(html), model), read_page(page(html), again)
    assert after.text == before.text
    assert np.allclose(after.probabilities, before.probabilities, atol=0.01)
    assert again.card["features"]["blocks"][0] == "letters"
    assert 0.5 < again.card["figures"]["first_stage_letters_f1"] <= 1


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 no archive", b"x = 1"])
def test_a_file_that_is_no_model_is_named(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "m.npz"
    path.write_bytes(content)
    with pytest.raises(ModelError, match=r"m\.npz: expected a page model"):
        load_model(path)


def test_an_archive_with_objects_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "m.npz"
    np.savez(path, names=np.array([{"a": 1}], object), allow_pickle=True)
    with pytest.raises(ModelError):
        load_model(path)


def test_pages_without_texts_teach_nothing() -> None:
    lists = [each for each in lessons(2) if not each.body]
    with pytest.raises(TrainingError, match="expected pages whose texts are known"):
        train(study(lists))


def test_a_page_that_scripts_draw_is_called_by_its_title(model: DomModel) -> None:
    reading = read_page(page("<title>Rain again</title><script>draw()</script>"), model)
    assert (reading.title and reading.title.value, reading.type) == ("Rain again", "other")


def test_an_endless_page_is_read_to_some_place(
    model: DomModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("learner.dom.features.MOST_BLOCKS", 12)
    reading = read_page(page(article_html(Story(3), 1, date(2022, 4, 9), "Mia Dahl")), model)
    assert len(reading.probabilities) == 12 < len(reading.tree.blocks)
    assert reading.text and reading.text in Story(3).body
