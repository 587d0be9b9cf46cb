"""What a page that no pattern fits is told of by the page model."""

from datetime import date

import pytest

from crawler.config.stages import ExtractConfig
from extractor.extraction import extract_article
from extractor.records.articles import Status
from learner.induction.steps import learn_patterns
from learner.page.pages import Page
from learner.patterns.pattern import PatternSet
from tests.handmade import Story, framed, listing, page, site, stories

NEW = Story(99)


def other_layout(story: Story) -> str:
    paragraphs = "".join(f"<p>{each}</p>" for each in story.paragraphs)
    picture = "<figure><img src=/a.jpg width=600 height=400></figure>"
    return f"<main><h2 class=headline>{story.title}</h2>{picture}<section>{paragraphs}</section>"


def test_an_article_of_a_site_that_nobody_learned():
    record = extract_article(page(NEW), PatternSet())
    assert (record.status, record.page_type) == (Status.GUESSED, "article")
    assert (record.title, record.body) == (NEW.title, NEW.body)
    assert record.date_published is not None
    assert record.date_published.date() == date.fromisoformat(NEW.day)
    assert record.date_published_source == "model"
    assert (record.pattern_id, record.match_score) == (None, None)
    assert record.probability is not None and 0.5 <= record.probability <= 1
    assert [each.text for each in record.sections] == [NEW.title, NEW.body]
    assert record.body_html and record.body_markdown and record.word_count and record.text_sha256


def test_what_a_pattern_reads_is_no_guess():
    patterns = learn_patterns(site())
    assert extract_article(page(NEW), patterns).status is Status.OK
    assert extract_article(listing(4, stories(4, 200)), patterns).status is Status.LIST
    other = Page(url=NEW.url, html=framed(NEW, other_layout(NEW), "two").encode())
    record = extract_article(other, patterns)
    assert (record.status, record.title) == (Status.GUESSED, NEW.title)
    assert [each.url for each in record.images] == ["https://site.example/a.jpg"]


def test_a_list_is_no_article():
    record = extract_article(listing(4, stories(8, 200)), PatternSet())
    assert (record.status, record.page_type, record.body) == (Status.NO_PATTERN, "list", None)
    assert record.title and record.reason and "list" in record.reason


@pytest.mark.parametrize(
    ("guess", "status"),
    [(True, Status.GUESSED), (0.0, Status.GUESSED), (1.0, Status.NO_PATTERN),
     (False, Status.NO_PATTERN)],
)  # fmt: skip
def test_only_what_is_likely_enough_is_an_article(guess, status):
    record = extract_article(page(NEW), PatternSet(), ExtractConfig(guess=guess))
    assert record.status is status
    assert (record.title is None) is (guess is False)


def test_title_and_language_are_always_told():
    html = b"<html lang=de><title>Kurz</title><p>Ein Wort und noch eines, mehr steht hier nicht."
    record = extract_article(Page(url="https://a.example/", html=html), PatternSet())
    assert (record.title, record.language) == ("Kurz", "de")
