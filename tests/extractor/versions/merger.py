"""Records of pages, merged day by day as extraction does."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from crawler.config.sites import SiteConfig
from crawler.storage.partitions import Storage
from extractor.records.articles import ArticleRecord, Status, articles_to_batches
from extractor.records.runs import read_run, write_run
from extractor.versions.known import KnownArticles
from extractor.versions.merging import merge_day
from extractor.versions.plan import ArticleCounts
from learner.page.words import text_digest

HOST = "https://blog.example/"
DAY = date(2026, 11, 20)
NOW = datetime(2026, 12, 1, tzinfo=UTC)
SITE = SiteConfig(name="a", start_urls=(HOST,))


def fetch(name: str, day: int, text: str | None, hour: int = 0, **facts: Any) -> ArticleRecord:
    """A record of a page so many days after `DAY`; without a text one of a list."""
    fetched_at = datetime.combine(DAY, datetime.min.time(), UTC) + timedelta(days=day, hours=hour)
    values: dict[str, Any] = {
        "url": HOST + name,
        "url_key": HOST + name,
        "status": Status.LIST if text is None else Status.OK,
        "fetched_at": fetched_at,
        "body_sha256": f"{name} {day} {hour}",
        **facts,
    }
    if text is not None:
        digest = text_digest("Title", text)
        values = {"title": "Title", "body": text, "text_sha256": digest, **values}
    return ArticleRecord(**values)


class Merger:
    """Merges records by the day of their fetch, as extraction does."""

    def __init__(self, storage: Storage, folder: Path) -> None:
        self.storage = storage
        self.folder = folder

    def __call__(self, *records: ArticleRecord, now: datetime = NOW) -> ArticleCounts:
        counts = ArticleCounts()
        by_day: dict[date, list[ArticleRecord]] = {}
        for record in records:
            assert record.fetched_at
            by_day.setdefault(record.fetched_at.date(), []).append(record)
        known = KnownArticles.of(self.storage, SITE)
        for day, found in by_day.items():
            run = self.folder / "run.arrow"
            in_order = sorted(found, key=lambda each: (each.url_key, each.fetched_at or NOW))
            write_run(run, articles_to_batches(in_order))
            read = partial(read_run, run)
            counts.add(merge_day(self.storage, "a", day, read, known, now))
        return counts

    def rows(self, table: str = "articles") -> list[dict[str, Any]]:
        return [row for batch in self.storage.read(table, "a") for row in batch.to_pylist()]

    def told(self) -> list[tuple[Any, ...]]:
        """Of each article what its row says, and the day on which it stands."""
        return [
            (
                row["url"].removeprefix(HOST), row["date"], row["body"], row["version"],
                row["first_seen_at"].date(), row["changed_at"] and row["changed_at"].date(),
                tuple(url.removeprefix(HOST) for url in row["other_urls"]),
            )
            for row in self.rows()
        ]  # fmt: skip

    def versions(self) -> list[tuple[Any, ...]]:
        rows = self.rows("article_versions")
        return [(r["url"].removeprefix(HOST), r["date"], r["body"], r["version"]) for r in rows]

    def files(self) -> dict[Path, bytes]:
        root = Path(self.storage.root)
        return {path: path.read_bytes() for path in sorted(root.rglob("*.parquet"))}
