"""What stands below the texts of most pages in other words, learned and extracted as a whole."""

import pytest

from learner.page.wording import forms
from tests.handmade import JAPANESE, Story, extract, page, site, tags, words

AUTHORS = 13
COUNT = 40
NEW = Story(99)


def extract_new(template, new=NEW):
    """The body of a new page of a site of many articles."""
    return extract(page(new, template), site(template, COUNT)).body


def with_below(below):
    """A template: a text, and below it in the same element what is given for a story."""

    def template(story):
        return (
            f'<article><h1>{story.title}</h1><div class="text">{story.html}{below(story)}</div>'
            "</article>"
        )

    return template


def biography(story, n_words=20):
    """One of some authors, each with a biography of the same words on all of his pages."""
    author = 7 * story.number % AUTHORS
    name, told = words(f"name {author}", 2), words(f"life {author}", n_words)
    return f'<div class="author"><h4>About {name}</h4><p>{told}</p></div>'


def unheaded(story):
    author = 7 * story.number % AUTHORS
    return f'<div class="author"><p>{words(f"life {author}", 20)}</p></div>'


def responses(story):
    said = "".join(
        f'<div class="said">{words(f"{story.number} {n}", 12)}</div>'
        for n in range(1 + story.number % 3)
    )
    return f'<div class="responses"><h3>Responses</h3>{said}</div>'


def terms(story):
    name = words(f"name {story.number}", 2)
    return f'<p class="terms">Copyright {name}. Released under the terms that all of us share.</p>'


def editor(story):
    return f'<p class="editor">Editor: {words(f"name {story.number}", 2)}</p>'


def left_after(below, new=NEW):
    template = with_below(below)
    return extract_new(template, new)


@pytest.mark.parametrize("below", [biography, unheaded, responses, terms, editor])
def test_what_closes_most_texts_is_left_out(below):
    assert left_after(below) == NEW.body


def test_a_part_that_has_the_same_heading_on_all_pages_is_the_texts():
    """The ingredients of a recipe."""

    def below(story):
        lines = "".join(f"<li>{words(f'{story.number} {n}', 3)}</li>" for n in range(5))
        return f'<div class="ingredients"><h3>Ingredients</h3><ul>{lines}</ul></div>'

    lines = [words(f"{NEW.number} {n}", 3) for n in range(5)]
    assert left_after(below) == "\n".join([NEW.body, "Ingredients", *lines])


def test_a_last_box_of_labels_with_what_only_one_page_says_is_part_of_the_text():
    labels = ("Where it is", "What it costs", "Who is invited")

    def below(story):
        rows = zip(labels, sentences(story), strict=True)
        cells = "".join(f"<tr><th>{label}</th><td>{said}</td></tr>" for label, said in rows)
        return f'<div class="facts"><h3>At a glance</h3><table>{cells}</table></div>'

    def sentences(story):
        return [words((story.number, n), 4) for n in range(3)]

    facts = [each for row in zip(labels, sentences(NEW), strict=True) for each in row]
    assert left_after(below) == "\n".join([NEW.body, "At a glance", *facts])


@pytest.mark.parametrize("heading", ["h3", "p class=head"])
def test_what_stands_above_a_box_may_say_what_it_is(heading):
    def below(story):
        said = words(f"{story.number} said", 12)
        head = f"<{heading}>Responses</{heading.split(' ')[0]}>"
        return f'{head}<div class="said"><p>{said}</p></div>'

    assert left_after(below) == NEW.body


def test_a_box_below_a_line_that_many_texts_end_in_is_the_texts():
    """The contents of a package, below the commands that install it."""

    def below(story):
        commands = "<pre>configure</pre><pre>make</pre><pre>make install</pre>"
        told = "".join(f"<p>{words(f'{story.number} {n}', 9)}</p>" for n in range(2))
        return f'{commands}<div class="contents">{told}</div>'

    told = [words(f"{NEW.number} {n}", 9) for n in range(2)]
    assert left_after(below).splitlines()[-2:] == told


def test_boxes_may_open_in_two_ways():
    def below(story):
        first = "<h3>Sources</h3><p>{}</p>" if story.number % 3 else "<h3>Cite as</h3><p>{}</p>"
        return f'<div class="box">{first.format(words(story.number, 12))}</div>'

    assert left_after(below) == NEW.body


def test_closings_stand_one_below_the_other():
    def below(story):
        return biography(story) + terms(story) + responses(story)

    assert left_after(below) == NEW.body


def test_an_author_who_writes_for_the_first_time():
    def below(story):
        if story is not NEW:
            return biography(story)
        return f'<div class="author"><h4>About Me</h4><p>{words("me", 20)}</p></div>'

    assert left_after(below) == NEW.body


@pytest.mark.parametrize("below", [editor, terms, responses])
def test_what_closes_few_texts_is_text(below):
    def rarely(story):
        return below(story) if story.number % 4 == 3 else ""

    kept = left_after(rarely)
    assert kept.startswith(NEW.body)
    assert kept != NEW.body


def test_sections_of_the_text_stay():
    """They bear the same name as those above them."""

    def below(story):
        last = words(f"more {story.number}", 40)
        return f'<div class="part"><h3>Notes</h3><p>{last}</p></div>'

    def template(story):
        first = f'<div class="part"><p>{story.paragraphs[0]}</p></div>'
        return f"<article><h1>{story.title}</h1>{first}{below(story)}</article>"

    assert "Notes" in extract_new(template)


def test_parts_below_the_text_stay_if_there_are_several():
    def below(story):
        parts = (words(f"part {story.number} {n}", 12) for n in range(2))
        return "".join(f'<div class="sense"><h3>Sense</h3><p>{each}</p></div>' for each in parts)

    assert "Sense" in left_after(below)


def test_boxes_without_a_name_stay():
    def below(story):
        return f"<div><h3>Sources</h3><p>{words(f'more {story.number}', 12)}</p></div>"

    assert "Sources" in left_after(below)


def test_lines_that_stand_where_the_paragraphs_do_are_the_authors():
    assert left_after(lambda story: f"<p>Next: {words(story.number, 3)}</p>") != NEW.body


def test_the_text_below_a_summary_stays():
    def template(story):
        summary, *rest = story.paragraphs
        text = "".join(f"<p>{each}</p>" for each in rest)
        return (
            f"<article><h1>{story.title}</h1><p>{summary}</p>"
            f'<div class="details"><h2>Details</h2>{text}</div></article>'
        )

    body = extract_new(template)
    assert all(paragraph in body for paragraph in NEW.paragraphs)


def test_footnotes_stay():
    def notes(story):
        return f'<div class="notes"><h3>Notes</h3><p id="n1">{words(story.number, 15)}</p></div>'

    def template(story):
        text = story.html.replace(".</p>", '<a href="#n1">1</a>.</p>', 1)
        return f'<article><h1>{story.title}</h1><div class="text">{text}{notes(story)}</div>'

    assert words(99, 15) in extract_new(template)


def test_labels_of_any_script():
    label = words("label", 1, JAPANESE)
    new = Story(99, JAPANESE)

    def editor(story):
        return f'<p class="editor">{label}：{words(f"name {story.number}", 2, JAPANESE)}</p>'

    assert left_after(editor, new) == new.body
    assert forms(f"{label}：x") == [f"{label}： {{text}}"]


def test_an_address_is_no_label():
    assert forms("https://a.example/") == []


def test_a_box_with_fewer_names_than_the_text_does_not_take_it_along():
    """Its place is found at the text, too."""

    def template(story):
        text = f'<div class="part wide">{story.html}</div>'
        box = biography(story).replace('"author"', '"part"') if story.number % 2 else ""
        return f"<article><h1>{story.title}</h1>{text}{box}</article>"

    assert NEW.body in extract_new(template)


@pytest.mark.parametrize("tag", ["a href=/x", "i"])
def test_names_of_other_pages_that_arrows_point_out_of_are_none_of_the_text(tag):
    """They stand below a line of the site, which is cut as well."""

    def below(story):
        stamp = f"<p>This was written on {story.day} by Ann Lee. You can leave a comment.</p>"
        before, after = Story(story.number - 1).title, Story(story.number + 1).title
        return stamp + "".join(
            tags("p", [tags(tag, [said])]) for said in (f"&lt;&lt; {before}", f"{after} »")
        )

    assert extract_new(with_below(below)) == NEW.body


def test_addresses_behind_an_arrow_stay():
    def address(story):
        return f"→ https://x.example/{words(story.number, 1)}"

    body = extract_new(with_below(lambda story: tags("p", [address(story)])))
    assert body == f"{NEW.body}\n{address(NEW)}"


def test_a_text_that_an_advertisement_parts_goes_on_behind_it():
    def template(story):
        above, below = story.paragraphs[:3], story.paragraphs[3]
        return (
            f"<h1>{story.title}</h1><section class=a><div class=body>{tags('p', above)}</div>"
            "</section><aside>An advertisement</aside>"
            f"<section class=b><div class=body><p>{below}</p></div></section>"
        )

    assert extract_new(template) == NEW.body


def test_a_part_of_one_long_paragraph_that_has_the_same_heading_is_the_texts():
    def verdict(story):
        return f"<div class=verdict><h2>Verdict</h2><p>{words(f'end {story.number}', 30)}</p></div>"

    kept = extract_new(with_below(verdict))
    assert kept == f"{NEW.body}\nVerdict\n{words('end 99', 30)}"
