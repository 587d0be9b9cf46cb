from datetime import UTC, datetime

from crawler.spiders.items import visits_of_page
from crawler.storage.records import PageRecord

A, B, C = (f"http://example.org/{name}" for name in "abc")


def test_each_url_of_a_chain_is_visited_under_its_own_key() -> None:
    now = datetime(2026, 11, 20, tzinfo=UTC)
    page = PageRecord(
        run_id="r", url=A, final_url=C, url_key=C, fetched_at=now, redirects=(A, B), status=200
    )
    visits = visits_of_page(page, {A: A, B: B}, expanded=True)
    assert [(visit.url_key, visit.url) for visit in visits] == [(C, C), (A, A), (B, B)]
    assert [visit.error for visit in visits] == [None, f"redirects to {C}", f"redirects to {C}"]
    assert [visit.expanded for visit in visits] == [True, False, False]
