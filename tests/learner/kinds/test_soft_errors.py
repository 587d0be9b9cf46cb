from dataclasses import replace

import pytest

from extractor.extraction import extract_article
from learner.induction.steps import learn_patterns
from learner.patterns.pattern import PatternSet
from tests.handmade import HOST, Story, article, framed, page, site, words

GONE = Story(500)
"""What the site says of each page that is not there."""


def answer(number, name):
    """The answer under one of its addresses, as links call it."""
    html = framed(GONE, article(GONE)).encode()
    return replace(page(GONE), url=f"{HOST}/gone/{number}", html=html, anchor_texts=(name,))


def learned(names):
    return learn_patterns([*site(), *(answer(n, name) for n, name in enumerate(names))])


@pytest.mark.parametrize("n_addresses", [3, 6])
def test_an_answer_under_many_names_is_no_article(n_addresses):
    patterns = learned(words(n, 4) for n in range(n_addresses))
    later = extract_article(answer(99, "Another old story"), patterns)
    assert later.status == "soft_error"
    assert "many addresses" in later.reason
    assert extract_article(page(Story(99)), patterns).body == Story(99).body


def test_the_patterns_know_it_when_they_are_read_again():
    patterns = learned(words(n, 4) for n in range(4))
    stored = PatternSet.from_table(patterns.to_table())
    assert extract_article(answer(99, "Another old story"), stored).status == "soft_error"


@pytest.mark.parametrize(
    "names",
    [
        ["Old story", "Older story"],
        ["Read on"] * 5,
        ["Print", "Mail", "Reply", GONE.title],
    ],
    ids=["two addresses", "one name for all", "one calls it by its title"],
)
def test_an_article_with_many_addresses_is_one(names):
    found = extract_article(page(GONE), learned(names))
    assert (found.status, found.body) == ("ok", GONE.body)
