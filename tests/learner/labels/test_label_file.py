"""The file of labels teaches as a file of gold does, and products besides."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from learner.dom.teaching.gold import gold_lessons
from learner.labels.coming_back import Tally, rows_of_folder
from learner.labels.label_file import SCHEMA, LabelFileError, product_lessons, write_labels
from learner.vision.candidates.lessons import read_lessons
from learner.vision.products.teaching import examples_of
from learner.vision.snapshots.reading import read_snapshot
from tests.learner.labels.pages import AUTHOR, BODY, DATE, TITLE, folder_of

SHOP = "/html/body/div[2]"


def label_file(folder: Path, labels: dict[str, str]) -> Path:
    """The labels of a folder with one page."""
    folder_of(folder, labels)
    path = folder / "labels.parquet"
    write_labels(path, rows_of_folder(folder, Tally(), print))
    return path


def test_it_is_a_file_of_gold(tmp_path: Path) -> None:
    labels = {"title": TITLE, "body": BODY, "author": AUTHOR, "date": DATE}
    (lesson,) = gold_lessons(label_file(tmp_path, labels))
    assert (lesson.type, lesson.title) == ("article", "Rain <today>")
    assert (lesson.body, lesson.authors) == ("It rained.\nIt rained on.", ("Ann Lee",))
    assert str(lesson.published) == "2021-05-03"
    assert b"It rained on." in lesson.page.html
    assert pq.read_schema(tmp_path / "labels.parquet").equals(SCHEMA)


def test_it_teaches_products(tmp_path: Path) -> None:
    labels = {"name": f"{SHOP}/h2", "price": f"{SHOP}/b", "image": f"{SHOP}/a/img"}
    (lesson,) = product_lessons(label_file(tmp_path, labels))
    assert (lesson.shop, lesson.name, str(lesson.amount)) == ("a", "Red cup", "3.50")
    examples = examples_of([lesson])
    assert all(example.right.sum() == 1 for each in examples.values() for example in each)
    assert [len(each) for each in examples.values()] == [1, 1, 1]


def test_a_page_that_sells_nothing_teaches_no_product(tmp_path: Path) -> None:
    assert list(product_lessons(label_file(tmp_path, {"title": TITLE}))) == []


def test_no_page_gives_no_file(tmp_path: Path) -> None:
    with pytest.raises(LabelFileError, match="there is no labelled page"):
        write_labels(tmp_path / "labels.parquet", [])
    assert list(tmp_path.iterdir()) == []


def test_another_file_is_told(tmp_path: Path) -> None:
    pq.write_table(pa.table({"url": ["x"]}), tmp_path / "other.parquet")
    with pytest.raises(LabelFileError, match=r"missing: .*product_name.*labels import"):
        list(product_lessons(tmp_path / "other.parquet"))
    with pytest.raises(LabelFileError, match="expected a Parquet file of labels"):
        list(product_lessons(Path(__file__)))


@pytest.mark.parametrize("body", [{}, {"body": BODY}])
def test_it_teaches_which_element_holds_the_text(tmp_path: Path, body: dict[str, str]) -> None:
    (lesson,) = read_lessons(label_file(tmp_path, {"title": TITLE, **body}))
    assert lesson.body == ("It rained.\nIt rained on." if body else "")
    assert read_snapshot(lesson.snapshot).title
