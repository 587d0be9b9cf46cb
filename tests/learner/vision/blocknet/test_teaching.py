"""A model is taught from pages whose texts are known."""

from __future__ import annotations

import pytest

from learner.dom.teaching.training import TrainingError
from learner.vision.blocknet.lessons import BlockLesson, Studied, study
from learner.vision.blocknet.network import block_net
from tests.learner.vision.blocknet.made_pages import SENTENCE, MadePage, article

BODY = "\n".join([6 * SENTENCE, 6 * SENTENCE, "What comes next", 5 * SENTENCE])


def lesson(site: str, column: float = 300, body: str = BODY) -> BlockLesson:
    page = article(column, side=1000 if column < 200 else 0)
    return BlockLesson(site=site, page=page.read(), title="Rain in the valley", body=body)


def test_leaves_are_labelled_by_the_gold_text() -> None:
    studied = Studied(lesson("a"))
    labelled = [
        text for text, is_in in zip(studied.leaves.texts, studied.is_content, strict=True) if is_in
    ]
    assert labelled[2] == "What comes next" and len(labelled) == 4
    assert studied.covered == pytest.approx(1) and studied.teaches
    names = [t for t, is_it in zip(studied.leaves.texts, studied.is_name, strict=True) if is_it]
    assert names == ["Rain in the valley"]


def test_a_text_that_is_not_drawn_teaches_nothing() -> None:
    assert not Studied(lesson("a", body="Something else altogether, at great length.")).teaches


def test_headings_and_the_gold_title_are_titles() -> None:
    page = MadePage()
    heading = page.element(page.body, "h2", 0, 0, 100, 20)
    page.text(heading, "What comes next", 0, 0, 100, 20)
    page.paragraph(page.body, "Rain in the valley", 0, 50, 200, 20)
    page.paragraph(page.body, SENTENCE, 0, 100, 200, 20)
    taught = BlockLesson(site="a", page=page.read(), title="Rain in the Valley", body=SENTENCE)
    assert Studied(taught).is_title.tolist() == [True, True, False]


def test_without_a_text_nothing_is_taught() -> None:
    from learner.vision.blocknet.teaching import train

    with pytest.raises(TrainingError, match="whose texts are known"):
        train(study([lesson("a", body="")]))


def test_what_was_taught_is_applied() -> None:
    pytest.importorskip("lightgbm")
    from learner.vision.blocknet.teaching import train_with_card

    lessons = [lesson(f"site{site}", 100 + 40 * (site % 6)) for site in range(40)]
    model = train_with_card(study(lessons), {"made": "by hand"}, {"learned_preserve": 1.0})
    assert model.card["pages"] == 40 and model.card["sites"] == 40
    # Of all that stands in the main part, which begins below the title, all is content.
    assert set(model.g.tolist()) == {0, 1}
    text = block_net(
        article(260, sentence="The wind blew from the sea. ").read(), model=model
    ).as_text()
    assert text.count("The wind blew") == 17 and "Story" not in text
