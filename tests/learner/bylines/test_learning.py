"""Where dates and authors are found, on small sites made by hand: one kind of byline a test."""

from dataclasses import replace
from datetime import date

import pytest

from crawler.reading.html import parse_html
from extractor.extraction import extract_article
from learner.bylines.rule import DatePlace
from learner.induction.steps import learn_patterns
from learner.page.calendars.spelling import folded
from learner.page.extent import Extent
from learner.page.locators import Locator
from learner.page.months import month_names, names_of_months
from learner.page.tree import build_tree
from tests.handmade import (
    HOST,
    Story,
    comments,
    extract,
    framed,
    layout,
    link,
    page,
    site,
    words,
)

WRITERS = ("Ann Lee", "Bob Stone", "Carla Diaz", "Dmitri Ivanov", "Eve")
TOPICS = ("Politics", "Science", "Weather")


def day_of(story):
    return date.fromisoformat(story.day)


def writer(story):
    return WRITERS[story.number * 7 % 11 % len(WRITERS)]


def nobody_else(story):
    """A name that no other story has."""
    return f"Ann{'abcdefghijklmnopqrstuvwxyz'[story.number % 26]} {words(story.number, 1).title()}"


def topic(story):
    return TOPICS[story.number % len(TOPICS)]


def written(story, language="en", form="{month} {day}, {year}"):
    """The story's day as a site of this language writes it."""
    day = day_of(story)
    names = month_names((language,))
    own = [n for n in names_of_months(language) if names[folded(n)] == day.month and " " not in n]
    name = f"{day:%B}" if language == "en" else max([*own, ""], key=len)
    return form.format(month=name, day=day.day, year=day.year, m=day.month, d=day.day)


def around(before="", after=""):
    """A template with a byline before and after the text."""

    def template(story):
        return (
            f'<div class="post"><h1>{story.title}</h1>{before and before(story)}'
            f'<div class="text">{story.html}</div>{after and after(story)}</div>'
        )

    return template


def byline_of(template, n_articles=12):
    patterns = learn_patterns(site(template, n_articles))
    (found,) = patterns.articles
    return found.rules.dates, found.rules.authors


def read(template, new, n_articles=12):
    """Day and authors of a new page."""
    dates, authors = byline_of(template, n_articles)
    new_page = page(new, template)
    tree = build_tree(parse_html(new_page.html), new_page.url)
    title = next(block for block in tree.blocks if block.text == new.title)
    shown = dates.read(tree)
    container = next(e for e, names in enumerate(tree.tokens) if ".post" in names)
    extent = Extent.of(tree, container, ())
    names, _ = authors.read(tree, title, shown and shown.block, extent, dates)
    return shown and dates.day(shown), names


NEW = Story(40)


@pytest.mark.parametrize(
    "byline",
    [
        lambda s: f"<p class=by>By {writer(s)} | {written(s)} | Filed in {topic(s)}</p>",
        lambda s: f"<p>{written(s)} - {writer(s)}</p>",
        lambda s: f"<div class=a>{writer(s)} — {written(s)}</div>",
        lambda s: (
            f"<p class=meta><span>{written(s)}</span>&nbsp;·&nbsp;<span>{s.number} min</span>"
            f"&nbsp;·&nbsp;<span>{writer(s)}</span></p>"
        ),
        lambda s: (
            f"<p class=meta><span>By</span> <a href='/a/{s.number % 5}'>{writer(s)}</a> in "
            f"<a href='/t/{topic(s)}'>{topic(s)}</a><br>{written(s)}</p>"
        ),
        lambda s: f"<small>{written(s)}</small><p class=w><b>Text:</b> <i>{writer(s)}</i></p>",
        lambda s: (
            f"<footer><span>Author </span><a href=x>{writer(s)}</a><span>Posted on </span>"
            f"<a href=y><time>{written(s)}</time><time>8 November 2022</time></a></footer>"
        ),
        lambda s: f"<p>Posted by {writer(s)} on Friday, {written(s)} at 10:20</p>",
        lambda s: f"<p>By {writer(s)}, {written(s)}</p>",
        lambda s: f"<p>By <a rel=author href=/x>{writer(s)}</a> <i>{written(s)}</i></p>",
        # A block of its own that is named for the author, and one that leads to him.
        lambda s: (
            f"<p>{written(s)}</p><p>in</p><div class=terms>{topic(s)}</div><p>by</p>"
            f"<div class=post-author><p>{writer(s)}</p></div>"
        ),
        lambda s: (
            f"<ul><li>{written(s)}</li><li><a href='/t/{topic(s)}'>{topic(s)}</a></li>"
            f"<li><a href='/author/{s.number % 5}/'>{writer(s)}</a></li></ul>"
        ),
        lambda s: (
            f"<p>{written(s)}</p><div itemprop='publisher author'><b>{writer(s)}</b> "
            f"<i>in {topic(s)}</i></div>"
        ),
        # "By" stands on the pages of one author only.
        lambda s: (
            f"<p><b class=on>On {written(s)}</b><i class=by>By <a rel=author>{writer(s)}</a></i>"
            "</p>" if writer(s) == writer(NEW) else f"<p><b class=on>On {written(s)}</b></p>"
        ),
    ],
)  # fmt: skip
@pytest.mark.parametrize("where", ["before", "after"])
def test_date_and_author_in_one_byline(byline, where):
    assert read(around(**{where: byline}), NEW) == (day_of(NEW), (writer(NEW),))


@pytest.mark.parametrize(
    ("language", "form"),
    [
        ("en", "{month} {day}, {year}"),
        ("fr", "Publié le {day} {month} {year}"),
        ("es", "Escrito el {day} de {month} de {year} a las 23:25"),
        ("ru", "{day} {month} {year} г."),
        ("de", "Stand: {day}. {month} {year}, 12:30 Uhr"),
        ("nl", "{day} {month} {year}"),
        ("ar", "{day} {month} {year}"),
        ("ja", "{year}年{m}月{d}日"),
        ("ko", "{year}. {m}. {d}."),
    ],
)
def test_dates_of_many_languages(language, form):
    template = around(lambda s: f"<p class=d>{written(s, language, form)}</p>")
    assert read(template, NEW)[0] == day_of(NEW)


@pytest.mark.parametrize(("form", "order"), [("{d}/{m}/{year}", "dmy"), ("{m}/{d}/{year}", "mdy")])
def test_the_order_of_numeric_dates_is_learned(form, order):
    template = around(lambda s: f"<p class=d>{written(s, form=form)}</p>")
    assert byline_of(template, 30)[0].order == order
    for new in (Story(31), Story(61), Story(65)):
        assert read(template, new, 30)[0] == day_of(new)


def test_a_date_spread_over_blocks():
    def leaf(s):
        day = day_of(s)
        parts = f"<i>{day:%d}</i>", f"{day:%b}", f"{day:%Y}"
        return "<div class=cal>" + "".join(f"<div>{part}</div>" for part in parts) + "</div>"

    assert read(around(leaf), NEW)[0] == day_of(NEW)


def test_a_time_element_whose_text_is_no_date():
    template = around(lambda s: f"<p class=d><time datetime={s.day}T10:00Z>3 days ago</time></p>")
    assert read(template, NEW)[0] == day_of(NEW)


@pytest.mark.parametrize("first", ["published", "changed"])
def test_published_not_changed(first):
    def both(s):
        day = day_of(s)
        later = day.replace(year=day.year + s.number % 3)
        shown = [f"<p class=p>{day:%d %B %Y}</p>", f"<p class=c>{later:%d %B %Y}</p>"]
        return "".join(shown if first == "published" else shown[::-1])

    assert read(around(both), NEW)[0] == day_of(NEW)


def test_dates_of_side_columns_comments_and_build_are_not_the_articles():
    def crowded(s):
        others = "".join(f"<li>{written(Story(n))} {words(n, 3)}</li>" for n in (70, 71, 72))
        return (
            f"<ul class=recent>{others}</ul><div class=post><h1>{s.title}</h1>"
            f"<div class=text>{s.html}</div><p class=d>{written(s)}</p></div>"
            f"{comments(s, 3)}<p class=built>Built on 2022-01-01</p>"
        )

    assert read(crowded, NEW)[0] == day_of(NEW)


def test_pages_without_dates_or_authors():
    assert [rule.places for rule in byline_of(around())] == [(), ()]
    assert read(around(), NEW) == (None, ())


def test_a_word_that_differs_is_no_author_where_nothing_is_dated():
    words = ("Stable", "Deprecated", "Experimental")

    def stability(s):
        return f"<p class=s>Stability: {words[s.number % 3]}</p>"

    assert read(around(stability), NEW) == (None, ())


def test_a_category_beside_the_date_is_no_author():
    template = around(lambda s: f"<p class=d>{written(s)}</p><p class=c>{topic(s)}</p>")
    assert read(template, NEW) == (day_of(NEW), ())


def test_weekdays_and_places_beside_the_date_are_no_authors():
    def weekday(s):
        return f"<p>Posted {day_of(s):%A}, {written(s)}</p>"

    def town(s):
        return f"<p>{('Paris', 'Lima', 'New York')[s.number % 3]}, {written(s)}</p>"

    assert read(around(weekday), NEW) == (day_of(NEW), ())
    assert read(around(town), NEW) == (day_of(NEW), ())


def test_how_long_it_takes_to_read_is_no_author():
    def times(number):
        return ("Half Minute", "One Minute", "Two Minutes")[number // 4 % 3]

    def template(said):
        def byline(s):
            return f'<p>{written(s)} · by <span class="r">{said(s)}</span></p>'

        return around(byline, lambda s: f"<p>{words(s.number, 60 * (s.number // 4 % 3))}</p>")

    new = Story(21)
    assert read(template(writer), new) == (day_of(new), (writer(new),))
    assert read(template(lambda s: times(s.number)), new) == (day_of(new), ())


def test_names_of_several_words_in_an_element_of_their_own_are_no_towns():
    def signed(s):
        return f'<p><span class="who">{writer(s)}</span> <span class="when">{written(s)}</span></p>'

    assert read(around(signed), NEW) == (day_of(NEW), (writer(NEW),))


def test_full_names_in_a_block_of_their_own_are_no_categories():
    desks = ("World News", "Local Weather", "Book Reviews")

    def below(said, prose):
        line = around(lambda s: f"<p>{written(s)}</p><p>{said(s)}</p>")
        return lambda s: line(s) + f"<p>{prose} {words(s.number, 30)}</p>"

    full = WRITERS[:-1]
    for said, prose, authors in (
        (lambda s: full[s.number % 4], "", (full[NEW.number % 4],)),
        (lambda s: desks[s.number % 3], "what is news, weather and reviews of", ()),
        (topic, "", ()),
    ):
        assert read(below(said, prose), NEW) == (day_of(NEW), authors)


def test_full_names_beside_the_date_without_a_class_are_no_towns():
    def signed(s):
        return f"<p><time>{written(s)}</time><span>{WRITERS[s.number % 4]}</span></p>"

    assert read(around(signed), NEW) == (day_of(NEW), (WRITERS[NEW.number % 4],))


def test_texts_are_signed_with_full_names_at_their_end():
    def template(said):
        def told(s):
            return f"<h1>{s.title}</h1><i>{written(s)}</i><div class=text>{s.html}{said(s)}</div>"

        return told

    signed = template(lambda s: f"<p class=by>{WRITERS[s.number % 4]}</p>")
    filed = template(lambda s: f"<p class=by>{topic(s)}</p>")
    assert extract(page(NEW, signed), site(signed)).authors == (WRITERS[NEW.number % 4],)
    assert extract(page(NEW, filed), site(filed)).authors == ()


def test_a_byline_among_the_lines_of_the_text():
    def template(s):
        by = f"von {WRITERS[s.number % 4]}, " if s.number % 5 else ""
        lines = "<br>".join(f"von {text}<br><b>{words(text, 3)}</b>" for text in s.paragraphs)
        return f"<table><tr><td><b>{s.title}</b><br>{by}{written(s)}<hr>{lines}</table>"

    new = Story(102)
    assert extract(page(new, template), site(template, 15)).authors == (WRITERS[new.number % 4],)


def test_a_number_is_no_word_before_an_author():
    """The first heading of each page of a manual."""
    heads = ("Introduction", "Overview", "Getting Started")

    def template(s):
        return (
            f"<h1>{s.title}</h1><p>{written(s)}</p><div class=text>"
            f"<h2>1. {heads[s.number % 3]}</h2>{s.html}</div>"
        )

    assert extract(page(NEW, template), site(template)).authors == ()


def test_the_pages_above_are_no_authors():
    desks = ("World", "Town", "Weather")

    def template(s):
        above = f"<a href=/>Home</a> &gt; <a href=/{s.number % 3}/>{desks[s.number % 3]}</a>"
        return around(lambda s: f"<p>{above}</p><p>{written(s)}</p>")(s)

    assert read(template, NEW) == (day_of(NEW), ())


def test_what_joins_two_authors_is_none():
    def told(number):
        story = Story(number)
        both = [writer(story), *([WRITERS[-1]] if number % 3 == 0 else [])]
        links = (f"<span itemprop=name><a class=w href=/by/x>{name}</a></span>" for name in both)
        line = f"<p class=by><span class=b>By </span>{' and '.join(links)}</p>"
        template = around(lambda s: f"{line}<p>{written(s)}</p>")
        meta = f'<head><meta name="byl" content="By {" and ".join(both)}">'.encode()
        each = page(story, template)
        return both, replace(each, html=each.html.replace(b"<head>", meta, 1))

    patterns = learn_patterns(told(number)[1] for number in range(1, 31))
    for number in (42, 43):
        both, new = told(number)
        assert extract_article(new, patterns).authors == tuple(both)


def test_links_to_neighbours_are_no_authors():
    def neighbours(s):
        before, then = link(Story(s.number + 1)), link(Story(s.number + 2))
        return f"<p class=n>Before: {before} | Then: {then}</p><p class=d>{written(s)}</p>"

    assert read(around(neighbours), NEW)[1] == ()


def test_a_link_to_a_neighbour_is_no_author_on_a_small_site():
    def neighbour(s):
        return f"<p class=d>{written(s)}</p><p class=n>Previous: {link(Story(s.number + 1))}</p>"

    assert read(around(neighbour), NEW, 7) == (day_of(NEW), ())


def test_a_link_to_another_article_is_no_author_wherever_that_lies():
    def path(number):
        return f"/{words(number % 7, 1)}/rain.html"

    def template(s):
        previous = f"<a href={path(s.number + 3)}>{nobody_else(Story(s.number + 3))}</a>"
        return around(lambda s: f"<p>{written(s)}</p><p>Previous: {previous}</p>")(s)

    pages = [page(Story(number), template) for number in range(1, 8)]
    placed = [replace(p, url=HOST + path(n)) for n, p in enumerate(pages, 1)]
    (pattern,) = learn_patterns(placed)
    assert pattern.rules.authors.places == ()


@pytest.mark.parametrize("place", ["/authors/{}.html", "mailto:a{}@a.example"])
def test_authors_whom_no_page_shares_have_places_of_their_own(place):
    def signed(s):
        return f"<p class=by>By <a href={place.format(s.number)}>{nobody_else(s)}</a></p>"

    def dated(s):
        return f"<p class=d>{written(s)}</p>"

    assert read(around(signed, dated), NEW, 20)[1] == (nobody_else(NEW),)


@pytest.mark.parametrize("share", [1, 3], ids=["on each page", "on a third of them"])
def test_texts_of_their_own_beside_the_date_on_a_few_pages(share):
    def byline(s):
        name = nobody_else(s) if s.number % share == 0 else ""
        return f"<p class=d>{written(s)} - {name}</p>"

    new = Story(42)
    assert read(around(byline), new, 9)[1] == ((nobody_else(new),) if share == 1 else ())


@pytest.mark.parametrize("mail", [True, False])
def test_a_link_to_write_to_him_marks_an_author(mail):
    def signed(s):
        name = ("jo", "max", "eve")[s.number % 3]
        place = "mailto:all@list.example" if mail else "/list/"
        return f"<div><b>{name}</b> <a href={place}>{name} at a.example</a><br>{written(s)}</div>"

    expected = (("jo", "max", "eve")[NEW.number % 3],) if mail else ()
    assert read(around(signed), NEW) == (day_of(NEW), expected)


def test_a_link_to_write_to_him_has_a_place_of_its_own():
    """In tables without names the author stands in a cell like the others."""

    def template(s):
        mail = f"<a href=mailto:{s.number % 3}@a.example>{writer(s)}</a>"
        cells = f"<td>{mail}</td><td>{written(s)}</td><td>{s.number} lines</td>"
        text = "".join(f"<tr><td>{each}</td></tr>" for each in s.paragraphs)
        return f"<table><tr><td><b>{s.title}</b></td>{cells}</tr>{text}</table>"

    assert extract(page(NEW, template), site(template, 20)).authors == (writer(NEW),)


def test_a_byline_at_the_end_of_the_text_above_comments_in_the_same_box():
    def template(s):
        signed = f"<div class=meta><p>Von {writer(s)} | <a href=#c>{s.number % 3} Kommentare</a>"
        readers = comments(s, s.number % 7 + 2)
        text = f"<div class=post>{s.html}{signed}</p></div>{readers}</div>"
        return f"<p class=d>{written(s)}</p><h1>{s.title}</h1>{text}"

    found = extract(page(NEW, template), site(template, 20))
    assert found.authors == (writer(NEW),)
    assert found.body == "\n".join(NEW.paragraphs)


@pytest.mark.parametrize(("word", "expected"), [("by", ("jo",)), ("for", ())])
def test_a_word_such_as_by_leads_to_an_author_who_writes_all_at_the_end_of_the_text(word, expected):
    def signed(s):
        return f"<ul class=info><li>{word} jo<li>at 08:{s.number:02}</ul>"

    assert read(around(lambda s: f"<p>{written(s)}</p>", signed), NEW)[1] == expected


@pytest.mark.parametrize(("time", "expected"), [("10:{:02}", ("jo",)), ("no. {}", ())])
def test_so_does_it_behind_a_time_of_day(time, expected):
    def signed(s):
        return f"<p class=info>posted at {time.format(s.number)} by jo | more</p>"

    assert read(around(lambda s: f"<p>{written(s)}</p>", signed), NEW)[1] == expected


def test_a_constant_author_needs_a_witness():
    def constant(s):
        return f"<p class=d>Thoughts of Ann Lee on {written(s)}</p>"

    assert read(around(constant), NEW)[1] == ()
    linked = around(
        lambda s: f"<p class=d>by <a rel=author href=/about>Ann Lee</a>, {written(s)}</p>"
    )
    assert read(linked, NEW)[1] == ("Ann Lee",)


def signed(lead, closing, below=lambda story: ""):
    """A template with one author for all, and a line that closes the page."""

    def template(s):
        return (
            f"<div class=post><h1>{s.title}</h1><p class=d>{lead} Ann Lee on {written(s)}</p>"
            f"<div class=text>{s.html}</div>{below(s)}</div><p class=c>{closing}</p>"
        )

    return template


def test_a_copyright_line_is_a_witness():
    owned = signed("Thoughts of", "© 2005-2021 Ann Lee, all yours")
    assert read(owned, NEW)[1] == ("Ann Lee",)


@pytest.mark.parametrize(
    "said",
    [
        "<header class=post-author>Ann Lee</header><p>{day}</p>",
        "<p><span class=author>Lo dijo Ann Lee</span> el {day}</p>",
        "<p><small class=author>De <b>Ann Lee</b>, <b>{day}</b></small></p>",
    ],
)
def test_the_name_of_an_element_is_a_witness(said):
    def template(story):
        return around(lambda s: said.format(day=written(s)))(story)

    assert read(template, NEW)[1] == ("Ann Lee",)
    unnamed = around(lambda s: template(s).replace("author", "a"))
    assert read(unnamed, NEW)[1] == ()


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Posted by Ann Lee at {day}", "Ann Lee"),
        ("Posted by jo at {day}", "jo"),
        ("{day}: by admin in <a href=/t/{topic}>{topic}</a>", "admin"),
        ("投稿者 Ann : {day} | <a href=/t/{topic}>{topic}</a>", "Ann"),
        ("{day}, por Juan de la Cruz", "Juan de la Cruz"),
        ("Posted by jo in <a href=/t>{topic} and all that we saw of it on {day}</a>", "jo"),
    ],
)
def test_a_word_before_it_in_the_block_of_the_date_is_a_witness(said, name):
    def template(story):
        return around(lambda s: f"<p>{said.format(day=written(s), topic=topic(s))}</p>")(story)

    assert read(template, NEW)[1] == (name,)
    undated = around(lambda s: f"<p>Made by jo</p><p>{written(s)}</p>")
    assert read(undated, NEW)[1] == ()


def test_a_byline_may_repeat_a_long_title():
    def told(s):
        about = f"<span class=comments>Comment<i> on {' '.join([s.title] * 6)}</i></span>"
        return (
            f"<p class=d>{about}<b class=fn>{writer(s)}</b><span class=on>{written(s)}</span></p>"
        )

    assert read(around(told), NEW) == (day_of(NEW), (writer(NEW),))


@pytest.mark.parametrize("place", ["above", "below"])
def test_who_took_the_picture_above_the_title_is_no_author(place):
    def template(s):
        name = f"<div class=credit>{writer(s)}</div>"
        above, below = (name, "") if place == "above" else ("", name)
        return (
            f'<div class="post">{above}<h1>{s.title}</h1>{below}<p>{written(s)}</p>'
            f'<div class="text">{s.html}</div></div>'
        )

    assert read(template, NEW)[1] == ((writer(NEW),) if place == "below" else ())


def test_who_is_asked_for_in_a_form_is_no_author():
    asked = "<form><p class=comment-form-author>Name <input></p></form>"
    assert read(around(lambda s: f"<p>{written(s)}</p>", lambda s: asked), NEW)[1] == ()


@pytest.mark.parametrize(
    ("lead", "closing"), [("Thoughts of", "© 2021 Ann Lee, mine"), ("Posted by", "All mine")]
)
def test_a_constant_author_serves_the_pages_that_other_places_leave_out(lead, closing):
    def boxed(s):
        is_boxed = s is not NEW and s.number % 3
        return f"<div class=author><h4>{nobody_else(s)}</h4></div>" if is_boxed else ""

    assert read(signed(lead, closing, boxed), NEW)[1] == ("Ann Lee",)


@pytest.mark.parametrize(
    "said", ["<p>Zoë Lee, {day}</p>", "<p>Zoë Lee<br>for the {paper} Paper, {day}</p>"]
)
def test_the_host_is_a_witness(said):
    def template(story):
        paper = ("Evening", "Morning")[story.number % 2]
        return around(lambda s: said.format(day=written(s), paper=paper))(story)

    def hosted(name):
        pages = [replace(each, url=each.url.replace("site", name)) for each in site(template)]
        return extract(replace(page(NEW, template), url=f"https://{name}.example/x"), pages).authors

    assert hosted("zoelee") == hosted("zoe-lee") == ("Zoë Lee",)
    assert hosted("zoe") != ("Zoë Lee",)


def test_the_parts_of_a_date_are_no_authors():
    def template(story):
        month = ("January", "March", "May")[story.number % 3]
        leaf = f"<div class=m>{month}</div><p>{story.number % 28 + 1}</p><div>2021</div>"
        by = f"<p>By <b class=name>{writer(story).lower()}</b></p>"
        return around(lambda _: f"<div class=leaf>{leaf}</div>{by}")(story)

    assert read(template, NEW)[1] == (writer(NEW).lower(),)


def test_who_took_a_picture_is_not_who_wrote():
    def template(story):
        artist = nobody_else(story)
        link = f"<a href=https://pictures.example/@{artist.replace(' ', '')}>{artist}</a>"
        picture = f"<figure><figcaption>Photo: {link}</figcaption></figure>"
        return around(lambda s: f"<p class=author>Ann Lee</p><p>{written(s)}</p>{picture}")(story)

    assert read(template, NEW)[1] == ("Ann Lee",)


def test_the_busiest_author_is_no_fixed_word():
    def mostly(s):
        return "Ann Lee" if s.number % 8 else WRITERS[s.number % 3]

    template = around(lambda s: f"<p class=d>Written by {mostly(s)} on {written(s)}</p>")
    for new in (Story(41), Story(64)):
        assert read(template, new, 24)[1] == (mostly(new),)


def test_a_time_of_day_marks_a_byline_far_from_the_date():
    def dated(story):
        return f"<p>{written(story)}</p>"

    def signed(story):
        labels = "".join(f"<p>{words(f'{story.number} {n}', 2)}</p>" for n in range(3))
        return f"{labels}<p>Posted by {writer(story)} at 10:{story.number % 50 + 10}</p>"

    long = Story(40, n_paragraphs=20)

    def template(story):
        return around(dated, signed)(Story(story.number, n_paragraphs=20))

    assert read(template, long)[1] == (writer(long),)


def test_how_far_down_the_byline_stands_does_not_count_where_it_has_the_date():
    def template(story):
        boxes = "".join(f"<td>{words(f'{story.number} {n}', 2)}</td>" for n in range(4))
        byline = f"<p class=by>By {writer(story)} on {written(story)}</p>"
        rows = "".join(f"<tr>{boxes}</tr>" for _ in range(4))
        return (
            f'<div class="post"><h1>{story.title}</h1><table>{rows}</table>{byline}'
            f'<div class="text">{story.html}</div></div>'
        )

    assert read(template, NEW)[1] == (writer(NEW),)


def labelled(label):
    return lambda s: f"<p>{label} Ann Lee</p>"


@pytest.mark.parametrize(
    "label", ["Author:", "文章作者：", "Post author:", "Автор:", "投稿者:", "الكاتب:"]
)
def test_a_label_that_says_so_marks_an_author_who_writes_all(label):
    assert read(around(after=labelled(label)), NEW)[1] == ("Ann Lee",)
    assert read(around(after=labelled("Editor in town:")), NEW)[1] == ()


def test_what_follows_the_label_is_read_not_the_name_that_was_learned():
    dates, authors = byline_of(around(after=labelled("Author:")))
    new = page(NEW, around(after=lambda s: "<p>Author: Bob Stone</p>"))
    tree = build_tree(parse_html(new.html), new.url)
    container = next(e for e, names in enumerate(tree.tokens) if ".post" in names)
    assert authors.read(tree, None, None, Extent.of(tree, container, ()), dates)[0] == (
        "Bob Stone",
    )


@pytest.mark.parametrize("label", ["By:", "Written by", "作者"])
def test_the_block_above_may_be_the_label(label):
    def template(s):
        kinds = [("In:", topic(s)), (label, writer(s))]
        return around(
            lambda s: (
                "".join(f"<div><h5>{k}</h5><p>{v}</p></div>" for k, v in kinds)
                + f"<p>{written(s)}</p>"
            )
        )(s)

    assert read(template, NEW)[1] == (writer(NEW),)
    assert authors_where_all_pages_name("The Gang", template) == (writer(NEW),)


def test_an_author_card_marks_what_is_inside_it():
    def card(s):
        name = f"<span class='author vcard'><b class=fn>{writer(s)}</b></span>"
        return f"<p>Says {name} of {topic(s)}</p>"

    assert read(around(after=card), NEW)[1] == (writer(NEW),)


def test_a_time_of_day_after_the_date_is_no_field():
    def byline(s):
        return f"<p>News | {s.day} 10:{s.number % 50 + 10} | {writer(s)} | Talk</p>"

    assert read(around(byline), NEW)[1] == (writer(NEW),)


def authors_where_all_pages_name(machine, template, new=NEW):
    """The authors of a page on a site that names one author for machines on all of its pages."""
    meta = f"<meta name=author content='{machine}'>".encode()
    told = [replace(p, html=p.html.replace(b"<head>", b"<head>" + meta)) for p in site(template)]
    shown = page(new, template)
    shown = replace(shown, html=shown.html.replace(b"<head>", b"<head>" + meta))
    return extract(shown, told).authors


def test_a_site_that_names_itself_for_machines_does_not_overrule_its_bylines():
    byline = around(lambda s: f"<p>By {writer(s)}</p><p>{written(s)}</p>")
    marked = around(lambda s: f"<p class=author>{writer(s)}</p><p>{written(s)}</p>")
    dated = around(lambda s: f"<p>By {writer(s)} on {written(s)}</p>")
    assert authors_where_all_pages_name("The Gang", marked) == (writer(NEW),)
    assert authors_where_all_pages_name("The Site", dated) == (writer(NEW),)
    assert authors_where_all_pages_name("Ann Lee", byline) == (writer(NEW),)
    unled = around(lambda s: f"<p>With {writer(s)}</p><p>{written(s)}</p>")
    assert authors_where_all_pages_name("Ann Lee", unled) == ("Ann Lee",)


def test_the_words_before_a_name_that_are_marked_like_it_are_none():
    def byline(s):
        name = "Posted by <span class=fn>Ann Lee</span>"
        return f"<p><span class='byline author vcard'>{name}</span> {written(s)}</p>"

    assert authors_where_all_pages_name("Ann Lee", around(byline)) == ("Ann Lee",)


def test_the_author_of_a_book_in_the_text_is_not_that_of_the_page():
    def review(s):
        book = f"<p>About <b itemprop=author>{writer(s)}</b></p>"
        text = f"<p>{s.paragraphs[0]}</p>{book}" + "".join(f"<p>{t}</p>" for t in s.paragraphs * 4)
        return f'<div class="post"><h1>{s.title}</h1><p>{written(s)}</p>{text}</div>'

    assert authors_where_all_pages_name("Ann Lee", review) == ("Ann Lee",)


def test_the_name_of_the_busiest_author_is_no_word_of_the_template():
    def linked(s):
        guest = f", <a href=/author/bob/>{writer(s)}</a>" if s.number % 3 == 0 else ""
        return f"<p>With <a href=/author/ann/>Carla M. Diaz</a>{guest} on {written(s)}</p>"

    assert read(around(linked), Story(40), 24)[1] == ("Carla M. Diaz",)


def test_an_author_beside_a_day_that_all_pages_show():
    issue = around(lambda s: f"<p><a rel=author>{writer(s)}</a>, May 2021</p>")
    assert read(issue, NEW) == (None, (writer(NEW),))


def test_who_is_said_to_be_the_author_may_be_called_by_a_number():
    def linked(s):
        name = ("7days", "Bob Stone")[s.number % 2]
        return f"<p>By <a rel=author href=/x>{name}</a> on {written(s)}</p>"

    assert read(around(linked), Story(40))[1] == ("7days",)
    assert read(around(linked), Story(41))[1] == ("Bob Stone",)


def test_in_a_card_of_the_author_stand_a_word_before_him_and_a_category():
    def card(s):
        topics = f"<i><a href=/t/{topic(s)} rel='category tag'>{topic(s)}</a></i>"
        name = "<em>Par</em> <a rel=author href=/jo><em>Jo Lee</em></a>"
        return f"<p><span class='author vcard'>{name} {topics}</span> {written(s)}</p>"

    assert read(around(card), NEW)[1] == ("Jo Lee",)


def test_authors_of_one_family():
    def linked(s):
        name = f"{('Ann', 'Bob')[s.number % 2]} Lee"
        return f"<p><a href=/author/x/>By {name}</a> on {written(s)}</p>"

    assert read(around(linked), NEW)[1] == (f"{('Ann', 'Bob')[NEW.number % 2]} Lee",)


def test_who_took_the_picture_on_some_pages_is_not_who_wrote_the_article():
    def credited(s):
        other = WRITERS[(WRITERS.index(writer(s)) + 1) % len(WRITERS)]
        picture = f"<div class=pic><p class=credit>{other}</p></div>" if s.number % 2 else ""
        return f"{picture}<p class=who>{writer(s)}</p><p class=day>{written(s)}</p>"

    assert read(around(credited), Story(41), 24)[1] == (writer(Story(41)),)


def test_the_site_may_write_all_articles_itself():
    card = around(lambda s: f"<p class=author>The Site</p><p>{written(s)}</p>")
    assert read(card, NEW)[1] == ("The Site",)


def test_two_authors():
    def both(s):
        other = WRITERS[(WRITERS.index(writer(s)) + 1) % len(WRITERS)]
        return (writer(s), other) if s.number % 4 == 0 else (writer(s),)

    def linked(s):
        names = [f"<a href='/a/{name[:3]}'>{name}</a>" for name in both(s)]
        return f"<p class=w>By {' and '.join(names)}</p><p class=d>{written(s)}</p>"

    assert len(both(NEW)) == 2
    assert read(around(linked), NEW)[1] == both(NEW)


@pytest.mark.parametrize("shows_days", [True, False])
def test_a_date_that_the_template_says_for_machines_is_that_of_no_page(shows_days):
    said = '<script type="application/ld+json">{{"datePublished": "{}"}}</script>'

    def template(story):
        shown = f"<p>{written(story)}</p>" if shows_days else ""
        fixed = said.format("2022-02-15" if story.number % 2 else "2049-02-15")
        return f"{fixed}<h1>{story.title}</h1>{shown}<div class=text>{story.html}</div>"

    found = extract(page(NEW, template), site(template, 12)).date_published_source
    assert found == ("pattern" if shows_days else "json-ld")


def test_the_same_pages_in_any_order_give_the_same_byline():
    pages = site(around(lambda s: f"<p>{written(s)} - {writer(s)}</p>"), 20)
    first, second = learn_patterns(pages), learn_patterns(pages[::-1])
    assert [p.rules for p in first] == [p.rules for p in second]
    (found,) = first.articles
    assert found.rules.dates.places and found.rules.authors.places


def test_which_of_the_dates_at_a_place():
    tree = layout("<p>1 May 2001 and 2 May 2001</p><p>3 May 2001</p>")
    names = month_names(("en",))
    place = Locator.parse("body/p")
    days = [
        DatePlace(locator=place, nth=nth).read(tree, names).day("dmy").day for nth in (0, 1, 2, -1)
    ]
    assert days == [1, 2, 3, 3]
    assert DatePlace(locator=place, nth=3).read(tree, names) is None
    led = DatePlace(locator=place, lead="0 May 0 and ")
    assert led.read(tree, names).day("dmy").day == 2


def test_a_page_framed_otherwise_gives_nothing():
    dates, authors = byline_of(around(lambda s: f"<p class=d>{written(s)} - {writer(s)}</p>"))
    tree = build_tree(parse_html(framed(NEW, "<p>nothing</p>", "two").encode()))
    assert dates.read(tree) is None
    assert authors.read(tree, None, None, Extent(0, 0, 0), dates) == ((), None)


@pytest.mark.parametrize(
    "said",
    [
        '<script type="application/ld+json">{"@type":"Note","datePublished":"2019-01-01"}</script>',
        '<meta itemprop="datePublished" content="2019-01-01">',
        '<time datetime="2019-01-01">long ago</time>',
        "<p>Est. 1 January 2019</p>",
    ],
)
def test_a_date_on_all_pages_is_none(said):
    template = around(lambda s: said)
    assert extract(page(NEW, template), site(template)).date_published is None


def coauthors(story):
    """One to three names that no other story has."""
    return [nobody_else(Story(3 * story.number + k)) for k in range(1 + story.number % 3)]


@pytest.mark.parametrize(
    "written_list",
    [
        lambda names: f"<p class=w>{', '.join(names)}</p>",
        lambda names: (
            f"<p class=w>{' and '.join([', '.join(names[:-1]), names[-1]][-len(names) :])}</p>"
        ),
        lambda names: "<ul class=w>" + "".join(f"<li>{name}</li>" for name in names) + "</ul>",
        lambda names: "<p>" + ", ".join(f"<a href='/p/{n[:9]}'>{n}</a>" for n in names) + "</p>",
    ],
)
def test_authors_who_wrote_together_once(written_list):
    template = around(lambda s: written_list(coauthors(s)) + f"<p class=d>{written(s)}</p>")
    assert read(template, NEW, 20) == (day_of(NEW), tuple(coauthors(NEW)))


def test_a_word_between_names_in_capitals():
    def two(story):
        return [WRITERS[(story.number + k) % 4].upper() for k in range(1 + story.number % 2)]

    template = around(lambda s: f"<p>By {' and '.join(two(s))}</p><p class=d>{written(s)}</p>")
    new = Story(41)
    assert read(template, new, 20) == (day_of(new), tuple(two(new)))


@pytest.mark.parametrize("beside", [" (<a href='/x'>@ann</a>)", " <a href='/x'>@ann</a>", ", PhD"])
def test_what_stands_beside_a_linked_name(beside):
    inside, after = (beside, "") if beside == ", PhD" else ("", beside)
    template = around(
        lambda s: (
            f"<p>By <a href='/p/{writer(s)[:3]}'>{writer(s)}{inside}</a>{after} {written(s)}</p>"
        )
    )
    assert read(template, NEW) == (day_of(NEW), (writer(NEW) + inside,))


@pytest.mark.parametrize("above", [True, False])
def test_the_authors_of_other_articles_in_cards(above):
    def cards(story):
        others = [Story((story.number * 5 + k) % 12) for k in range(1, 4)]
        return "".join(
            f"<li class=card>{link(other)}<div class=w><a href='/author/{writer(other)[:3]}'>"
            f"{writer(other)}</a></div></li>"
            for other in others
        )

    def template(story):
        strip = f"<ul>{cards(story)}</ul>"
        name = f"<a href='/author/{writer(story)[:3]}'>{writer(story)}</a>"
        byline = f"<p class=by>{written(story)} by {name}</p>"
        heading = f"<h1>{story.title}</h1>"
        head = f"{strip}{heading}{byline}" if above else f"{heading}{byline}{strip}"
        return f'<div class="post">{head}<div class="text">{story.html}</div></div>'

    assert read(template, NEW) == (day_of(NEW), (writer(NEW),))


@pytest.mark.parametrize("card", ["{} <i>{}</i>", "<h4>{}</h4><p class=day>{}</p>"])
def test_the_dates_of_other_articles_in_cards_are_none_of_the_pages(card):
    def cards(story):
        others = [Story((story.number * 5 + k) % 12) for k in (1, 3)]
        return "".join(f"<li>{card.format(link(other), other.day)}</li>" for other in others)

    template = around(after=lambda story: f"<ul class=more>{cards(story)}</ul>")
    assert read(template, NEW) == (None, ())
