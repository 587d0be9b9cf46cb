"""Candidates are the large elements, and are measured as what they hold."""

import numpy as np
import pytest

from learner.vision.candidates.elements import candidates_of
from learner.vision.candidates.measures import MEASURES, measures_of
from learner.vision.candidates.texts import PageTexts
from learner.vision.snapshots.reading import read_snapshot
from learner.vision.snapshots.snapshot import Snapshot
from tests.learner.vision.candidates.pages import Node, snapshot_of, story


@pytest.fixture(scope="module")
def page() -> Snapshot:
    body, _ = story(1, 0)
    return read_snapshot(snapshot_of(body, "Other words"))


def measured(page: Snapshot) -> list[dict[str, float]]:
    rows = measures_of(page, candidates_of(page))
    return [dict(zip(MEASURES, row.tolist(), strict=True)) for row in rows]


def test_large_elements_are_candidates(page: Snapshot) -> None:
    found = candidates_of(page).tolist()
    boxes = [page.box[node, 2:].tolist() for node in found]
    assert [page.tags[node] for node in found] == ["body", "div", "div", "div"]
    assert all(min(box) >= 500 for box in boxes)


def test_what_is_not_seen_is_none() -> None:
    hidden = Node("div", (0, 0, 900, 900), ("Words",), styles={"visibility": "hidden"})
    page = read_snapshot(snapshot_of(Node("body", (0, 0, 1280, 1000), (hidden,))))
    assert [page.tags[node] for node in candidates_of(page).tolist()] == ["body"]


def test_a_page_without_any_has_no_measures() -> None:
    page = read_snapshot(snapshot_of(Node("body", (0, 0, 1280, 400), ("Words",))))
    found = candidates_of(page)
    assert len(found) == 0
    assert measures_of(page, found).shape == (0, len(MEASURES))


def test_an_empty_page_has_measures_of_numbers() -> None:
    page = read_snapshot(snapshot_of(Node("body", (0, 0, 1280, 1000))))
    assert np.isfinite(measures_of(page, candidates_of(page))).all()


def test_the_menu_is_linked_and_the_article_runs(page: Snapshot) -> None:
    body, column, article, comments = measured(page)
    assert body["linked_of_page"] == 1 and column["linked_of_page"] == 0
    assert article["running_share"] == 1 and article["linked_share"] == 0
    assert article["letters_of_page"] < column["letters_of_page"] < body["letters_of_page"] == 1
    assert comments["repeated_share"] > 0 and article["repeated_share"] == 0
    assert article["paragraphs_of_page"] + comments["paragraphs_of_page"] == pytest.approx(1)


def test_nested_candidates_are_told_by_their_rest(page: Snapshot) -> None:
    body, column, article, comments = measured(page)
    assert [each["candidates_above"] for each in (body, column, article, comments)] == [0, 1, 2, 2]
    assert [each["candidates_below"] for each in (body, column, article, comments)] == [3, 2, 0, 0]
    assert body["letters_around"] == 0
    assert column["linked_around"] == 1  # the menu alone stands beside it
    assert body["linked_beside_inner"] == 1
    rest = 1 - article["letters_of_page"] / column["letters_of_page"]
    assert article["letters_around"] == pytest.approx(rest, abs=1e-4)


def test_the_title_is_the_largest_text_that_the_page_calls_itself() -> None:
    body, _ = story(1, 0)
    heading = body.inside[1].inside[0]  # type: ignore[union-attr]
    title = str(heading.inside[0])  # type: ignore[union-attr]
    page = read_snapshot(snapshot_of(body, f"{title} - A site"))
    node = PageTexts(page).title
    assert node is not None and page.drawn_text(node) == title
    assert PageTexts(read_snapshot(snapshot_of(body, ""))).title is None
    assert [each["title_of_page"] for each in measured(page)] == [1, 1, 0, 0]


def test_measures_have_names_of_their_own() -> None:
    assert len(set(MEASURES)) == len(MEASURES) < 256
