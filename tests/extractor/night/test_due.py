"""When sites are due."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from crawler.config.sites import SiteConfig
from crawler.storage.runs import FailedPages, RunRecord
from extractor.night.due import is_learning_due, next_crawl, next_start

NOW = datetime(2026, 11, 20, 3, tzinfo=UTC)


def site(name: str = "a", host: str = "a.example", **facts: Any) -> SiteConfig:
    return SiteConfig(name=name, start_urls=(f"http://{host}/",), **facts)


def run(hours_ago: float, exit_code: int = 0, command: str = "crawl", new: int = 1) -> RunRecord:
    started = NOW - timedelta(hours=hours_ago)
    return RunRecord(
        run_id="r", command=command, started_at=started, ended_at=started, exit_code=exit_code,
        pages_new=new if command == "crawl" else None,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("runs", "is_due"),
    [
        ([], True),
        ([run(24)], True),
        ([run(23.5)], True),  # the night begins earlier than the last one
        ([run(2)], False),
        ([run(26), run(2, 4)], True),  # another run worked on it
        ([run(2, 1)], True),
        ([run(2, 1), run(1, 1)], True),
        ([run(2, 1), run(1.5, 1), run(1, 1)], False),  # tried often enough
        ([run(26, 1), run(25.5, 1), run(25, 1)], True),  # but not in this interval
        ([run(-24 * 365)], True),  # a clock that was a year ahead
    ],
)
def test_a_site_is_crawled_once_in_its_interval(runs: list[RunRecord], is_due: bool) -> None:
    assert (next_crawl(site(), runs, NOW, retries=2) <= NOW) is is_due


@pytest.mark.parametrize(("reason", "is_due"), [("http 404", False), ("timeout", True)])
def test_what_another_try_will_not_mend_is_not_tried_again(reason: str, is_due: bool) -> None:
    failures = (FailedPages(reason=reason, pages=1),)
    failed = replace(run(1, 1, new=0), pages_failed=1, start_pages_failed=1, failures=failures)
    assert (next_crawl(site(), [failed], NOW, retries=2) <= NOW) is is_due


def test_a_cron_expression_in_a_time_zone() -> None:
    paris = site(every="30 3 * * *", time_zone="Europe/Paris")  # 2:30 UTC in winter
    assert next_crawl(paris, [run(0.4)], NOW, 0) == NOW.replace(day=21, hour=2, minute=30)
    assert next_crawl(paris, [run(0.6)], NOW, 0) <= NOW
    # Clocks go from 2:00 to 3:00 on 29 March 2026, and back on 25 October.
    for day, month, count in ((28, 3, 1), (24, 10, 1)):
        before = datetime(2026, month, day, 12, tzinfo=UTC)
        found = next_start("30 2 * * *", "Europe/Paris", before)
        assert before < found <= before + timedelta(days=count + 1)


def test_when_layouts_are_learned() -> None:
    learned = run(24, command="learn")
    assert is_learning_due(site(), [run(25)], NOW, is_needed=False)
    assert not is_learning_due(site(), [run(25, new=3), learned, run(1)], NOW, is_needed=False)
    assert is_learning_due(site(), [run(25, new=2), learned, run(1)], NOW, is_needed=True)
    grown = [run(25, new=2), learned, run(2), run(1)]
    assert is_learning_due(site(), grown, NOW, is_needed=False)
    assert not is_learning_due(site(learn_every="never"), grown, NOW, is_needed=True)
    assert not is_learning_due(site(), [learned, run(1, new=0)], NOW, is_needed=True)
    long_ago = run(24 * 7, command="learn")
    assert is_learning_due(site(), [long_ago, run(1)], NOW, is_needed=False)
