"""How often articles are fetched in all."""

from datetime import UTC, datetime, timedelta

import pyarrow as pa
import pytest

from crawler.config.sites import SiteConfig
from crawler.spiders.articles import visits_of_articles
from crawler.storage.partitions import Storage

SEEN = datetime(2026, 11, 20, 2, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("articles", "days_before", "visits"),
    [(2, None, 3), (2, 1, 3), (2, 31, 2), (1, 31, 2), (0, 1, 1), (0, 31, 1)],
)
def test_visits_in_all(
    tmp_path: object, articles: int, days_before: int | None, visits: int
) -> None:
    published = None if days_before is None else SEEN - timedelta(days=days_before)
    time = pa.timestamp("us", "UTC")
    rows = pa.table(
        {
            "url_key": ["http://e/a"],
            "first_seen_at": pa.array([SEEN], time),
            "date_published": pa.array([published], time),
        }
    )
    storage = Storage(str(tmp_path))
    storage.write_part("articles", "s", SEEN.date(), rows)
    site = SiteConfig.model_validate(
        {"name": "s", "start_urls": ("http://e/",), "revisit": {"articles": articles}}
    )
    assert [*visits_of_articles(storage, site)] == [("http://e/a", visits)]
