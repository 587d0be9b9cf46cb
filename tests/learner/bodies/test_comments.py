from dataclasses import replace

import pytest

from learner.bodies.asides import aside_blocks
from learner.bodies.comments import comment_signatures
from learner.site.block_sums import LIKE_A_TIME
from learner.site.signatures import Signatures
from tests.handmade import (
    Story,
    article,
    comments,
    element_of,
    extract,
    layout,
    members,
    page,
    site,
    stories,
    words,
)


def found_comments(bodies, frame=()):
    cluster = [
        replace(member, frame=frozenset(frame))
        for member in members([layout(body) for body in bodies])
    ]
    signatures = Signatures([member.tree for member in cluster])
    places = comment_signatures(cluster, signatures)
    tree = cluster[0].tree
    inside = aside_blocks(tree, signatures.of[tree], places)
    return [block.text for block in tree.blocks if block.index in inside], tree


def test_records_with_times_after_the_text_are_comments():
    bodies = [article(s) + comments(s, 3) for s in stories(4)]
    found, tree = found_comments(bodies)
    first = element_of(tree, "ol")
    assert found == [block.text for block in tree.inside(first)]
    assert len(found) == 6


def test_the_time_of_a_footer_is_none_of_a_comment():
    def boxes(story):
        head = f"<div><h1>{story.title}</h1><p>{words(story.number, 9)}</p></div>"
        text = f"<div><p>{story.day}</p>{story.html}</div>"
        return f"{head}{text}<div><p>{words('foot', 9)}</p><p>The Site, 10:30</p></div>"

    bodies = [boxes(story) for story in stories(4)]
    frame = {words("foot", 9), "The Site, 10:30"}
    assert found_comments(bodies)[0] != []
    assert found_comments(bodies, frame)[0] == []


def test_a_line_of_the_frame_among_comments_is_none_of_them():
    def thread(story):
        each = (f"<div><p>{story.paragraphs[n]}</p>Ann at 10:0{n}</div>" for n in (1, 2))
        return f"{article(story)}<div>Comments by Ann</div>{''.join(each)}"

    bodies = [thread(story) for story in stories(4)]
    assert found_comments(bodies)[0] == []
    assert len(found_comments(bodies, {"Comments by Ann"})[0]) == 5


@pytest.mark.parametrize("name", ["", " class=thread"])
def test_a_footer_beside_a_box_without_a_name_speaks_against_comments_there(name):
    def boxes(story):
        said = f"<p>{words(story.number, 20)}</p><p>Ann, {story.day} 10:30</p>"
        parts = [said, said] if story.number == 1 else [said]
        footer = "<p>All rights reserved by The Site.</p>"
        below = "".join(f"<div{name}>{part}</div>" for part in [*parts, footer])
        return f"{article(story)}<section>{below}</section>"

    bodies = [boxes(story) for story in stories(8)]
    found = found_comments(bodies, {"All rights reserved by The Site."})[0]
    assert bool(found) is bool(name)


def test_bylines_and_texts_that_alternate_are_comments():
    def thread(story):
        each = (
            f"<dt>Ann, 2021-03-0{n}, 10:0{n}</dt><dd>{story.paragraphs[n]}</dd>" for n in (1, 2)
        )
        return f"{article(story)}<dl>{''.join(each)}</dl>"

    found, _ = found_comments([thread(story) for story in stories(4)])
    assert len(found) == 4


def test_texts_with_their_bylines_below_are_comments():
    def thread(story):
        each = (
            f"<dt>Ann said</dt><dd>{story.paragraphs[n]}</dd><dd class=by>2021-03-0{n} 10:0{n}</dd>"
            for n in (1, 2)
        )
        return f"{article(story)}<dl>{''.join(each)}</dl>"

    found, _ = found_comments([thread(story) for story in stories(4)])
    assert len(found) == 6


@pytest.mark.parametrize(
    "time", ["Jun {0}", "{0} juin", "6月{0}日", "<time datetime=2021-03-0{0}>days ago</time>"]
)
def test_days_without_a_year_and_marked_times_are_times(time):
    def thread(story):
        notes = (
            f"<li><p>{words(f'{story.number} {n}', 9)}</p><p>{time.format(n)}</p></li>"
            for n in (1, 2)
        )
        return f"{article(story)}<ul>{''.join(notes)}</ul>"

    found, _ = found_comments([thread(story) for story in stories(4)])
    assert len(found) == 4


def counted(story, heading="{} comments", note="<div><b>Ann</b><p>{}</p><i>days ago</i></div>"):
    """An article with comments whose number is told, but no time that could be read."""
    n_notes = 2 + story.number % 3
    notes = (note.format(words(f"note {story.number} {n}", 9)) for n in range(n_notes))
    return f"{article(story)}<h3>{heading.format(n_notes)}</h3>{''.join(notes)}"


def test_records_that_a_text_before_them_numbers_are_comments():
    found, _ = found_comments([counted(story) for story in stories(6)])
    assert found.count("days ago") == 3
    assert found_comments([counted(s, "Comments") for s in stories(6)])[0] == []
    assert found_comments([counted(s, "{0} of {0}") for s in stories(6)])[0] == []
    assert found_comments([counted(s) for s in stories(2)])[0] == []  # on too few pages


def test_records_that_hold_the_text_itself_are_none_though_they_are_numbered():
    def debate(story):
        texts = story.paragraphs[: 2 + story.number % 3]
        speeches = "".join(f"<div><b>Ann</b><p>{text}</p><i>Share</i></div>" for text in texts)
        guide = "<p>Read all of the debate, or a part of it only</p>"
        return f"<h1>{story.title}</h1>{guide}<p>{len(texts)} speeches</p>{speeches}"

    assert found_comments([debate(story) for story in stories(6)])[0] == []


def test_the_number_of_the_last_section_does_not_number_them():
    def manual(story):
        texts = story.paragraphs[: 2 + story.number % 3]
        each = (
            f"<h2>{n}. Part</h2><div><p>{text}</p><p>More.</p></div>"
            for n, text in enumerate(texts, 1)
        )
        return f"<h1>{story.title}</h1><p>{'An introduction to it. ' * 3}</p>" + "".join(each)

    assert found_comments([manual(story) for story in stories(6)])[0] == []


def test_rows_that_are_told_apart_are_comments_of_one_kind():
    def thread(story):
        rows = "".join(
            f"<dt class='by{' odd' * (n % 2 == 0)}'>{words(n, 1)}, {story.day}</dt><dd>Yes</dd>"
            for n in range(2)
        )
        return f"{article(story)}<dl>{rows}</dl>"

    found, _ = found_comments([thread(story) for story in stories(4)])
    assert any("Yes" in text for text in found)


@pytest.mark.parametrize("name", ["comment1", "comment-1", "c1 comment"])
def test_comments_that_are_numbered_by_their_names_are_of_one_kind(name):
    def thread(story):
        each = comments(story, story.number % 5)
        for n in range(5):
            each = each.replace('class="comment"', f'class="{name.replace("1", str(n))}"', 1)
        return article(story).replace("</article>", f"{each}</article>")

    new = Story(93)
    assert extract(page(new, thread), site(thread, n_articles=20)).body == new.body


def rows(story, n_comments, day="2021-03-0{} 10:0{}"):
    """A table of comments, for each a row that says who and when and one with the text."""
    said = story.paragraphs[0]
    each = (
        f"<tr><td bgcolor=gray>Ann, {day.format(n, n)}</td></tr><tr><td>{n} {said}</td></tr>"
        for n in range(1, n_comments + 1)
    )
    return f"<table><tr><td>Comments</td></tr>{''.join(each)}</table>"


def test_rows_of_bylines_and_texts_that_alternate_are_comments():
    found, _ = found_comments([article(s) + rows(s, 3) for s in stories(4)])
    assert len(found) == 7


def test_so_are_their_cells_where_the_text_stands_in_a_table_too():
    bodies = [f"<table><tr><td class=text>{article(s)}</table>{rows(s, 3)}" for s in stories(4)]
    found, _ = found_comments(bodies)
    assert len(found) == 7 and "Comments" in found


def test_rows_with_days_or_with_a_time_each_are_the_authors_own():
    assert found_comments([article(s) + rows(s, 3, "2021-03-0{}") for s in stories(4)])[0] == []
    timetable = "".join(f"<tr><td>1{n}:05</td><td>Train {n} to the sea</td></tr>" for n in range(5))
    assert found_comments([f"{article(s)}<table>{timetable}</table>" for s in stories(4)])[0] == []


def test_the_form_for_a_comment_may_look_like_one():
    form = "<div class=note><form>Name: <input> Your comment: <textarea></textarea></form></div>"

    def thread(story):
        notes = (
            f"<div class=note><p>{words(f'{story.number} {n}', 9)}</p><i>Ann, {story.day}</i></div>"
            for n in range(1 + story.number % 2)
        )
        return f"{article(story)}{''.join(notes)}{form}"

    found, _ = found_comments([thread(story) for story in stories(4)])
    assert len(found) > 1


def test_what_holds_the_text_on_most_pages_is_no_comment_on_a_list_of_whole_articles():
    def entry(story):
        return f"<div class=node><h2>{story.title}</h2><i>{story.day}</i>{story.html}</div>"

    single = [entry(story) for story in stories(5)]
    several = "".join(single)
    assert found_comments([*single, several])[0] == []
    assert found_comments([single[0], several, several])[0] != []


def test_signed_parts_of_the_text_are_no_comments():
    def signed(story):
        parts = "".join(f"<p>{t}</p><p class=by>2021-03-01 10:00</p>" for t in story.paragraphs)
        return f"<div class=text><h1>{story.title}</h1>{parts}</div>"

    assert found_comments([signed(story) for story in stories(4)])[0] == []


def test_numbered_sections_are_no_comments():
    def manual(story):
        each = (
            f"<div><h2>7.{n}.41.1 Part</h2><p>{text}</p><p>Version 2.14</p><p>See 8.25.</p></div>"
            for n, text in enumerate(story.paragraphs)
        )
        return f"<h1>{story.title}</h1><p>{'An introduction to it. ' * 3}</p>" + "".join(each)

    assert found_comments([manual(story) for story in stories(4)])[0] == []


def test_sections_of_an_article_are_no_comments():
    def sections(story):
        each = (f"<section><h2>Part</h2><p>{text}</p></section>" for text in story.paragraphs)
        return f"<h1>{story.title}</h1><p>{'An introduction to it. ' * 3}</p>" + "".join(each)

    assert found_comments([sections(story) for story in stories(4)])[0] == []


def test_quotations_with_their_dates_are_the_authors_own():
    def quoting(story):
        each = (f"<blockquote><p>Ann, 2021</p><p>{t}</p></blockquote>" for t in story.paragraphs)
        return f"<h1>{story.title}</h1><p>{'An introduction to it. ' * 3}</p>" + "".join(each)

    assert found_comments([quoting(story) for story in stories(4)])[0] == []


def test_footnotes_with_years_in_them_are_no_comments():
    notes = "<ol><li>The first edition, 1958. </li><li>The second one, 2004.</li></ol>"
    assert found_comments([article(story) + notes for story in stories(4)])[0] == []


def test_a_box_with_a_year_that_one_page_has_twice_is_no_comment():
    def boxed(story):
        box = f"<div><p>{story.paragraphs[0]}</p><p>Published in 1987</p></div>"
        return article(story) + box * (1 + (story.number == 5))

    assert found_comments([boxed(story) for story in stories(12)])[0] == []


def test_references_with_years_are_no_comments():
    def referring(story):
        entries = (
            f"<li><p>{words(f'{story.number} {n}', 9)}, {1990 + n}</p><p>View it</p></li>"
            for n in range(5)
        )
        return article(story) + f'<ol class="references">{"".join(entries)}</ol>'

    assert found_comments([referring(story) for story in stories(6)])[0] == []


def test_what_stands_before_the_text_is_no_comment():
    bodies = [comments(s, 3) + article(s) for s in stories(4)]
    texts, _ = found_comments(bodies)
    assert texts == []


@pytest.mark.parametrize(
    "text", ["3 2021", "10:45", "3.12.09", "2021年5月3日", "à 9:05", "2021-05"]
)
def test_what_looks_like_a_time(text):
    assert LIKE_A_TIME.search(text)


@pytest.mark.parametrize(
    "text", ["chapter 3", "12345", "v1", "10", "3,5", "7.3.41.1", "Figure 8.25.", "1997;83:592", ""]
)
def test_what_does_not(text):
    assert not LIKE_A_TIME.search(text)


def test_entries_with_headings_of_their_own_are_the_authors():
    """A live ticker: each entry has a clock, and a heading that says more than a name."""

    def ticker(story):
        entries = "".join(
            f'<div class="entry"><time>{18 - n}:0{n}</time>'
            f"<h3>{words((story.number, n, 'head'), 6)}</h3>"
            f"<p>{words((story.number, n), 20)}</p></div>"
            for n in range(5)
        )
        return article(story) + f"<div>{entries}</div>"

    assert found_comments([ticker(s) for s in stories(4)])[0] == []


def test_records_that_say_when_and_not_who_are_the_authors():
    def ticker(story):
        entries = "".join(
            f"<div class=entry><time>{18 - n}:0{n}</time><p>{words((story.number, n), 20)}</p>"
            f'<a href="https://share.example/{n}">Share</a></div>'
            for n in range(5)
        )
        return article(story) + f"<div>{entries}</div>"

    assert found_comments([ticker(s) for s in stories(4)])[0] == []


def test_what_leads_to_the_pages_that_its_headings_name_is_no_entry_of_the_authors():
    def entries(story):
        return "".join(
            f'<div class="entry"><h3>{words((story.number, n, "head"), 6)}</h3>'
            f"<p>{words((story.number, n), 20)}</p><time>1{n}:0{n}</time>"
            f'<a href="/{story.number}/{n}"></a></div>'
            for n in range(5)
        )

    assert found_comments([article(s) + entries(s) for s in stories(4)])[0] != []
