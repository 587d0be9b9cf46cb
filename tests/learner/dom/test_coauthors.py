import pytest

from learner.dom.candidates.authors import AuthorCandidate
from learner.dom.candidates.coauthors import with_coauthors
from tests.handmade import layout

ANN, BOB = "Ann Lee", "Bob Fry"


def names_beside(body, known=ANN):
    tree = layout(body)
    block = next(block.index for block in tree.blocks if known in block.text)
    found = with_coauthors(tree, [(AuthorCandidate(known, blocks=[block]), 0.8)])
    assert {probability for _, probability in found} == {0.8}
    return [each.name for each, _ in found]


@pytest.mark.parametrize(
    "byline",
    [
        "<p>By Ann Lee and Bob Fry</p>",
        "<p>By Ann Lee &amp; Bob Fry | 3 May 2021</p>",
        "<p>3 May 2021 - Ann Lee; Bob Fry</p>".replace(" - ", " | "),
        "<p>Ann Lee / Bob Fry</p>",
        "<p><span class=author>Ann Lee</span> <span class=author>Bob Fry</span> 3 May 2021</p>",
        "<ul class=authors><li>Ann Lee</li><li>Bob Fry</li></ul>",
        "<p class=author>Ann Lee</p><p class=author>Bob Fry</p><p>3 May 2021</p>",
    ],
)
def test_who_is_named_together(byline):
    assert names_beside(byline) == [ANN, BOB]
    assert names_beside(byline, BOB) == [ANN, BOB]


@pytest.mark.parametrize(
    "byline",
    [
        "<p>By Ann Lee | Air</p>",
        "<p>Ann Lee</p><p>Real Madrid</p>",
        "<p>By Ann Lee, PhD</p>",
        "<p>By Ann Lee, Head of Research</p>",
        "<p>Ann Lee</p><p>It rained.</p>",
    ],
)
def test_who_is_named_alone(byline):
    assert names_beside(byline) == [ANN]


def test_a_text_with_the_names_of_several():
    found = with_coauthors(layout("<p>Text</p>"), [(AuthorCandidate("Ann Lee; Bob Fry"), 0.7)])
    assert [each.name for each, _ in found] == [ANN, BOB]
