"""Which boxes between title and text open the text."""

import pytest

from tests.handmade import Story, extract, page, site, tags, words


def lead_of(story):
    return words(f"lead {story.number}", 12) + "."


FACTS = f"<div class=facts><a href=/all/>{words('facts', 90)}</a></div>"
"""What makes the box around it a worse container than the text alone."""


def with_lead(story, lead=lead_of, n_leads=10):
    box = f"<div class=lead>{lead(story)}</div>" * (story.number % 10 < n_leads)
    return (
        f"<div class=story><h1>{story.title}</h1>{box}{FACTS}"
        f"<div class=text>{story.html}</div></div>"
    )


@pytest.mark.parametrize("n_leads", [3, 10])
def test_prose_in_a_box_of_its_own_above_the_text_opens_it(n_leads):
    new = Story(91)
    pages = site(lambda story: with_lead(story, n_leads=n_leads))
    assert extract(page(new, with_lead), pages).body == f"{lead_of(new)}\n{new.body}"
    bare = page(new, lambda story: with_lead(story, n_leads=0))
    assert extract(bare, pages).body == new.body


@pytest.mark.parametrize(
    "lead",
    [
        lambda story: f"{lead_of(story)} {story.day} 10:30",
        lambda story: story.paragraphs[0],
        lambda story: words("of the site", 12),
        lambda story: f"<a href=/{story.number}>{lead_of(story)}</a>",
        lambda story: f"By {words(story.title, 2)}",
        lambda story: tags("p", (words(f"fact {n} {story.number}", 3) for n in range(4))),
    ],
    ids=["dated", "said again", "on all pages", "a link", "short", "of many blocks"],
)
def test_other_boxes_do_not(lead):
    new = Story(91)

    def template(story):
        return with_lead(story, lead)

    assert extract(page(new, template), site(template)).body == new.body


def test_what_stands_in_one_box_with_the_title_describes_the_page():
    new = Story(91)

    def template(story):
        return (
            with_lead(story)
            .replace("<h1>", "<header><h1>")
            .replace("<div class=facts>", "</header><div class=facts>")
        )

    assert extract(page(new, template), site(template)).body == new.body


def test_what_stands_several_times_opens_no_text():
    new = Story(91)

    def twice(story):
        return with_lead(story).replace(FACTS, f"<div class=lead>{story.day}</div>{FACTS}")

    assert extract(page(new, twice), site(with_lead)).body == new.body
