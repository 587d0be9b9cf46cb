"""How much DuckDB reads of a table, on parts as a crawl writes them."""

from datetime import UTC, date, datetime
from pathlib import Path

import duckdb
import pytest

from benchmarks.measures.lookups import add_neighbours, lookup_figures
from crawler.storage.partitions import Storage
from crawler.storage.records import PAGE_SCHEMA, PageRecord, records_to_table

DAY = date(2026, 11, 21)
N_PARTS = 4
ROWS = 1200

pytestmark = pytest.mark.skipif(
    int(duckdb.__version__.partition(".")[0]) < 2, reason="DuckDB 1 has no such profile"
)


def key(number: int) -> str:
    return f"https://long-host-name.example/news/2026/story-{number:06d}/"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four parts of three row groups; each part covers the whole range of keys."""
    root = tmp_path_factory.mktemp("lookups")
    for part in range(N_PARTS):
        records = [
            PageRecord(
                run_id="r", url=key(n), final_url=key(n), url_key=key(n),
                fetched_at=datetime(2026, 11, 21, tzinfo=UTC), status=200, html=b"<p>%d" % n,
            )
            for n in range(part, ROWS * N_PARTS, N_PARTS)
        ]  # fmt: skip
        Storage(str(root)).write_part("pages", "site", DAY, records_to_table(records, PAGE_SCHEMA))
    return root / "pages"


def test_a_day_reads_no_other_and_a_page_one_row_group(pages: Path) -> None:
    add_neighbours(pages, "site")
    keys = [key(n) for n in (0, 1, 777, ROWS * N_PARTS - 1)]
    figures = lookup_figures(pages, "site", DAY, keys)
    assert figures["table_files"] == 10 * N_PARTS
    assert figures["table_row_groups"] == 10 * N_PARTS * 3
    assert figures["site_day_files_read"] == N_PARTS
    assert figures["site_day_row_groups_read"] == N_PARTS * 3
    assert figures["lookup_files_opened"] == N_PARTS
    # Without the Bloom filters it would be one in each part: statistics cannot tell them apart.
    assert figures["lookup_row_groups_read"] == 1
    assert figures["lookup_share_of_bytes"] < 0.1 < figures["site_day_share_of_bytes"] + 0.05


def test_a_page_that_is_not_there_reads_no_row_group(pages: Path) -> None:
    figures = lookup_figures(pages, "site", DAY, [key(0) + "x"])
    assert figures["lookup_row_groups_read"] == 0
