from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learner.bylines.author_places import AuthorPlace
from learner.bylines.fields import Field, cut_fields, is_name, pieces_of
from learner.page.lines import Piece
from learner.page.locators import Locator
from tests.handmade import Story, extract, layout, page, site, tags, words

FIXED = frozenset({"By", "Posted", "by", "on", "in", "Author"})


def cut(html, dates=()):
    """Lead, label and text of each field of a block."""
    (block,) = layout(f"<p>{html}</p>").blocks
    return [(f.lead, f.label, f.text) for f in cut_fields(pieces_of(block), FIXED, dates)]


@pytest.mark.parametrize(
    ("html", "fields"),
    [
        ("By Ann Lee", [("By", "", "Ann Lee")]),
        ("By <a>Ann</a> in <a>News</a>", [("By", "a", "Ann"), ("in", "a", "News")]),
        ("By <a href=1>Ann</a> <a href=2>Bob</a>", [("By", "a", "Ann"), ("By", "a", "Bob")]),
        ("By Ann <a href=1>(@ann)</a>", [("By", "", "Ann (@ann)")]),
        (
            "Author: <b class=n>Ann C.E.</b> | 5",
            [("Author", "b.n", "Ann C.E."), ("Author", "", "5")],
        ),
        ("Sports desk — May 1", [("", "", "Sports desk")]),
        ("May 1 - Ann", [("\0", "", "Ann")]),
        ("<i rel=author><b>Ann</b></i> &amp; Bob.", [("", "b@author", "Ann"), ("", "", "Bob")]),
        ("Posted／安 李｜東京", [("Posted", "", "安 李"), ("Posted", "", "東京")]),
        ("2 » ... |", [("", "", "2")]),
        ("BY Ann in In", [("By", "", "Ann"), ("in", "", "In")]),
        ("By Ann Lee (a.lee@paper.example) @ann", [("By", "", "Ann Lee"), ("By", "", "@ann")]),
        ("Ann Lee (Dew, Hay), Bob (5)", [("", "", "Ann Lee"), ("", "", "Bob")]),
        ("By Ann Lee Jr.", [("By", "", "Ann Lee Jr.")]),
        ("Fix the dates (cff5f90)", [("", "", "Fix the dates (cff5f90)")]),
        ("(Ann Lee) at (me@b.example)", [("", "", "(Ann Lee) at")]),
        ("May 1 (金) 10:31 安 李 a.li@paper.example", [("\0", "", "安 李")]),
        ("Last changed: May 1, Ann Lee", [("\0", "", "Ann Lee")]),
        ("Ann Lee: May 1", [("", "", "Ann Lee")]),
        ("<a href=/author/ann>the ann</a>: May 1", [("", "a@author", "the ann")]),
        ("the ann: me@b.example May 1", [("", "", "the ann")]),
        ("<a rel='category tag' href=/air>Air</a>", [("", "a@topic", "Air")]),
        ("<b class=n>Ann</b> <b class=n>News</b>", [("", "b.n", "Ann"), ("", "b.n", "News")]),
        ("<a href=/author/ann>Ann</a>", [("", "@author", "Ann")]),
        ("<a href=/author.html>[ author ]</a>", [("", "", "author")]),
        ("at <a href='//author.example/x'>Ann</a>", [("", "", "at Ann")]),
        ("<a href='https://x.example/@ann-lee'>Ann Lee</a>", [("", "@author", "Ann Lee")]),
        ("<a href='https://x.example/@ann-lee'>Follow us</a>", [("", "", "Follow us")]),
    ],
)
def test_fields(html, fields):
    assert cut(html, ["May 1"]) == fields


def test_what_touches_a_date_is_part_of_it():
    pieces = [Piece("Ann on Friday, May 1, Noon | Bob, Eve", None, "")]
    found = cut_fields(pieces, FIXED, ["May 1"])
    assert [(f.text, f.beside_date) for f in found] == [
        ("Ann", False), ("Friday", True), ("Noon", True), ("Bob", False), ("Eve", False),
    ]  # fmt: skip


@given(st.lists(st.text(max_size=30), max_size=4), st.lists(st.text("abc \0|", max_size=5)))
def test_no_block_breaks_the_cutter(texts, dates):
    pieces = [Piece(text, None, "") for text in texts]
    for each in cut_fields(pieces, FIXED, [date for date in dates if date.strip()]):
        assert isinstance(each, Field) and each.text.strip() and "|" not in each.text


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Ann Lee", True),
        ("王", True),
        ("k", False),
        ("Li", True),
        ("5 comments", False),
        ("Updated 20 days ago", False),
        ("ann42", True),
        ("", False),
        ("—", False),
    ],
)
def test_what_looks_like_a_name(text, answer):
    assert is_name(text) is answer
    assert not is_name("word " * 7) and is_name("word " * 7, 18)


def test_a_place_reads_its_field_only():
    tree = layout("<div><p>By Ann in News</p><p>By the way</p></div><p>By Bob</p>")
    place = AuthorPlace(locator=Locator.parse("body/div/p"), lead="By", fixed=("By", "in"))
    names, block = place.read(tree, tree.blocks, lambda block: [])
    assert (names, block.text) == (["Ann"], "By Ann in News")
    assert place.read(tree, tree.blocks[2:], lambda block: []) is None


def test_a_name_that_is_no_link_stands_alone_behind_its_word():
    place = AuthorPlace(locator=Locator.parse("body/p"), lead="by", label="a", fixed=("by",))
    for html, names in (
        ("by <a href=1>Ann</a>", ["Ann"]),
        ("by Bob", ["Bob"]),
        ("a walk by the sea, by the house", None),
        ("a walk by the sea", None),
    ):
        found = place.read(tree := layout(f"<p>{html}</p>"), tree.blocks, lambda block: [])
        assert (found[0] if found else None) == names


def test_a_list_names_an_author_in_each_item():
    place = AuthorPlace(locator=Locator.parse("body/ul/li"), several=True)
    for html, names in (
        ("<ul><li>Ann Lee,<p>Physics</p></li><li>Bob Ray</li></ul>", ["Ann Lee", "Bob Ray"]),
        ("<ul><li>Ann Lee</li><li>5 comments</li></ul>", ["Ann Lee"]),
        ("<ul><li>Ann Lee</li></ul><ul><li>Bob Ray</li></ul>", ["Ann Lee"]),
    ):
        tree = layout(html)
        found = place.read(tree, tree.blocks, lambda block: [])
        assert found == (names, tree.blocks[0])


def test_the_items_of_a_list_may_have_boxes_around_the_names():
    place = AuthorPlace(locator=Locator.parse("body/ul/li/address"), several=True)
    item = "<li><address>{}</address><a href=/{}><i></i></a></li>"
    tree = layout(f"<ul>{item.format('Ann Lee', 1)}{item.format('Bob Ray', 2)}</ul>")
    found = place.read(tree, tree.blocks, lambda block: [])
    assert found == (["Ann Lee", "Bob Ray"], tree.blocks[0])


def test_the_word_above_a_list_leads_to_all_of_its_authors():
    names = ("Ann Lee", "Bob Ray", "Cid Fox", "Dan Poe", "Eva Orr")

    def authors(story):
        return tuple(names[(story.number + n) % 5] for n in range(1 + story.number % 2))

    def template(story):
        return (
            f"<h1>{story.title}</h1><div>{story.day} · By </div>"
            f"<ul class=by>{tags('li', authors(story))}</ul><div class=text>{story.html}</div>"
        )

    patterns = site(template)
    for number in (100, 101):
        new = Story(number)
        assert extract(page(new, template), patterns).authors == authors(new)


def test_by_in_the_link_to_an_author_is_no_part_of_the_name():
    def template(story):
        return (
            f"<h1>{story.title}</h1><div><span class='author vcard'><a href=/author/ann>by annlee"
            f"</a></span></div><p class=d>{story.day}</p><div class=text>{story.html}</div>"
        )

    assert extract(page(Story(100), template), site(template)).authors == ("annlee",)


def test_a_link_of_a_menu_beside_the_date_is_no_author():
    menu = "".join(f"<a href=/{name}.html>{name}</a> | " for name in ("News", "Shop", "About"))

    def template(story):
        return (
            f"<p>{story.day}</p><div>{menu}<a href=/sitemap.html>Site Map</a></div>"
            f"<h1>{story.title}</h1><div class=text>{story.html}</div>"
        )

    assert extract(page(Story(100), template), site(template)).authors == ()


def test_a_constant_name_must_stand_there():
    place = AuthorPlace(locator=Locator.parse("body/p"), name="Ann")
    said = ("by Ann, 1 May", True), ("by Anna, 1 May", False), ("<b>Ann</b><i>1 May</i>", True)
    for text, found in said:
        tree = layout(f"<p>{text}</p>")
        assert (place.read(tree, tree.blocks, lambda block: []) is not None) is found


def test_by_in_small_letters_is_the_same_word():
    authors = ("Ann Lee", "Bob Ray", "Cid Fox")

    def template(story):
        by = "By" if story.number % 4 else "by"
        return (
            f"<h1>{story.title}</h1><h4>{by} {authors[story.number % 3]}</h4>"
            f"<h5>{story.day}</h5><div class=text>{story.html}</div>"
        )

    patterns = site(template)
    for number in (100, 101):
        new = Story(number)
        assert extract(page(new, template), patterns).authors == (authors[number % 3],)


def signed(story, n_signed):
    """So many of ten posts are signed, by one author or by two."""
    names = ("Ann Lee", "Bob Ray", "Cid Fox", "Dan Poe", "Eva Orr")
    if story.number % 10 >= n_signed:
        return ()
    return tuple(names[(story.number + n) % 5] for n in range(1 + story.number % 2))


def test_some_posts_are_signed_the_others_not():
    def template(story):
        names = [f"<a href=/{name[:3]}>{name}</a>" for name in signed(story, 2)]
        by = f"By {', '.join(names)}" if names else "Release notes"
        return (
            f"<h1>{story.title}</h1><p class=by>{by} | {story.day}</p>"
            f"<div class=text>{story.html}</div>"
        )

    patterns = site(template, n_articles=40)
    for number in (100, 101, 109):
        new = Story(number)
        assert extract(page(new, template), patterns).authors == signed(new, 2)


@pytest.mark.parametrize("rel", ["", " rel=tag"])
def test_a_link_to_a_tag_is_no_author(rel):
    topics = ("Air", "Sea", "Land")

    def template(story):
        topic = topics[story.number % 3]
        return (
            f"<h1>{story.title}</h1><p>{story.day} in <a{rel} href=/{topic}>{topic}</a></p>"
            f"<div class=text>{story.html}</div>"
        )

    new = Story(100)
    assert bool(extract(page(new, template), site(template)).authors) is not bool(rel)


HEBREW_NAMES = ("דנה לוי", "יוסי כהן", "רות אבני")
KOREAN_NAMES = ("김민서", "박준호", "이하늘")


@pytest.mark.parametrize(
    ("authors", "byline"),
    [
        (HEBREW_NAMES, "<span>{author}</span> {day}"),
        (KOREAN_NAMES, "{day} (월) 10:31 {author} me{number}@site.example"),
    ],
)
def test_authors_beside_the_date_in_scripts_without_capitals(authors, byline):
    """Full names, or names before a mail address; those of some stand in cards on other pages."""

    def template(story):
        number = story.number % 3
        by = byline.format(author=authors[number], day=story.day, number=number)
        cards = "".join(f"<div class=card><h4>{words(a, 3)}</h4><i>{a}</i></div>" for a in authors)
        return (
            f"<h1>{story.title}</h1><div class=by>{by}</div><div class=text>{story.html}</div>"
            f"{cards * (story.number % 4 > 1)}"
        )

    new = Story(101)
    found = extract(page(new, template), site(template, n_articles=14))
    assert found.authors == (authors[101 % 3],)


@pytest.mark.parametrize("second", ["author", "topic"])
def test_what_stands_below_an_author_is_one_if_the_site_says_so(second):
    authors, topics = (
        ("Ann Lee", "Bob Ray", "Cid Fox", "Dan Poe", "Eva Orr"),
        ("Air", "Sea", "Land"),
    )

    def named(story):
        first, other = authors[story.number % 5], authors[(story.number + 1) % 5]
        below = other if second == "author" else topics[story.number % 3]
        return (first, below), (first, other) if second == "author" else (first,)

    def template(story):
        shown, said = named(story)
        head = "".join(f'<meta name=author content="{name}">' for name in said)
        return (
            f"{head}<h1>{story.title}</h1><ul class=by>{tags('li', shown)}</ul>"
            f"<p class=day>{story.day}</p><div class=text>{story.html}</div>"
        )

    new = Story(99)
    assert extract(page(new, template), site(template)).authors == named(new)[1]


def test_who_took_the_picture_on_some_pages_is_not_the_author_of_all():
    photographers = ("Ida Holm", "Ole Dahl", "Pia Lund")

    def template(story):
        known = photographers[story.number // 3 % 3] if story.number % 3 == 0 else "<a>stock</a>"
        return (
            f"<h1>{story.title}</h1>"
            f"<p class=by>{story.day} af <a rel=author href=/a>Ann Lee</a></p>"
            f"<div class=text><p>Foto: {known}</p>{story.html.replace('<p>', '<p class=t>')}</div>"
        )

    pages = site(template, n_articles=30)
    for number in (99, 100):
        assert extract(page(Story(number), template), pages).authors == ("Ann Lee",)


PEOPLE = ["Ann Lee", "Bob Fry", "Cleo Stone", "Dan Marsh", "Eve Hill", "Flo Reed", "Gus Wren"]


def written_by(number):
    """Mostly one author, sometimes several."""
    first = number * 3 % len(PEOPLE)
    count = 1 + (number % 3 == 0) + (number % 6 == 0)
    return [PEOPLE[(first + n * (1 + number % 2)) % len(PEOPLE)] for n in range(count)]


@pytest.mark.parametrize(
    "line",
    [
        lambda names: ", and ".join(names),
        lambda names: " and ".join(names),
        lambda names: " AND ".join(names).upper(),
    ],
)
@pytest.mark.parametrize("date", ["<p>{}</p>", ""])
def test_names_joined_in_a_line_with_a_date_or_without(line, date):
    def signed(story):
        byline = f"<p class=by>By {line(written_by(story.number))}</p>{date.format(story.day)}"
        return f"<h1>{story.title}</h1>{byline}<div class=text>{story.html}</div>"

    pages = [page(Story(n), signed) for n in range(1, 25)]
    html = page(Story(30), signed)
    found = extract(replace_language(html), map(replace_language, pages))
    assert [name.lower() for name in found.authors] == [n.lower() for n in written_by(30)]
    assert found.body == Story(30).body


def replace_language(each):
    return replace(each, html=each.html.replace(b"<html>", b"<html lang=en>"))
