"""Articles of a site and their drawings teach together."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from crawler.storage.partitions import Storage
from crawler.storage.records import records_to_table
from crawler.storage.rendered import (
    SCREENSHOT_SCHEMA,
    SCREENSHOTS,
    SNAPSHOT_SCHEMA,
    SNAPSHOTS,
    ScreenshotRecord,
    SnapshotRecord,
)
from extractor.batch.drawn_lessons import drawn_lessons
from extractor.records.articles import ArticleRecord, Status, articles_to_table

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def snapshot(name: str, data: bytes, hours: int = 0, styled: bool = True) -> SnapshotRecord:
    return SnapshotRecord(
        run_id="r", url_key=name, url=f"http://a/{name}", rendered_at=NOW + timedelta(hours=hours),
        viewport_width=1280, viewport_height=1024, styled=styled, snapshot=data,
    )  # fmt: skip


@pytest.fixture
def storage(tmp_path: Path) -> Storage:
    """Pages that were drawn: `twice`, `plain` without its style sheets, `guess` that no pattern
    reads, and `alone`, which is no article."""
    storage, day = Storage(str(tmp_path)), NOW.date()
    statuses = {"twice": Status.OK, "plain": Status.OK, "guess": Status.GUESSED}
    articles = [
        ArticleRecord(
            url=f"http://a/{name}", url_key=name, status=status, title=name, body=f"text of {name}",
            fetched_at=NOW, extracted_at=NOW, body_sha256=name,
        )
        for name, status in statuses.items()
    ]  # fmt: skip
    storage.write_part("articles", "a", day, articles_to_table(articles))
    drawn = [
        snapshot("alone", b"0"), snapshot("guess", b"1"), snapshot("plain", b"2", styled=False),
        snapshot("twice", b"4", hours=1), snapshot("twice", b"3"),
        snapshot("twice", b"5", hours=2, styled=False),
    ]  # fmt: skip
    storage.write_part(SNAPSHOTS, "a", day, records_to_table(drawn, SNAPSHOT_SCHEMA))
    pictures = [
        ScreenshotRecord(
            run_id="r", url_key="twice", url="http://a/twice",
            rendered_at=NOW + timedelta(hours=hours), media_type="image/jpeg", picture=picture,
        )
        for hours, picture in enumerate((b"old", b"jpeg", b"bare"))
    ]  # fmt: skip
    storage.write_part(SCREENSHOTS, "a", day, records_to_table(pictures, SCREENSHOT_SCHEMA))
    return storage


def test_the_last_drawing_of_a_styled_article_teaches(storage: Storage) -> None:
    (lesson,) = drawn_lessons(storage, "a", 10)
    assert (lesson.site, lesson.url, lesson.body) == ("a", "http://a/twice", "text of twice")
    assert (lesson.snapshot, lesson.picture) == (b"4", b"jpeg")


def test_a_site_without_drawings_teaches_nothing(storage: Storage) -> None:
    assert list(drawn_lessons(storage, "b", 10)) == []
