from datetime import UTC, datetime

from crawler.config.stages import ExtractConfig
from extractor.records.articles import ArticleSection, Status
from extractor.webstemmer.extraction import extract_webstemmer
from learner.kinds.kind import Kind
from learner.page.pages import Page
from learner.patterns.pattern import Pattern, PatternSet, Role, Section

PATTERN = Pattern(
    preset="webstemmer",
    kind=Kind.ARTICLE,
    score=900.0,
    n_pages=2,
    title=0,
    main=2,
    sections=(
        Section(path="h1", role=Role.TITLE, diff_score=0.9, main_score=9.0),
        Section(path="h2", role=Role.SUB, diff_score=0.9, main_score=9.0),
        Section(path="p", role=Role.MAIN, diff_score=0.9, main_score=99.0),
        Section(path="pre", role=Role.BOILERPLATE, diff_score=0.0, main_score=0.0),
    ),
)
PATTERNS = PatternSet([PATTERN])
TIME = datetime(2026, 11, 20, tzinfo=UTC)


def extract(html, **config):
    page = Page(url="http://a/?b", html=html, url_key="http://a/", fetched_at=TIME, run_id="r1")
    return extract_webstemmer(page, PATTERNS, ExtractConfig(**config))


def test_a_match_is_an_article():
    record = extract(b"<h1>The title</h1><p>First text</p><p>Second text</p><pre>Footer</pre>")
    assert (record.status, record.reason) == (Status.OK, None)
    assert (record.title, record.body) == ("The title", "First text\nSecond text")
    assert record.sections == (
        ArticleSection(role="title", index=0, text="The title"),
        ArticleSection(role="main", index=2, text="First text\nSecond text"),
    )
    assert (record.pattern_id, record.match_score) == (PATTERN.pattern_id, 1.0)
    assert (record.url, record.url_key) == ("http://a/?b", "http://a/")
    assert (record.fetched_at, record.run_id) == (TIME, "r1")


def test_no_match_has_its_reason():
    record = extract(b"<div>Something else</div>")
    assert (record.status, record.pattern_id, record.sections) == (Status.NO_PATTERN, None, ())
    assert record.reason == "no pattern finds 80% of the page's text"


def test_a_match_that_explains_too_little_says_how_much():
    record = extract(b"<h1>The title</h1><div>As much more</div>")
    assert (record.status, record.pattern_id, record.sections) == (Status.LOW_SCORE, None, ())
    assert record.match_score == 8 / 18  # letters
    assert record.reason == "no pattern finds 80% of the page's text, the best 44%"


def test_strict_mode_wants_all_sections():
    record = extract(b"<h1>The title</h1><p>First text</p>", strict=True)
    assert record.status is Status.NO_PATTERN
    assert record.reason == "no pattern finds all its sections and 80% of the page's text"


def test_a_match_without_main_text_is_empty():
    record = extract(b"<h1>The title</h1><pre>Footer</pre>")
    assert (record.status, record.title, record.body) == (Status.EMPTY, "The title", None)
