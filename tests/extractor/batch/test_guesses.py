"""A site from its first night on: guessed, learned, extracted anew."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import pytest

from crawler.config.sites import SiteConfig
from crawler.config.stages import ExtractConfig, LearnConfig
from crawler.storage.partitions import Storage
from crawler.storage.records import PAGE_SCHEMA, PageRecord, records_to_table
from extractor.batch.job import NoPatternsError, extract_site
from extractor.health.judging import judge_health
from extractor.health.state import Cause
from extractor.health.stats import read_stats
from learner.induction.job import learn_site
from learner.page.pages import Page
from tests.handmade import HOST, site

DAY = date(2026, 11, 20)
SITE = SiteConfig(name="a", start_urls=(HOST,))


@pytest.fixture
def storage(tmp_path: Path) -> Storage:
    """The pages of a site, as a crawl stored them."""
    storage = Storage(str(tmp_path / "data"))
    noon = datetime.combine(DAY, datetime.min.time(), UTC) + timedelta(hours=12)
    records = [_record(page, noon + timedelta(seconds=n)) for n, page in enumerate(site())]
    table = records_to_table(sorted(records, key=lambda each: each.url_key), PAGE_SCHEMA)
    storage.replace("pages", "a", DAY, table)
    return storage


def _record(page: Page, fetched_at: datetime) -> PageRecord:
    return PageRecord(
        run_id="r", url=page.url, final_url=page.url, url_key=page.url, fetched_at=fetched_at,
        status=200, html=page.html, body_len=len(page.html), charset="utf-8",
        body_sha256=sha256(page.html).hexdigest(),
    )  # fmt: skip


def _articles(storage: Storage) -> dict[str, tuple[str, datetime]]:
    rows = [row for batch in storage.read("articles", "a") for row in batch.to_pylist()]
    found = {row["url_key"]: (row["status"], row["first_seen_at"]) for row in rows}
    assert len(found) == len(rows)
    return found


def test_a_site_from_its_first_night_on(storage: Storage) -> None:
    extract_site(storage, SITE)
    guessed = _articles(storage)
    assert Counter(status for status, _ in guessed.values()) == {"guessed": 10}
    (stats,) = read_stats(storage, "a")
    assert (stats.articles, stats.guessed, stats.unmatched) == (0, 10, 3)
    assert (stats.fresh, stats.fresh_articles, stats.match_rate) == (13, 0, 0.0)
    health = judge_health(storage, SITE, DAY)
    assert health.trouble is not None and health.trouble.cause is Cause.UNLEARNED

    learn_site(storage, SITE)
    counts = extract_site(storage, SITE).articles
    learned = _articles(storage)
    assert Counter(status for status, _ in learned.values()) == {"ok": 10}
    assert {key: seen for key, (_, seen) in learned.items()} == {
        key: seen for key, (_, seen) in guessed.items()
    }
    assert (counts.new, counts.edited) == (0, 0)
    (stats,) = read_stats(storage, "a")
    assert (stats.articles, stats.guessed, stats.lists) == (10, 0, 3)


@pytest.mark.parametrize(
    "own", [{"extract": ExtractConfig(guess=False)}, {"learn": LearnConfig(preset="webstemmer")}]
)
def test_a_site_that_wants_none(storage: Storage, own: dict[str, object]) -> None:
    with pytest.raises(NoPatternsError):
        extract_site(storage, SITE.model_copy(update=own))
