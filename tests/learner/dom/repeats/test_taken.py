"""Which blocks of a page make up a text."""

from hypothesis import given
from hypothesis import strategies as st

from learner.dom.repeats.taken import label_blocks
from tests.handmade import Story

STORY = Story(7)


def test_a_word_of_the_menu_that_the_text_says_too_stays_in_the_menu() -> None:
    first = STORY.paragraphs[0].split()[3]
    blocks = [first, STORY.title, *STORY.paragraphs, first]
    assert label_blocks(blocks, STORY.body).tolist() == [False, False, *[True] * 4, False]


def test_a_text_that_stands_twice_is_taken_once() -> None:
    blocks = [STORY.paragraphs[1], *STORY.paragraphs]
    assert label_blocks(blocks, STORY.body).tolist() == [False, True, True, True, True]


def test_a_paragraph_with_a_few_other_words_is_of_the_text() -> None:
    blocks = [f"{STORY.paragraphs[0]} [1]", "Something else that the page says, at some length."]
    assert label_blocks(blocks, STORY.body).tolist() == [True, False]


@given(st.lists(st.text("ab c.", max_size=8), max_size=12), st.text("ab c.", max_size=30))
def test_there_is_a_label_for_each_block(blocks: list[str], wanted: str) -> None:
    assert len(label_blocks(blocks, wanted)) == len(blocks)


@given(st.lists(st.text("abcdef", min_size=1, max_size=8), min_size=1, max_size=12))
def test_all_blocks_of_a_page_that_is_the_text_are_of_it(blocks: list[str]) -> None:
    assert label_blocks(blocks, "\n".join(blocks)).all()
