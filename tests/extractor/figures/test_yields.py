from datetime import UTC, datetime

import pytest

from crawler.storage.partitions import Storage
from crawler.storage.records import PAGE_SCHEMA, PageRecord, records_to_table
from extractor.articles import ArticleRecord, Status
from extractor.figures.yields import SiteYield, Yield, site_yield
from extractor.outcomes import outcomes_to_table

URLS = [f"http://example.com/{n}" for n in range(4)]


@pytest.fixture
def storage(tmp_path):
    return Storage(str(tmp_path))


def store(storage, day, run, pages=(), articles=()):
    time = datetime(2026, 11, day, tzinfo=UTC)
    common = {"run_id": run, "fetched_at": time}
    rows = [
        PageRecord(
            **common,
            url=f"http://a/{n}",
            final_url=f"http://a/{n}",
            url_key=f"http://a/{n}",
            **more,
        )
        for n, more in enumerate(pages)
    ]
    storage.write_part("pages", "site", time.date(), records_to_table(rows, PAGE_SCHEMA))
    records = [
        ArticleRecord(**common, url=url, url_key=url, **more)
        for url, more in zip(URLS, articles, strict=False)
    ]
    storage.replace("outcomes", "site", time.date(), outcomes_to_table(records))


GOOD = {"status": Status.OK, "title": "t", "body": "b"}


def test_the_last_run_and_all(storage):
    bodies = [{"html": b"x"}] * 4
    store(storage, 1, "z-first", bodies, [GOOD, GOOD, GOOD, {"status": Status.NO_PATTERN}])
    more = [{"html": b"x"}, {"html": b"x"}, {"unchanged": True}, {"error": "http 404"}]
    store(storage, 2, "a-second", more, [GOOD, {"status": Status.OK, "title": "t"}])
    assert site_yield(storage, "site") == SiteYield(
        site="site",
        last_run="a-second",
        last_time=datetime(2026, 11, 2, tzinfo=UTC),
        last=Yield(obtained=2, extracted=1),
        total=Yield(obtained=6, extracted=4),
    )


def test_a_site_without_pages(storage):
    found = site_yield(storage, "site")
    assert (found.last_run, found.total, found.total.share) == (None, Yield(), None)


def test_the_share(storage):
    assert Yield(obtained=4, extracted=3).share == 0.75
