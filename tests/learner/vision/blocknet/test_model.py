"""The model that comes with the project, and what is none."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from learner.ensembles.files import ModelError
from learner.vision.blocknet.cutting import cut
from learner.vision.blocknet.measures.leaves import Leaves
from learner.vision.blocknet.model import (
    ENSEMBLES,
    SHIPPED,
    load_model,
    shipped_model,
    with_pictures,
)
from tests.learner.vision.blocknet.made_pages import MadePage, article

LARGEST = 100_000
"""Bytes."""


def test_it_is_small_and_says_what_it_was_learned_from() -> None:
    model = shipped_model()
    folder = resources.files("learner.vision.blocknet")
    assert len(folder.joinpath(SHIPPED).read_bytes()) <= LARGEST
    assert set(model.trees) == set(ENSEMBLES) and (np.abs(model.g) <= 1).all()
    assert all(said.startswith("sha256 ") for said in model.card["data"].values())
    assert model.card["figures, sites left out"]["learned_preserve"] > 0.98


def test_features_are_those_that_were_learned() -> None:
    """In number and name: an order of its own would give nonsense."""
    from learner.vision.blocknet.measures.context import context_features
    from learner.vision.blocknet.measures.features import leaf_features
    from learner.vision.blocknet.measures.titles import title_features

    model = shipped_model()
    scene = model.scene(cut(article().read()))
    content = model.content(scene)
    told = {
        "titles": title_features(scene.leaves)[0],
        "leaves": leaf_features(scene)[0],
        "context": context_features(scene, content)[0],
    }
    assert told == model.card["features"]


def test_what_is_stored_is_read_again(tmp_path: Path) -> None:
    model, leaves = shipped_model(), cut(article().read())
    model.save(tmp_path / "blocks.npz")
    again = load_model(tmp_path / "blocks.npz")
    assert again.card == model.card
    scene = model.scene(leaves)
    assert (again.content(again.scene(leaves)) == model.content(scene)).all()


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 broken", b"\x93NUMPY"])
def test_what_is_no_model_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "blocks.npz"
    path.write_bytes(content)
    with pytest.raises(ModelError, match=r"blocks\.npz: expected a model of blocks"):
        load_model(path)


def test_arrays_of_something_else_are_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "blocks.npz", g=np.zeros(3))
    with pytest.raises(ModelError, match="KeyError"):
        load_model(tmp_path / "blocks.npz")


def test_a_picture_goes_with_what_stands_around_it() -> None:
    page = MadePage()
    for place, name in enumerate(("text", "img", "text", "img", "text", "img")):
        if name == "img":
            page.element(page.body, "img", 0, 100 * place, 50, 50)
        else:
            page.paragraph(page.body, "Rain.", 0, 100 * place, 50, 50)
    told = with_pictures(
        Leaves(cut(page.read())), np.array([0.9, 0.5, 0.7, 0.5, 0.1, 0.5], np.float32)
    )
    assert told.tolist() == pytest.approx([0.9, 0.7, 0.7, 0.1, 0.1, 0])
