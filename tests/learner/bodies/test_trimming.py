import pytest

from learner.bodies.comments import comment_signatures
from learner.bodies.container import find_container
from learner.bodies.rule import BodyRule
from learner.bodies.trimming import find_recurring, find_refrains, trim
from learner.page.locators import Fit, Locator
from learner.page.wording import Wording
from learner.site.recurrence import recurring_texts
from learner.site.signatures import Signatures
from tests.handmade import (
    Story,
    block_of,
    element_of,
    extract,
    layout,
    members,
    page,
    site,
    stories,
    tags,
    words,
)

MAIN = Locator.parse("body/main")
REASONS = frozenset(("asides", "navigation", "contents", "numbers", "static", "links", "details"))


def learn(bodies):
    """What is trimmed from pages whose container is `main`: {place in it: reason}, and the text
    that is left on the first page."""
    cluster = members([layout(body) for body in bodies])
    signatures = Signatures([member.tree for member in cluster])
    comments = comment_signatures(cluster, signatures)
    container = find_container(cluster, signatures, comments)
    top = str(signatures.locator(container.signature))
    assert top.startswith("body/main")
    recurring = recurring_texts(
        [m.wording.stamps(m.tree.inside(container.elements[m.tree])) for m in cluster]
    )
    trimmed = trim(cluster, signatures, container, comments, recurring)
    first = cluster[0]
    rule = BodyRule(
        container=signatures.locator(container.signature),
        left_out=tuple(each.locator for each in trimmed),
        recurring=recurring,
        refrains=find_refrains(cluster, container),
    )
    blocks = rule.blocks(first.wording, first.tree.inside(container.elements[first.tree]))
    found = {
        str(each.locator).removeprefix("body/main").strip("/"): each.reason for each in trimmed
    }
    assert set(found.values()) <= REASONS
    return found, [block.text for block in blocks]


def pages(inside, count=10):
    """Bodies of a template whose `main` holds the title and what a story gives."""
    menu = "<ul><li><a href=/a>Menu</a></li></ul>"
    return [f"{menu}<main><h1>{s.title}</h1>{inside(s)}</main>" for s in stories(count)]


def text(number=1):
    return Story(number).paragraphs


def test_text_alone_loses_nothing():
    found, left = learn(pages(lambda s: f'<div class="text">{s.html}</div>'))
    assert (found, left) == ({}, text())


ASKED = "If you enjoyed this post, subscribe to my feed!"


@pytest.mark.parametrize(
    ("element", "every", "stays"),
    [("p", 1, False), ("p", 2, False), ("p", 4, True), ("h2", 1, True)],
    ids=["on all pages", "on half of them", "on a quarter", "a heading"],
)
def test_a_sentence_of_the_site_goes_between_the_text_too(element, every, stays):
    def inside(story):
        asked = f"<{element}>{ASKED}</{element}>" * (story.number % every == 1 % every)
        return f"<p>{story.paragraphs[0]}</p>{asked}<p>{words(story.number, 9)}</p>"

    _, left = learn(pages(inside, 12))
    assert left == [text()[0], *[ASKED] * stays, words(1, 9)]


def test_short_texts_stay_between_the_text():
    def inside(story):
        return f"<p>{story.paragraphs[0]}</p><p>* * * Note</p><p>{words(story.number, 9)}</p>"

    assert "* * * Note" in learn(pages(inside, 12))[1]


@pytest.mark.parametrize(
    ("button", "stays"),
    [
        ("<div><button>Copy</button></div>", False),
        ("<h3><button>Copy</button></h3>", True),
        ("<div>Copy</div>", True),
    ],
    ids=["alone", "in a heading", "no button"],
)
def test_what_buttons_say_is_none_of_the_text(button, stays):
    def inside(story):
        box = f"{button}<pre>{words(story.number, 6)}</pre>" * (story.number % 3 == 1)
        return f"<p>{story.paragraphs[0]}</p>{box}<p>{words(-story.number, 9)}</p>"

    _, left = learn(pages(inside, 12))
    assert left == [text()[0], *["Copy"] * stays, words(1, 6), words(-1, 9)]


def other_story(story):
    return f'Read also: <a href="/{story.number}">{words(("other", story.number), 6)}</a>'


@pytest.mark.parametrize(
    ("said", "above", "stays"),
    [
        (lambda _: ASKED, "", False),
        (other_story, "", False),
        (lambda _: ASKED, "<h4>Constructors</h4>", True),
        (lambda s: words(s.number, 9), "", True),
    ],
    ids=["the site", "a label with a link", "below a heading", "the author"],
)
def test_what_half_of_the_texts_are_interrupted_by_is_none_of_them(said, above, stays):
    def inside(story):
        first, *rest = (f"<p>{paragraph}</p>" for paragraph in story.paragraphs)
        says = f"{above}<p>{said(story)}</p>" if story.number % 2 else ""
        return first + says + "".join(rest)

    assert len(learn(pages(inside))[1]) == len(text()) + bool(above) + stays


def test_labels_that_lead_to_other_pages_in_turn_are_none_of_the_texts():
    labels = ("Read also", "Related", "More on this", "See also")

    def inside(story):
        first, *rest = (f"<p>{paragraph}</p>" for paragraph in story.paragraphs)
        label = labels[story.number % len(labels)]
        return f"{first}<p>{other_story(story).replace('Read also', label)}</p>{''.join(rest)}"

    assert learn(pages(inside, 16))[1] == text()


def test_comments_go():
    def inside(story):
        each = (f"<li class=c><b>Ann</b><p>1 May 2021</p><p>{words(n, 9)}</p>" for n in range(3))
        return f'{story.html}<ol class="talk">{"".join(each)}</ol>'

    found, left = learn(pages(inside))
    assert found == {"ol.talk": "asides"}
    assert left == text()


@pytest.mark.parametrize("tag", ["nav", "form"])
def test_navigation_goes_wherever_it_stands(tag):
    found, left = learn(pages(lambda s: f"{s.html}<{tag}><p>{words(s.number, 9)}</p></{tag}>"))
    assert found == {tag: "navigation"}
    assert left == text()


def contents(story, tag="div"):
    """A table of contents and the parts that it lists."""
    heads = [words(f"{story.number} head {n}", 3) for n in range(4)]
    entries = "".join(f"<li><a href=#p{n}>{head}</a></li>" for n, head in enumerate(heads))
    parts = zip(heads, story.paragraphs, strict=True)
    told = "".join(f"<h2 id=p{n}>{h}</h2><p>{p}</p>" for n, (h, p) in enumerate(parts))
    return f"<{tag}><ul>{entries}</ul></{tag}>{told}"


def test_a_table_of_contents_goes_and_its_headings_stay():
    found, left = learn(pages(contents))
    assert found == {"div": "contents"}
    assert left[1::2] == text()
    assert left[0] == words("1 head 0", 3)


def test_a_paragraph_that_leads_into_the_page_stays():
    found, left = learn(pages(lambda s: f"{s.html}<p><a href=#top>{words(s.number, 9)}</a></p>"))
    assert found == {}
    assert left == [*text(), words(1, 9)]


def test_line_numbers_of_listings_go_and_the_lines_stay():
    def inside(story):
        lines = [words(f"{story.number} line {n}", 3) for n in range(9)]
        numbers = "\n".join(map(str, range(1, 10)))
        listing = f"<td><pre>{numbers}</pre></td><td><pre>{chr(10).join(lines)}</pre></td>"
        return f"<p>{story.paragraphs[0]}</p><table><tr>{listing}</tr></table>"

    # Both cells of a listing without names have one place: there the numbers tell.
    found, left = learn(pages(inside))
    assert found == {}
    assert left[0] == text()[0] and left[1].startswith(words("1 line 0", 3))

    def named(story):
        return inside(story).replace("<td>", "<td class=gutter>", 1)

    found, left = learn(pages(named))
    assert found == {"table/tr/td.gutter": "numbers"}
    assert left[0] == text()[0] and left[1].startswith(words("1 line 0", 3))


def test_a_column_of_years_in_a_table_of_one_page_stays():
    bodies = pages(lambda s: s.html)
    bodies[0] = bodies[0].replace("</main>", "<table><tr><td>1999</td></tr></table></main>")
    assert learn(bodies)[1] == [*text(), "1999"]


def test_what_is_the_same_everywhere_goes():
    licence = (
        '<div class="licence"><p>You may copy this as you like, with our name on it.</p></div>'
    )
    found, left = learn(pages(lambda s: s.html.replace("</p>", "</p>" + licence, 1)))
    assert found == {"div.licence": "static"}
    assert left == text()


def links(story):
    """Links to other pages, which differ from page to page."""
    named = ((n, words(f"{story.number} link {n}", 4)) for n in range(4))
    return "".join(f"<li><a href=/{n}>{name}</a></li>" for n, name in named)


def test_blocks_of_links_go():
    def inside(story):
        last = words(story.number, 9)
        return f'{story.html}<div class="more"><ul>{links(story)}</ul></div><p>{last}</p>'

    found, left = learn(pages(inside))
    assert found == {"div.more": "links"}
    assert left == [*text(), words(1, 9)]


def test_a_section_without_a_name_stays_though_it_is_all_links():
    def inside(story):
        return f"<p>{story.paragraphs[0]}</p><ul>{links(story)}</ul><p>{story.paragraphs[1]}</p>"

    found, left = learn(pages(inside))
    assert found == {} and len(left) == 6


def test_date_and_author_before_the_text_are_details_and_after_a_text_are_not():
    line = '<p class="by">{} wrote on {}</p>'
    before = pages(lambda s: line.format(words(s.number, 2), s.day) + s.html)
    found, left = learn(before)
    assert found == {"p.by": "details"}
    assert left == text()
    inside = pages(lambda s: s.html + line.format(words(s.number, 2), s.day) + s.html)
    assert learn(inside)[0] == {}


def test_who_writes_often_is_introduced_before_the_text_in_a_detail():
    def introduced(story, n_authors=15):
        author = story.number % n_authors
        said = f"<b>{words(('author', author), 2)}</b><p>{words(('of', author), 20)}</p>"
        return f'<div class="author">{said}</div>{story.html}'

    assert learn(pages(introduced, count=40)) == ({"div.author": "details"}, text())
    found, left = learn(pages(lambda s: introduced(s, n_authors=40), count=40))
    assert (found, left[2:]) == ({}, text())


def test_a_lead_that_other_pages_quote_at_another_place_is_no_detail():
    def template(story):
        lead, quoted = words(story.number, 9), words(1 + story.number % 30, 9)
        return f'<p class="lead">{lead}</p>{story.html}<h4>Read on</h4><h5>{quoted}</h5>'

    found, left = learn(pages(template, count=30))
    assert (found, left[0]) == ({}, words(1, 9))


def test_a_named_first_paragraph_is_no_detail():
    found, left = learn(pages(lambda s: f'<p class="lead">{words(s.number, 6)}</p>{s.html}'))
    assert found == {}
    assert left == [words(1, 6), *text()]


def test_headings_are_never_trimmed():
    found, left = learn(pages(lambda s: f'<h2 class="head">Details</h2>{s.html}'))
    assert found == {}
    assert left == ["Details", *text()]


def test_only_the_outermost_place_is_named():
    note = '<p class="note">Always the same note here.</p>'
    box = f'<div class="box"><div class="inner">{note}</div></div>'
    found, _ = learn(pages(lambda s: s.html + box + f"<p>{words(s.number, 9)}</p>"))
    assert found == {"div.box": "static"}


def test_the_order_of_the_pages_decides_nothing():
    bodies = pages(contents)
    assert learn(bodies)[0] == learn([bodies[0], *bodies[:0:-1]])[0]


def blocks(body, recurring=(), trimmed=()):
    tree = layout(body)
    inside = tree.inside(element_of(tree, "main"))
    rule = BodyRule(
        container=MAIN,
        left_out=tuple(map(Locator.parse, trimmed)),
        recurring=frozenset(recurring),
    )
    return [block.text for block in rule.blocks(wording(tree), inside)]


def wording(tree):
    return Wording(tree, block_of(tree, "Title"))


def recurring(bodies):
    cluster = members([layout(body) for body in bodies])
    signatures = Signatures([member.tree for member in cluster])
    container = find_container(cluster, signatures, frozenset())
    return set(find_recurring(cluster, signatures, container))


@pytest.mark.parametrize(
    ("element", "every", "is_the_sites"),
    [("p", 2, False), ("p", 1, True), ("p class=ad", 2, True), ("h2", 2, True)],
)
def test_a_sentence_where_the_paragraphs_stand_is_the_authors_unless_all_pages_have_it(
    element, every, is_the_sites
):
    def closed(story):
        closing = f"<{element}>Thanks for reading, and come again.</{element.split(' ')[0]}>"
        return f"<h1>{story.title}</h1><main>{story.html}{closing * (not story.number % every)}"

    found = recurring([closed(story) for story in stories(8)])
    assert ("Thanks for reading, and come again." in found) == is_the_sites


@pytest.mark.parametrize(("every", "stays"), [(8, True), (3, False)])
def test_what_stands_below_a_few_texts_is_the_authors(every, stays):
    """A label in a list, which is where no paragraphs are."""

    def closed(story):
        told = "<ul><li>Bring boots</li></ul>" if story.number % every == 0 else ""
        return f"<h1>{story.title}</h1><div class=text>{story.html}{told}</div>"

    new = Story(48)
    body = extract(page(new, closed), site(closed, 24)).body
    assert body == new.body + "\nBring boots" * stays


def test_labels_links_and_stamps_on_some_pages_are_the_sites_where_paragraphs_stand_too():
    def labelled(story):
        said = (
            "<p>Tags</p><p>Changed on 3 May 2021 by hand, with care</p>"
            "<p><a href=/all>All that was ever written here</a></p>"
        )
        return f"<h1>{story.title}</h1><main>{story.html}{said * (story.number % 2)}</main>"

    found = recurring([labelled(story) for story in stories(8)])
    assert found == {
        "Tags", "Changed {date} by hand, with care", "All that was ever written here",
    }  # fmt: skip


def test_headings_of_a_manual_stay_though_they_recur():
    body = "<main><h1>Title</h1><h2>Name</h2><p>a</p><h2>Synopsis</h2><p>b</p><h2>See</h2></main>"
    # The heading of nothing at the end goes, the one at the beginning stays.
    assert blocks(body, {"Name", "Synopsis", "See"}) == ["Name", "a", "Synopsis", "b"]


def test_recurring_texts_go_at_both_ends_and_stay_between():
    body = "<main><p>ad</p><h1>Title</h1><p>a</p><p>ad</p><p>b</p><p>ad</p><p>bye</p></main>"
    assert blocks(body, {"ad", "bye"}) == ["a", "ad", "b"]


def test_a_heading_that_says_the_title_once_more_goes_and_a_paragraph_stays():
    said = "<h1>Title</h1><main><{0}>Title</{0}><p>Text</p></main>"
    assert blocks(said.format("h2")) == ["Text"]
    assert blocks(said.format("p")) == ["Title", "Text"]
    last = "<h1>Title</h1><main><p>Text</p><h2>Title</h2></main>"
    assert blocks(last) == ["Text", "Title"]


def test_a_long_heading_above_the_title_is_the_sites():
    slogan = "What we make is a little more fun each day"
    said = f"<main><h4>{slogan}</h4><h1>Title</h1><h4>{slogan}</h4><p>Text</p></main>"
    assert blocks(said, {slogan}) == [slogan, "Text"]


@pytest.mark.parametrize(("n_words", "stays"), [(2, False), (30, True)])
def test_a_named_section_above_the_title_is_none_of_the_text_if_it_holds_none(n_words, stays):
    """The titles of the pages before and after, beside links that say so."""

    def below(story):
        around = [words(story.number + n, n_words) for n in (70, 80)]
        links = "".join(f"<li><a href=/{n}>{n}</a><p>{each}</p>" for n, each in enumerate(around))
        return f"<main><ul class=beside>{links}</ul><h1>{story.title}</h1>{story.html}</main>"

    found, _ = learn([below(story) for story in stories(10)])
    assert (found == {}) == stays


def test_a_line_above_a_heading_without_text_below_stays():
    tree = layout("<main><p>All there is</p><h1>Title</h1></main>")
    left = BodyRule(container=MAIN).blocks(wording(tree), tree.blocks)
    assert [block.text for block in left] == ["All there is"]


@pytest.mark.parametrize(
    ("length", "end", "stays"),
    [
        (40, "...", False),
        (40, " […]", False),
        (40, " in May...", True),
        (40, "", True),
        (90, "", False),
        (5, "...", True),
    ],
)
def test_the_beginning_of_the_text_printed_twice_goes(length, end, stays):
    def twice(story):
        return f"<p>{story.paragraphs[1][:length].strip()}{end}</p>{story.html}"

    _, left = learn(pages(twice))
    assert len(left) == len(text(0)) + stays


@pytest.mark.parametrize(("n_changed", "stays"), [(1, False), (12, True)])
def test_so_goes_an_older_version_of_it_without_its_marks(n_changed, stays):
    def described(story):
        said = story.paragraphs[0].removesuffix(".").split()
        said[3 : 3 + n_changed] = words(f"once {story.number}", n_changed).split()
        return f"<p>{' '.join(said)}</p>{story.html}"

    _, left = learn(pages(described))
    assert len(left) == len(text(0)) + stays


@pytest.mark.parametrize("stays", [False, True])
def test_an_excerpt_of_several_paragraphs_joins_them_as_it_likes(stays):
    def twice(story):
        short = [part[:30] for part in story.paragraphs]
        excerpt = "".join(reversed(short) if stays else short)
        return f"<p>{excerpt}</p>{tags('p', short)}"

    _, left = learn(pages(twice))
    assert len(left) == len(text(0)) + stays


def test_a_container_of_recurring_texts_holds_nothing():
    assert blocks("<main><h1>Title</h1><h2>ad</h2><p>bye</p></main>", {"ad", "bye"}) == []


def test_trimmed_places_are_left_out_loosely_too():
    body = '<main><h1>Title</h1><p>a</p><div class="x"><p>b</p></div></main>'
    tree = layout(body)
    rule = BodyRule(container=MAIN, left_out=(Locator.parse("body/main/div.x.y"),))
    for fit, expected in ((Fit.EXACT, ["a", "b"]), (Fit.LOOSE, ["a"])):
        found = rule.blocks(wording(tree), tree.inside(1), fit)
        assert [block.text for block in found] == expected


def test_a_place_without_names_takes_nothing_with_them():
    def inside(story):
        quick = "<div><a href=#p>See below</a></div>" if story.number == 2 else ""
        parts = "".join(f'<div class="part"><p>{p}</p></div>' for p in story.paragraphs)
        return quick + parts

    found, left = learn(pages(inside))
    assert found == {}
    assert left == text()
