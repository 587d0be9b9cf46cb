"""Records with a name and a day each, on some of the pages: whose words they are."""

import pytest

from tests.handmade import Story, extract, page, site, words

NEW = Story(97)


def letters(story, count=6):
    """Letters of readers, as readers' comments are written, too."""
    return [words((story.number, n), 40) for n in range(count)]


def records(story):
    said = enumerate(letters(story))
    return "".join(
        f"<div class=r><p>{text}</p><p>Ann Lee, 1{n} May 2021</p></div>" for n, text in said
    )


def template(form):
    def written(story):
        has_records = story.number % 4 == 1
        inside = f"<p>{story.paragraphs[0]}</p>" if has_records else story.html
        below = form.format(records(story)) if has_records else ""
        text, _, after = below.partition("{end}")
        text = f'<div class="text">{inside}{text}</div>'
        return f'<div class="post"><h1>{story.title}</h1>{text}{after}</div>'

    return written


@pytest.mark.parametrize(
    ("form", "are_text"),
    [("{}", True), ("<h4>What readers say</h4>{}", False), ("{{end}}<div id=c>{}</div>", False)],
    ids=["beside the paragraphs", "below a heading", "in a box of their own"],
)
def test_records_right_below_a_paragraph_that_are_most_of_the_page_are_its_text(form, are_text):
    record = extract(page(NEW, template(form)), site(template(form), 24))
    assert NEW.paragraphs[0] in record.body
    assert all((text in record.body) == are_text for text in letters(NEW))
