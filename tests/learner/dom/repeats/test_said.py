"""Blocks that repeat what the page says for machines."""

from learner.dom.repeats.said import KINDS, repeated
from learner.page.said.metadata import Metadata

TEXTS = ["Home", "The umbrella keeps you dry in any storm.", "It does not, said a customer."]


def test_each_kind_has_a_column() -> None:
    said = Metadata(
        json_about="THE UMBRELLA\nkeeps you dry in any storm",
        json_replies="Great. It does not, said a customer.",
        meta_description="Rain",
    )
    found = dict(zip(KINDS, repeated(TEXTS, said).T.tolist(), strict=True))
    assert found == {
        "body": [-1, -1, -1],
        "about": [0, 1, 0],
        "replies": [0, 0, 1],
        "summary": [0, 0, 0],
    }


def test_short_texts_repeat_nothing() -> None:
    assert repeated(["Home"], Metadata(json_body="Home is where it rains."))[0, 0] == 0
