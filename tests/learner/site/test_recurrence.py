from urllib.parse import quote

import pytest

from learner.page.lines import Line
from learner.page.said.metadata import Metadata
from learner.page.tree import LayoutTree
from learner.page.wording import LONGEST_STAMP, Facts
from learner.site.recurrence import recurring_texts
from tests.handmade import Story, extract, page, site, words

URL = "https://a.example/雨.html"


def facts(title=None, canonical=""):
    return Facts(LayoutTree(quote(URL, safe=":/"), Metadata(canonical=canonical)), title)


@pytest.mark.parametrize(
    "text, masked",
    [
        ("Rain again", "{title}"),
        ("Title: Rain again", "Title: {title}"),
        (f"Link: {URL}", "Link: {address}"),
        (f"Link: {quote(URL, safe=':/')}", "Link: {address}"),
        ("From https://b.example/rain", "From {address}"),
        ("2021年5月3日", "{date}"),
        ("Mis à jour : 2021-05-03 13:05:00", "Mis à jour : {date} {clock}"),
        ("posted by Ann at 10:30 PM", "posted by Ann at {clock}"),
        ("Posted on Friday, May 3, 2021 by Ann", "Posted on {date} by Ann"),
        ("2021年5月3日(月) 更新", "{date} 更新"),
        ("1,204 views", "{number} views"),
        ("1204", "1204"),
    ],
)
def test_facts_become_signs(text, masked):
    assert facts("Rain again", "https://b.example/rain").mask(Line(text)) == masked


def test_a_short_title_is_looked_for_as_a_whole_only():
    assert facts("Ox").mask(Line("Ox")) == "{title}"
    assert facts("Ox").mask(Line("Ox and cart")) == "Ox and cart"


def test_prose_keeps_its_dates():
    text = "On 3 May 2021 it rained. " + words("prose", LONGEST_STAMP // 4)
    assert facts().mask(Line(text)) == text


@pytest.mark.parametrize(
    "markup, masked",
    [
        ('In <a href="/air">Air</a>, <a href="#x">Big</a> and rain', "In {link} and rain"),
        ('In <a href="/air">Air</a>, <a href="https://b.example/">Bob</a>', "In {link}, Bob"),
        ('<a href="https://a.example/x">Read on</a> (3)', "{link} ({number})"),
        ('<a href="/air">Air</a>', "Air"),
        ('<a href="http://[::1">Odd</a> one', "Odd one"),
    ],
    ids=["several", "another site's", "by its full address", "all of it", "no address"],
)
def test_links_to_the_site_become_signs(markup, masked):
    assert facts().mask(Line(markup)) == masked


def test_recurring_texts_stand_on_a_tenth_of_the_pages_and_on_two():
    pages = [["Menu", f"Text {n}"] for n in range(30)]
    pages[0] = ["Menu", "Menu", "twice here", "twice here", "on two"]
    pages[1] = ["Menu", "on two"]
    assert recurring_texts(pages) == {"Menu"}
    assert recurring_texts(pages[:3]) == {"Menu", "on two"}


def test_labels_with_links_are_the_sites_on_half_of_the_pages_only():
    label, sentence = "See also: {link}", "You can follow what is said here through the {link}"
    pages = [[label, sentence]] * 2 + [["Text"]] * 8
    assert recurring_texts(pages) == {sentence, "Text"}
    assert recurring_texts(pages[:4]) == {label, sentence, "Text"}


def box(story):
    """What themes print below an article: what it is called, where it is, who wrote it, when."""
    author = ("Ann Lee", "Bob Ray")[story.number % 2]
    return (
        f"<div class=text>{story.html}</div><ul><li>{story.title}</li><li>{story.url}</li>"
        f"<li>Author: {author}</li><li>Written: {story.day} 1{story.number % 10}:30</li></ul>"
    )


def footer(story):
    """The same as a landmark, and the links to its tags."""
    tags = (words(f"tag {story.number + n}", 1) for n in (0, 3, 5))
    links = " ".join(f'<a href="/tags/{tag}">{tag}</a>' for tag in tags)
    return f"{story.html}<footer><p>Written: {story.day}</p><p>Tags: {links}</p></footer>"


def sentence(story):
    """The same as a sentence inside of the text's element, with two of many categories."""
    first, second = (f'<a href="/in/{n}">{words(n, 1)}</a>' for n in divmod(story.number, 10))
    return (
        f"<div class=text>{story.html}<p class=meta>This was posted on {story.day}, and is filed "
        f"under {first}, {second}. You can <a href='#reply'>reply</a> to what it says.</p></div>"
    )


def neighbours(story):
    """The titles of the pages before and after, without a link; the head says them, too."""
    # Of a large site hardly any are among the pages that were learned from.
    before, after = (Story(1000 * n + story.number).title for n in (1, 2))
    head = f'<link rel=prev title="{before}"><link rel=next title="{after}">'
    return (
        f"{head}<div class=text>{story.html}<table class=navfooter><tr><td>{before}</td>"
        f"<td><a href=/>Home</a></td><td>{after}</td></tr></table></div>"
    )


@pytest.mark.parametrize("below", [box, footer, sentence, neighbours])
def test_what_a_site_prints_below_each_article_is_none_of_it(below):
    def template(story):
        return f"<article><h1>{story.title}</h1>{below(story)}</article>"

    # One paragraph: the text has no more words than what stands below it.
    new = Story(99, n_paragraphs=1)
    record = extract(page(new, template), site(template))
    assert record.title == new.title
    assert record.body == new.body
