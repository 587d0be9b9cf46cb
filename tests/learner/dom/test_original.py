"""domextract's features and forest."""

from datetime import date
from pathlib import Path

import numpy as np
import pytest
from lxml.html import document_fromstring as parse

from extractor.domextract import Extractor
from learner.dom.original.features import N_FEATURES, node_features
from learner.dom.original.forest import Forest, load_forest
from learner.dom.original.nodes import text_nodes
from learner.dom.original.tokens import tokens_of
from learner.dom.teaching.training import TrainingError
from learner.ensembles.files import ModelError
from tests.handmade import Story
from tests.learner.dom.pages import article_html, lessons

OWN, PARENT, ABOVE, BODY = 0, 10, 21, 32
"""The columns where the features of each begin."""


def test_there_are_as_many_features_as_the_original_has() -> None:
    rows = node_features(text_nodes(parse("<div>a</div>")))
    assert rows.shape == (1, N_FEATURES)
    assert N_FEATURES == 78
    assert node_features(text_nodes(parse("<p>a</p>"))).shape == (0, N_FEATURES)


def test_features_of_a_small_page() -> None:
    html = "<div><p>One two.</p><p>One two.</p><p><a href=/>3</a></p></div><div>four</div>"
    page = text_nodes(parse(html))
    assert [node.text for node in page.nodes] == ["One two.", "One two.", "3", "four"]
    rows = node_features(page)
    duplicates, same_path, tokens, length = rows[:, :4].T
    assert duplicates == pytest.approx([np.log(2), np.log(2), 0, 0])
    assert same_path == pytest.approx([0.5, 0.5, 0.25, 0.25])
    assert tokens == pytest.approx(np.log1p([2, 2, 1, 1]))
    assert length == pytest.approx([3, 3, 1, 4])
    ends_with_mark, place = rows[:, 8:10].T
    assert ends_with_mark.tolist() == [1, 1, 0, 0]
    assert place.tolist() == [0, 0.25, 0.5, 0.75]
    link_density = rows[:, PARENT + 7]
    assert link_density == pytest.approx([1 / 17, 1 / 17, 1, 1 / 21])
    n_above = np.expm1(rows[:, ABOVE + 9])
    assert n_above == pytest.approx([4, 4, 3, 4])
    assert (rows[:, BODY : BODY + 11] == rows[0, BODY : BODY + 11]).all()


def test_ancestors_are_elements() -> None:
    """Of `div[1]`, not of `div[10]` and others whose XPath begins so."""
    page = text_nodes(parse("<div>" + "<div><p>a</p></div>" * 12 + "</div>"))
    n_in_parent = np.expm1(node_features(page)[:, PARENT + 9])
    assert n_in_parent == pytest.approx([1] * 12)


def test_words_without_blanks() -> None:
    assert "".join(tokens_of("東京の天気、晴れ")) == "東京の天気晴れ"
    assert len(tokens_of("東京の天気、晴れ")) >= 4


@pytest.fixture(scope="module")
def forest() -> Forest:
    pytest.importorskip("sklearn")
    from learner.dom.teaching.original import train_forest

    return train_forest(lessons(8))


def test_it_reads_what_it_was_taught(forest: Forest, tmp_path: Path) -> None:
    story = Story(5, n_paragraphs=6, n_words=40)
    html = article_html(story, 1, date(2022, 4, 9), "Mia Dahl")
    path = tmp_path / "forest.npz"
    forest.save(path)
    extractor = Extractor(path)
    assert set(story.body.splitlines()) <= set(extractor.extract(html, is_url=str).splitlines())
    nodes = extractor.extract_nodes(html, is_url=str)
    assert all(node.xpath for node in nodes)
    assert "Home" not in extractor.extract(html, is_url=str)


def test_it_says_what_scikit_learn_says() -> None:
    ensemble = pytest.importorskip("sklearn.ensemble")
    from learner.dom.teaching.original import flattened

    chance = np.random.default_rng(1)
    rows = chance.normal(size=(300, 5)).astype(np.float32)
    labels = rows[:, 0] * rows[:, 1] > 0
    trees = ensemble.RandomForestClassifier(10, random_state=1).fit(rows, labels)
    wanted = trees.predict_proba(rows)[:, 1]
    assert flattened(trees).probability(rows) == pytest.approx(wanted, abs=1e-6)


def test_nothing_to_learn() -> None:
    pytest.importorskip("sklearn")
    from learner.dom.teaching.original import train_forest

    with pytest.raises(TrainingError, match="got none"):
        train_forest([])


def test_a_forest_that_leads_back_is_refused(forest: Forest, tmp_path: Path) -> None:
    path = tmp_path / "bad.npz"
    forest.left[0] = 0
    forest.save(path)
    with pytest.raises(ModelError, match="leads back"):
        load_forest(path)
