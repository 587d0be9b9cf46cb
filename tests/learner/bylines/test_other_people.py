"""Bylines that name others beside the author, or what the author is."""

import pytest

from tests.handmade import Story, extract, link, page, site
from tests.learner.bylines.test_learning import NEW, WRITERS, around, writer, written

ROLES = ("Chief Critic", "Harbour Editor", "Staff Writer", "Chief Critic", "Town Reporter")


def role(story):
    return ROLES[WRITERS.index(writer(story))]


def other(story):
    return ("Gil Marsh", "Ida Quist", "Kai Drozd")[story.number % 3]


def authors(byline, new=NEW, n_articles=24):
    return extract(page(new, around(byline)), site(around(byline), n_articles)).authors


@pytest.mark.parametrize(
    "form", ["<p>By {}, {}</p><p>{}</p>", "<p><a href='/staff/x'>{}</a>, {} | {}</p>"]
)
def test_what_always_follows_a_name_says_what_he_is(form):
    byline = lambda s: form.format(writer(s), role(s), written(s))  # noqa: E731
    assert authors(byline) == (writer(NEW),)


def test_who_changes_behind_a_name_wrote_with_him():
    byline = lambda s: f"<p>By {writer(s)}, {other(s)}</p><p>{written(s)}</p>"  # noqa: E731
    assert authors(byline) == (writer(NEW), other(NEW))


@pytest.mark.parametrize(
    "form",
    [
        "<p><i>Written by <a href='/p/1'>{}</a></i> <i>Checked by <a href='/p/2'>{}</a></i> {}</p>",
        "<p>Story by {}, photos by {} | {}</p>",
        "<p>Text: {} | Photos: {} | {}</p>",
    ],
)
def test_who_checked_a_text_or_took_its_pictures_did_not_write_it(form):
    byline = lambda s: form.format(writer(s), other(s), written(s))  # noqa: E731
    assert authors(byline) == (writer(NEW),)


def test_a_name_behind_a_dash_that_ends_the_text():
    def template(story):
        text = f"{story.html}<p>— {writer(story)}</p>"
        day = f"<p class=day>{written(story)}</p>"
        return f'<div class="post"><h1>{story.title}</h1>{day}<div class="text">{text}</div></div>'

    record = extract(page(NEW, template), site(template, 24))
    assert (record.authors, record.body) == ((writer(NEW),), NEW.body)


def test_authors_of_other_articles_in_blocks_with_their_links():
    def after(story):
        others = [Story((story.number * 5 + k) % 12) for k in range(1, 4)]
        ago = "<i>2 h ago</i> <a href='/author/x'>"
        return "".join(f"<p class=more>{link(o)} {ago}{writer(o)}</a></p>" for o in others)

    def before(story):
        return f"<p>By {writer(story)} | {written(story)}</p>"

    template = around(before, after)
    assert extract(page(NEW, template), site(template, 12)).authors == (writer(NEW),)


def test_the_same_people_in_boxes_beside_all_texts_wrote_none_of_them():
    staff = ("Gil Marsh", "Ida Quist", "Kai Drozd", "Lou Penhale")
    boxes = "".join(f"<div class=p><a href='/author/{name[:3]}'>{name}</a></div>" for name in staff)

    def before(story):
        return f"<p>By {writer(story)} | {written(story)}</p>"

    template = around(before, lambda _: f"<div class=side>{boxes}</div>")
    assert extract(page(NEW, template), site(template, 12)).authors == (writer(NEW),)
