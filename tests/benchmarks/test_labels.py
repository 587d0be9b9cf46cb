"""What is measured of proposed labels is what a person would have found right."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from benchmarks import labels
from benchmarks.rendered import RenderedPage
from extractor.batch.labelling.proposals import Proposals, ProposedElement
from learner.vision.element_tree import ElementTree
from learner.vision.products.teaching import ProductLesson
from tests.learner.labels.pages import ARTICLE, PICTURE, URL, drawn_bytes

SHOWN = RenderedPage(url=URL, path="rain", kind="product", styled=True, name="rain", seconds=0.1)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One drawn page."""
    SHOWN.snapshot_file(tmp_path).write_bytes(drawn_bytes())
    SHOWN.picture_file(tmp_path).write_bytes(PICTURE)
    SHOWN.html_file(tmp_path).write_text(ARTICLE)
    return tmp_path


def product(page: ElementTree, *_: object) -> Proposals:
    """Proposals for the product of the page."""
    tags = {"name": "h2", "price": "b", "image": "img"}
    found = [
        ProposedElement(label=label, element=next(page.root.iter(tag)))
        for label, tag in tags.items()
    ]
    return Proposals("product", tuple(found))


def gold(name: str, amount: str, picture: str) -> ProductLesson:
    return ProductLesson(
        shop="a", url=URL, html=b"", name=name, amount=Decimal(amount), picture=picture
    )


@pytest.mark.parametrize(
    ("known", "right"),
    [
        (gold("red  CUP", "3.5", "/x/red.jpg"), 1.0),
        (gold("Blue cup", "4", "/x/blue.jpg"), 0.0),
    ],
)
def test_a_product_is_right_as_its_gold_says(
    folder: Path, monkeypatch: pytest.MonkeyPatch, known: ProductLesson, right: float
) -> None:
    monkeypatch.setattr(labels, "propose", product)
    monkeypatch.setattr(labels, "shows_picture", lambda *_: True)
    figures = dict(labels.measure_product(SHOWN, folder, known))
    assert figures == {"product_unlabelled": 0, "name": right, "price": right, "image": right}


def test_a_picture_that_is_not_drawn_is_not_counted(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(labels, "propose", product)
    assert labels.shows_picture(SHOWN, folder, "/elsewhere/red.jpg")
    assert "image" not in dict(labels.measure_product(SHOWN, folder, gold("x", "1", "/blue.jpg")))
