"""`webstem labels`: drawn pages out to a folder, labels back, and what is shown of them."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from crawler.storage.partitions import Storage
from learner.vision.products.scorer import load_weights
from tests.learner.labels.pages import add_box
from tests.learner.labels.test_stored import store
from tests.project import Run


@pytest.fixture
def drawn(run_here: Run) -> Run:
    """The project of `run_here`, with two drawn pages."""
    for number, name in enumerate(("rain", "snow")):
        store(Storage("data"), name, number)
    return run_here


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "expected `export SITE`, `import FOLDER` or `show FOLDER`"),
        (("print", "x"), "got 'print x'"),
        (("export", "site", "b"), "got 'export site b'"),
        (("export", "site"), "expected --to FOLDER"),
        (("import", "x", "--verify"), "did you mean '--verified'"),
        (("export", "site", "--to", "f", "--pages", "0"), "expected a number from 1 on"),
    ],
)
def test_wrong_arguments_are_told(run_here: Run, arguments: tuple[str, ...], said: str) -> None:
    code, _, err = run_here("labels", *arguments)
    assert code == 2 and said in err


def test_a_site_that_is_not_drawn_is_told(run_here: Run) -> None:
    code, _, err = run_here("labels", "export", "site", "--to", "f")
    assert code == 5 and "`webstem render site` draws some" in err and not Path("f").exists()


@pytest.mark.parametrize("work", ["import", "show"])
def test_a_folder_of_something_else_is_told(run_here: Run, work: str) -> None:
    code, _, err = run_here("labels", work, "elsewhere")
    assert code == 5 and "elsewhere: expected a folder that `webstem labels export`" in err
    assert not Path("labels.parquet").exists()


def test_out_to_a_person_and_back(drawn: Run) -> None:
    code, out, err = drawn("labels", "export", "site", "--to", "f", "--pages", "1")
    assert (code, err) == (0, "") and out.startswith("f: 1 page with ")
    assert Path("f/classes.txt").read_text().split()[:2] == ["title", "body"]
    code, out, _ = drawn("labels", "export", "site", "--to", "f")
    assert "1 page with" in out and "1 was there already, and is left alone" in out
    one, other = sorted(Path("f/images").glob("*.xml"))
    one.write_text("<annotation verified='yes'/>")
    add_box(other, "name", 99, 700, 500, 731)
    add_box(other, "title", 600, 600, 620, 620)
    code, out, err = drawn("labels", "import", "f", "--out", "l.parquet")
    assert code == 0 and "l.parquet: 2 pages, 1 verified" in out
    assert f"{other.stem}: 'title' at 600, 600, 620, 620: no element" in err
    rows = pq.read_table("l.parquet").to_pylist()
    assert [row["product_name"] for row in rows] == [None, "Red cup"]
    assert {row["site"] for row in rows} == {"site"}
    code, out, err = drawn("labels", "import", "f", "--verified")
    assert code == 0 and pq.read_table("labels.parquet").num_rows == 1
    assert drawn("labels", "show", "f")[:2] == (0, "f/index.html\n")
    assert "Red cup" in Path("f/index.html").read_text("utf-8")


def test_what_a_person_labelled_is_not_written_over(drawn: Run) -> None:
    drawn("labels", "export", "site", "--to", "f")
    for path in Path("f/images").glob("*.xml"):
        path.write_text("<annotation/>")
    next(Path("f/pages").glob("*.json")).unlink()
    code, out, _ = drawn("labels", "export", "site", "--to", "f")
    assert code == 0 and out.startswith("f: 1 page with ")
    assert {path.read_text() for path in Path("f/images").glob("*.xml")} == {"<annotation/>"}


def test_a_file_that_cannot_be_read_is_a_failure_that_stops_no_other(drawn: Run) -> None:
    drawn("labels", "export", "site", "--to", "f")
    next(Path("f/images").glob("*.xml")).write_text("<html/>")
    code, out, err = drawn("labels", "import", "f")
    assert code == 1 and "1 file not read" in out and "save them anew in labelImg" in err
    assert pq.read_table("labels.parquet").num_rows == 1


def test_labels_teach_products(drawn: Run) -> None:
    drawn("labels", "export", "site", "--to", "f")
    for path in Path("f/images").glob("*.xml"):
        path.write_text("<annotation></annotation>")
        add_box(path, "name", 100, 700, 500, 730)
        add_box(path, "price", 320, 740, 380, 760)
        add_box(path, "image", 100, 740, 300, 840)
    # What is stored says nothing of a product; what was drawn does.
    for path in Path("f/pages").glob("*.html"):
        path.write_bytes(b"<h2>Red cup</h2><img src=/big/red.jpg><b>$3.50</b><h2>Blue cup</h2>")
    assert drawn("labels", "import", "f")[0] == 0
    code, out, err = drawn("train", "products", "--gold", "labels.parquet")
    assert (code, err) == (0, "") and out == "products.json: a model of products of 2 pages\n"
    assert load_weights(Path("products.json"))["name"]
    card = json.loads(Path("products.json").read_text())
    assert card["data"]["labels.parquet"].startswith("sha256 ") and card["pages"] == 2


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("products",), 2, "expected `products --gold FILE`"),
        (("products", "site", "--gold", "x"), 2, "expected `products --gold FILE`"),
        (("products", "--gold", "x.parquet"), 5, "x.parquet: expected a Parquet file of labels"),
    ],
)
def test_what_teaches_no_products_is_told(
    run_here: Run, arguments: tuple[str, ...], code: int, said: str
) -> None:
    ended, _, err = run_here("train", *arguments)
    assert ended == code and said in err
