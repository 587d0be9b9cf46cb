"""A small page model, taught once from invented sites."""

import pytest

from learner.dom.model import DomModel
from tests.learner.dom.pages import lessons


@pytest.fixture(scope="session")
def model() -> DomModel:
    pytest.importorskip("lightgbm")
    from learner.dom.teaching.training import study, train

    return train(study(lessons(24)))
