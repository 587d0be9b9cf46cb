"""Which pattern a page fits, and how well."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learner.bodies.rule import BodyRule
from learner.induction.steps import learn_patterns
from learner.kinds.kind import Kind
from learner.page.locators import Fit, Locator
from learner.patterns.matching import Match, is_like_lists, match_page
from learner.patterns.pattern import Pattern, PatternSet
from learner.patterns.rules import Rules
from learner.site.affixes import Affixes
from learner.site.kind_features import KindFeatures
from learner.site.model import FamilyTitles, SiteModel
from learner.titles.rule import TitleRule
from tests.handmade import (
    HOST,
    Story,
    article,
    framed,
    layout,
    listing,
    page,
    site,
    stories,
    words,
)


def pattern(title, main, n_pages=5, **rules):
    """A pattern with these places; what else is known of them as `title_...` or `body_...`."""
    of_title = {name[6:]: value for name, value in rules.items() if name.startswith("title_")}
    of_body = {name[5:]: value for name, value in rules.items() if name.startswith("body_")}
    for name in ("apart", "left_out"):
        of_body[name] = tuple(map(Locator.parse, of_body.get(name, ())))
    return Pattern(
        preset="default",
        kind=Kind.ARTICLE,
        score=100.0,
        n_pages=n_pages,
        sections=(),
        rules=Rules(
            title=TitleRule(place=title and Locator.parse(title), **of_title),
            body=BodyRule(container=Locator.parse(main), **of_body),
        ),
    )


TITLES = FamilyTitles(affixes=Affixes(suffixes=frozenset({" | Site"})))
SITE = SiteModel(families=(TITLES,))


def matched(source, *patterns, head_title=""):
    return match_page(layout(source, head_title), PatternSet(patterns, SITE))


BODY = "<div class='a b'><h1>Name</h1><main><p>Text.</p></main></div>"
PLAIN = pattern("body/div.a/h1", "body/div.a/main")


def test_a_page_with_title_and_container_fits():
    match = matched(BODY, PLAIN)
    assert (match.title, match.title_block.text) == ("Name", "Name")
    assert [block.text for block in match.body] == ["Text."]
    assert match.fit is Fit.EXACT


def test_the_container_without_names_is_the_one_that_bears_none():
    plain = pattern("body/div.a/div/h1", "body/div.a/div")
    source = "<div class=a><div class=head><h1>Name</h1></div><div><p>Text.</p></div></div>"
    assert [block.text for block in matched(source, plain).body] == ["Text."]


def test_what_stands_beside_the_container_is_no_part_of_it():
    plain = pattern("body/div.a/h1", "body/div.a/div", body_apart=["body/div.a/div#talk"])
    source = "<div class=a><h1>Name</h1><div><p>Text.</p></div><div id=talk><p>I agree.</p></div>"
    assert [block.text for block in matched(source, plain).body] == ["Text."]
    assert matched("<div class=a><h1>Name</h1><div id=talk><p>Hm.</p></div></div>", plain) is None


def test_a_container_found_loosely_is_not_what_stands_beside_it():
    places = "body/div.a.b/h1", "body/div.a.b/div.text"
    source = "<div class=a><h1>Name</h1><div class=text><p>Text.</p></div></div>"
    match = matched(source, pattern(*places, body_apart=["body/div.a.b/div.text.head"]))
    assert (match.fit, [block.text for block in match.body]) == (Fit.LOOSE, ["Text."])


def test_a_page_of_several_articles_is_a_list():
    several = matched(BODY + BODY, PLAIN)
    assert several.is_list and several.score == 0
    # One article in several parts, or beside a second title: no list.
    assert not matched(BODY + "<div class='a b'><main><p>More.</p></main></div>", PLAIN).is_list
    assert not matched(BODY + "<div class='a b'><h1>Others</h1></div>", PLAIN).is_list


def test_a_cell_like_the_title_s_makes_no_list_if_articles_have_one():
    source = "<table><tr><td>Name</td></tr><tr><td>Ann</td></tr></table>" + "<main>Text.</main>" * 2
    for alone in (True, False):
        cells = pattern("body/table/tr/td", "body/main", title_is_alone=alone)
        assert matched(source, cells).is_list is alone


@pytest.mark.parametrize("alone", [True, False])
def test_whether_titles_stand_alone_at_their_place_is_learned(alone):
    def template(story):
        author = "" if alone else "<tr><td>Ann</td></tr>"
        head = f"<table><tr><td>{story.title}</td></tr>{author}</table>"
        return f"{head}<div class=text>{story.html}</div>"

    title = learn_patterns(site(template)).articles[0].rules.title
    assert title.place is not None and title.is_alone is alone


def test_a_page_of_several_containers_is_a_list_if_no_article_has_them():
    source = BODY + "<div class='a b'><main><p>More.</p></main></div>"
    alone = pattern("body/div.a/h1", "body/div.a/main", body_is_alone=True)
    assert matched(source, alone).is_list
    assert not matched(source, PLAIN).is_list
    # Nothing in it, or side by side as the sections of a text.
    assert not matched(source.replace("<p>More.</p>", ""), alone).is_list
    assert not matched(BODY.replace("</main>", "</main><main>More.</main>"), alone).is_list


@pytest.mark.parametrize(("n_pages", "alone"), [(12, True), (6, False)])
def test_whether_the_container_stands_alone_is_learned_from_pages_enough(n_pages, alone):
    learned = learn_patterns(site(n_articles=n_pages)).articles[0]
    assert learned.rules.body.is_alone is alone


def test_a_title_that_leads_to_another_page_is_that_of_a_list():
    """If it is on no page that taught the pattern, nor the same page at its usual address."""
    own = pattern("body/div.a/h1", "body/div.a/main", title_is_own=True)
    source = BODY.replace("Name", "<a href=/name/>Name</a>")
    assert matched(source, own).is_list
    assert not matched(source, PLAIN).is_list
    canonical = f"<link rel=canonical href={HOST}/name/>"
    assert not match_page(layout(source, head=canonical), PatternSet([own])).is_list


@pytest.mark.parametrize("linked", [False, True])
def test_whether_titles_are_those_of_their_own_pages_is_learned(linked):
    def template(story):
        title = f"<a href=/{story.number}.htm>{story.title}</a>" if linked else story.title
        return f"<h1>{title}</h1><div class=text>{story.html}</div>"

    learned = learn_patterns(site(template)).articles[0]
    assert learned.rules.title.is_own is not linked


@pytest.mark.parametrize(("rest", "expected"), [("<h1>Name</h1>", "Name"), ("", None)])
def test_a_block_too_long_for_a_title_is_one_only_if_no_other_is_there(rest, expected):
    notice = "Notice of the site, " * 20
    source = f"<div class='a b'><h1>{notice}</h1>{rest}<main><p>Text.</p></main></div>"
    assert matched(source, PLAIN).title == (expected or notice.strip())


def test_the_pages_above_are_no_part_of_the_title():
    above = "<a href=/wiki/>Wiki</a> / <a href=/tips/>Tips</a> / "
    source = BODY.replace("Name", f"{above}Name")
    assert matched(source, PLAIN, head_title="Name").title == "Name"
    assert matched(source, PLAIN, head_title="Wiki").title == "Wiki / Tips / Name"
    said = BODY.replace(
        "Name", "<a href=/about/>About</a> a Name"
    )  # a word of the title's own is a link
    assert matched(said, PLAIN, head_title="Name").title == "About a Name"


@pytest.mark.parametrize("signs", ["●", "- "])
def test_signs_that_stand_before_what_the_page_is_called_are_the_templates(signs):
    source = BODY.replace("Name", f"{signs}Name")
    assert matched(source, PLAIN, head_title="Name").title == "Name"
    shown = matched(source, PLAIN, head_title="Site").title
    assert shown.endswith("Name") and shown != "Name"


@pytest.mark.parametrize(
    "source",
    ["", "<div class=a><main><p>Text.</p></main></div>", "<div class=a><h1>Name</h1></div>"],
    ids=["empty", "no title", "no container"],
)
def test_a_page_without_them_fits_nothing(source):
    assert matched(source, PLAIN) is None
    assert matched(BODY) is None


def test_a_pattern_fits_loosely_where_some_of_its_names_are_missing():
    strict = pattern("body/div.a.c/h1", "body/div.a.c/main")
    match = matched(BODY, strict)
    assert match.fit is Fit.LOOSE and match.title == "Name"
    assert matched(BODY, pattern("body/div.c/h1", "body/div.c/main")) is None


MOVED = (
    "<section><header><h1 class=t>Name</h1></header><div class=text><p>Text.</p></div></section>"
)
ELSEWHERE = pattern("body/div.a/h1.t", "body/div.a/div.text")


def test_a_variant_of_the_template_is_known_by_the_names_of_its_ends():
    match = matched(MOVED, ELSEWHERE, head_title="Name")
    assert match.fit is Fit.MOVED and match.title == "Name"
    assert [block.text for block in match.body] == ["Text."]


@pytest.mark.parametrize(
    ("source", "called"),
    [(MOVED, "Other"), (MOVED * 2, "Name"), (MOVED + "<div class=text>More</div>", "Name")],
    ids=["called otherwise", "two of them", "two containers"],
)
def test_what_may_be_one_entry_of_a_list_is_no_variant(source, called):
    assert matched(source, ELSEWHERE, head_title=called) is None


def test_a_loose_fit_never_beats_a_strict_one():
    # The loose one asks for the wrong title's place, and many pages taught it.
    strict = pattern("body/div.a/h1", "body/div.a/main", n_pages=2)
    loose = pattern("body/div.a.c/h1", "body/div.a.c", n_pages=99)
    assert matched(BODY, strict, loose).pattern == strict


def test_patterns_of_lists_are_none_that_an_article_could_fit():
    assert matched(BODY, replace(PLAIN, kind=Kind.LIST)) is None


def test_of_several_the_one_wins_whose_title_is_what_the_page_is_called():
    source = "<h2>Rubric</h2><div><h3>The name</h3><p>Text.</p></div>"
    rubric = pattern("body/h2", "body/div", n_pages=50)
    name = pattern("body/div/h3", "body/div", n_pages=5)
    assert matched(source, rubric, name, head_title="The name").pattern == name
    assert matched(source, rubric, name, head_title="Else").pattern == rubric


def test_a_heading_that_texts_open_with_wins_over_the_path_that_repeats_the_title_element():
    source = "<p class=path>The name</p><div><h1>In other words</h1><p>Text.</p></div>"
    path = pattern("body/p.path", "body/div", n_pages=5)
    heading = pattern("body/div/h1", "body/div", n_pages=50, title_opens_text=True)
    plain = pattern("body/div/h1", "body/div", n_pages=50)
    assert matched(source, path, heading, head_title="The name").pattern == heading
    assert matched(source, path, plain, head_title="The name").pattern == path


def test_a_container_with_next_to_no_text_loses_whatever_the_title_says():
    text = f"<div>{words(1, 80)}.</div>"
    source = f"<h1>The name</h1><table><tr><td>Menu</td></tr></table>{text}"
    menu = pattern("body/h1", "body/table", n_pages=50)
    untitled = pattern(None, "body/div", n_pages=2)
    assert matched(source, menu, untitled, head_title="The name").pattern == untitled
    assert matched(source, menu, head_title="The name").pattern == menu


def test_a_pattern_that_knows_more_names_of_the_same_places_wins_however_few_pages_taught_it():
    source = "<h1 class=t>Name</h1><div class=main><p>Text.</p></div><p>Imprint.</p>"
    plain = pattern("body/h1", "body", n_pages=50)
    named = pattern("body/h1.t", "body/div.main", n_pages=3)
    elsewhere = pattern("body/h1.t", "body/p", n_pages=3)
    assert matched(source, plain, named).pattern == named
    assert matched(source.replace(" class=t", ""), plain, named).pattern == plain
    assert matched(source, pattern("body/h1", "body/div", 50), elsewhere).title == "Name"
    assert matched(source, pattern("body/h1", "body/div", 50), elsewhere).body[0].text == "Text."


def test_then_a_heading_before_a_plain_paragraph_then_pages_then_names():
    source = "<div class=a><p>Line</p><h1>Name</h1><main><p>Text.</p></main></div>"
    paragraph = pattern("body/div.a/p", "body/div.a/main", n_pages=99)
    few = pattern("body/div.a/h1", "body/div/main", n_pages=3)
    many = pattern("body/div.a/h1", "body/div/main", n_pages=4)
    named = pattern("body/div.a/h1", "body/div.a/main", n_pages=4)
    ranked = [paragraph, few, many, named]
    for n in range(1, len(ranked)):
        assert matched(source, *ranked[: n + 1]).pattern == ranked[n]


def test_without_a_title_block_the_title_element_names_the_page():
    untitled = pattern(None, "body/div.a/main")
    match = matched(BODY, untitled, head_title="Called | Site")
    assert (match.title, match.title_block) == ("Called", None)
    assert matched(BODY, untitled).title is None


def test_a_title_that_the_text_prints_in_other_capitals_is_none_of_it():
    untitled = pattern(None, "body/main")
    source = "<main><center>THE CALLED</center><p>Text.</p></main>"
    match = matched(source, untitled, head_title="The Called | Site")
    assert match.title == "THE CALLED"
    assert [block.text for block in match.body] == ["Text."]


@pytest.mark.parametrize("names", ["", " class=part"], ids=["no names", "classes"])
def test_the_body_goes_on_in_siblings_that_only_ids_tell_apart(names):
    sections = "".join(f"<section id=s{n}{names}><p>Part {n}.</p></section>" for n in range(3))
    aside = "<section class=aside><p>Read on.</p></section>"
    elsewhere = f"<div>{sections}</div>"
    source = f"<div><h1>Name</h1>{sections}{aside}</div>{elsewhere}"
    match = matched(source, pattern("body/div/h1", "body/div/section"))
    assert [block.text for block in match.body] == ["Part 0.", "Part 1.", "Part 2."]


def test_the_body_leaves_out_what_the_pattern_names():
    left_out = ["body/div.a/main/p.by", "body/div.a/main/ul"]
    recurring = frozenset({"Bye"})
    trimming = pattern(
        "body/div.a/h1", "body/div.a/main", body_left_out=left_out, body_recurring=recurring
    )
    source = BODY.replace("<p>Text.", "<p class=by>Ann</p><p>Text.</p><ul><li>x</ul><p>Bye</p>")
    assert [block.text for block in matched(source, trimming).body] == ["Text."]


@pytest.mark.parametrize("n_words", [30, 3])
@pytest.mark.parametrize("where", ["recurring", "left_out"])
def test_what_is_left_out_is_never_a_long_text_and_all_there_is(where, n_words):
    text = words("all", n_words)
    source = BODY.replace("<p>Text.</p>", f"<div class=box><p>{text}</p></div>")
    rules = {
        "recurring": {"body_recurring": frozenset({text})},
        "left_out": {"body_left_out": ["body/div.a/main/div.box"]},
    }[where]
    found = matched(source, pattern("body/div.a/h1", "body/div.a/main", **rules))
    assert [block.text for block in found.body] == ([text] if n_words == 30 else [])


def test_witnesses_make_a_fitting_page_a_list():
    tree = layout(BODY)
    for weight, is_list in ((5.0, True), (0.5, False)):
        told = SiteModel(kind_features=KindFeatures({max(tree.skeleton): weight}, bias=-1.0))
        assert match_page(tree, PatternSet([PLAIN], told)).is_list is is_list


def test_a_body_of_links_makes_a_fitting_page_a_list():
    links = "".join(f"<p><a href=/{n}>Another page, number {n}</a></p>" for n in range(9))
    assert matched(BODY.replace("<p>Text.</p>", links), PLAIN).is_list


@given(st.floats(-50, 50), st.floats(-50, 50))
def test_the_score_falls_as_the_evidence_for_a_list_grows(first, second):
    low, high = (Match(PLAIN, None, None, (0,), evidence=each) for each in sorted((first, second)))
    assert 0 <= high.score <= low.score <= 1
    assert (low.score >= 0.5) or low.is_list


def test_a_page_that_fits_nothing_is_known_by_its_frame_as_a_list():
    patterns = learn_patterns(site())
    new_list = layout(listing(9, stories(4, 200)).html.decode())
    foreign = layout("<main><p>Quite another page.</p></main>")
    assert is_like_lists(new_list, patterns)
    assert not is_like_lists(foreign, patterns)
    told = replace(patterns.site.kind_features, bias=0.5)
    unsure = PatternSet(patterns, replace(patterns.site, kind_features=told))
    assert is_like_lists(new_list, unsure)
    assert not is_like_lists(foreign, unsure)
    assert not is_like_lists(new_list, PatternSet())


def test_two_layouts_compete_on_their_own_pages():
    def other(story):
        return f"<section><h2>{story.title}</h2><div class=w>{story.html}</div></section>"

    told = stories(20)
    pages = [*map(page, told[:12]), *(page(story, other) for story in told[12:])]
    patterns = learn_patterns([*pages, *(listing(n, told[n::3]) for n in (1, 2))])
    new = Story(99)
    taught = []
    for template in (article, other):
        match = match_page(layout(framed(new, template(new)), new.title), patterns)
        assert match.title == new.title
        taught.append(match.pattern.n_pages)
    assert taught == [12, 8]
