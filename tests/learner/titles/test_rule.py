"""How titles stand at their place, on small sites made by hand."""

import pytest

from tests.handmade import Story, article, extract, page, site


def headed(heading_of):
    """The plain template with another heading."""
    return lambda story: article(story).replace(
        f"<h1>{story.title}</h1>", f"<h1>{heading_of(story)}</h1>"
    )


def title_of(template, number=99):
    return extract(page(Story(number), template), site(template, n_articles=16)).title


def test_a_button_in_the_heading_is_none_of_the_title():
    template = headed(lambda s: f'{s.title} <a href="mailto:a@b.example">Tell us</a>')
    assert title_of(template) == Story(99).title


def test_a_kicker_in_the_heading_is_none_of_the_title():
    kickers = ("Sport", "Home", "World")
    template = headed(lambda s: f"<span>{kickers[s.number % 3]}</span> <b>{s.title}</b>")
    assert title_of(template) == Story(99).title


@pytest.mark.parametrize("sign", [":", " |", "："])
def test_a_section_before_the_title_in_words_is_none_of_it(sign):
    sections = ("Sport", "Home", "World")
    template = headed(lambda s: f"{sections[s.number % 3]}{sign} {s.title}")
    assert title_of(template) == Story(99).title


def test_parts_that_all_say_the_title_stay():
    def parted(story):
        first, _, rest = story.title.partition(" ")
        return f"{first} <i>{rest}</i>"

    assert title_of(headed(parted)) == Story(99).title


def test_marks_where_a_word_may_break_are_no_part_of_it():
    def broken(story):
        return article(story).replace("a", "a\u00ad").replace("e", "e\u200b")

    record = extract(page(Story(99), broken), site(n_articles=16))
    assert (record.title, record.body) == (Story(99).title, Story(99).body)
