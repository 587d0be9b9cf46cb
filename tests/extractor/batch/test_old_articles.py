"""A storage of before each article stood once."""

from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from crawler.config.sites import SiteConfig
from crawler.storage.partitions import Storage
from extractor.batch.job import ExtractSummary, open_articles
from extractor.records.articles import ARTICLE_SCHEMA, ArticleRecord, Status, articles_to_table

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
SITE = SiteConfig(name="a", start_urls=("http://a/",))
NEW_COLUMNS = ("text_sha256", "first_seen_at", "changed_at", "version", "other_urls")


def night(number: int, **texts: str | None) -> tuple[date, list[ArticleRecord]]:
    fetched = NOW + timedelta(days=number)
    records = [
        ArticleRecord(
            url=f"http://a/{name}",
            url_key=f"http://a/{name}",
            status=Status.LIST if text is None else Status.OK,
            title=text and name,
            body=text,
            fetched_at=fetched,
            extracted_at=fetched,
            body_sha256=f"{name}{number}",
        )
        for name, text in texts.items()
    ]
    gone = ArticleRecord(
        url="http://a/x", url_key="http://a/x", status=Status.ERROR, fetched_at=fetched
    )
    return fetched.date(), [*records, gone]


@pytest.fixture
def storage(tmp_path: Path) -> Storage:
    """Three nights: a page that changed around its text, one that was edited, a list."""
    storage = Storage(str(tmp_path))
    for day, records in (
        night(0, edited="first", same="text", list=None),
        night(1, edited="first", same="text", list=None),
        night(2, edited="second", same="text", list=None),
    ):
        table = articles_to_table(records).drop_columns(list(NEW_COLUMNS))
        storage.replace("articles", "a", day, table)
    return storage


def rows(storage: Storage, table: str) -> list[tuple[object, ...]]:
    columns = ("url", "date", "body" if table != "outcomes" else "status")
    return [
        tuple(row[name] for name in columns)
        for batch in storage.read(table, "a", columns=columns)
        for row in batch.to_pylist()
    ]


@pytest.mark.parametrize("killed", ["", "replace", "remove"])
def test_it_is_brought_into_the_new_form(
    storage: Storage, monkeypatch: pytest.MonkeyPatch, killed: str
) -> None:
    first, *_, last = (NOW.date() + timedelta(days=number) for number in range(3))
    for times in range(12 if killed else 0):  # killed ever later
        with monkeypatch.context() as patch:
            patch.setattr(Storage, killed, dying_after(times, getattr(Storage, killed)))
            with suppress(KeyboardInterrupt):
                open_articles(storage, SITE, ExtractSummary(site="a", now=NOW))
                break
    open_articles(storage, SITE, ExtractSummary(site="a", now=NOW))
    assert rows(storage, "articles") == [
        ("http://a/edited", first, "second"), ("http://a/same", first, "text"),
    ]  # fmt: skip
    assert rows(storage, "article_versions") == [
        ("http://a/edited", first, "first"), ("http://a/edited", last, "second"),
    ]  # fmt: skip
    assert len(rows(storage, "outcomes")) == 9
    assert not storage.dates("article_shares", "a")
    assert storage.schema("articles", "a").names[:-2] == ARTICLE_SCHEMA.names


def dying_after(times: int, call: Any) -> Any:
    """A call that a process does not outlive for ever."""
    left = [times]

    def dying(*arguments: Any, **named: Any) -> Any:
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        return call(*arguments, **named)

    return dying
