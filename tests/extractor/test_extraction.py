"""One page in, one record out: what becomes of new pages of small sites, one claim a test."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import extractor.extraction
from crawler.config.stages import ExtractConfig
from extractor.extraction import extract_article
from extractor.records.articles import Status, articles_to_table
from learner.induction.steps import learn_patterns
from learner.page.pages import Page
from learner.patterns.pattern import load_patterns, save_patterns
from tests.handmade import (
    HEBREW,
    HOST,
    JAPANESE,
    LATIN,
    Story,
    article,
    comments,
    extract,
    framed,
    listing,
    page,
    site,
    stories,
    words,
)

NEW = Story(99)
SITE = site()
PATTERNS = learn_patterns(SITE)


def give(template, new=NEW, n_articles=10):
    """The record of a new page of a template, after ten others were learned."""
    return extract(page(new, template), site(template, n_articles))


def assert_exact(record, story):
    assert (record.status, record.reason) == (Status.OK, None)
    assert record.title == story.title
    assert record.body == story.body


def test_a_new_article():
    record = extract_article(page(NEW), PATTERNS)
    assert_exact(record, NEW)
    assert (record.url, record.url_key) == (NEW.url, NEW.url)
    assert record.date_published == datetime.fromisoformat(NEW.day).replace(tzinfo=UTC)
    assert 0.5 <= record.match_score <= 1
    assert record.pattern_id in {pattern.pattern_id for pattern in PATTERNS}
    assert [(s.role, s.text) for s in record.sections] == [
        ("title", NEW.title),
        ("main", NEW.body),
    ]


def test_a_listing_keeps_its_lines():
    def manual(story):
        listing = (
            f"<pre><code>def {words(story.number, 1)}():\n\n    <b>return</b> 1\n</code></pre>"
        )
        return article(story).replace("</p><p>", f"</p>{listing}<p>", 1)

    first, *others = NEW.paragraphs
    listing = f"def {words(NEW.number, 1)}():\n    return 1"
    assert give(manual).body == "\n".join([first, listing, *others])


def test_a_new_list():
    record = extract_article(listing(4, stories(4, 200)), PATTERNS)
    assert (record.status, record.title, record.body) == (Status.LIST, None, None)
    assert "lists" in record.reason


def test_a_page_of_no_known_layout():
    foreign = Page(url=f"{HOST}/x", html=b"<main><p>Something quite different, in a few words.")
    record = extract_article(foreign, PATTERNS, ExtractConfig(guess=False))
    assert (record.status, record.title, record.body) == (Status.NO_PATTERN, None, None)
    assert record.reason and record.page_type is None


@pytest.mark.parametrize("html", [b"", b"<html></html>", b"<p> </p>", b"\x00" * 100])
def test_a_page_without_text(html):
    record = extract_article(Page(url=HOST, html=html), PATTERNS)
    assert (record.status, record.reason) == (Status.EMPTY, "the page has no text")


def test_an_article_whose_body_is_empty():
    hollow = page(NEW, lambda s: article(s).replace(s.html, ""))
    record = extract_article(hollow, PATTERNS)
    assert (record.status, record.title, record.body) == (Status.EMPTY, None, None)
    assert "no text of its own" in record.reason


def test_an_exception_is_a_record(monkeypatch):
    def broken(*_):
        raise LookupError("no such thing")

    monkeypatch.setattr(extractor.extraction, "match_page", broken)
    record = extract_article(page(NEW), PATTERNS)
    assert (record.status, record.reason) == (Status.ERROR, "LookupError: no such thing")
    assert (record.url, record.body) == (NEW.url, None)


def test_what_the_page_record_knows_is_kept():
    known = replace(
        page(NEW), url_key="key", run_id="run", fetched_at=datetime(2026, 1, 2, tzinfo=UTC)
    )
    record = extract_article(replace(known, anchor_texts=(NEW.title, "more")), PATTERNS)
    assert (record.url_key, record.run_id) == ("key", "run")
    assert record.fetched_at == known.fetched_at
    assert (record.anchor_text, record.title_agreement) == (NEW.title, 1.0)


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("/short", "https://site.example/short"),
        (" https://other.example/a\n", "https://other.example/a"),
        ("javascript:alert(1)", None),
        ("http://[::1", None),
        ("//", NEW.url),
        ("/" + "x" * 3_000_000, None),
        ("", None),
    ],
)
def test_the_canonical_address_is_what_the_page_says_if_it_is_one(href, url):
    link = f'<link rel="Canonical" href="{href}"></head>'.encode()
    html = page(NEW).html.replace(b"</head>", link)
    record = extract_article(Page(url=NEW.url, html=html), PATTERNS)
    assert (record.status, record.canonical_url) == (Status.OK, url)
    assert extract_article(page(NEW), PATTERNS).canonical_url is None


@pytest.mark.parametrize(
    "fact", ['"author": "Ann \\ud800Lee"', '"datePublished": "2020-01-01 \\udfff"']
)
def test_half_characters_of_json_fit_a_table(fact):
    script = f'<script type="application/ld+json">{{{fact}}}</script></head>'.encode()
    record = extract_article(
        Page(url=NEW.url, html=page(NEW).html.replace(b"</head>", script)), PATTERNS
    )
    assert articles_to_table([record]).num_rows == 1
    assert record.status is Status.OK


@pytest.mark.parametrize("count", [0, 1, 40])
def test_comments_are_left_out_be_they_longer_than_the_body(count):
    def template(story):
        return article(story) + comments(story, story.number % 5, 60)

    new = page(NEW, lambda story: article(story) + comments(story, count, 60))
    assert_exact(extract(new, site(template)), NEW)


def test_comments_inside_the_element_of_the_text():
    def template(story):
        inside = story.html + comments(story, 2 + story.number % 5, 60)
        return f'<h1>{story.title}</h1><div class="text">{inside}</div>'

    record = give(template)
    assert record.title == NEW.title
    # Their heading stays: nothing tells it from one of the text.
    assert record.body in (NEW.body, f"{NEW.body}\nComments")


def test_a_table_of_contents_is_left_out_and_the_headings_stay():
    def parts(story):
        return [
            (words(f"{story.number} part {n}", 3), text) for n, text in enumerate(story.paragraphs)
        ]

    def template(story):
        entries = "".join(f"<li><a href=#{n}>{h}</a></li>" for n, (h, _) in enumerate(parts(story)))
        told = "".join(f"<h2>{head}</h2><p>{text}</p>" for head, text in parts(story))
        return f"<h1>{story.title}</h1><div class=toc><ul>{entries}</ul></div>{told}"

    expected = [line for part in parts(NEW) for line in part]
    assert give(template).body.splitlines() == expected


def test_the_headings_of_a_manual_stay_though_each_page_has_them():
    def lines(story):
        heads = ("Name", "Synopsis", "Options", "See also")
        return list(zip(heads, story.paragraphs, strict=True))

    def template(story):
        told = "".join(f"<h2>{head}</h2><p>{text}</p>" for head, text in lines(story))
        return f"<div class=page><h1>{story.title}</h1>{told}</div>"

    assert give(template).body.splitlines() == [line for part in lines(NEW) for line in part]


def test_code_stays_and_its_line_numbers_go():
    def code(story):
        return [words(f"{story.number} code {n}", 3) + ";" for n in range(12)]

    def template(story):
        numbers = "\n".join(map(str, range(1, 13)))
        lines = "\n".join(f"<span class=k>{line}</span>" for line in code(story))
        cells = f"<td class=gutter><pre>{numbers}</pre><td class=code><pre>{lines}</pre>"
        first, *rest = story.paragraphs
        last = "".join(f"<p>{text}</p>" for text in rest)
        return f"<h1>{story.title}</h1><p>{first}</p><table><tr>{cells}</table>{last}"

    first, *rest = NEW.paragraphs
    assert give(template).body.splitlines() == [first, *code(NEW), *rest]


@pytest.mark.parametrize("n_words", [4, 30])
def test_pages_of_one_paragraph(n_words):
    def short(story):
        return Story(story.number, n_paragraphs=1, n_words=n_words)

    assert_exact(give(lambda story: article(short(story))), short(NEW))


def test_pages_without_classes():
    assert_exact(give(lambda story: f"<h1>{story.title}</h1>{story.html}"), NEW)


def test_tables_in_tables():
    def template(story):
        head = f"<table><tr><td><b>{story.title}</b></td></tr></table>"
        text = f"<table><tr><td><p>{'</p><p>'.join(story.paragraphs)}</p></td></tr></table>"
        menu = "<table><tr><td><a href=/a>Up</a></td><td><a href=/b>Down</a></td></tr></table>"
        return f"<table><tr><td>{menu}</td><td>{head}{text}</td></tr></table>"

    assert_exact(give(template), NEW)


@pytest.mark.parametrize("script", [HEBREW, JAPANESE], ids=["right to left", "no blanks"])
def test_any_script(script):
    new = Story(99, script)
    record = extract(page(new), map(page, stories(10, script=script)))
    assert_exact(record, new)


def test_languages_mixed_on_one_site():
    scripts = (LATIN, HEBREW, JAPANESE)
    told = [Story(n, scripts[n % 3]) for n in range(12)]
    patterns = learn_patterns([*map(page, told), listing(1, told[:6])])
    for n, script in enumerate(scripts):
        assert_exact(extract_article(page(Story(90 + n, script)), patterns), Story(90 + n, script))


def generation(story):
    """The site's later template."""
    return f"<section class=story><h2>{story.title}</h2><div class=w>{story.html}</div></section>"


@pytest.mark.parametrize("frame", ["one", "two"], ids=["at once", "one after the other"])
def test_two_layouts_of_one_site(frame):
    told = stories(20)
    pages = [*map(page, told[:12]), *(page(story, generation, frame) for story in told[12:])]
    patterns = learn_patterns([*pages, *(listing(n, told[n::3]) for n in (1, 2, 3))])
    old = extract_article(page(NEW), patterns)
    new = extract_article(page(NEW, generation, frame), patterns)
    assert_exact(old, NEW)
    assert_exact(new, NEW)
    assert old.pattern_id != new.pattern_id


@pytest.mark.parametrize("number", range(96, 102))
def test_optional_parts_are_where_they_are(number):
    def parts(story):
        """Lead and box, each on some of the pages."""
        lead = words(f"{story.number} lead", 12) if story.number % 2 else ""
        box = words(f"{story.number} box", 20) if story.number % 3 == 0 else ""
        return lead, box

    def template(story):
        lead, box = parts(story)
        first = f"<p class=lead>{lead}</p>" * bool(lead)
        last = f"<div class=box><p>{box}</p></div>" * bool(box)
        return f"<article><h1>{story.title}</h1>{first}<div>{story.html}{last}</div></article>"

    new = Story(number)
    lead, box = parts(new)
    expected = [line for line in (lead, *new.paragraphs, box) if line]
    assert give(template, new, 20).body.splitlines() == expected


def test_names_that_come_later_do_not_matter():
    """The pages learned from all bore a name that new ones lack: they fit loosely."""

    def template(story):
        kind = "plain" if story.number < 50 else "gallery"
        return f'<div class="post {kind}"><h1>{story.title}</h1><div>{story.html}</div></div>'

    assert_exact(give(template), NEW)


def test_a_page_of_two_megabytes():
    big = Story(99, n_paragraphs=3000, n_words=100)
    assert len(page(big).html) > 1_900_000
    assert_exact(extract_article(page(big), PATTERNS), big)


@pytest.mark.parametrize("n_articles", [2, 3, 5])
def test_few_pages_are_enough_for_a_plain_template(n_articles):
    pages = [page(story) for story in stories(n_articles)]
    assert_exact(extract(page(NEW), pages), NEW)


def test_a_site_of_lists_gives_no_article():
    patterns = learn_patterns(listing(n, stories(6, 10 * n)) for n in range(1, 9))
    record = extract_article(listing(20, stories(6, 900)), patterns)
    assert (record.status, record.body) == (Status.LIST, None)


def test_an_undeclared_encoding():
    japanese = Story(99, JAPANESE)
    html = page(japanese).html.decode().replace("<meta charset=utf-8>", "").encode("shift_jis")
    patterns = learn_patterns(map(page, stories(6, script=JAPANESE)))
    assert_exact(extract_article(Page(url=japanese.url, html=html), patterns), japanese)


def test_saved_patterns_give_the_same_records(tmp_path):
    save_patterns(PATTERNS, tmp_path / "p.parquet")
    loaded = load_patterns(tmp_path / "p.parquet")
    for each in (*SITE, page(NEW)):
        assert extract_article(each, loaded) == extract_article(each, PATTERNS)


PIECES = st.sampled_from(
    ["<body>", "<div class='one-main'>", "<article class='post post-7'>", "<h1>", "</h1>", "<p>",
     "</p>", "</article>", "</div>", "word ", "2021-03-04", "<p class='byline'>", "\x00", "\xff",
     "&#0;", "&#xD800;", "<!--", "-->", "<", ">", '"', "<script>", "<base href='http://['>",
     "<a href='http://[::1'>x</a>", "<link rel=canonical href='http://['>", "<meta charset=x>",
     "<time datetime='x'>", '<script type="application/ld+json">[{"author": [null, 1]}]</script>']
)  # fmt: skip


@settings(deadline=None, max_examples=80)
@given(st.lists(PIECES, max_size=30))
def test_hostile_bytes_give_a_record_and_no_error(parts):
    record = extract_article(
        Page(url=f"{HOST}/x", html="".join(parts).encode("utf-8", "replace")), PATTERNS
    )
    assert record.status is not Status.ERROR, record.reason
    assert (record.status is Status.OK) == bool(record.body) == (record.reason is None)


@settings(deadline=None, max_examples=60)
@given(st.binary(max_size=300), st.integers(0, 3000))
def test_broken_pages_give_a_record_and_no_error(noise, place):
    html = page(NEW).html
    broken = html[:place] + noise + html[place + len(noise) :]
    record = extract_article(Page(url=NEW.url, html=broken), PATTERNS)
    assert record.status is not Status.ERROR, record.reason


def test_the_slow_frame_of_the_helper_holds_what_it_says():
    """The other tests would prove nothing if body and frame could not be told apart."""
    text = framed(NEW, article(NEW))
    assert all(text.count(paragraph) == 1 for paragraph in NEW.paragraphs)
    assert "All rights reserved" in text and Story(149).title in text
