"""`scrapy train dom|vision`: models from files of pages with gold, and from learned sites."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from learner.dom.model import load_model
from learner.dom.reading import read_page
from learner.page.pages import Page
from learner.vision.candidates.lessons import write_lessons
from learner.vision.candidates.model import load_model as load_candidate_model
from tests.learner.dom.pages import lessons, write_gold
from tests.learner.vision.candidates.pages import lesson
from tests.project import Run


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "expected dom, vision or products to be trained"),
        (("titles",), "expected dom, vision or products to be trained"),
        (("dom",), "expected --gold, --sites or names of sites"),
        (("vision",), "expected --gold, --sites or names of sites"),
        (("vision", "--original", "--sites"), "--original is a way of `dom`"),
        (("dom", "--golf", "x"), "did you mean '--gold'"),
    ],
)
def test_wrong_arguments_are_told(run_here: Run, arguments: tuple[str, ...], said: str) -> None:
    code, _, err = run_here("train", *arguments)
    assert code == 2 and said in err


def test_gold_teaches_a_model_with_a_card(run_here: Run, tmp_path: Path) -> None:
    pytest.importorskip("lightgbm")
    gold = write_gold(tmp_path / "gold.parquet", 24)
    code, out, err = run_here("train", "dom", "--gold", str(gold), "--out", "m.npz")
    assert (code, err) == (0, "") and "a page model of 72 pages" in out
    model = load_model(Path("m.npz"))
    assert model.card["data"]["gold.parquet"].startswith("sha256 ")
    assert model.card["pages_by_type"] == {"article": 48, "list": 24}
    new = lessons(26)[-2]
    assert read_page(Page(url=new.page.url, html=new.page.html), model).text == new.body


def test_a_file_without_the_columns_is_told(run_here: Run, tmp_path: Path) -> None:
    pytest.importorskip("lightgbm")
    pq.write_table(pa.table({"url": ["x"]}), tmp_path / "other.parquet")
    code, _, err = run_here("train", "dom", "--gold", str(tmp_path / "other.parquet"))
    assert code == 5 and "missing: ['id', 'site'" in err


def test_a_site_that_was_not_learned_teaches_nothing(run_here: Run) -> None:
    pytest.importorskip("lightgbm")
    code, _, err = run_here("train", "dom", "site")
    assert code == 5 and "expected pages whose texts are known, got none" in err


def test_drawn_pages_teach_which_element_to_choose(run_here: Run, tmp_path: Path) -> None:
    pytest.importorskip("lightgbm")
    drawn = tmp_path / "drawn.parquet"
    write_lessons(drawn, [lesson(site, number) for site in range(6) for number in range(4)])
    code, out, err = run_here("train", "vision", "--gold", str(drawn))
    assert code == 0 and "vision.npz: a model of candidates of 24 pages" in out
    assert "pictures is left out" in err  # the pages have none, or there is no PyTorch
    model = load_candidate_model(Path("vision.npz"))
    assert model.card["sites"] == 6 and model.sight is None


def test_a_file_without_drawn_pages_is_told(run_here: Run, tmp_path: Path) -> None:
    pytest.importorskip("lightgbm")
    write_lessons(tmp_path / "none.parquet", [])
    code, _, err = run_here("train", "vision", "--gold", str(tmp_path / "none.parquet"))
    assert code == 5 and "expected drawn pages" in err
