"""Inlink anchor texts, joined from stored links."""

import random
from datetime import UTC, date, datetime
from pathlib import Path

from crawler.config import SiteConfig
from crawler.partitions import Storage
from crawler.records import LINK_SCHEMA, PAGE_SCHEMA, LinkRecord, PageRecord, records_to_table
from learner.inlinks import MAX_TEXTS, Inlinks, read_inlinks

DAY = date(2026, 11, 20)
SITE = SiteConfig(name="s", start_urls=("http://e/",))


def link(target: str, text: str | None) -> LinkRecord:
    return LinkRecord(
        run_id="r",
        src_url_key="http://e/",
        dst_url=target,
        dst_url_key=target,
        anchor_text=text,
    )


def test_texts_are_joined_by_key_and_ranked_by_number(tmp_path: Path) -> None:
    storage = Storage(str(tmp_path))
    rows = [link("http://e/a", "Two"), link("http://e/a", " Two "), link("http://e/a", "One")]
    rows += [link("http://e/a", None), link("http://e/b", "Other"), link("http://e/old", "Old")]
    storage.write_part("links", "s", DAY, records_to_table(rows[:2], LINK_SCHEMA))
    storage.write_part("links", "s", DAY, records_to_table(rows[2:], LINK_SCHEMA))
    page = PageRecord(
        run_id="r",
        url="http://e/old",
        final_url="http://e/a",
        url_key="http://e/a",
        fetched_at=datetime(2026, 11, 20, tzinfo=UTC),
        redirects=("http://e/old",),
    )
    storage.write_part("pages", "s", DAY, records_to_table([page], PAGE_SCHEMA))
    inlinks = read_inlinks(storage, SITE, {"http://e/a"})
    assert inlinks.texts("http://e/a") == ("Two", "Old", "One")
    assert inlinks.texts("http://e/b") == ()
    assert read_inlinks(storage, SITE, {"http://e/a"}, until=date(2026, 1, 1)).texts("x") == ()


def test_the_texts_kept_do_not_depend_on_order() -> None:
    texts = [f"text {number % 90:02}" for number in range(400)]
    first, second = Inlinks({"k"}), Inlinks({"k"})
    for text in texts:
        first.add("k", text, 1)
    for text in random.Random(2).sample(texts, k=len(texts)):
        second.add("k", text, 1)
    assert first.texts("k") == second.texts("k")
    assert len(first.texts("k")) == MAX_TEXTS
