"""The article record and its rows."""

from datetime import UTC, datetime

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractor.records.articles import (
    ARTICLE_SCHEMA,
    ArticleRecord,
    ArticleSection,
    Status,
    article_from_row,
    articles_to_table,
    similarity,
)

NOW = datetime(2026, 11, 20, 1, 2, 3, 456789, tzinfo=UTC)
FULL = ArticleRecord(
    url="http://e/a",
    url_key="http://e/a",
    status=Status.OK,
    canonical_url="http://e/A",
    title="A title",
    body="One.\nTwo.",
    sections=(ArticleSection(role="title", index=0, text="A title"),),
    date_published=NOW,
    date_published_raw="20 Nov 2026",
    date_published_source="pattern",
    authors=("A. Author", "B."),
    language="en",
    pattern_id="0123456789abcdef",
    match_score=0.875,
    body_sha256="ab" * 32,
    fetched_at=NOW,
    extracted_at=NOW,
    run_id="r",
    code_version="0.1.0",
)
BARE = ArticleRecord(url="u", url_key="u", status=Status.ERROR, reason="http 404")


def test_a_record_survives_its_row() -> None:
    table = articles_to_table([FULL, BARE])
    assert table.schema.equals(ARTICLE_SCHEMA, check_metadata=True)
    assert [article_from_row(row) for row in table.to_pylist()] == [FULL, BARE]


def test_rows_of_an_older_schema_have_defaults() -> None:
    table = articles_to_table([BARE]).select(["url", "url_key", "status"])
    assert article_from_row(table.to_pylist()[0]).authors == ()


def test_every_field_is_a_column() -> None:
    fields = {*ArticleRecord.__dataclass_fields__, "day_published"}
    assert set(ARTICLE_SCHEMA.names) == fields
    assert ARTICLE_SCHEMA.field("extracted_at").type == pa.timestamp("us", tz="UTC")


@pytest.mark.parametrize(
    ("texts", "expected", "agreement"),
    [
        ((), None, None),
        (("  ",), None, None),
        (("Read more", "A Title", "A Title"), "A Title", 1.0),
        (("Read more", "a  title »"), "a title »", 0.9231),
    ],
)
def test_the_anchor_text_most_like_the_title_is_taken(
    texts: tuple[str, ...], expected: str | None, agreement: float | None
) -> None:
    record = FULL.with_anchor_texts(texts)
    assert (record.anchor_text, record.title_agreement) == (expected, agreement)


def test_without_a_title_the_first_most_frequent_text_is_taken() -> None:
    record = BARE.with_anchor_texts(["b", "a", "a", "b"])
    assert (record.anchor_text, record.title_agreement) == ("b", None)


@given(st.text(max_size=30), st.text(max_size=30))
def test_similarity_is_symmetric_and_in_range(first: str, second: str) -> None:
    assert 0 <= similarity(first, second) <= 1
    assert similarity(first, second) == similarity(second, first)
    assert similarity(first, first) == 1
