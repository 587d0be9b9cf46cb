"""What the pattern of its site reads on a page."""

from __future__ import annotations

from extractor.analysis.found import Found
from extractor.records.articles import ArticleRecord, Status
from learner.dom.reading import Reading
from learner.patterns.matching import Match

OF_NO_ARTICLE = frozenset({"list", "collection", "other"})
"""Types of pages that a pattern of articles cannot fit."""

_SOURCES = {"json-ld": "jsonld"}
"""Sources as records call them -> as an analysis does."""


def add_record(found: Found, record: ArticleRecord, match: Match | None) -> None:
    """What the site's pattern reads; nothing if it does not fit."""
    score = record.match_score or 0.0
    if record.status is Status.LIST:
        found.add("type", "list", "pattern", 1 - score)
    if record.status is not Status.OK:
        return
    title = match.title_block if match else None
    container = match.containers[0] if match else None
    found.add("title", record.title, "pattern", score, title.element if title else None)
    for name, text in (
        ("text", record.body),
        ("html", record.body_html),
        ("markdown", record.body_markdown),
        ("images", record.images),
    ):
        found.add(name, text, "pattern", score, container)
    authors = found.block_of(record.authors[0]) if record.authors else None
    found.add("authors", record.authors, "pattern", score, authors.element if authors else None)
    raw = record.date_published_raw or ""
    shown = found.block_of(raw) if record.date_published_source in ("pattern", "text") else None
    source = record.date_published_source or ""
    element = shown.element if shown else None
    found.add("date", record.date_published, _SOURCES.get(source, source), score, element)
    for name in ("image", "description", "tags", "site_name"):
        source = record.sources.get(name, "")
        found.add(name, getattr(record, name), _SOURCES.get(source, source), score)


def add_type(found: Found, reading: Reading, record: ArticleRecord | None) -> None:
    """What the page is: of those types that its pattern leaves open the likeliest."""
    if record and record.status is Status.OK and reading.type in OF_NO_ARTICLE:
        found.add("type", "article", "pattern", record.match_score or 0.0)
    found.add("type", reading.type, "model", reading.types[reading.type])
