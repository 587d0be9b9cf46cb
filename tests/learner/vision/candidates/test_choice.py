"""Trees learn which candidate holds the text of a page, and a model is stored without code."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from learner.ensembles.files import ModelError
from learner.vision.candidates.checking import choices, text_f1, top1
from learner.vision.candidates.evidence import evidence_of
from learner.vision.candidates.lessons import (
    DrawnLesson,
    Example,
    LessonsError,
    example_of,
    examples_of,
    read_lessons,
    write_lessons,
)
from learner.vision.candidates.model import (
    CandidateModel,
    load_model,
    shipped_model,
)
from learner.vision.candidates.training import TooFewError, train
from learner.vision.snapshots.arrays import Floats
from learner.vision.snapshots.reading import read_snapshot
from tests.learner.vision.candidates.pages import Node, lesson, snapshot_of, story

LESSONS = [lesson(site, number) for site in range(8) for number in range(4)]


@pytest.fixture(scope="module")
def examples() -> list[Example]:
    return examples_of(LESSONS)


@pytest.fixture(scope="module")
def taught() -> CandidateModel:
    pytest.importorskip("lightgbm")
    return train(LESSONS, {"made": "by hand"})


def test_the_right_one_is_the_one_with_the_text(examples: list[Example]) -> None:
    for example in examples:
        assert example.right.tolist() == [False, False, True, False]
        assert example.likeness[2] == 1


def test_sites_that_were_not_learned_are_read(taught: CandidateModel) -> None:
    others = examples_of(lesson(site, 0) for site in range(20, 26))
    assert top1(choices(others, lambda each: taught.scores(each.measures))) == 1
    assert taught.card["figures, sites left out"]["top1"] == 1
    assert taught.card["data"] == {"made": "by hand"}


def test_ties_count_against_who_scores(examples: list[Example]) -> None:
    def tied(example: Example) -> Floats:
        return np.zeros(len(example.likeness), np.float32)

    assert top1(choices(examples, tied)) == 0
    assert text_f1(choices(examples, tied)) == pytest.approx(
        np.mean([example.likeness.min() for example in examples])
    )


def test_the_pick_is_a_node(taught: CandidateModel) -> None:
    body, text = story(30, 1)
    page = read_snapshot(snapshot_of(body))
    pick = taught.pick(page)
    assert pick is not None and page.visible_text(pick.node) == text
    assert 0.5 < pick.probability <= 1
    small = read_snapshot(snapshot_of(Node("body", (0, 0, 1280, 300), ("Words",))))
    assert taught.pick(small) is None


def test_a_stored_model_is_the_same(
    taught: CandidateModel, examples: list[Example], tmp_path: Path
) -> None:
    taught.save(tmp_path / "m.npz")
    again = load_model(tmp_path / "m.npz")
    assert again.card == taught.card
    for example in examples:
        near = taught.scores(example.measures)
        assert np.allclose(again.scores(example.measures), near, atol=0.02)


@pytest.mark.parametrize("site", range(6))
def test_the_shipped_model_leaves_the_menu_out(site: int) -> None:
    body, text = story(site, 0)
    page = read_snapshot(snapshot_of(body))
    pick = shipped_model().pick(page)
    assert pick is not None and text in page.visible_text(pick.node)
    assert "li" not in page.tags[pick.node : page.end[pick.node]]


def test_blocks_beside_the_element_are_held_for_less_likely(taught: CandidateModel) -> None:
    body, text = story(31, 2)
    page = read_snapshot(snapshot_of(body))
    menu, *paragraphs = ["Not on the page", *text.splitlines()]
    found = evidence_of([menu, *paragraphs], page, taught)
    assert found[0] < -1 and (found[1:] > 0).all()
    small = read_snapshot(snapshot_of(Node("body", (0, 0, 1280, 300), ("Words",))))
    assert evidence_of(["Words"], small, taught).tolist() == [0]


@pytest.mark.parametrize(
    "spoil",
    [lambda data: b"", lambda data: data[: len(data) // 2], lambda data: b"PK" + data[2:60]],
)
def test_a_damaged_model_is_told(
    taught: CandidateModel, tmp_path: Path, spoil: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / "m.npz"
    taught.save(path)
    path.write_bytes(spoil(path.read_bytes()))
    with pytest.raises(ModelError, match="expected a model of candidates"):
        load_model(path)


def test_nothing_to_learn_from_is_told() -> None:
    pytest.importorskip("lightgbm")
    other = DrawnLesson(
        site="a", url="u", body="Nothing of it", snapshot=lesson(1, 1).snapshot, picture=None
    )
    with pytest.raises(TooFewError, match="expected drawn pages"):
        train([other], {})


def test_a_page_that_cannot_be_read_teaches_nothing() -> None:
    assert example_of(DrawnLesson(site="a", url="", body="", snapshot=b"{}", picture=None)) is None


def test_lessons_come_back_from_a_file(tmp_path: Path) -> None:
    lessons = [lesson(1, 1), lesson(2, 1)]
    write_lessons(tmp_path / "l.parquet", lessons)
    assert list(read_lessons(tmp_path / "l.parquet")) == lessons
    pq.write_table(pa.table({"url": ["x"]}), tmp_path / "other.parquet")
    with pytest.raises(LessonsError, match="missing: \\['site'"):
        list(read_lessons(tmp_path / "other.parquet"))
