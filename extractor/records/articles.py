"""The result row: an `ArticleRecord` of one page, whatever came of it, and its Arrow schema."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Any, Self

import pyarrow as pa
from rapidfuzz.distance import Indel

from crawler.storage.records import TIMESTAMP, table_schema
from extractor.structure.pictures import Picture
from extractor.structure.text_links import TextLink

BATCH_RECORDS = 200
"""Records written at once. Origin: guess, 1 MB."""

SIMILAR_TEXTS = 50
"""Anchor texts that a title is compared with, the most frequent first. Origin: guess; a page has
one to five."""


class Status(StrEnum):
    """What came of extracting a page."""

    OK = "ok"
    GUESSED = "guessed"
    """No pattern fits the page, but it looks like an article: the page model read it."""
    NO_PATTERN = "no_pattern"
    """No pattern fits the page."""
    LOW_SCORE = "low_score"
    """The best pattern explains too little of the page (preset `webstemmer`)."""
    EMPTY = "empty"
    """A pattern fits, but its main container is empty here, or the page has no text at all."""
    LIST = "list"
    """The page is a list of links or of other pages."""
    SOFT_ERROR = "soft_error"
    """The server sent a page, but one that says that there is none ("not found", a wall): the site
    answers many addresses with it."""
    ERROR = "error"
    """The page could not be fetched or read."""


ARTICLES = (Status.OK, Status.GUESSED)
"""What stands in the table `articles`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleSection:
    """One text of an article, in source order."""

    role: str
    """`title`, `main` or `sub`."""
    index: int
    """Place of its section in the pattern."""
    text: str
    """The text, a line for each paragraph."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleRecord:
    """What was extracted from one page."""

    url: str
    """Where the page came from."""
    url_key: str
    """Its canonical URL, joins with pages; `url` where no crawl gave one."""
    status: Status
    reason: str | None = None
    """Why no pattern gave an article; None with status ok."""
    canonical_url: str | None = None
    """What the page itself names as its URL; None if it does not."""
    title: str | None = None
    body: str | None = None
    """The main text; paragraphs, and the lines of listings, are separated by line breaks."""
    body_html: str | None = None
    """The same text with its headings, lists, tables, code, quotes, links and pictures, as HTML
    that is safe to show."""
    body_markdown: str | None = None
    """The same as CommonMark, with tables and fenced code."""
    word_count: int | None = None
    """Words of the body; where no blanks part them, letters."""
    description: str | None = None
    """What the page says of the article in a sentence or two, for machines."""
    image: str | None = None
    """The address of its picture."""
    images: tuple[Picture, ...] = ()
    """The pictures of its text."""
    links: tuple[TextLink, ...] = ()
    """Where the links of its text lead, each address once."""
    sections: tuple[ArticleSection, ...] = ()
    date_published: datetime | None = None
    """Aware UTC; midnight UTC where only a day is given."""
    date_published_raw: str | None = None
    """The string that was read as the date."""
    date_published_source: str | None = None
    """Where it stood: pattern, json-ld, meta, time, url or text; `model` if the page model found
    it."""
    date_modified: datetime | None = None
    """When the page says that it was changed, aware UTC; later than its publication."""
    authors: tuple[str, ...] = ()
    section: str | None = None
    """The part of the site that it stands in."""
    tags: tuple[str, ...] = ()
    site_name: str | None = None
    """What the site calls itself."""
    sources: Mapping[str, str] = field(default_factory=dict)
    """Where image, description, section, tags, date_modified and site_name come from: pattern,
    text, json-ld or meta."""
    language: str | None = None
    """Two-letter code; None if unknown."""
    anchor_text: str | None = None
    """The text of the links to this page that is most like the title; None if no link is known."""
    title_agreement: float | None = None
    """Similarity of `title` and `anchor_text`, 0 to 1; None if either is missing."""
    pattern_id: str | None = None
    """The pattern that fitted; None if none did."""
    match_score: float | None = None
    """How well it fitted, 0 to 1; that of the best pattern if none fitted well enough."""
    page_type: str | None = None
    """What the page model takes the page for (`learner.dom.model.TYPES`); None if it did not look
    at it."""
    probability: float | None = None
    """How likely what the model says is right, 0 to 1 (`extractor.fields.guessed.probability`)."""
    text_sha256: str | None = None
    """SHA-256 of title and body (`learner.page.words.text_digest`); of a short page that is no
    article, of all that it says but for words with digits; None of longer ones."""
    body_sha256: str | None = None
    """SHA-256 of the page's bytes: which version of the page this is."""
    fetched_at: datetime | None = None
    first_seen_at: datetime | None = None
    """When the first page of the article was fetched; None until a job stores it."""
    changed_at: datetime | None = None
    """When the page with this text was first fetched; None if the text never changed."""
    version: int = 1
    """1 for the first text of the article, and one more for each that differs from its last."""
    other_urls: tuple[str, ...] = ()
    """Other addresses of the site under which the same text stands."""
    same_as: str | None = None
    """Where the first article of all sites stands that says nearly the same; None if this is the
    first, or as long as no job has compared it."""
    extracted_at: datetime | None = None
    """When the record first came out as it is; None until a job stores it."""
    run_id: str = ""
    """The run that fetched the page; empty if none did."""
    code_version: str = ""
    """Version of the program that extracted it."""

    @property
    def day_published(self) -> date | None:
        """The UTC day of publication, which is shown the same in every time zone."""
        return self.date_published and self.date_published.astimezone(UTC).date()

    def with_anchor_texts(self, texts: Iterable[str]) -> Self:
        """The record with the anchor text that is most like its title.

        The texts of links decide nothing else, so that a page can be extracted before all links
        to it are known. Ties go to the more frequent text, then to the one given first.
        """
        counted = Counter(filter(None, (" ".join(text.split()) for text in texts)))
        if not counted and self.anchor_text is None:
            return self
        ranked = [text for text, _ in counted.most_common(SIMILAR_TEXTS)]
        title = self.title or ""
        best = max(ranked, key=lambda text: similarity(title, text), default=None)
        agreement = similarity(title, best) if title and best else None
        if (best, agreement) == (self.anchor_text, self.title_agreement):
            return self
        return replace(self, anchor_text=best, title_agreement=agreement)


def similarity(first: str, second: str) -> float:
    """Dice's measure on the longest common subsequence, `2*LCS / (|a|+|b|)`, of letters in lower
    case without white space; 0 to 1, rounded to 4 places.

    >>> similarity("Hello World", "hello  world"), similarity("abcd", "abxy")
    (1.0, 0.5)
    """
    a, b = "".join(first.lower().split()), "".join(second.lower().split())
    return round(Indel.normalized_similarity(a, b), 4)


_TEXT = pa.string()


def _texts_type(*names: str) -> pa.DataType:
    """A list of what has some texts, none of them missing."""
    return pa.list_(pa.struct([pa.field(name, _TEXT, nullable=False) for name in names]))


_SECTIONS = pa.list_(
    pa.struct(
        [
            pa.field("role", _TEXT, nullable=False),
            pa.field("index", pa.int32(), nullable=False),
            pa.field("text", _TEXT, nullable=False),
        ]
    )
)

SOURCED = ("image", "description", "section", "tags", "date_modified", "site_name")
"""The columns whose origin stands in `sources`."""

ARTICLE_SCHEMA = table_schema(
    [
        pa.field("url", pa.string(), nullable=False),
        pa.field("url_key", pa.string(), nullable=False),
        pa.field("canonical_url", pa.string()),
        pa.field("title", pa.string()),
        pa.field("body", pa.string()),
        pa.field("body_html", pa.string()),
        pa.field("body_markdown", pa.string()),
        pa.field("word_count", pa.int32()),
        pa.field("sections", _SECTIONS, nullable=False),
        pa.field("description", pa.string()),
        pa.field("image", pa.string()),
        pa.field("images", _texts_type("url", "alt", "caption"), nullable=False),
        pa.field("links", _texts_type("url", "text"), nullable=False),
        pa.field("date_published", TIMESTAMP),
        pa.field("day_published", pa.date32()),
        pa.field("date_published_raw", pa.string()),
        pa.field("date_published_source", pa.string()),
        pa.field("date_modified", TIMESTAMP),
        pa.field("authors", pa.list_(pa.string()), nullable=False),
        pa.field("section", pa.string()),
        pa.field("tags", pa.list_(pa.string()), nullable=False),
        pa.field("site_name", pa.string()),
        pa.field("sources", pa.struct([pa.field(name, _TEXT) for name in SOURCED]), nullable=False),
        pa.field("language", pa.string()),
        pa.field("anchor_text", pa.string()),
        pa.field("title_agreement", pa.float64()),
        pa.field("pattern_id", pa.string()),
        pa.field("match_score", pa.float64()),
        pa.field("page_type", pa.string()),
        pa.field("probability", pa.float64()),
        pa.field("status", pa.string(), nullable=False),
        pa.field("reason", pa.string()),
        pa.field("text_sha256", pa.string()),
        pa.field("body_sha256", pa.string()),
        pa.field("fetched_at", TIMESTAMP),
        pa.field("first_seen_at", TIMESTAMP),
        pa.field("changed_at", TIMESTAMP),
        pa.field("version", pa.int32(), nullable=False),
        pa.field("other_urls", pa.list_(pa.string()), nullable=False),
        pa.field("same_as", pa.string()),
        pa.field("extracted_at", TIMESTAMP),
        pa.field("run_id", pa.string(), nullable=False),
        pa.field("code_version", pa.string(), nullable=False),
    ],
    table="articles",
    sorted_by="url_key",
)

_PARTS = {"sections": ArticleSection, "images": Picture, "links": TextLink}
"""The columns of which each has several objects, and what these are."""
_LISTS = ("authors", "tags", "other_urls")
"""The columns of which each has several texts."""
_PLAIN = tuple(
    each.name
    for each in fields(ArticleRecord)
    if each.name not in (*_PARTS, *_LISTS, "status", "sources")
)


def articles_to_rows(records: Iterable[ArticleRecord]) -> list[dict[str, Any]]:
    """The records as dictionaries, as `ARTICLE_SCHEMA` takes and JSON shows them."""
    return [_row(record) for record in records]


def _row(record: ArticleRecord) -> dict[str, Any]:
    row = {name: getattr(record, name) for name in _PLAIN}
    row |= {name: list(getattr(record, name)) for name in _LISTS}
    row["day_published"] = record.day_published
    for name in _PARTS:
        row[name] = [_part(each) for each in getattr(record, name)]
    return row | {"status": str(record.status), "sources": dict(record.sources)}


def _part(part: Any) -> dict[str, Any]:
    return {name: getattr(part, name) for name in part.__slots__}


def articles_to_table(records: Iterable[ArticleRecord]) -> pa.Table:
    """The records as rows of the articles table."""
    return pa.Table.from_pylist(articles_to_rows(records), schema=ARTICLE_SCHEMA)


def articles_to_batches(
    records: Iterable[ArticleRecord], batch_records: int = BATCH_RECORDS
) -> Iterator[pa.RecordBatch]:
    """The records as rows of the articles table, so many at a time."""
    waiting: list[ArticleRecord] = []
    for record in records:
        waiting.append(record)
        if len(waiting) == batch_records:
            yield from articles_to_table(waiting).to_batches()
            waiting = []
    if waiting:
        yield from articles_to_table(waiting).to_batches()


def articles_from_batches(batches: Iterable[pa.RecordBatch]) -> Iterator[ArticleRecord]:
    """The records of rows of the articles table."""
    for batch in batches:
        yield from map(article_from_row, batch.to_pylist())


def article_from_row(row: dict[str, Any]) -> ArticleRecord:
    """The record of a row of the articles table; columns that it lacks have their defaults."""
    values = {name: row[name] for name in _PLAIN if name in row}
    values |= {name: tuple(row.get(name) or ()) for name in _LISTS}
    for name, kind in _PARTS.items():
        values[name] = tuple(kind(**each) for each in row.get(name) or ())
    sources = row.get("sources") or {}
    values["sources"] = {name: source for name, source in sources.items() if source}
    values["status"] = Status(row["status"])
    values["version"] = row.get("version") or 1
    return ArticleRecord(**values)
