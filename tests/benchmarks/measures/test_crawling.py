"""The benchmark of crawls, on a site of few pages; what it measures is no matter here."""

import duckdb
import pytest

from benchmarks.measures import crawling
from benchmarks.measures.crawling import (
    CommandFailed,
    Sample,
    memory_figures,
    rss_figures,
    speed_figures,
)


def test_both_crawls_fetch_all_pages() -> None:
    # `speed_figures` fails if one of them does not.
    figures = speed_figures(n_pages=80, tries=1)
    assert figures["crawl_vs_bare"] == pytest.approx(
        figures["crawl_pages_per_second"] / figures["bare_pages_per_second"]
    )
    assert 0.05 < figures["crawl_vs_bare"] < 20
    assert figures["crawl_cpu_ms"] > 0 < figures["bare_cpu_ms"]


@pytest.mark.skipif(duckdb.__version__ < "2", reason="row groups are profiled by DuckDB 2 (bench)")
def test_memory_is_read_from_the_crawl_and_pages_from_its_tables(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(crawling, "SAMPLE_SECONDS", 0.01)
    monkeypatch.setattr(crawling.Project, "learn", lambda *_: None)  # the other test does that
    figures = memory_figures(n_pages=200)
    assert 50 < figures["crawl_rss_mb"] <= figures["crawl_rss_peak_mb"]
    assert figures["crawl_rss_growth"] > 0.5
    assert figures["crawl_largest_process_mb"] >= figures["crawl_rss_mb"]
    assert figures["lookup_row_groups_read"] == 1
    assert figures["table_row_groups"] == 10


def test_growth_is_the_median_of_the_late_against_that_of_the_early() -> None:
    early = [
        Sample(n_pages=n, rss_mb=mb, peak_mb=mb) for n, mb in ((90, 90), (95, 300), (101, 100))
    ]
    late = [Sample(n_pages=n, rss_mb=110, peak_mb=110) for n in (985, 990, 1000)]
    merging = [Sample(n_pages=1000, rss_mb=350, peak_mb=400)] * 3
    assert rss_figures([*early, *late, *merging], 100, 1000) == {
        "crawl_rss_mb": 110,
        "crawl_rss_early_mb": 100,
        "crawl_rss_peak_mb": 400,
        "crawl_rss_growth": 1.1,
    }


def test_a_crawl_that_fails_is_told() -> None:
    process = crawling._scrapy(crawling.REPOSITORY, "crawl", "no_such_site")
    with pytest.raises(CommandFailed, match="expected exit code 0, got 3"):
        crawling._end(process)
