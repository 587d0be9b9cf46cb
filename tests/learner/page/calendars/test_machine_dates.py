from datetime import date

import pytest

from learner.page.dates import read_machine_date
from tests.handmade import Story, article, extract, layout, page, site

NOON = "2021-05-03 12:00"


@pytest.mark.parametrize(
    "text",
    [
        "2021-05-03T14:00:00+02",
        "2021-05-03T14:00:00.5 +0200",
        "2021-05-03 08:00 EDT",
        "Mon, 03 May 2021 12:00:00 GMT",
        "Mon, 3 May 2021 21:00:00 +0900",
        "Mon May 03 2021 14:00:00 GMT+0200 (CEST)",
        "Mon May  3 14:00:00 CEST 2021",
        "Mon May 03 2021 14:00:00 GMT+0200 (Central European Summer Time)",
        "May 3, 2021 12:00 PM",
        "May 3, 2021 02:00  PM +0200",
        "03.05.2021 12:00",
        "2021/05/03 12:00",
        "1620043200",
        "1620043200000",
    ],
)
def test_moments_as_programs_and_people_write_them(text):
    moment, day = read_machine_date(text)
    assert (f"{moment:%Y-%m-%d %H:%M}", day) == (NOON, date(2021, 5, 3))


@pytest.mark.parametrize(
    "text",
    ["0001-01-01T00:00:00", "1970-01-01T00:00:00Z", "3/5/2021", "May 2021", "3 hours ago", "PT3H"],
)
def test_what_names_no_day_for_sure(text):
    assert read_machine_date(text) is None


@pytest.mark.parametrize(
    "byline",
    [
        '<relative-time datetime="{}T10:00:00Z">2 years ago</relative-time>',
        '<abbr class="ago" title="{}T10:00:00Z">2 years ago</abbr>',
        '<span data-timestamp="{}T10:00:00Z">2 years ago</span>',
        '<span property="dc:date" content="{}">2 years ago</span>',
    ],
)
def test_moments_beside_words(byline):
    def dated(story):
        return article(story).replace(story.day, byline.format(story.day))

    new = Story(60)
    found = extract(page(new, dated), site(dated))
    assert (f"{found.date_published:%Y-%m-%d}", found.body) == (new.day, new.body)


def test_a_title_that_only_begins_with_a_day_is_no_moment():
    tree = layout('<p><a title="2021-05-03 in pictures" href="/a">See</a></p>')
    assert tree.times == []


def test_a_date_that_can_be_read_comes_before_one_that_cannot():
    tree = layout(
        "", head='<meta name="date" content="today"><meta name="pub-date" content="3 May 2021">'
    )
    assert tree.metadata.meta_published == "3 May 2021"
    said = '{"datePublished": "0001-01-01T00:00:00", "dateCreated": ["2021-05-03"]}'
    tree = layout("", head=f'<script type="application/ld+json">{said}</script>')
    assert tree.metadata.json_published == "2021-05-03"
