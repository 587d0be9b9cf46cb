from extractor.fields.authors import find_authors, without_bylines
from learner.bylines.author_places import AuthorPlace
from learner.bylines.rule import AuthorRule
from learner.page.locators import Locator
from tests.handmade import block_of, layout, match_on

AUTHORS = AuthorRule(
    places=(AuthorPlace(locator=Locator.parse("body/p.by"), lead="By", fixed=("By",)),),
)
META = '<meta name="author" content="The Site">'


def find(body, head=""):
    tree = layout(f"<h1>Title</h1>{body}<p>Text.</p>", head=head)
    match = match_on(tree, block_of(tree, "Title"), authors=AUTHORS)
    names, block = find_authors(tree, match, None)
    return names, block and block.text


def test_the_name_shown_comes_first():
    shown = find("<p class=by>By Ann Lee, 3 May 2010</p>", META)
    assert shown == (("Ann Lee",), "By Ann Lee, 3 May 2010")


def test_else_what_is_said_for_machines():
    assert find("<p>By Ann Lee</p>", META) == (("The Site",), None)
    assert find("<p class=by>3 May 2010</p>") == ((), None)


def test_names_do_not_repeat():
    assert find("<p class=by>By Ann | By Ann | By Bob</p>")[0] == ("Ann", "Bob")


def test_bylines_are_no_body():
    tree = layout(f"<p>By Ann</p><p>Text.</p><p>{'long ' * 60}</p>")
    by, text, long = tree.blocks
    assert without_bylines(tree, tree.blocks, (by, None, long)) == [text, long]
    assert without_bylines(tree, [by], (by, None)) == [by]


def test_a_paragraph_that_begins_with_place_and_date_is_body():
    said = f"Dew - May 1, 2001 - {'Rain fell. ' * 9}"
    others = f"<p><a href=/x>{said}</a></p><p class=by>{said} by Ann</p><p class=more>{said}</p>"
    tree = layout(f"<p>{said}</p><p>Text.</p>{others}")
    first, text, linked, by, more = tree.blocks
    assert without_bylines(tree, tree.blocks, (first, linked, by)) == [first, text, more]
    assert more in without_bylines(tree, tree.blocks, (more, None))


def test_a_cell_beside_others_is_body():
    tree = layout("<table><tr><td>1.0</td><td>May 1, 2001</td><td>Ann</td></tr></table><p>Text.")
    assert without_bylines(tree, tree.blocks, tree.blocks[1:3]) == tree.blocks
    tree = layout("<table><tr><td>May 1, 2001</td></tr></table><p>Text.")
    assert without_bylines(tree, tree.blocks, tree.blocks[:1]) == tree.blocks[1:]
